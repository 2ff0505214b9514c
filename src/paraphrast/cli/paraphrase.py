"""`paraphrast paraphrase`: rewrite a text, a file, or standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    Format,
    Model,
    Output,
    OutputFormat,
    Threads,
    Verbose,
    report,
    set_verbosity,
)
from paraphrast.model.control import Control

if TYPE_CHECKING:
    from paraphrast.types import Lattice, Paraphrase

#: Most lines handed to the model at once.
CHUNK = 2048
#: Texts for which -v measures the loss of the beam.
SAMPLE = 100


@with_options
def paraphrase(
    text: Annotated[
        str | None, typer.Argument(help="Text to rewrite. Without it, the lines of --input are rewritten.")
    ] = None,
    *,
    input: Annotated[
        str, typer.Option("--input", "-i", help="File with one text per line. - reads standard input.")
    ] = "-",
    model: Model = "default",
    control: Control,
    protect: Annotated[
        list[str] | None, typer.Option(help="Phrase that no edit may change. Repeatable.")
    ] = None,
    protect_span: Annotated[
        list[str] | None,
        typer.Option(metavar="START:END", help="Range of characters that no edit may change. Repeatable."),
    ] = None,
    lattice: Annotated[
        str | None,
        typer.Option(
            help="Also write all possible edits of the text as a lattice: .svg, .json, .fst.txt "
            "(OpenFst) or .plf (Moses)."
        ),
    ] = None,
    lattice_edges: Annotated[
        int | None,
        typer.Option(
            help="Maximum number of edits in the lattice, the most probable ones. Default: 30 in .svg, all otherwise.",
            min=0,
        ),
    ] = None,
    output: Output = "-",
    format: OutputFormat = Format.text,
    threads: Threads = 0,
    verbose: Verbose = False,
) -> None:
    """Rewrite a text, or each line of a file. Edits are shown in brackets."""
    from dataclasses import replace

    from paraphrast._jit import on_compile
    from paraphrast.cli._support.progress import Tally
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write
    from paraphrast.model import load

    set_verbosity(verbose)
    on_compile[:] = [
        lambda: report("Compiling for this machine. This happens once and takes about a minute.")
    ]
    control = replace(
        control,
        protect=(*(protect or ()), *map(_span, protect_span or ())),
        vetoes=None if control.vetoes is None else tuple(name for name in control.vetoes if name != "none"),
    )
    if lattice is not None:
        _check_lattice(lattice, text)
    if text is not None and input != "-":
        raise InputError("expected a text or --input, got both", remedy="remove one of them")
    paraphraser = load(model)
    if lattice is not None and text is not None:
        write_lattice_as(lattice, paraphraser.lattice(text, control), lattice_edges, title=text)
    chunks = iter([[text]]) if text is not None else _chunks(input)
    sample: list[str] = []  # for which -v measures the loss of the beam
    to_screen = output == "-" and sys.stdout.isatty()
    with atomic_write(output) as stream, Tally("texts", shown=text is None and not to_screen) as tally:
        results_of = (
            results
            for chunk in _sampled(chunks, sample if verbose and control.beam and control.strength else None)
            for results in paraphraser.paraphrase_many(chunk, control, threads=threads)
        )
        for number, results in enumerate(results_of, 1):
            tally.reached(number)
            if format is Format.json:
                write_json(stream, number, results)
            else:
                write_text(stream, results, to_screen, several=text is None)
            if output == "-":
                stream.flush()
    if verbose:
        if sample:
            loss = paraphraser.loss(sample, control, threads=threads)
            report(
                f"beam {control.beam}: the best paraphrase scores {loss.mean:.4f} below exact search on average; "
                f"worse for {loss.share:.1%} of {loss.items} texts, {loss.missed} without any"
            )
        report(paraphraser.signature)


def _sampled(chunks: Iterator[list[str]], sample: list[str] | None) -> Iterator[list[str]]:
    """The chunks; the first texts of them also go into ``sample``."""
    for chunk in chunks:
        if sample is not None:
            sample += chunk[: SAMPLE - len(sample)]
        yield chunk


def _check_lattice(path: str, text: str | None) -> None:
    """Check before the model is loaded that there is one text, and a file name of a known format."""
    from paraphrast.errors import InputError
    from paraphrast.formats.lattices import ENDINGS

    if text is None:
        raise InputError(
            "--lattice: expected one text", remedy='paraphrast paraphrase "A sentence." --lattice FILE'
        )
    if not path.endswith((".svg", *ENDINGS)):
        raise InputError(
            f"--lattice: expected a file name that ends with .svg, {', '.join(ENDINGS)}, got {path!r}"
        )


def write_lattice_as(path: str, lattice: Lattice, edges: int | None, *, title: str) -> None:
    """Write a picture, or a file that other programs read, by the ending of its name."""
    from paraphrast.draw.lattice import EDGES, draw_lattice
    from paraphrast.formats.files import atomic_write
    from paraphrast.formats.lattices import write_lattice

    if path.endswith(".svg"):
        with atomic_write(path) as stream:
            stream.write(draw_lattice(lattice, edges=EDGES if edges is None else edges, title=title))
    else:
        write_lattice(path, lattice if edges is None else lattice.top(edges, by="probability"))


def _chunks(path: str) -> Iterator[list[str]]:
    """Lines in lists of what has come so far: a slow pipe is answered line by line, a file in batches.

    A thread reads ahead; whatever it meets, the end or an error, it hands over in its place.
    """
    import queue
    import threading

    from paraphrast.errors import InputError
    from paraphrast.formats.files import read_lines

    if path == "-" and sys.stdin.isatty():
        raise InputError("expected a text", remedy='paraphrast paraphrase "A sentence.", or --input FILE')
    ready: queue.Queue[str | BaseException | None] = queue.Queue(maxsize=4 * CHUNK)

    def read() -> None:
        try:
            for line in read_lines(path):
                ready.put(line)
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    threading.Thread(target=read, daemon=True).start()
    while True:
        chunk: list[str] = []
        item = ready.get()
        while isinstance(item, str):
            chunk.append(item)
            if len(chunk) == CHUNK or ready.empty():
                break
            item = ready.get()
        if chunk:
            yield chunk
        if isinstance(item, BaseException):
            raise item
        if item is None:
            return


def _span(item: str) -> tuple[int, int]:
    from paraphrast.errors import InputError

    match = re.fullmatch(r"(\d+):(\d+)", item)
    if not match:
        raise InputError(f"--protect-span: expected START:END, got {item!r}")
    return int(match[1]), int(match[2])


def write_json(stream: TextIO, number: int, results: list[Paraphrase]) -> None:
    """One object per result; ``line`` is the number of the text, so a text without results has none."""
    import json

    for rank, result in enumerate(results, 1):
        record = {"line": number, "rank": rank, **result.to_dict()}
        print(json.dumps(record, ensure_ascii=False), file=stream)


def write_text(stream: TextIO, results: list[Paraphrase], colour: bool, *, several: bool) -> None:
    """Rank, score and the text with its edits in brackets; a blank line after each of several texts."""
    opening, closing = ("\x1b[1;32m[", "]\x1b[0m") if colour else ("[", "]")
    for rank, result in enumerate(results, 1):
        line = f"{rank:3d}  {result.score:6.2f}  {result.marked(opening, closing)}"
        print(line, file=stream)
        if result.features is not None:
            values = (f"{name} {value:.2f}" for name, value in result.features.items() if value)
            print(f"             {', '.join(values)}", file=stream)
    if several:
        print(file=stream)
    elif not results:
        report("No paraphrase passed the confidence threshold. Raise --strength or remove constraints.")
