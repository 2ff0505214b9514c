"""Published paraphrase tables: the Paraphrase Database (PPDB 1 and 2) and METEOR's paraphrase files.

The score is log p(paraphrase | phrase) as in the file. PPDB also gives the feature ``reverse``, log p(phrase |
paraphrase). Syntactic rules, phrases of more than seven words and pairs with different entities are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

from paraphrast.errors import InputError
from paraphrast.formats.ppdb import FORWARD, REVERSE, SCORE, PpdbRow, read_ppdb
from paraphrast.formats.tables import read_meteor
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import MeteorOptions, PpdbOptions
from paraphrast.tables.resources.words import PhraseReader, has_letter, same_masks
from paraphrast.types import MAX_PHRASE
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["MeteorKind", "MeteorOptions", "PpdbKind", "PpdbOptions", "ppdb_rows"]

#: Entailment relations of PPDB 2 that rule out a paraphrase.
UNRELATED = frozenset({"Exclusion", "Independent"})


def ppdb_rows(rows: Iterable[PpdbRow], reader: PhraseReader, options: PpdbOptions) -> Iterator[PhraseRow]:
    """The rows that a table can have."""
    for row in rows:
        forward, reverse = row.features.get(FORWARD, math.nan), row.features.get(REVERSE, math.nan)
        if row.is_rule or math.isnan(forward) or (options.related and row.entailment in UNRELATED):
            continue
        if options.min_score and not row.features.get(SCORE, -math.inf) >= options.min_score:
            continue
        phrase_row = _row(reader, row.source, row.target, min(-forward, 0.0))
        if phrase_row is not None:
            yield replace(phrase_row, features={"reverse": min(-reverse, 0.0)})


def _row(reader: PhraseReader, source: str, target: str, score: float) -> PhraseRow | None:
    """A row, or None if a table cannot have it."""
    words, other = reader.words(source), reader.words(target)
    usable = all(0 < len(side) <= MAX_PHRASE and has_letter(side) for side in (words, other))
    if not usable or words == other or not same_masks(words, other):
        return None
    return PhraseRow(words, other, score)


class PpdbKind(TableKind):
    """Files of the Paraphrase Database, versions 1 and 2."""

    name = "ppdb"
    options: ClassVar[type] = PpdbOptions

    def build(self, job: TableJob, options: PpdbOptions) -> LooseTable:
        reader = PhraseReader(job.language, job.truecaser)
        entries = (entry for path in job.inputs for entry in read_ppdb(path))
        info = info_of(self.name, job.language, options)
        described = replace(info, features={"reverse": {"direction": "higher"}})
        return _not_empty(
            loose_table(
                ppdb_rows(entries, reader, options),
                described,
                ["reverse"],
                top=options.top,
                glue=reader.glue,
            )
        )


class MeteorKind(TableKind):
    """METEOR's paraphrase files: three lines per row, probability, phrase and paraphrase."""

    name = "meteor"
    options: ClassVar[type] = MeteorOptions

    def build(self, job: TableJob, options: MeteorOptions) -> LooseTable:
        reader = PhraseReader(job.language, job.truecaser)
        entries = (entry for path in job.inputs for entry in read_meteor(path))
        rows = (_row(reader, source, target, math.log(value)) for value, source, target in entries if value)
        info = info_of(self.name, job.language, options)
        usable = (row for row in rows if row is not None)
        return _not_empty(loose_table(usable, info, top=options.top, glue=reader.glue))


def _not_empty(table: LooseTable) -> LooseTable:
    if not len(table):
        raise InputError("expected paraphrases of at most seven words, got none")
    return table
