"""`paraphrast align`: word alignment of bitext."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from paraphrast.cli.options import Output, SkipBad, Threads, Verbose, set_verbosity


def align(
    pairs: Annotated[
        str, typer.Argument(help="Bitext: two columns by tab or |||, or the first of two files.")
    ],
    target: Annotated[str | None, typer.Argument(help="The second file, for one file a language.")] = None,
    source_language: Annotated[
        str, typer.Option(help="Language of the first side, for its tokeniser.")
    ] = "en",
    target_language: Annotated[str, typer.Option(help="Language of the second side.")] = "xx",
    pretokenized: Annotated[
        bool, typer.Option("--pretokenized", help="Tokens by white space; links are numbered by them.")
    ] = False,
    symmetrise: Annotated[
        str, typer.Option(help="intersect, union, grow-diag, grow-diag-final or grow-diag-final-and.")
    ] = "grow-diag-final-and",
    output: Output = "-",
    threads: Threads = 0,
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Align words and write Pharaoh links, one line a sentence pair: 0-0 1-2 …"""
    import os

    from paraphrast.align import AlignOptions
    from paraphrast.align import align as run
    from paraphrast.formats.bitext import read_columns, read_files
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.pharaoh import format_links
    from paraphrast.pipeline.encoding import encode_side

    set_verbosity(verbose)
    options = AlignOptions(symmetrise=symmetrise)
    if target is not None:
        bitext = read_files({"1": pairs, "2": target}, skip_bad=skip_bad)
    else:
        bitext = read_columns(pairs, ["1", "2"], skip_bad=skip_bad)
    if bitext.bad:
        typer.echo(f"{len(bitext.bad)} malformed lines left out, the first at {bitext.bad[0]}", err=True)
    sides = [
        encode_side(bitext.lines[side], language, pretokenized=pretokenized)
        for side, language in (("1", source_language), ("2", target_language))
    ]
    links = run(
        sides[0][1],
        sides[1][1],
        len(sides[0][0]),
        len(sides[1][0]),
        options,
        threads=threads or os.cpu_count() or 1,
    )
    write_lines(output, in_place(format_links(links), bitext.numbers))


def in_place(lines: Iterable[str], numbers: list[int]) -> Iterator[str]:
    """Lines at their places in the bitext, empty ones for the places that were left out."""
    done = 0
    for number, line in zip(numbers, lines, strict=True):
        yield from [""] * (number - done - 1)
        yield line
        done = number
