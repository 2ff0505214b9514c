"""What comes into the decoder and what goes out: a batch of encoded texts, the options, the hypotheses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.types import MAX_PHRASE

#: Sequences that ``must_use`` may hold: each is a bit of a hypothesis's state.
MAX_MUST_USE = 16


@dataclass(frozen=True)
class DecodeBatch:
    """Encoded texts as flat arrays; an item may hold several sentences.

    tokens: int32[n], vocabulary ids; 0 for an unknown word.
    starts: int64[items + 1]; item i is ``tokens[starts[i]:starts[i + 1]]``.
    breaks: uint8[n], 1 at a token that begins a sentence within an item.
    protected: uint8[n], 1 at a token that no edit may touch.
    span_category: uint8[n, 7] or None: the category of the span of l + 1 tokens that begins at i; 0 unknown.
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
            raise InputError(f"expected starts that rise from 0 to the {size} tokens")
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
        """One sentence an item, nothing protected."""
        rows = [list(item) for item in items]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        starts[1:] = np.cumsum([len(row) for row in rows], dtype=np.int64)
        tokens = np.array([token for row in rows for token in row], dtype=np.int32)
        nothing = np.zeros(len(tokens), dtype=np.uint8)
        return cls(tokens, starts, nothing, nothing)


@dataclass(frozen=True)
class DecodeOptions:
    """How to search, and what a rewrite may do.

    n: how many rewrites an item.
    beam: hypotheses kept at each position (of each set of met demands); 0 keeps all: exact search.
    min_log_prob: options below are not used.
    veto_mask: options with one of these veto bits are not used.
    use_categories: whether a target must agree with the category of the span it replaces.
    table_mask: tables to use, as bits; features of the others weigh 0.
    max_edits: 0 for no limit.
    avoid: word sequences that no edit may insert. An edit inserts a sequence when its target holds it more
        often than its source.
    must_use: word sequences of which each must be inserted by some edit.
    must_keep_masks: whether an edit must keep the entity masks of its source.
    log_u: natural log of the weight of keeping a word; None for that of the model's weights.
    distinct: 0 to 1, least Jaccard distance between the edit sets of two rewrites of one item.
    effort: bound on the work of the n-best search: n · ``effort`` derivations a position. When it is
        reached, the list may be shorter than n; what is in it is still the best there is.
    """

    n: int = 10
    beam: int = 32
    min_log_prob: float = -math.inf
    veto_mask: int = 0xFF
    use_categories: bool = True
    table_mask: int = 0xFFFFFFFF
    max_edits: int = 0
    avoid: tuple[tuple[int, ...], ...] = ()
    must_use: tuple[tuple[int, ...], ...] = ()
    must_keep_masks: bool = True
    log_u: float | None = None
    distinct: float = 0.0
    effort: int = 50

    def __post_init__(self) -> None:
        if self.n < 1 or self.beam < 0 or self.max_edits < 0 or self.effort < 1:
            raise InputError(
                f"expected n ≥ 1, beam ≥ 0, max_edits ≥ 0 and effort ≥ 1, "
                f"got {self.n}, {self.beam}, {self.max_edits}, {self.effort}"
            )
        if not 0.0 <= self.distinct <= 1.0:
            raise InputError(f"expected distinct between 0 and 1, got {self.distinct}")
        if math.isnan(self.min_log_prob) or (self.log_u is not None and not math.isfinite(self.log_u)):
            raise InputError(
                f"expected numbers as min_log_prob and log_u, got {self.min_log_prob} and {self.log_u}"
            )
        if len(self.must_use) > MAX_MUST_USE:
            raise InputError(f"expected at most {MAX_MUST_USE} sequences to use, got {len(self.must_use)}")
        if not all(self.avoid) or not all(self.must_use):
            raise InputError("expected at least one word in every sequence to avoid or to use")


@dataclass(frozen=True, slots=True)
class HypEdit:
    """One substitution: tokens ``start_token … end_token`` of the item become ``target_words``.

    option: index into the decoder's options.
    target: phrase id.
    log_prob: natural log of the pair's largest probability in any table.
    table_mask: every table that has the pair, as bits.
    """

    start_token: int
    end_token: int
    option: int
    target_words: tuple[int, ...]
    target: int
    log_prob: float
    table_mask: int


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A rewrite: its model score less that of the unchanged item, and its edits from left to right."""

    score: float
    edits: tuple[HypEdit, ...]

    def apply(self, tokens: Iterable[int]) -> list[int]:
        """The ids of the rewritten item."""
        output = list(tokens)
        for edit in reversed(self.edits):
            output[edit.start_token : edit.end_token] = edit.target_words
        return output
