"""Gold alignments in both formats, recognised by the first character: JSON with its text, or Pharaoh lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import InputError
from paraphrast.formats.alignment_json import read_alignment_json, write_alignment_json
from paraphrast.formats.files import open_text, write_lines
from paraphrast.formats.pharaoh import GoldLinks, read_gold


@dataclass(frozen=True)
class Gold:
    """Gold links, and the tokens if the file has them.

    first: the number of a sentence's first word in the file. The links here always count from 0.
    """

    links: GoldLinks
    source: list[list[str]] | None
    target: list[list[str]] | None
    first: int

    def __len__(self) -> int:
        return len(self.links.sure)


def read_any_gold(path: str | Path, *, first: int | None = None) -> Gold:
    """Read JSON gold (from 0) or Pharaoh gold. Without ``first``, a Pharaoh file counts from 0 if it contains a 0, else
    from 1: in more than a few sentences, some first word has a link."""
    if is_json(path):
        read = read_alignment_json(path)
        return Gold(read.gold, read.source, read.target, 0)
    if first is None:
        first = 0 if has_zero(path) else 1
    return Gold(read_gold(path, first=first), None, None, first)


def is_json(path: str | Path) -> bool:
    """Whether a file begins like a JSON value, which no line of links does. A pipe is an error: it is read twice."""
    if str(path) == "-" or Path(path).is_fifo():
        raise InputError("gold is read more than once, so it cannot come from a pipe", remedy="give a file")
    with open_text(path) as reader:
        for line in reader:
            if line.strip():
                return line.lstrip()[0] in "[{"
    return False


def has_zero(path: str | Path) -> bool:
    """Whether a Pharaoh file contains a position 0, so that it counts from 0."""
    with open_text(path) as reader:
        return any(
            part and not part.strip("0")
            for line in reader
            for link in line.split()
            for part in link.replace("p", "-").replace("?", "-").split("-")
        )


def format_gold(gold: GoldLinks, *, first: int = 1) -> Iterator[str]:
    """One line per sentence pair: sure links ``i-j``, possible ones ``ipj``, by position."""
    for index in range(len(gold.sure)):
        sure = set(gold.sure.pair(index))
        yield " ".join(
            f"{source + first}{'-' if (source, target) in sure else 'p'}{target + first}"
            for source, target in sorted(sure | set(gold.possible.pair(index)))
        )


def write_any_gold(
    path: str | Path,
    gold: GoldLinks,
    source: Sequence[Sequence[str]] | None = None,
    target: Sequence[Sequence[str]] | None = None,
    *,
    first: int = 1,
) -> None:
    """Write JSON gold if the name ends in ``.json`` (compressed or not), Pharaoh gold otherwise."""
    if ".json" not in Path(path).suffixes:
        write_lines(path, format_gold(gold, first=first))
    elif source is None or target is None:
        raise InputError("the text is needed to write gold as JSON", where=path, remedy="give the text")
    else:
        write_alignment_json(path, source, target, gold)
