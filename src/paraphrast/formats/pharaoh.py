"""Word alignments as lines of ``i-j``: source position, target position, from 0 (the Pharaoh format).

Gold alignments also have *possible* links, ``ipj`` or ``i?j``, and often count from 1 (Och and Ney 2003). A line
without links is an empty line. Posteriors are in a second file, one number per link in the same order, so that other
tools can read the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text, write_lines
from paraphrast.types import Links

_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(e-?[0-9]+)?", re.IGNORECASE)
_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")


@dataclass(frozen=True)
class GoldLinks:
    """Sure links, and possible links, which include the sure ones."""

    sure: Links
    possible: Links


def read_links(path: str | Path, *, first: int = 0) -> Links:
    """The links of a file. ``first``: the number of a sentence's first word."""
    with open_text(path) as reader:
        return parse_links(reader, first=first, name=path)


def parse_links(lines: Iterable[str], *, first: int = 0, name: str | Path = "<lines>") -> Links:
    """Like :func:`read_links`, from lines."""
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
    """One line per sentence pair, without its line end."""
    for index in range(len(links)):
        yield " ".join(f"{source}-{target}" for source, target in links.pair(index))


def write_links(path: str | Path, links: Links) -> None:
    """Write links to a file, compressed according to its suffix."""
    write_lines(path, format_links(links))


def format_posteriors(links: Links) -> Iterator[str]:
    """One line per sentence pair: one number for every link of :func:`format_links`, in the same order."""
    if links.posterior is None:
        raise InputError("these links have no posteriors", remedy="align with the method hmm")
    for index in range(len(links)):
        piece = links.posterior[links.starts[index] : links.starts[index + 1]]
        yield " ".join(f"{value:.4f}" for value in piece.tolist())


def read_posteriors(path: str | Path, links: Links) -> Links:
    """``links`` with the numbers of a file written by :func:`format_posteriors`."""
    values: list[float] = []
    number = 0
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            where = At(path, number)
            if number > len(links):
                raise FormatError(
                    f"expected {len(links)} lines, as many as the links have, got more", where=where
                )
            row = line.split()
            expected = int(links.starts[number] - links.starts[number - 1])
            if len(row) != expected:
                raise FormatError(
                    f"expected a number for each of {expected} links, got {len(row)}", where=where
                )
            for text in row:
                if not _NUMBER.fullmatch(text) or not 0.0 <= float(text) <= 1.0:
                    raise FormatError(f"expected numbers from 0 to 1, got {text!r}", where=where)
                values.append(float(text))
    if number < len(links):
        raise FormatError(
            f"expected {len(links)} lines, as many as the links have, got {number}", where=At(path, number)
        )
    return replace(links, posterior=np.array(values, dtype=np.float32))


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
