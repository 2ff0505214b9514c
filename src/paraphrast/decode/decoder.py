"""The decoder: checks at the door, searches in parallel over fixed runs of items, names what was found."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.arrays import DecoderArrays, OptionArrays, read_only
from paraphrast.decode.batch import DecodeBatch, DecodeOptions, HypEdit, Hypothesis
from paraphrast.decode.weights import Weights
from paraphrast.errors import InputError
from paraphrast.types import NgramArrays, Sentences

#: Items a task; fixed, so that threads never change what is computed together.
ITEMS_A_TASK = 32
#: How many times as many hypotheses are searched for when near copies are to be left out, and how many more
#: at most.
OVERSUPPLY = 10
MAX_OVERSUPPLY = 1000
#: Sequences to avoid or to use whose options are remembered.
MAX_REMEMBERED = 64


class Decoder:
    """Rewrites encoded items by tables and language model (Quirk et al. 2004, §3.4; Zhao et al. 2008, §3)."""

    def __init__(self, arrays: DecoderArrays, ngrams: NgramArrays, weights: Weights) -> None:
        self.arrays = arrays
        self.weights = weights
        self._feature_weights = weights.vector(arrays.feature_names)
        self._options = OptionArrays(*(read_only(array) for array in arrays.options))
        self._ngrams = NgramArrays(*(read_only(array) for array in ngrams))
        self._insertions: dict[tuple[int, ...], NDArray[np.uint8]] = {}
        if self._ngrams.order < 1 or not len(self._ngrams.word):
            raise InputError("expected a language model with at least one word")

    def decode(
        self, batch: DecodeBatch, options: DecodeOptions | None = None, threads: int = 1
    ) -> list[list[Hypothesis]]:
        """The best rewrites of every item, best first; never the item itself. Items keep their order."""
        if threads < 1:
            raise InputError(f"expected at least one thread, got {threads}")
        chosen = options or DecodeOptions()
        arguments = self._arguments(batch, chosen)
        tasks = [
            (begin, min(begin + ITEMS_A_TASK, len(batch))) for begin in range(0, len(batch), ITEMS_A_TASK)
        ]
        if threads == 1 or len(tasks) <= 1:
            runs = [self._run(arguments, task) for task in tasks]
        else:
            with ThreadPoolExecutor(min(threads, len(tasks), 4 * (os.cpu_count() or 1))) as pool:
                runs = list(pool.map(lambda task: self._run(arguments, task), tasks))
        found = [hypotheses for run in runs for hypotheses in self._named(run)]
        return [_spread(hypotheses, chosen.n, chosen.distinct) for hypotheses in found]

    def components(self, batch: DecodeBatch, item: int, hypothesis: Hypothesis) -> dict[str, float]:
        """What a hypothesis's score is made of, each less that of the unchanged item, before weighting.

        ``lm``, ``edit``, ``word`` and ``identity`` as in :class:`Weights`, then every feature by name. The sum
        of weight times component is the score: what tuning needs.
        """
        begin, end = int(batch.starts[item]), int(batch.starts[item + 1])
        tokens, breaks = batch.tokens[begin:end].tolist(), batch.breaks[begin:end]
        borders = [0, *(np.flatnonzero(breaks[1:]) + 1).tolist(), len(tokens)]
        before, after = [], []
        for left, right in pairwise(borders):
            sentence = tokens[left:right]
            before.append(list(sentence))
            for edit in reversed(hypothesis.edits):
                if left <= edit.start_token < right:
                    sentence[edit.start_token - left : edit.end_token - left] = edit.target_words
            after.append(sentence)
        options = [edit.option for edit in hypothesis.edits]
        features = self._options.features[options].sum(axis=0, dtype=np.float64)
        return {
            "lm": self._log_prob(after) - self._log_prob(before),
            "edit": float(len(options)),
            "word": float(sum(map(len, after)) - len(tokens)),
            "identity": float(sum(edit.start_token - edit.end_token for edit in hypothesis.edits)),
            **dict(zip(self.arrays.feature_names, features.tolist(), strict=True)),
        }

    def _log_prob(self, sentences: list[list[int]]) -> float:
        """Natural log probability of some sentences by the language model."""
        from paraphrast._numeric import score_sentences

        flat = Sentences.from_lists(sentences)
        return float(score_sentences(self._ngrams, flat.tokens, flat.starts).sum())

    def _arguments(
        self, batch: DecodeBatch, options: DecodeOptions
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What :func:`decode_items` takes before and after the run of items."""
        weights = self.weights
        log_u = weights.identity if options.log_u is None else options.log_u
        categories = batch.span_category if options.use_categories else None
        if categories is None:
            categories = np.zeros((0, 7), dtype=np.uint8)
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
        before = (
            self._options,
            self._ngrams,
            read_only(np.asarray(batch.tokens, dtype=np.int32)),
            read_only(np.asarray(batch.starts, dtype=np.int64)),
            read_only(np.asarray(batch.breaks, dtype=np.uint8)),
            read_only(np.asarray(batch.protected, dtype=np.uint8)),
            read_only(np.asarray(categories, dtype=np.uint8)),
        )
        after = (
            self._active_weights(options.table_mask),
            float(weights.lm),
            float(weights.edit),
            float(weights.word),
            float(log_u),
            banned,
            must_bits,
            (1 << len(options.must_use)) - 1,
            float(options.min_log_prob),
            int(options.veto_mask),
            int(options.table_mask),
            bool(options.must_keep_masks),
            int(options.max_edits),
            int(options.beam),
            min(OVERSUPPLY * options.n, options.n + MAX_OVERSUPPLY) if options.distinct > 0 else options.n,
            int(options.effort),
        )
        return before, after

    def _active_weights(self, table_mask: int) -> NDArray[np.float64]:
        """The feature weights, 0 for the features of tables that are not in use."""
        in_use = self.arrays.tables_of(table_mask)
        active = [_owner(name, self.arrays.table_names) in in_use for name in self.arrays.feature_names]
        return self._feature_weights * np.array(active, dtype=np.float64)

    def _inserting(self, sequence: tuple[int, ...]) -> NDArray[np.uint8]:
        """Options whose target holds ``sequence`` more often than their source, as flags; kept for next time."""
        from paraphrast.decode._kernels_lattice import inserting_options

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

    def _named(self, run: tuple[NDArray[Any], ...]) -> Iterable[list[Hypothesis]]:
        """The kernel's arrays as records, item by item, in its order."""
        hypothesis_begin, scores, edit_begin, edits = (array.tolist() for array in run)
        for item in range(len(hypothesis_begin) - 1):
            made: dict[tuple[int, int, int], HypEdit] = {}
            hypotheses: list[Hypothesis] = []
            for index in range(hypothesis_begin[item], hypothesis_begin[item + 1]):
                keys = [(row[0], row[1], row[2]) for row in edits[edit_begin[index] : edit_begin[index + 1]]]
                for key in keys:
                    if key not in made:
                        made[key] = self._edit(*key)
                hypotheses.append(Hypothesis(scores[index], tuple(made[key] for key in keys)))
            yield hypotheses

    def _edit(self, start: int, end: int, option: int) -> HypEdit:
        arrays = self._options
        return HypEdit(
            start_token=start,
            end_token=end,
            option=option,
            target_words=self.arrays.target_words_of(option),
            target=int(arrays.target[option]),
            log_prob=float(arrays.log_prob[option]),
            table_mask=int(arrays.tables[option]),
        )


def _owner(feature: str, tables: Iterable[str]) -> str:
    """The table a feature column belongs to: "pivot.de.score" is of "pivot.de" where there is one."""
    return max((name for name in tables if feature.startswith(f"{name}.")), key=len, default="")


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
