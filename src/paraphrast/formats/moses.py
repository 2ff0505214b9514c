"""Phrase tables in the format of Moses: one pair per line, fields separated by ``|||``.

    source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| 0-0 1-1 ||| n(t) n(s) n(s,t) ||| |||

Inverse probabilities come first: of the source given the target (Moses, "Score phrases"). Then come links within the
pair, source position first, and counts of the target, of the source and of the pair. Two more fields, sparse features
and properties, may be empty. Tables of older tools have three, four or five fields. ``& | < > [ ]`` in words are
escaped as in Moses; quotes escaped by its tokeniser are understood.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.files import BAD_LINE, open_text, write_lines

_ESCAPED = {"&": "&amp;", "|": "&#124;", "<": "&lt;", ">": "&gt;", "[": "&#91;", "]": "&#93;"}
_ESCAPE = str.maketrans(_ESCAPED)
_PLAIN = {
    **{code: letter for letter, code in _ESCAPED.items()},
    "&bar;": "|",
    "&apos;": "'",
    "&quot;": '"',
    "&bra;": "[",
    "&ket;": "]",
}
_CODE = re.compile("|".join(map(re.escape, _PLAIN)))
_FIELD = re.compile(r"(?:^|(?<=\s))\|\|\|(?=\s|$)")
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class MosesRow:
    """A phrase pair of a Moses table; unescaped words separated by one space.

    scores: as in the file; of four, the first two are of the source given the target.
    alignment: links (source word, target word). counts: target, source, pair; fewer if the file has fewer.
    sparse, properties: the sixth and seventh field, unchanged.
    """

    source: str
    target: str
    scores: tuple[float, ...]
    alignment: tuple[tuple[int, int], ...] = ()
    counts: tuple[float, ...] = ()
    sparse: str = ""
    properties: str = ""


def escape(text: str) -> str:
    """Escape words for a Moses file."""
    return text.translate(_ESCAPE)


def unescape(text: str) -> str:
    """Unescape words of a Moses file."""
    return _CODE.sub(lambda match: _PLAIN[match[0]], text) if "&" in text else text


def format_row(row: MosesRow) -> str:
    """One line, without its line end."""
    scores = " ".join([f"{score:.6g}" for score in row.scores])
    links = " ".join([f"{source}-{target}" for source, target in row.alignment])
    counts = " ".join([f"{count:.10g}" for count in row.counts])
    more = "".join([f" ||| {field}" if field else " |||" for field in (row.sparse, row.properties)])
    return f"{escape(row.source)} ||| {escape(row.target)} ||| {scores} ||| {links} ||| {counts}{more}"


def write_phrase_table(path: str | Path, rows: Iterable[MosesRow]) -> int:
    """Write rows in their order, compressed according to the suffix. Returns their number."""
    return write_lines(path, map(format_row, rows))


def read_phrase_table(
    path: str | Path, *, skip_bad: bool = False, bad: list[At] | None = None
) -> Iterator[MosesRow]:
    """The rows of a table of three to seven fields, one at a time.

    A malformed line is an error with file and line. With ``skip_bad`` it is skipped, and its place added to ``bad``.
    """
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    with open_text(path, mark_bad=skip_bad) as reader:
        for number, line in enumerate(reader, 1):
            try:
                yield parse_row(line)
            except FormatError as error:
                bad_lines.add(error.message, At(path, number), cause=error)


def parse_row(line: str) -> MosesRow:
    """A line of a Moses table."""
    if BAD_LINE in line:
        raise FormatError("expected text, got binary data (a NUL byte) or bytes that are not UTF-8")
    fields = _split(line)
    if not 3 <= len(fields) <= 7:
        raise FormatError(f"expected 3 to 7 fields separated by |||, got {len(fields)}")
    source, target = (" ".join(unescape(field).split()) for field in fields[:2])
    if not source or not target:
        raise FormatError(f"expected a phrase on each side, got an empty {'target' if source else 'source'}")
    scores = _numbers(fields[2], "scores")
    if not scores:
        raise FormatError("expected scores in the third field, got none")
    rest = fields[3:] + [""] * (7 - len(fields))
    links = _links(rest[0], source.count(" ") + 1, target.count(" ") + 1)
    return MosesRow(source, target, scores, links, _numbers(rest[1], "counts"), rest[2], rest[3])


def _split(line: str) -> list[str]:
    """Fields between separate ``|||``. A plain split is right unless a word ends with bars."""
    fields = f"{line} ".split("||| ")
    if all(not field or field[-1] == " " for field in fields):
        return [field.strip() for field in fields]
    return [field.strip() for field in _FIELD.split(line)]


def _numbers(field: str, what: str) -> tuple[float, ...]:
    try:
        values = tuple(map(float, field.split()))
    except ValueError:
        values = (math.nan,)
    if not all(map(math.isfinite, values)):
        raise FormatError(f"expected numbers as {what}, got {field!r}")
    return values


@lru_cache(maxsize=1 << 16)
def _links(field: str, source_len: int, target_len: int) -> tuple[tuple[int, int], ...]:
    links = []
    for text in field.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise FormatError(f"expected links such as 0-0 1-2, got {text!r}")
        link = (int(match[1]), int(match[2]))
        if link[0] >= source_len or link[1] >= target_len:
            raise FormatError(f"expected links within {source_len} and {target_len} words, got {text!r}")
        links.append(link)
    return tuple(links)
