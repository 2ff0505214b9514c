"""What commands that read a bitext share: the bitext itself, and links for its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from paraphrast.cli._support.options import report

if TYPE_CHECKING:
    from paraphrast.errors import At
    from paraphrast.formats.bitext import Bitext
    from paraphrast.types import Links


def report_skipped(places: list[At]) -> None:
    """Say on standard error how many malformed lines were skipped, if any."""
    from paraphrast.formats.bad_lines import skipped_note

    if places:
        report(skipped_note(places))


def read_pairs(pairs: str, target: str | None, skip_bad: bool) -> Bitext:
    """A bitext of one file with two columns, or of two files."""
    from paraphrast.formats.bitext import read_columns, read_files

    if target is not None:
        bitext = read_files({"1": pairs, "2": target}, skip_bad=skip_bad)
    else:
        bitext = read_columns(pairs, ["1", "2"], skip_bad=skip_bad)
    report_skipped(bitext.bad)
    return bitext


def line_count(bitext: Bitext) -> int:
    """Number of lines of the file, skipped ones included."""
    return max([*bitext.numbers[-1:], *(at.line or 0 for at in bitext.bad[-1:])])


def read_given(path: str, bitext: Bitext) -> Links:
    """Links of the lines that were read, from a file with one line per line of the bitext.

    One line more is as wrong as one less: a file that lost a line would pair all later links with other sentences.
    """
    from paraphrast.build.phrase_table import links_of_lines
    from paraphrast.errors import FormatError
    from paraphrast.formats.pharaoh import read_links

    links, lines = read_links(path), line_count(bitext)
    if len(links) != lines:
        raise FormatError(
            f"expected links of {lines} sentence pairs, got {len(links)} lines",
            where="standard input" if path == "-" else path,
            remedy="use the links of this bitext, with one line per sentence pair",
        )
    return links_of_lines(links, bitext.numbers)


def in_place(lines: Iterable[str], bitext: Bitext) -> Iterator[str]:
    """Lines at the line numbers of their sentence pairs; skipped pairs become empty lines."""
    done = 0
    for number, line in zip(bitext.numbers, lines, strict=True):
        yield from [""] * (number - done - 1)
        yield line
        done = number
    yield from [""] * (line_count(bitext) - done)
