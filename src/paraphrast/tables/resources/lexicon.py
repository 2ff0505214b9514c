"""Human-made thesauri (Moby, MyThes, pairs from WordNet) as a paraphrase table.

Such lists have no scores, and Moby's lists have hundreds of words, most of them only related. Two words with similar
lists are closer in meaning, so pairs are ranked by the overlap of both words' lists (each including the word itself),
with the common overlap function: "big" and "large" share nearly everything, "big" and "fat" little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from paraphrast.errors import InputError
from paraphrast.formats.thesauri import Synonym, read_thesaurus
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import LexiconOptions
from paraphrast.tables.resources.overlap import ItemSets, pair_overlaps
from paraphrast.tables.resources.words import PhraseReader, has_letter, same_masks
from paraphrast.types import MAX_PHRASE
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["LexiconKind", "LexiconOptions", "lexicon_rows"]


_RELATED = frozenset({"similar term", "related term"})


def lexicon_rows(
    synonyms: Iterable[Synonym],
    reader: PhraseReader,
    options: LexiconOptions,
    notes: dict[str, Any] | None = None,
) -> list[PhraseRow]:
    """One row per listed pair. Antonyms and generic terms are left out."""
    ids: dict[tuple[str, ...], int] = {}
    pairs: set[tuple[int, int]] = set()
    numbered: dict[str, int] = {}

    def number(text: str) -> int:
        """The number of a text's phrase, −1 if it cannot be in a table. Cached, because lists repeat words."""
        phrase = numbered.get(text)
        if phrase is None:
            words = reader.words(text)
            fit = 0 < len(words) <= MAX_PHRASE and has_letter(words) and same_masks(words, ())
            phrase = numbered[text] = ids.setdefault(words, len(ids)) if fit else -1
        return phrase

    for entry in synonyms:
        if entry.relation and not (options.related and entry.relation in _RELATED):
            continue
        if entry.meaning > options.most_meanings:
            continue
        ours, theirs = number(entry.word), number(entry.other)
        if ours != theirs and ours >= 0 and theirs >= 0:
            pairs.add((ours, theirs))
    if not pairs:
        raise InputError("expected a thesaurus, got no pair of words")
    table = np.array(sorted(pairs), np.int64)
    numbers = np.arange(len(ids))
    # Being listed under another word is as informative as the word's own list.
    lists = ItemSets.of(
        np.concatenate([table[:, 0], table[:, 1], numbers]),
        np.concatenate([table[:, 1], table[:, 0], numbers]),
        len(ids),
    )
    if options.mutual:
        keys = table[:, 0] * len(ids) + table[:, 1]
        table = table[np.isin(keys, table[:, 1] * len(ids) + table[:, 0])]
    first, second = table[:, 0].astype(np.int32), table[:, 1].astype(np.int32)
    overlap = pair_overlaps(lists, first, second)
    if notes is not None:
        notes.update(words=len(ids), listed=len(pairs))
    # The best pairs of each word are chosen in arrays: Moby has millions of pairs, and rows are Python objects.
    order = np.lexsort((second, -overlap, first))
    best = np.arange(len(order)) - np.searchsorted(first[order], first[order]) < options.top
    chosen = order[best]
    first, second, overlap = first[chosen], second[chosen], overlap[chosen]
    phrases = list(ids)
    return [
        PhraseRow(phrases[i], phrases[j], math.log(value))
        for i, j, value in zip(first.tolist(), second.tolist(), overlap.tolist(), strict=True)
    ]


class LexiconKind(TableKind):
    """Thesauri as files: MyThes ``.dat``, Moby's lists, pairs by tab."""

    name = "lexicon"
    options: ClassVar[type] = LexiconOptions

    def build(self, job: TableJob, options: LexiconOptions) -> LooseTable:
        reader = PhraseReader(job.language, job.truecaser)
        notes: dict[str, Any] = {}
        entries = (entry for path in job.inputs for entry in read_thesaurus(path))
        rows = lexicon_rows(entries, reader, options, notes)
        info = info_of(self.name, job.language, options, notes=notes)
        table = loose_table(rows, info, top=options.top, glue=reader.glue)
        if not options.inflect:
            return table
        from paraphrast.tables.resources.inflect import expand
        from paraphrast.tables.resources.options import ExpandOptions

        return expand(table, ExpandOptions(back_off=1.0, top=options.top))
