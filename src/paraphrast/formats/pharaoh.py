"""Word alignments as lines of ``i-j``: source position, target position, from 0 (the Pharaoh format).

Gold alignments also know *possible* links, ``ipj`` or ``i?j``, and often count from 1 (Och and Ney 2003). A
line without links is an empty line, and stays one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text, write_lines
from paraphrast.types import Links

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")


@dataclass(frozen=True)
class GoldLinks:
    """Sure links, and possible links, which include the sure ones."""

    sure: Links
    possible: Links


def read_links(path: str | Path, *, first: int = 0) -> Links:
    """The links of a file; ``first`` is the number of a sentence's first word."""
    with open_text(path) as reader:
        return parse_links(reader, first=first, name=path)


def parse_links(lines: Iterable[str], *, first: int = 0, name: str | Path = "<lines>") -> Links:
    """As :func:`read_links`, from lines."""
    return Links.from_lists(
        [(source, target) for source, _, target in _parsed(line, "-", first, At(name, number))]
        for number, line in enumerate(lines, 1)
    )


def read_gold(path: str | Path, *, first: int = 1) -> GoldLinks:
    """Sure (``i-j``) and possible (``ipj``, ``i?j``) links, counted from ``first``."""
    sure: list[list[tuple[int, int]]] = []
    possible: list[list[tuple[int, int]]] = []
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            links = _parsed(line, "-p?", first, At(path, number))
            sure.append([(source, target) for source, kind, target in links if kind == "-"])
            possible.append([(source, target) for source, _, target in links])
    return GoldLinks(Links.from_lists(sure), Links.from_lists(possible))


def format_links(links: Links) -> Iterator[str]:
    """One line a sentence pair, without its line end."""
    for index in range(len(links)):
        yield " ".join(f"{source}-{target}" for source, target in links.pair(index))


def write_links(path: str | Path, links: Links) -> None:
    """Write links to a file, compressed by its suffix."""
    write_lines(path, format_links(links))


def _parsed(line: str, kinds: str, first: int, where: At) -> list[tuple[int, str, int]]:
    """(source, kind, target) of every link of a line, counted from 0."""
    result = []
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None or match[2] not in kinds:
            raise FormatError(f"expected links such as 0-0 1-2, got {text!r}", where=where)
        source, target = int(match[1]) - first, int(match[3]) - first
        if source < 0 or target < 0:
            raise FormatError(
                f"expected positions counted from {first}, got {text!r}",
                where=where,
                remedy="say whether the file counts from 0 or from 1",
            )
        result.append((source, match[2], target))
    return result
