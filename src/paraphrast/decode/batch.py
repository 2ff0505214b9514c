"""Input and output of the decoder: a batch of encoded texts, the options, the edges, the hypotheses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.options import MAX_WINDOW
from paraphrast.decode.scoring import EdgeRows
from paraphrast.errors import InputError
from paraphrast.types import MAX_PHRASE

#: Maximum number of sequences in ``must_use``: each is one bit of a hypothesis.
MAX_MUST_USE = 16


@dataclass(frozen=True)
class DecodeBatch:
    """Encoded texts as flat arrays; an item is one text, which may have several sentences.

    tokens: int32[n], vocabulary ids; 0 for an unknown word.
    starts: int64[items + 1]; item i is ``tokens[starts[i]:starts[i + 1]]``.
    breaks: uint8[n], 1 at a token that begins a sentence within an item.
    protected: uint8[n], 1 at a token that no edit may touch.
    span_category: uint8[n, 7] or None: the category of the span of l + 1 tokens that begins at i; 0 if unknown.
    """

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    breaks: NDArray[np.uint8]
    protected: NDArray[np.uint8]
    span_category: NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        size = len(self.tokens)
        starts = self.starts
        if len(starts) < 1 or starts[0] != 0 or starts[-1] != size or (np.diff(starts) < 0).any():
            raise InputError(f"expected starts in ascending order from 0 to {size}, the number of tokens")
        if len(self.breaks) != size or len(self.protected) != size:
            raise InputError(
                f"expected a break and a protection flag for each of {size} tokens, "
                f"got {len(self.breaks)} and {len(self.protected)}"
            )
        if self.span_category is not None and self.span_category.shape != (size, MAX_PHRASE):
            raise InputError(
                f"expected span categories of shape ({size}, {MAX_PHRASE}), got {self.span_category.shape}"
            )

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def from_lists(cls, items: Iterable[Iterable[int]]) -> DecodeBatch:
        """One sentence per item, nothing protected."""
        rows = [list(item) for item in items]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        starts[1:] = np.cumsum([len(row) for row in rows], dtype=np.int64)
        tokens = np.array([token for row in rows for token in row], dtype=np.int32)
        nothing = np.zeros(len(tokens), dtype=np.uint8)
        return cls(tokens, starts, nothing, nothing)


@dataclass(frozen=True)
class DecodeOptions:
    """How to search, and which edits are allowed.

    n: number of rewrites per item.
    beam: hypotheses per position (and per set of required sequences inserted); 0 keeps all: exact search.
    pops: extensions per position tried by cube pruning, together with a beam; 0 tries all. Ignored if there are
        required sequences.
    min_log_prob: options with a lower log-probability are not used.
    veto_mask: options with one of these veto bits are not used.
    use_categories: whether a target must agree with the category of the span it replaces.
    table_mask: tables to use, as bits; features of the other tables weigh 0.
    max_edits: maximum number of edits per rewrite; 0 for no limit.
    avoid: word sequences that no edit may insert. An edit inserts a sequence if its target has it more often than
        its source.
    must_use: word sequences that each must be inserted by some edit.
    must_keep_masks: whether an edit must keep the entity masks of its source.
    log_u: natural log of the weight of keeping a word; None for ``identity`` of the model's weights.
    window: maximum number of words of two adjacent phrases that swap; 0 and 1 allow no swap.
    distinct: 0 to 1, minimum Jaccard distance between the edit sets of two rewrites of one item.
    effort: limit of the n-best search: n · ``effort`` derivations per position. If it is reached, the list may be
        shorter than n; the rewrites in it are still the best.
    """

    n: int = 10
    beam: int = 32
    pops: int = 96
    min_log_prob: float = -math.inf
    veto_mask: int = 0xFF
    use_categories: bool = True
    table_mask: int = 0xFFFFFFFF
    max_edits: int = 0
    avoid: tuple[tuple[int, ...], ...] = ()
    must_use: tuple[tuple[int, ...], ...] = ()
    must_keep_masks: bool = True
    log_u: float | None = None
    window: int = 0
    distinct: float = 0.0
    effort: int = 50

    def __post_init__(self) -> None:
        if self.n < 1 or min(self.beam, self.pops, self.max_edits) < 0 or self.effort < 1:
            raise InputError(
                f"expected n ≥ 1, beam, pops and max_edits ≥ 0 and effort ≥ 1, "
                f"got {self.n}, {self.beam}, {self.pops}, {self.max_edits}, {self.effort}"
            )
        if not 0 <= self.window <= MAX_WINDOW:
            raise InputError(f"expected a window from 0 to {MAX_WINDOW} words, got {self.window}")
        if not 0.0 <= self.distinct <= 1.0:
            raise InputError(f"expected distinct between 0 and 1, got {self.distinct}")
        if math.isnan(self.min_log_prob) or (self.log_u is not None and not math.isfinite(self.log_u)):
            raise InputError(
                f"expected numbers as min_log_prob and log_u, got {self.min_log_prob} and {self.log_u}"
            )
        if len(self.must_use) > MAX_MUST_USE:
            raise InputError(f"must_use: expected at most {MAX_MUST_USE} sequences, got {len(self.must_use)}")
        if not all(self.avoid) or not all(self.must_use):
            raise InputError("avoid and must_use: expected at least one word in every sequence")


@dataclass(frozen=True, slots=True)
class HypEdit:
    """One substitution: tokens ``start_token … end_token`` of the item become ``target_words``.

    option: index into the decoder's options; −1 for kept words and for swapped phrases.
    target: phrase id; −1 as above.
    log_prob: natural log of the pair's largest probability in any table; of a swap, the sum over both phrases and the
        swap itself.
    table_mask: the tables that have the pair, as bits.
    swapped: the two parts of a swap, in the order of the output; empty for a plain substitution.
    edge: number of the edit among all that its item allows: equal numbers are equal edits. For a plain substitution,
        the row of its edge among the item's rows of :class:`Edges`; for a swap, a number above all rows; −1 for kept
        words and for an edit that does not come from a search.
    """

    start_token: int
    end_token: int
    option: int
    target_words: tuple[int, ...]
    target: int
    log_prob: float
    table_mask: int
    swapped: tuple[HypEdit, ...] = ()
    edge: int = field(default=-1, compare=False)

    @property
    def options(self) -> tuple[int, ...]:
        """The options of the edit: one, or up to two for a swap."""
        parts = self.swapped or (self,)
        return tuple(part.option for part in parts if part.option >= 0)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A rewrite: its score less that of the unchanged item, and its edits from left to right."""

    score: float
    edits: tuple[HypEdit, ...]

    def apply(self, tokens: Iterable[int]) -> list[int]:
        """The ids of the rewritten item."""
        output = list(tokens)
        for edit in reversed(self.edits):
            output[edit.start_token : edit.end_token] = edit.target_words
        return output


@dataclass(frozen=True)
class Edges:
    """The substitutions that are allowed in each item of a batch.

    begin: int64[items + 1]; the rows of item i are ``begin[i] … begin[i + 1]``, sorted by start, end, option.
    start, end: int32[e], tokens of the item. option: int32[e], index into the decoder's options.
    score: float64[e], the model's score without the language model and minima.
    """

    begin: NDArray[np.int64]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    option: NDArray[np.int32]
    score: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.option)

    def with_scores(self, scores: NDArray[np.float64]) -> Edges:
        """The same edges with ``scores`` (float64[e]) added, such as scores that depend on the sentence."""
        if scores.shape != (len(self),) or not np.isfinite(scores).all():
            raise InputError(
                f"expected a finite score for each of {len(self)} edges, got shape {scores.shape}",
                remedy="give one score per row",
            )
        return replace(self, score=self.score + scores)

    def rows(self, first_item: int, last_item: int) -> EdgeRows:
        """The rows of some items as arguments of a kernel."""
        begin, end = int(self.begin[first_item]), int(self.begin[last_item])
        return EdgeRows(
            self.begin[first_item : last_item + 1] - begin,
            self.start[begin:end],
            self.end[begin:end],
            self.option[begin:end],
            self.score[begin:end],
        )


@dataclass(frozen=True)
class SearchLoss:
    """What a beam loses compared to exact search, over the items that exact search can rewrite.

    items: number of those items. mean: mean of the exact score less the beam's score, of the best rewrite.
    relative: the mean divided by the mean absolute score of the best rewrite of exact search.
    largest: the largest loss of an item. share: share of items whose best rewrite scores lower.
    missed: items for which the beam has no rewrite. list_mean: mean over the whole n-best lists, rank by rank.
    """

    items: int
    mean: float
    relative: float
    largest: float
    share: float
    missed: int
    list_mean: float

    @classmethod
    def between(
        cls, exact: Sequence[Sequence[Hypothesis]], beam: Sequence[Sequence[Hypothesis]]
    ) -> SearchLoss:
        """Compare two results for the same items."""
        pairs = [(best, other) for best, other in zip(exact, beam, strict=True) if best]
        top = [best[0].score - other[0].score for best, other in pairs if other]
        ranks = [
            high.score - low.score for best, other in pairs for high, low in zip(best, other, strict=False)
        ]
        size = sum(abs(best[0].score) for best, other in pairs if other)
        return cls(
            items=len(pairs),
            mean=math.fsum(top) / max(len(top), 1),
            relative=math.fsum(top) / size if size else 0.0,
            largest=max(top, default=0.0),
            share=sum(loss > 1e-9 for loss in top) / max(len(top), 1),
            missed=len(pairs) - len(top),
            list_mean=math.fsum(ranks) / max(len(ranks), 1),
        )
