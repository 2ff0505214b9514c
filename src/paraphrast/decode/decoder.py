"""The decoder: checks at the door, searches in parallel over fixed runs of items, names what was found."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.arrays import DecoderArrays, OptionArrays, read_only
from paraphrast.decode.batch import DecodeBatch, DecodeOptions, Edges, HypEdit, Hypothesis, SearchLoss
from paraphrast.decode.features import FEATURES, with_features
from paraphrast.decode.scoring import EdgeScores, Limits, Scoring
from paraphrast.decode.weights import Weights
from paraphrast.errors import InputError
from paraphrast.types import PackedNgrams, Sentences

#: Items a task; fixed, so that threads never change what is computed together.
ITEMS_A_TASK = 32
#: How many times as many hypotheses are searched for when near copies are to be left out, and how many more
#: at most.
OVERSUPPLY = 10
MAX_OVERSUPPLY = 1000
#: Sequences to avoid or to use whose options are remembered.
MAX_REMEMBERED = 64
#: Demands and tables with a minimum together: bits of a hypothesis.
MAX_BITS = 30


class Decoder:
    """Rewrites encoded items by tables and language model (Quirk et al. 2004, §3.4; Zhao et al. 2008, §3)."""

    def __init__(self, arrays: DecoderArrays, ngrams: PackedNgrams, weights: Weights) -> None:
        edit_names = arrays.edit_names
        arrays = with_features(
            arrays, [name for name in weights.features if name not in edit_names and name in FEATURES]
        )
        self.arrays = arrays
        self.weights = weights
        vector = weights.vector((*arrays.feature_names, *edit_names))
        self._feature_weights = vector[: len(arrays.feature_names)]
        self._edit_weights = vector[len(arrays.feature_names) :]
        self._minima = weights.minima(arrays.feature_names)
        self._owners = [arrays.owner(name) for name in arrays.feature_names]
        for name, owner, minimum in zip(arrays.feature_names, self._owners, self._minima, strict=True):
            if minimum != 0 and not owner:
                raise InputError(f"a minimum for {name!r}, which is the feature of no table")
        self._options = OptionArrays(*(read_only(array) for array in arrays.options))
        self._ngrams = PackedNgrams(*(read_only(array) for array in ngrams))
        self._insertions: dict[tuple[int, ...], NDArray[np.uint8]] = {}
        if self._ngrams.order < 1 or not self._ngrams.nodes:
            raise InputError("expected a language model with at least one word")

    def with_weights(self, weights: Weights) -> Decoder:
        """The same tables and language model under other weights; nothing is copied."""
        return Decoder(self.arrays, self._ngrams, weights)

    def with_arrays(self, arrays: DecoderArrays) -> Decoder:
        """Other options under the same weights and language model."""
        return Decoder(arrays, self._ngrams, self.weights)

    def decode(
        self,
        batch: DecodeBatch,
        options: DecodeOptions | None = None,
        threads: int = 1,
        *,
        edge_scores: NDArray[np.float64] | None = None,
    ) -> list[list[Hypothesis]]:
        """The best rewrites of every item, best first; never the item itself. Items keep their order.

        edge_scores: float64, added to the score of each row of :meth:`edges` of the same batch and options: for
        what only the sentence can tell of a substitution.
        """
        if threads < 1:
            raise InputError(f"expected at least one thread, got {threads}")
        chosen = options or DecodeOptions()
        arguments = self._arguments(batch, chosen, edge_scores)
        tasks = [
            (begin, min(begin + ITEMS_A_TASK, len(batch))) for begin in range(0, len(batch), ITEMS_A_TASK)
        ]
        if threads == 1 or len(tasks) <= 1:
            runs = [self._run(arguments, task) for task in tasks]
        else:
            with ThreadPoolExecutor(min(threads, len(tasks), 4 * (os.cpu_count() or 1))) as pool:
                runs = list(pool.map(lambda task: self._run(arguments, task), tasks))
        tokens = batch.tokens.tolist()
        starts = batch.starts.tolist()
        found = [
            hypotheses
            for (first, _), run in zip(tasks, runs, strict=True)
            for hypotheses in self._named(run, tokens, starts[first:])
        ]
        return [_spread(hypotheses, chosen.n, chosen.distinct) for hypotheses in found]

    def edges(self, batch: DecodeBatch, options: DecodeOptions | None = None) -> Edges:
        """All substitutions that the options allow in a batch, with their scores apart from the context."""
        from paraphrast.decode._kernels_lattice import list_edges

        before, after = self._arguments(batch, options or DecodeOptions(), None)
        options_arrays, _, *rest = before
        run: Any = list_edges
        begin, found, score = run(options_arrays, *rest, *after)
        columns = [np.ascontiguousarray(found[:, column]) for column in range(3)]
        return Edges(begin, columns[0], columns[1], columns[2], score)

    def edge_context(
        self,
        batch: DecodeBatch,
        edges: Edges,
        vector: NDArray[np.float32] | None = None,
        weight: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """float32[edges, 4]: what only the sentence can tell of each substitution, as of ``_kernels_context``.

        vector: [vocabulary, size], and weight: [vocabulary], of a word among its neighbours; without them the last two
        columns are 0.
        """
        from paraphrast.decode._kernels_context import edge_context

        if vector is None or weight is None:
            words = 1 + int(max(batch.tokens.max(initial=0), self._options.target_words.max(initial=0)))
            vector, weight = np.zeros((words, 1), np.float32), np.zeros(words, np.float32)
        return edge_context(
            self._ngrams,
            np.asarray(batch.tokens),
            np.asarray(batch.starts),
            np.asarray(batch.breaks),
            edges.begin,
            edges.start,
            edges.end,
            edges.option,
            self._options.word_begin,
            self._options.target_words,
            vector,
            weight,
        )

    def loss(self, batch: DecodeBatch, options: DecodeOptions | None = None, threads: int = 1) -> SearchLoss:
        """How far the options' beam falls short of exact search on these items."""
        chosen = options or DecodeOptions()
        exact = self.decode(batch, replace(chosen, beam=0), threads)
        return SearchLoss.between(exact, self.decode(batch, chosen, threads))

    def components(self, batch: DecodeBatch, item: int, hypothesis: Hypothesis) -> dict[str, float]:
        """What a hypothesis's score is made of, each less that of the unchanged item, before weighting.

        ``lm``, ``edit``, ``word``, ``identity`` and ``swap`` as in :class:`Weights`, then every feature by name,
        and the edits of each table as ``<table>.edits``. A feature with a minimum sheds it in every sentence that
        uses its table. The sum of weight times component is the score (but for ``edge_scores``): what tuning needs.
        """
        begin, end = int(batch.starts[item]), int(batch.starts[item + 1])
        tokens, breaks = batch.tokens[begin:end].tolist(), batch.breaks[begin:end]
        borders = [0, *(np.flatnonzero(breaks[1:]) + 1).tolist(), len(tokens)]
        before, after = [], []
        sentences_using = dict.fromkeys(self.arrays.table_names, 0)
        for left, right in pairwise(borders):
            sentence = tokens[left:right]
            before.append(list(sentence))
            used = 0
            for edit in reversed(hypothesis.edits):
                if left <= edit.start_token < right:
                    sentence[edit.start_token - left : edit.end_token - left] = edit.target_words
                    used |= edit.table_mask
            after.append(sentence)
            for table in self.arrays.tables_of(used):
                sentences_using[table] += 1
        options = [option for edit in hypothesis.edits for option in edit.options]
        features = self._options.features[options].sum(axis=0, dtype=np.float64)
        shed = [sentences_using.get(owner, 0) for owner in self._owners]
        features -= self._minima * np.array(shed, dtype=np.float64)
        masks = [int(mask) for mask in self._options.tables[options]]
        counts = [sum(mask >> table & 1 for mask in masks) for table in range(len(self.arrays.table_names))]
        kept = sum(self._kept_words(edit) - (edit.end_token - edit.start_token) for edit in hypothesis.edits)
        return {
            "lm": self.log_prob(after) - self.log_prob(before),
            "edit": float(len(options)),
            "word": float(sum(map(len, after)) - len(tokens)),
            "identity": float(kept),
            "swap": float(
                sum(self._swap_odds(edit.swapped[1], tokens) for edit in hypothesis.edits if edit.swapped)
            ),
            **dict(zip(self.arrays.feature_names, features.tolist(), strict=True)),
            **dict(zip(self.arrays.edit_names, map(float, counts), strict=True)),
        }

    @staticmethod
    def _kept_words(edit: HypEdit) -> int:
        """Source words that a swap moves but does not replace."""
        return sum(part.end_token - part.start_token for part in edit.swapped if part.option < 0)

    def _swap_odds(self, first: HypEdit, tokens: list[int]) -> float:
        """The odds of a swap by the part that stands first in the source."""
        return self.swap_odds(tokens[first.start_token : first.end_token])

    def swap_odds(self, phrase: Sequence[int]) -> float:
        """log p(swap) − log p(monotone) of a phrase and what follows it."""
        from paraphrast.decode._kernels_swap import swap_odds

        words = np.array(phrase, dtype=np.int32)
        return float(swap_odds(self._options, words, 0, len(words), self.arrays.swap_default))

    def log_prob(self, sentences: list[list[int]]) -> float:
        """Natural log probability of some sentences by the language model."""
        from paraphrast._numeric import score_sentences

        flat = Sentences.from_lists(sentences)
        return float(score_sentences(self._ngrams, flat.tokens, flat.starts).sum())

    def _arguments(
        self, batch: DecodeBatch, options: DecodeOptions, edge_scores: NDArray[np.float64] | None
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What :func:`decode_items` takes before and after the run of items."""
        categories = batch.span_category if options.use_categories else None
        if categories is None:
            categories = np.zeros((0, 7), dtype=np.uint8)
        before = (
            self._options,
            self._ngrams,
            read_only(np.asarray(batch.tokens, dtype=np.int32)),
            read_only(np.asarray(batch.starts, dtype=np.int64)),
            read_only(np.asarray(batch.breaks, dtype=np.uint8)),
            read_only(np.asarray(batch.protected, dtype=np.uint8)),
            read_only(np.asarray(categories, dtype=np.uint8)),
        )
        extra = EdgeScores(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float64))
        if edge_scores is not None:
            edges = self.edges(batch, options)
            if edge_scores.shape != (len(edges),) or not np.isfinite(edge_scores).all():
                raise InputError(
                    f"expected a finite score for each of {len(edges)} edges, got shape {edge_scores.shape}",
                    remedy="score the rows of edges(batch, options) of the same batch and options",
                )
            extra = EdgeScores(edges.begin, np.ascontiguousarray(edge_scores, dtype=np.float64))
        return before, (self._scoring(options), self._limits(options), extra)

    def _scoring(self, options: DecodeOptions) -> Scoring:
        """The weights by place, 0 for the features of tables that are not in use."""
        weights, arrays = self.weights, self.arrays
        in_use = arrays.tables_of(options.table_mask)
        active = np.array([not owner or owner in in_use for owner in self._owners], dtype=np.float64)
        features = self._feature_weights * active
        edits = self._edit_weights * np.array(
            [name in in_use for name in arrays.table_names], dtype=np.float64
        )
        shed = features * self._minima
        gains = [
            -sum(value for value, owner in zip(shed.tolist(), self._owners, strict=True) if owner == name)
            for name in arrays.table_names
        ]
        with_minimum = [table for table, gain in enumerate(gains) if gain != 0]
        if len(with_minimum) + len(options.must_use) > MAX_BITS:
            raise InputError(
                f"expected at most {MAX_BITS} tables with a minimum and sequences to use together, "
                f"got {len(with_minimum)} and {len(options.must_use)}"
            )
        return Scoring(
            features=features,
            table_edits=edits if edits.any() else np.zeros(0, dtype=np.float64),
            first_table=np.array(with_minimum, dtype=np.int32),
            first_use=np.array([gains[table] for table in with_minimum], dtype=np.float64),
            lm=float(weights.lm),
            edit=float(weights.edit),
            word=float(weights.word),
            identity=float(weights.identity if options.log_u is None else options.log_u),
            swap=float(weights.swap),
            swap_default=float(arrays.swap_default),
        )

    def _limits(self, options: DecodeOptions) -> Limits:
        """What the rewrites may do, the sequences to avoid and to use as flags of options."""
        banned = np.zeros(0, dtype=np.uint8)
        if options.avoid:
            banned = np.zeros(len(self.arrays), dtype=np.uint8)
            for sequence in options.avoid:
                banned |= self._inserting(sequence)
        must_bits = np.zeros(0, dtype=np.int32)
        if options.must_use:
            must_bits = np.zeros(len(self.arrays), dtype=np.int32)
            for bit, sequence in enumerate(options.must_use):
                must_bits |= self._inserting(sequence).astype(np.int32) << bit
        more = min(OVERSUPPLY * options.n, options.n + MAX_OVERSUPPLY)
        return Limits(
            banned=banned,
            must_bits=must_bits,
            must_count=len(options.must_use),
            min_log_prob=float(options.min_log_prob),
            veto_mask=int(options.veto_mask),
            table_mask=int(options.table_mask),
            keep_masks=bool(options.must_keep_masks),
            max_edits=int(options.max_edits),
            beam=int(options.beam),
            pops=int(options.pops),
            window=int(options.window),
            wanted=more if options.distinct > 0 else int(options.n),
            effort=int(options.effort),
        )

    def _inserting(self, sequence: tuple[int, ...]) -> NDArray[np.uint8]:
        """Options whose target holds ``sequence`` more often than their source, as flags; kept for next time."""
        from paraphrast.decode._kernels_inserting import inserting_options

        flags = self._insertions.get(sequence)
        if flags is None:
            flags = inserting_options(self._options, np.array(sequence, dtype=np.int32))
            if len(self._insertions) >= MAX_REMEMBERED:
                self._insertions.clear()
            self._insertions[sequence] = flags
        return flags

    @staticmethod
    def _run(
        arguments: tuple[tuple[Any, ...], tuple[Any, ...]], task: tuple[int, int]
    ) -> tuple[NDArray[Any], ...]:
        from paraphrast.decode._kernels import decode_items

        before, after = arguments
        search: Any = decode_items
        run: tuple[NDArray[Any], ...] = search(*before, *task, *after)
        return run

    def _named(
        self, run: tuple[NDArray[Any], ...], tokens: list[int], starts: list[int]
    ) -> Iterable[list[Hypothesis]]:
        """The kernel's arrays as records, item by item, in its order."""
        hypothesis_begin, scores, edit_begin, edits = (array.tolist() for array in run)
        for item in range(len(hypothesis_begin) - 1):
            made: dict[tuple[int, ...], HypEdit] = {}
            hypotheses: list[Hypothesis] = []
            for index in range(hypothesis_begin[item], hypothesis_begin[item + 1]):
                keys = [tuple(row) for row in edits[edit_begin[index] : edit_begin[index + 1]]]
                for key in keys:
                    if key not in made:
                        made[key] = self._edit(key, tokens, starts[item])
                hypotheses.append(Hypothesis(scores[index], tuple([made[key] for key in keys])))
            yield hypotheses

    def _edit(self, row: tuple[int, ...], tokens: list[int], item_start: int) -> HypEdit:
        """An edit from its row: start, end, option; and for a swap the second option and the place between."""
        start, end, option, second, split = row
        if split < 0:
            return self._part(start, end, option, tokens, item_start)
        parts = (
            self._part(split, end, second, tokens, item_start),
            self._part(start, split, option, tokens, item_start),
        )
        odds = self._swap_odds(parts[1], tokens[item_start : item_start + end])
        return HypEdit(
            start_token=start,
            end_token=end,
            option=-1,
            target_words=parts[0].target_words + parts[1].target_words,
            target=-1,
            log_prob=parts[0].log_prob + parts[1].log_prob - math.log1p(math.exp(-odds)),
            table_mask=parts[0].table_mask | parts[1].table_mask,
            swapped=parts,
        )

    def _part(self, start: int, end: int, option: int, tokens: list[int], item_start: int) -> HypEdit:
        """A substitution, or words that a swap keeps."""
        if option < 0:
            return HypEdit(start, end, -1, tuple(tokens[item_start + start : item_start + end]), -1, 0.0, 0)
        arrays = self._options
        return HypEdit(
            start_token=start,
            end_token=end,
            option=option,
            target_words=tuple(
                arrays.target_words[arrays.word_begin[option] : arrays.word_begin[option + 1]].tolist()
            ),
            target=arrays.target.item(option),
            log_prob=arrays.log_prob.item(option),
            table_mask=arrays.tables.item(option),
        )


def _spread(hypotheses: list[Hypothesis], n: int, distinct: float) -> list[Hypothesis]:
    """The best n of which every two differ by at least ``distinct`` in Jaccard distance of their edits."""
    if distinct <= 0:
        return hypotheses[:n]
    accepted: list[Hypothesis] = []
    sets: list[set[HypEdit]] = []
    for hypothesis in hypotheses:
        edits = set(hypothesis.edits)
        if all(len(edits & other) <= (1 - distinct) * len(edits | other) for other in sets):
            accepted.append(hypothesis)
            sets.append(edits)
            if len(accepted) == n:
                break
    return accepted
