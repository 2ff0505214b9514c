"""Several English versions of one text → ``verses.tsv.gz``: one row per verse, one column per version.

The header names the columns: ``verse`` (book · 1,000,000 + chapter · 1,000 + verse, books numbered as in Protestant
Bibles) and the versions. A cell is empty if a version lacks the verse.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from paraphrast.data._archives import members
from paraphrast.data._bitext import write_pairs
from paraphrast.data._clean import one_line
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.errors import DataError
from paraphrast.formats.files import write_lines

#: Maximum distance, in characters, between a verse and the previous one.
_REACH = 1500
_PLAIN = re.compile(r"pythonbible_(\w+)/plain_text_bible\.py")
_WORD = re.compile(r"[a-z]{4,}")
_LAST_BOOK = 66


def bible(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``pythonbible`` versions and the Berean Standard Bible, verse by verse.

    Versions number some psalms and chapters differently (the Douay–Rheims follows the Vulgate): a cell that shares
    almost no word with the others of its row is considered another verse and left out.
    """
    names, rows = _side_by_side(parts)

    def lines() -> Iterator[str]:
        yield "\t".join(["verse", *names])
        for verse, row in rows:
            if sum(1 for text in row.values() if text) >= 2:
                yield "\t".join([str(verse), *(row[name] for name in names)])

    if write_lines(folder / "verses.tsv.gz", lines()) < 2:
        raise DataError("the sources contain no verses: has their layout changed?")


def greek(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``bitext.tsv.gz``: each English version of the New Testament beside the Greek it translates.

    The Greek text comes with the Berean Standard Bible (the last source), so pip is enough for a bitext.
    """
    original: dict[int, list[str]] = {}
    for _, content in members(parts[-1].path, lambda name: name == "data/sources/SBLGNT.tsv"):
        for row in _table(content.decode("utf-8")):
            original.setdefault(int(row["id"].lstrip("n")[:8]), []).append(row["text"])
    _, rows = _side_by_side(parts)
    write_pairs(
        folder,
        (
            (text, " ".join(original[verse]))
            for verse, row in rows
            for text in row.values()
            if text and verse in original
        ),
    )


def _side_by_side(parts: list[Fetched]) -> tuple[list[str], Iterator[tuple[int, dict[str, str]]]]:
    """The names of the versions, and each verse with its text in those that have it."""
    versions = dict(_version(part.path) for part in parts)
    verses = sorted(set().union(*versions.values()))
    rows = ({name: versions[name].get(verse, "") for name in versions} for verse in verses)
    return list(versions), zip(verses, map(_agreeing, rows), strict=True)


def _version(path: Path) -> tuple[str, dict[int, str]]:
    for name, content in members(path, lambda name: _PLAIN.fullmatch(name) is not None):
        match = _PLAIN.fullmatch(name)
        if match is not None:
            return match.group(1), python_verses(content.decode("utf-8"))
    verses: dict[int, str] = {}
    for _, content in members(
        path, lambda name: re.fullmatch(r"data/eng/targets/BSB/[on]t_BSB\.tsv", name) is not None
    ):
        verses.update(token_verses(content.decode("utf-8")))
    if not verses:
        raise DataError("contains no known Bible text", where=path)
    return "bsb", verses


def python_verses(module: str) -> dict[int, str]:
    """The verses in the text of a ``plain_text_bible.py``, which is read and never executed.

    Its one long string has each verse after its number (``16. For God …``); a table lists the verse ids in order. The
    offsets in that table are wrong in some versions, so each number is searched for after the previous one.
    ``\\\\51:16\\\\`` beside a number says where other versions have the verse.
    """
    start = module.find('"""')
    end = module.find('"""', start + 3)
    if start < 0 or end < 0:
        return {}
    text = module[start + 3 : end]
    table = module[end : module.find("}", end)]
    marks: list[tuple[int, int, int]] = []
    position = 0
    for identity in (int(digits) for digits in re.findall(r"\b(\d{7,8}): \d+,", table)):
        if identity // 1_000_000 > _LAST_BOOK:
            continue
        mark = re.compile(rf"(?<!\S){identity % 1000}\.(?!\d)").search(text, position, position + _REACH)
        if mark is not None:
            marks.append((identity, mark.start(), mark.end()))
            position = mark.end()
    verses: dict[int, str] = {}
    for (identity, _, begin), following in zip(marks, [*marks[1:], (0, len(text), 0)], strict=True):
        verse = text[begin : following[1]]
        if renumbered := re.match(r"\s*\\+(\d+):(\d+)\\+", verse):
            chapter, number = int(renumbered.group(1)), int(renumbered.group(2))
            identity = identity // 1_000_000 * 1_000_000 + chapter * 1000 + number
        verses[identity] = _tidy(verse)
    return verses


def _tidy(verse: str) -> str:
    verse = re.sub(r"\\+\d+:\d+\\+|\\+fs\d+|\\", " ", verse)
    verse = re.sub(r"[\[\]]", "", verse.replace("`", "'").replace("--", " -- "))
    verse = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-z][,;:!?])(?=[A-Za-z])", " ", verse)
    return one_line(verse)


def _table(table: str) -> Iterator[dict[str, str]]:
    return csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)


def token_verses(table: str) -> dict[int, str]:
    """Verses of a token table: id (the first eight digits are the verse), text, skip_space_after."""
    verses: dict[int, str] = {}
    for row in _table(table):
        verse = int(row["id"][:8])
        space = "" if row["skip_space_after"] == "y" else " "
        verses[verse] = verses.get(verse, "") + row["text"] + space
    return {verse: one_line(text) for verse, text in verses.items()}


def _stems(text: str) -> set[str]:
    return {word[:5] for word in _WORD.findall(text.lower())}


def _agreeing(row: dict[str, str]) -> dict[str, str]:
    """Empty the cells that share less than a third of their longer words with the rest of the row."""
    stems = {name: _stems(text) for name, text in row.items() if text}
    agreeing = {}
    for name, text in row.items():
        others = set().union(*(words for other, words in stems.items() if other != name))
        verse_stems = stems.get(name, set())
        agreeing[name] = text if others and len(verse_stems & others) * 3 >= len(verse_stems) else ""
    return agreeing
