"""Filters and vetoes together, applied to every table of a model."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.tables.checks.filters import FilterClasses, FilterOptions, filter_classes, keep_mask
from paraphrast.tables.checks.vetoes import VETOES, WordClasses, veto_bits, word_classes
from paraphrast.tables.rows import in_order, take
from paraphrast.text import Language
from paraphrast.types import ParaphraseTable, Phrases, Vocabulary


@dataclass(frozen=True)
class Vetting:
    """The filters that drop rows and the word classes that veto them, for one vocabulary.

    hosts: ids of stems that occur only before a clitic.
    """

    filters: FilterOptions
    filter_classes: FilterClasses
    word_classes: WordClasses
    hosts: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        vocabulary: Vocabulary,
        language: Language,
        filters: FilterOptions,
        antonyms: Iterable[tuple[str, str]] = (),
        names: Container[str] = (),
    ) -> Vetting:
        """antonyms, names: as in :func:`~paraphrast.tables.checks.vetoes.word_classes`."""
        return cls(
            filters,
            filter_classes(vocabulary, language),
            word_classes(vocabulary, language, antonyms, names=names),
            frozenset(vocabulary.ids[host] for host in language.clitic_hosts if host in vocabulary.ids),
        )

    def passing(self, table: ParaphraseTable, phrases: Phrases) -> NDArray[np.int64]:
        """Numbers of the rows that pass the filters, int64, in a table's order."""
        keep = keep_mask(phrases, table.source, table.target, self.filter_classes, self.filters)
        return in_order(table, np.flatnonzero(keep & self._whole(table, phrases)))

    def whole(self, table: ParaphraseTable, phrases: Phrases) -> ParaphraseTable:
        """The rows of whole words, whatever the filters say, with their veto bits.

        In a lexicon, forms of one word are there on purpose ("I am", "I'm"): they are not vetoed as inflections.
        """
        rows = in_order(table, np.flatnonzero(self._whole(table, phrases)))
        checked = self.vetoed(take(table, rows), phrases)
        if table.info.kind != "lexicon":
            return checked
        return replace(checked, veto=checked.veto & ~np.uint8(VETOES["inflection"]))

    def _whole(self, table: ParaphraseTable, phrases: Phrases) -> NDArray[np.bool_]:
        """Whether neither side ends with a stem that occurs only before a clitic: "ca" of "can't"."""
        last = phrases.words[np.arange(len(phrases)), np.maximum(phrases.lengths - 1, 0)]
        cut = np.isin(last, np.array(sorted(self.hosts), dtype=np.int32))
        return np.asarray(~(cut[table.source] | cut[table.target]), dtype=np.bool_)

    def vetoed(self, table: ParaphraseTable, phrases: Phrases) -> ParaphraseTable:
        """The table with the veto bits of each row in ``veto``."""
        return replace(table, veto=veto_bits(phrases, table.source, table.target, self.word_classes))

    def checked(self, table: ParaphraseTable, phrases: Phrases) -> ParaphraseTable:
        """The rows that pass the filters, with their veto bits."""
        return self.vetoed(take(table, self.passing(table, phrases)), phrases)
