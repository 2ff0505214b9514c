"""Every known word is a paraphrase of itself: Zhao et al. (2008), §4, table 7.

The decoder can keep a word without this table. The table makes it possible to follow the paper's protocol exactly
(table i and table 7), and lists the words that the other tables know. The score is log 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from paraphrast.formats.files import read_lines
from paraphrast.formats.table_file import read_table_file
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import SelfOptions
from paraphrast.tables.resources.words import PhraseReader, has_letter
from paraphrast.types import SPECIALS
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["SelfKind", "SelfOptions", "self_table"]


def self_table(words: Iterable[str], language: str = "en") -> LooseTable:
    """word → word, score log 1 = 0, for every word with a letter. Special words and masks are left out."""
    known = sorted(set(words) - set(SPECIALS))
    rows = (PhraseRow((word,), (word,), 0.0) for word in known if has_letter((word,)))
    return loose_table(rows, info_of("self", language, SelfOptions()), top=1)


class SelfKind(TableKind):
    """The words of other tables (their files), or of plain text."""

    name = "self"
    options: ClassVar[type] = SelfOptions

    def build(self, job: TableJob, options: SelfOptions) -> LooseTable:
        words: set[str] = set()
        reader = PhraseReader(job.language, job.truecaser)
        for path in job.inputs:
            if Path(path).suffix == ".parquet":
                words.update(read_table_file(path).words)
            else:
                for line in read_lines(path):
                    words.update(reader.words(line))
        return self_table(words, job.language)
