"""Discounted walks from phrase pairs to a table: the method of ``[graph] method = "walks"``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraphrast._options import values_of
from paraphrast.build.graph_input import GraphInput, PhraseSide, side_features
from paraphrast.formats.signature import signature_of
from paraphrast.graph.agreement import Agreement, make_agreement
from paraphrast.graph.discounted import (
    RowFilter,
    TranslationGraph,
    WalkRows,
    translation_graph,
    walk_paraphrases,
)
from paraphrast.graph.table import ranked_loose, table_info
from paraphrast.tables.checks.filters import filter_classes, keep_mask
from paraphrast.tables.checks.vetoes import veto_bits, word_classes
from paraphrast.tables.options import FilterOptions
from paraphrast.text import get_language
from paraphrast.types import LooseTable, Phrases, Vocabulary

if TYPE_CHECKING:
    from paraphrast.build.options import GraphTableOptions


@dataclass(frozen=True)
class WalkRun:
    """The paraphrases of one side, and their inputs."""

    rows: WalkRows
    graph: TranslationGraph
    agreement: Agreement
    side: PhraseSide
    options: GraphTableOptions
    side_name: str

    def note(self) -> str:
        """A line for the progress output."""
        return (
            f"{len(self.graph.out_pivot):,} phrase pairs of {self.graph.languages} languages, "
            f"{len(self.rows):,} rows of {len(np.unique(self.rows.source)):,} phrases"
        )

    def table(self) -> LooseTable:
        """The paraphrase table, with its own phrases and words."""
        signature = signature_of([values_of(self.options), self.side.language, len(self.rows)])
        info = table_info(self.side.language, signature, options=values_of(self.options), side=self.side_name)
        side = self.side
        return ranked_loose(self.rows, side.words, side.vocabulary, info, side.glue, side.category)


def as_translation_graph(given: GraphInput, side: str = "source") -> TranslationGraph:
    """The phrase pairs as a graph for walks from the phrases of one side."""
    target_total = given.target_side.total[given.target]
    source_total = given.source_total
    if source_total is None:
        source_total = given.source_side.total[given.source]
    one_language = np.zeros(len(given.count), np.uint8)
    sizes = len(given.source_side.words), len(given.target_side.words)
    if side == "target":
        columns = given.target, given.source, given.count, target_total, source_total
        return translation_graph(*columns, one_language, (sizes[1], sizes[0], 1))
    language = one_language if given.language is None else given.language
    languages = int(language.max(initial=0)) + 1
    columns = given.source, given.target, given.count, source_total, target_total
    return translation_graph(*columns, language, (*sizes, languages))


def row_filter(
    phrases: Phrases,
    words: Sequence[str],
    code: str,
    filters: FilterOptions,
    antonyms: Iterable[tuple[str, str]] = (),
) -> RowFilter:
    """Rejects rows that filters or vetoes would exclude from a model, so that they do not replace better rows.

    words: the words of the word ids in ``phrases``; code: their language.
    """
    language = get_language(code)
    vocabulary = Vocabulary(tuple(words), np.ones(len(words), np.int64))
    kinds = filter_classes(vocabulary, language)
    classes = word_classes(vocabulary, language, antonyms)

    def keep(source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.bool_]:
        good = keep_mask(phrases, source, target, kinds, filters)
        places = np.flatnonzero(good)
        good[places] = veto_bits(phrases, source[places], target[places], classes) == 0
        return good

    return keep


def run_walks(
    given: GraphInput,
    options: GraphTableOptions,
    *,
    side: str = "source",
    filters: FilterOptions | None = None,
    antonyms: Iterable[tuple[str, str]] = (),
    threads: int = 1,
    step: Callable[[float, float, str], None] | None = None,
) -> WalkRun:
    """Phrase pairs to paraphrases of one side by discounted walks."""
    phrase_side = given.source_side if side == "source" else given.target_side
    graph = as_translation_graph(given, side)
    features, _ = side_features(phrase_side, tags=options.tags, stems=False)
    agreement = make_agreement(features, phrase_side.category if options.tags else None)
    phrases = Phrases(phrase_side.words, phrase_side.glue)
    keep = row_filter(
        phrases, phrase_side.vocabulary, phrase_side.language, filters or FilterOptions(), antonyms
    )
    rows = walk_paraphrases(
        graph,
        agreement,
        options.walks,
        keep=keep,
        threads=threads,
        progress=None if step is None else lambda done, total: step(done, total, "phrases"),
    )
    return WalkRun(rows, graph, agreement, phrase_side, options, side)
