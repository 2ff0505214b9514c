"""Thesauri: Moby's comma-separated lists, MyThes' ``th_*.dat`` files, and pairs separated by tabs.

MyThes (LibreOffice; Debian's ``mythes-en-us``): the first line of the ``.dat`` names its encoding; an entry is
``word|meanings``, then a line ``(class)|synonym|synonym …`` for each meaning. A synonym may be followed by its relation
in parentheses: ``(generic term)``, ``(antonym)``. The ``.idx`` file beside it has byte offsets, which are not needed to
read the whole ``.dat``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_bytes, open_text
from paraphrast.formats.numbers import whole_number

_RELATION = re.compile(r"^(.*?)\s*\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class Synonym:
    """A word and another that a thesaurus lists with it.

    meaning: number of the word's meaning that it is listed for, from 1, or 0. relation: empty for plain synonyms.
    """

    word: str
    other: str
    meaning: int = 0
    relation: str = ""


def read_thesaurus(path: str | Path) -> Iterator[Synonym]:
    """Synonyms in the order of a thesaurus, in any of the formats: MyThes by ``.dat``, pairs by their tabs."""
    name = Path(path).name.removesuffix(".gz").removesuffix(".xz").removesuffix(".zst")
    if name.endswith(".dat"):
        yield from read_mythes(path)
    elif name.endswith(".idx"):
        raise FormatError("expected the .dat file of a thesaurus, got its index", where=path)
    else:
        yield from read_pairs(path)


def read_pairs(path: str | Path) -> Iterator[Synonym]:
    """Lines of ``word<tab>synonym…``, or Moby's ``word,synonym,synonym``.

    A fourth column, as in the pairs from WordNet, is the number of the meaning.
    """
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            if not line.strip():
                continue
            if "\t" in line:
                cells = line.split("\t")
                meaning = (whole_number(cells[3]) if len(cells) > 3 else None) or 0
                yield Synonym(cells[0].strip(), cells[1].strip(), meaning)
            elif "," in line:
                word, *others = (cell.strip() for cell in line.split(","))
                yield from (Synonym(word, other) for other in others if other and other != word)
            else:
                raise FormatError(
                    "expected word and synonym separated by a tab, or word and synonyms separated by commas",
                    where=At(path, number),
                )


#: Digits of the number of meanings of a word.
_LONGEST_NUMBER = 9


def read_mythes(path: str | Path) -> Iterator[Synonym]:
    """Entries of a MyThes ``.dat`` file."""
    with open_bytes(path) as stream:
        encoding = stream.readline().decode("ascii", "replace").strip() or "UTF-8"
        try:
            lines = stream.read().decode(encoding).splitlines()
        except (LookupError, ValueError) as error:
            raise FormatError(
                f"expected text in the encoding of the first line, {encoding!r}: {error}", where=At(path, 1)
            ) from error
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip():
            continue
        word, bar, meanings = line.partition("|")
        if not bar or not meanings.strip().isdecimal() or len(meanings) > _LONGEST_NUMBER:
            raise FormatError(
                f"expected word|number of meanings, got {line[:60]!r}", where=At(path, number + 1)
            )
        for meaning in range(1, int(meanings) + 1):
            if number >= len(lines):
                raise FormatError(
                    f"expected {meanings} meanings of {word!r}, the file ends", where=At(path, number + 2)
                )
            _, *others = lines[number].split("|")
            number += 1
            for other in others:
                match = _RELATION.match(other.strip())
                text, relation = match.groups() if match else (other.strip(), "")
                if text and text != word:
                    yield Synonym(word, text, meaning, relation)
