"""The decoder: checks its input, searches in parallel over fixed runs of items, and names the results."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import small_work
from paraphrast.decode.arrays import DecoderArrays, OptionArrays, read_only
from paraphrast.decode.batch import DecodeBatch, DecodeOptions, Edges, HypEdit, Hypothesis, SearchLoss
from paraphrast.decode.features import FEATURES, with_features
from paraphrast.decode.naming import hypotheses_of, swap_odds
from paraphrast.decode.scoring import EdgeRows, Items, Limits, Scoring
from paraphrast.decode.weights import Weights
from paraphrast.errors import InputError
from paraphrast.types import PackedNgrams, Sentences

#: Items per task; fixed, so that the number of threads never changes what is computed together.
ITEMS_PER_TASK = 32
#: If near copies are left out (``distinct``): factor by which more hypotheses are searched, and the most to add.
OVERSUPPLY = 10
MAX_OVERSUPPLY = 1000
#: Number of sequences (to avoid or to use) whose options are cached.
MAX_REMEMBERED = 64
#: Maximum of required sequences plus tables with a minimum: each is one bit of a hypothesis.
MAX_BITS = 30
#: Seconds in plain Python for the edges of a token, for an edge in its context, and for an arc of the search.
TOKEN_SECONDS, EDGE_SECONDS, ARC_SECONDS = 1e-3, 1.5e-3, 3e-4


class Decoder:
    """Rewrites encoded items by tables and language model (Quirk et al. 2004, §3.4; Zhao et al. 2008, §3)."""

    def __init__(self, arrays: DecoderArrays, ngrams: PackedNgrams, weights: Weights) -> None:
        edit_names = arrays.edit_names
        arrays = with_features(
            arrays, [name for name in weights.features if name not in edit_names and name in FEATURES]
        )
        self._options = OptionArrays(*(read_only(array) for array in arrays.options))
        self.arrays = replace(arrays, options=self._options)
        self.weights = weights
        vector = weights.vector((*arrays.feature_names, *edit_names))
        self._feature_weights = vector[: len(arrays.feature_names)]
        self._edit_weights = vector[len(arrays.feature_names) :]
        self._minima = weights.minima(arrays.feature_names)
        self._owners = [arrays.owner(name) for name in arrays.feature_names]
        for name, owner, minimum in zip(arrays.feature_names, self._owners, self._minima, strict=True):
            if minimum != 0 and not owner:
                raise InputError(f"a minimum for {name!r}, which is not the feature of a table")
        self._ngrams = PackedNgrams(*(read_only(array) for array in ngrams))
        self._insertions: dict[tuple[int, ...], NDArray[np.uint8]] = {}
        if self._ngrams.order < 1 or not self._ngrams.nodes:
            raise InputError("expected a language model with at least one word")

    def with_weights(self, weights: Weights) -> Decoder:
        """The same tables and language model with other weights; nothing is copied."""
        return Decoder(self.arrays, self._ngrams, weights)

    def with_arrays(self, arrays: DecoderArrays) -> Decoder:
        """Other options with the same weights and language model."""
        return Decoder(arrays, self._ngrams, self.weights)

    def edges(self, batch: DecodeBatch, options: DecodeOptions | None = None) -> Edges:
        """All substitutions that the options allow in a batch, with their scores without context."""
        chosen = options or DecodeOptions()
        rows = self._list_edges(
            self._items(batch, chosen), 0, len(batch), self._scoring(chosen), self._limits(chosen)
        )
        return Edges(*rows)

    def decode(
        self,
        batch: DecodeBatch,
        options: DecodeOptions | None = None,
        threads: int = 1,
        *,
        edges: Edges | None = None,
    ) -> list[list[Hypothesis]]:
        """The best rewrites of every item, best first; never the item itself. Items keep their order.

        edges: those of :meth:`edges` for the same batch and options, perhaps with other scores
        (:meth:`Edges.with_scores`); listed here if they are not given.
        """
        if threads < 1:
            raise InputError(f"expected at least one thread, got {threads}")
        if edges is not None and len(edges.begin) != len(batch) + 1:
            raise InputError(
                f"expected the edges of {len(batch)} items, got those of {len(edges.begin) - 1}",
                remedy="pass the result of edges(batch, options) for the same batch",
            )
        chosen = options or DecodeOptions()
        items = self._items(batch, chosen)
        scoring, limits = self._scoring(chosen), self._limits(chosen)
        starts = batch.starts.tolist()

        def run(first: int) -> list[list[Hypothesis]]:
            last = min(first + ITEMS_PER_TASK, len(batch))
            rows = edges.rows(first, last) if edges is not None else None
            if rows is None:
                rows = self._list_edges(items, first, last, scoring, limits)
            seconds = search_seconds(starts[last] - starts[first], len(rows.option), limits)
            with small_work(seconds, decode_items):
                results = decode_items(
                    self._options,
                    self._ngrams,
                    items,
                    first,
                    EdgeRows(*(read_only(array) for array in rows)),
                    scoring,
                    limits,
                )
            tokens = [batch.tokens[starts[item] : starts[item + 1]].tolist() for item in range(first, last)]
            hypotheses = hypotheses_of(self.arrays, results, rows, tokens)
            return [_spread(each, chosen.n, chosen.distinct) for each in hypotheses]

        from paraphrast.decode._kernels import decode_items

        tasks = range(0, len(batch), ITEMS_PER_TASK)
        if threads == 1 or len(tasks) <= 1:
            return [hypotheses for first in tasks for hypotheses in run(first)]
        with ThreadPoolExecutor(min(threads, len(tasks), 4 * (os.cpu_count() or 1))) as pool:
            return [hypotheses for task in pool.map(run, tasks) for hypotheses in task]

    def edge_context(
        self,
        batch: DecodeBatch,
        edges: Edges,
        vector: NDArray[np.int8] | None = None,
        weight: NDArray[np.float32] | None = None,
        flags: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.float32]:
        """float32[edges, columns]: features of each substitution in its sentence; see ``scoring.CONTEXT_COLUMNS``.

        vector: int8[vocabulary, size], a vector per word. weight: float32[vocabulary], of a word in a sum of vectors.
        flags: uint8[vocabulary]. Without them the columns that need them are 0.
        """
        from paraphrast.decode._kernels_context import edge_context

        if vector is None or weight is None or flags is None:
            words = 1 + int(max(batch.tokens.max(initial=0), self._options.target_words.max(initial=0)))
            vector, weight = np.zeros((words, 1), np.int8), np.zeros(words, np.float32)
            flags = np.zeros(words, np.uint8)
        with small_work(EDGE_SECONDS * len(edges.option), edge_context):
            return edge_context(
                self._ngrams,
                self._items(batch, DecodeOptions()),
                EdgeRows(*(read_only(array) for array in edges.rows(0, len(batch)))),
                self._options.word_begin,
                self._options.target_words,
                read_only(vector),
                read_only(weight),
                read_only(flags),
            )

    def loss(self, batch: DecodeBatch, options: DecodeOptions | None = None, threads: int = 1) -> SearchLoss:
        """How much worse the beam of ``options`` is than exact search on these items."""
        chosen = options or DecodeOptions()
        exact = self.decode(batch, replace(chosen, beam=0), threads)
        return SearchLoss.between(exact, self.decode(batch, chosen, threads))

    def components(self, batch: DecodeBatch, item: int, hypothesis: Hypothesis) -> dict[str, float]:
        """The parts of a hypothesis's score before weighting, each less that of the unchanged item.

        ``lm``, ``edit``, ``word``, ``identity`` and ``swap`` as in :class:`Weights`, then every feature by name, and
        the number of edits of each table as ``<table>.edits``. The minimum of a feature is removed once for every
        sentence that uses its table. The sum of weight times part is the score (without scores added to edges).
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
        removed = [sentences_using.get(owner, 0) for owner in self._owners]
        features -= self._minima * np.array(removed, dtype=np.float64)
        masks = [int(mask) for mask in self._options.tables[options]]
        counts = [sum(mask >> table & 1 for mask in masks) for table in range(len(self.arrays.table_names))]
        kept = sum(_kept_words(edit) - (edit.end_token - edit.start_token) for edit in hypothesis.edits)
        return {
            "lm": self.log_prob(after) - self.log_prob(before),
            "edit": float(len(options)),
            "word": float(sum(map(len, after)) - len(tokens)),
            "identity": float(kept),
            "swap": float(sum(self._swap_odds(edit, tokens) for edit in hypothesis.edits if edit.swapped)),
            **dict(zip(self.arrays.feature_names, features.tolist(), strict=True)),
            **dict(zip(self.arrays.edit_names, map(float, counts), strict=True)),
        }

    def _swap_odds(self, edit: HypEdit, tokens: list[int]) -> float:
        """The log-odds of a swap, by the phrase that is first in the source."""
        first = edit.swapped[1]
        return self.swap_odds(tokens[first.start_token : first.end_token])

    def swap_odds(self, phrase: Sequence[int]) -> float:
        """log p(swap) − log p(monotone) of a phrase and the phrase after it."""
        return swap_odds(self.arrays, phrase)

    def log_prob(self, sentences: list[list[int]]) -> float:
        """Natural log probability of some sentences according to the language model."""
        from paraphrast._numeric import score_sentences

        flat = Sentences.from_lists(sentences)
        with small_work(TOKEN_SECONDS * len(flat.tokens), score_sentences):
            return float(score_sentences(self._ngrams, flat.tokens, flat.starts).sum())

    def _items(self, batch: DecodeBatch, options: DecodeOptions) -> Items:
        """The batch as arguments of a kernel."""
        categories = batch.span_category if options.use_categories else None
        if categories is None:
            categories = np.zeros((0, 7), dtype=np.uint8)
        return Items(
            read_only(np.asarray(batch.tokens, dtype=np.int32)),
            read_only(np.asarray(batch.starts, dtype=np.int64)),
            read_only(np.asarray(batch.breaks, dtype=np.uint8)),
            read_only(np.asarray(batch.protected, dtype=np.uint8)),
            read_only(np.asarray(categories, dtype=np.uint8)),
        )

    def _list_edges(self, items: Items, first: int, last: int, scoring: Scoring, limits: Limits) -> EdgeRows:
        from paraphrast.decode._kernels_edges import list_edges

        with small_work(TOKEN_SECONDS * float(items.starts[last] - items.starts[first]), list_edges):
            return list_edges(self._options, items, first, last, scoring, limits)

    def _scoring(self, options: DecodeOptions) -> Scoring:
        """The weights by position, 0 for the features of tables that are not in use."""
        weights, arrays = self.weights, self.arrays
        in_use = arrays.tables_of(options.table_mask)
        active = np.array([not owner or owner in in_use for owner in self._owners], dtype=np.float64)
        features = self._feature_weights * active
        edits = self._edit_weights * np.array(
            [name in in_use for name in arrays.table_names], dtype=np.float64
        )
        removed = features * self._minima
        gains = [
            -sum(value for value, owner in zip(removed.tolist(), self._owners, strict=True) if owner == name)
            for name in arrays.table_names
        ]
        with_minimum = [table for table, gain in enumerate(gains) if gain != 0]
        if len(with_minimum) + len(options.must_use) > MAX_BITS:
            raise InputError(
                f"expected at most {MAX_BITS} tables with a minimum and sequences in must_use together, "
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
        """The limits of a search, with the sequences to avoid and to use as flags of options."""
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
        """Options whose target has ``sequence`` more often than their source, as flags; cached."""
        from paraphrast.decode.inserting import inserting_options

        flags = self._insertions.get(sequence)
        if flags is None:
            flags = inserting_options(self.arrays, sequence)
            if len(self._insertions) >= MAX_REMEMBERED:
                self._insertions.clear()
            self._insertions[sequence] = flags
        return flags


def search_seconds(tokens: int, edges: int, limits: Limits) -> float:
    """Roughly how long a search takes in plain Python; infinity where nothing limits it."""
    if limits.beam == 0:
        return math.inf
    if limits.window > 1:
        edges += int(tokens * limits.window**2 * (1 + edges / max(tokens, 1)) ** 2)
    arcs = (tokens + edges) * limits.beam
    if limits.pops > 0 and limits.must_count == 0:
        arcs = min(arcs, tokens * limits.pops)
    return ARC_SECONDS * (arcs + edges + limits.wanted * tokens)


def _kept_words(edit: HypEdit) -> int:
    """Number of source words that a swap moves but does not replace."""
    return sum(part.end_token - part.start_token for part in edit.swapped if part.option < 0)


def _spread(hypotheses: list[Hypothesis], n: int, distinct: float) -> list[Hypothesis]:
    """The best n hypotheses such that any two have edit sets with a Jaccard distance of at least ``distinct``."""
    if distinct <= 0:
        return hypotheses[:n]
    accepted: list[Hypothesis] = []
    accepted_edges: list[set[int]] = []
    for hypothesis in hypotheses:
        edges = {edit.edge for edit in hypothesis.edits}
        if all(len(edges & other) <= (1 - distinct) * len(edges | other) for other in accepted_edges):
            accepted.append(hypothesis)
            accepted_edges.append(edges)
            if len(accepted) == n:
                break
    return accepted
