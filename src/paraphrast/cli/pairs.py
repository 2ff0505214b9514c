"""What the commands that read a bitext share: the bitext in whichever shape, and links of its very lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from paraphrast.formats.bitext import Bitext
    from paraphrast.types import Links


def read_pairs(pairs: str, target: str | None, skip_bad: bool) -> Bitext:
    """The bitext, in whichever shape; says on standard error how many lines were left out."""
    from paraphrast.formats.bitext import read_columns, read_files

    if target is not None:
        bitext = read_files({"1": pairs, "2": target}, skip_bad=skip_bad)
    else:
        bitext = read_columns(pairs, ["1", "2"], skip_bad=skip_bad)
    if bitext.bad:
        typer.echo(f"{len(bitext.bad)} malformed lines left out, the first at {bitext.bad[0]}", err=True)
    return bitext


def line_count(bitext: Bitext) -> int:
    """Lines of the file, kept or left out."""
    return max([*bitext.numbers[-1:], *(at.line or 0 for at in bitext.bad[-1:])])


def read_given(path: str, bitext: Bitext) -> Links:
    """Links of the lines that were kept, from a file with a line for every line of the bitext.

    One line more is as wrong as one less: a file that lost a line would pair all later links with other sentences.
    """
    from paraphrast.build.phrase_table import links_of_lines
    from paraphrast.errors import FormatError
    from paraphrast.formats.pharaoh import read_links

    given, lines = read_links(path), line_count(bitext)
    if len(given) != lines:
        raise FormatError(
            f"expected links of {lines} sentence pairs, got {len(given)} lines",
            where="standard input" if path == "-" else path,
            remedy="the links must be of this very text, a line a pair",
        )
    return links_of_lines(given, bitext.numbers)


def in_place(lines: Iterable[str], bitext: Bitext) -> Iterator[str]:
    """Lines at their places in the bitext, empty ones for the places that were left out."""
    done = 0
    for number, line in zip(bitext.numbers, lines, strict=True):
        yield from [""] * (number - done - 1)
        yield line
        done = number
    yield from [""] * (line_count(bitext) - done)
