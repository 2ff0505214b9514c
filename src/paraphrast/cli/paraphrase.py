"""`paraphrast paraphrase`: rewrite a text, a file, or standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from paraphrast.cli.options import Format, Model, Output, OutputFormat, Threads, Verbose, set_verbosity

if TYPE_CHECKING:
    from paraphrast.types import Lattice, Paraphrase

#: Most lines handed to the model at once.
CHUNK = 2048
#: Texts that -v searches exactly too.
SAMPLE = 100


def paraphrase(
    text: Annotated[str | None, typer.Argument(help="The text; without it, lines of --input.")] = None,
    input: Annotated[
        str, typer.Option("--input", "-i", help="File with a text a line; - is standard input.")
    ] = "-",
    model: Model = "default",
    n: Annotated[int, typer.Option("-n", help="How many paraphrases at most.", min=1)] = 10,
    strength: Annotated[
        float, typer.Option(help="0 returns the input, 1 rewrites most.", min=0, max=1)
    ] = 0.5,
    identity: Annotated[
        float | None, typer.Option(help="The probability u of keeping a word, instead of the strength's.")
    ] = None,
    protect: Annotated[
        list[str] | None, typer.Option(help="Phrase that no edit touches. Repeatable.")
    ] = None,
    protect_span: Annotated[
        list[str] | None, typer.Option(help="START:END, characters that no edit touches. Repeatable.")
    ] = None,
    avoid: Annotated[list[str] | None, typer.Option(help="Phrase that no edit inserts. Repeatable.")] = None,
    must_use: Annotated[
        list[str] | None, typer.Option(help="Phrase that every result inserts. Repeatable.")
    ] = None,
    distinct: Annotated[
        float, typer.Option(help="0 to 1: the least share of edits two results must not share.", min=0, max=1)
    ] = 0.0,
    max_edits: Annotated[int, typer.Option(help="Most edits a result; 0 is no limit.", min=0)] = 0,
    table: Annotated[list[str] | None, typer.Option(help="Use only this table. Repeatable.")] = None,
    veto: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these vetoes hold: number, name, negation, antonym, inflection, agreement, or none."
        ),
    ] = None,
    beam: Annotated[int, typer.Option(help="Hypotheses kept a position; 0 searches exactly.", min=0)] = 32,
    reorder: Annotated[
        int,
        typer.Option(help="Words two adjacent phrases may have to change places; 0 keeps the order.", min=0),
    ] = 0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the values of the features each score is made of.")
    ] = False,
    precise: Annotated[
        bool,
        typer.Option("--precise", help="Read each substitute in its sentence by an encoder: slow, better."),
    ] = False,
    preset: Annotated[
        str | None, typer.Option(help="Weights by name instead of the model's: quirk or uniform.")
    ] = None,
    lattice: Annotated[
        str | None,
        typer.Option(
            help="Write the text's lattice: a name in .svg, .json, .fst.txt (OpenFst) or .plf (Moses)."
        ),
    ] = None,
    lattice_edges: Annotated[
        int | None,
        typer.Option(
            help="Most edges beside the kept words, the likeliest; 30 in a picture, all in a file.", min=0
        ),
    ] = None,
    output: Output = "-",
    format: OutputFormat = Format.text,
    threads: Threads = 0,
    verbose: Verbose = False,
) -> None:
    """Rewrite a text, with every edit in brackets; or a file, a text a line, streaming and in order."""
    from paraphrast.cli.progress import Tally
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write
    from paraphrast.model import Control, load

    set_verbosity(verbose)
    control = Control(
        n=n,
        strength=strength,
        identity=identity,
        protect=(*(protect or ()), *map(_span, protect_span or ())),
        avoid=tuple(avoid or ()),
        must_use=tuple(must_use or ()),
        distinct=distinct,
        max_edits=max_edits,
        tables=tuple(table or ()),
        vetoes=tuple(name for name in veto if name != "none") if veto else None,
        beam=beam,
        reorder=reorder,
        explain=explain,
        precise=precise,
        preset=preset,
    )
    if lattice is not None:
        _check_lattice(lattice, text)
    if text is not None and input != "-":
        raise InputError("expected a text or --input, got both", remedy="leave one of them out")
    paraphraser = load(model)
    if lattice is not None and text is not None:
        write_lattice_as(lattice, paraphraser.lattice(text, control), lattice_edges, title=text)
    chunks = iter([[text]]) if text is not None else _chunks(input)
    sample: list[str] = []  # of which -v tells what the beam costs
    to_screen = output == "-" and sys.stdout.isatty()
    with atomic_write(output) as stream, Tally("texts", shown=text is None and not to_screen) as tally:
        results_of = (
            results
            for chunk in _sampled(chunks, sample if verbose and beam and strength else None)
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
            typer.echo(
                f"beam {beam}: {loss.mean:.4f} below exact search in the best rewrite, {loss.share:.1%} of "
                f"{loss.items} texts worse, {loss.missed} missed",
                err=True,
            )
        typer.echo(paraphraser.signature, err=True)


def _sampled(chunks: Iterator[list[str]], sample: list[str] | None) -> Iterator[list[str]]:
    """The chunks; the first texts of them also go into ``sample``."""
    for chunk in chunks:
        if sample is not None:
            sample += chunk[: SAMPLE - len(sample)]
        yield chunk


def _check_lattice(path: str, text: str | None) -> None:
    """Before the model is loaded: one text, and a name that says a format."""
    from paraphrast.errors import InputError
    from paraphrast.formats.lattices import ENDINGS

    if text is None:
        raise InputError(
            "--lattice: expected one text", remedy='paraphrast paraphrase "A sentence." --lattice FILE'
        )
    if not path.endswith((".svg", *ENDINGS)):
        raise InputError(
            f"--lattice: expected a name that says the format, got {path!r}",
            remedy=f"end it with .svg, {', '.join(ENDINGS)}",
        )


def write_lattice_as(path: str, lattice: Lattice, edges: int | None, *, title: str) -> None:
    """A picture, or a file that other programs read, as the name says."""
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
    """One object a result; ``line`` says which text it rewrites, so a text without results has none."""
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
            told = (f"{name} {value:.2f}" for name, value in result.features.items() if value)
            print(f"             {', '.join(told)}", file=stream)
    if several:
        print(file=stream)
    elif not results:
        typer.echo("No rewrite is sure enough; a higher --strength, or fewer wishes, may find one.", err=True)
