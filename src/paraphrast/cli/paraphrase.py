"""`paraphrast paraphrase`: rewrite a text, a file, standard input, or lines that are typed."""

from __future__ import annotations

import contextlib
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    NO_RESULT,
    Model,
    Output,
    RewriteFormat,
    Threads,
    Verbose,
    report,
    set_verbosity,
)
from paraphrast.model.control import Control

if TYPE_CHECKING:
    from paraphrast.types import Lattice

#: Endings of names that are meant as files, not as texts.
FILE_NAME = re.compile(r"[^\s]+\.(?:txt|md|csv|tsv|tab|json|jsonl|ndjson)(?:\.(?:gz|xz|zst))?", re.IGNORECASE)


@with_options
def paraphrase(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            help="Text to rewrite, in quotes, or the name of a file. Without it, standard input is read; on a "
            "terminal, each line is answered as you type it.",
            show_default=False,
        ),
    ] = None,
    *,
    input: Annotated[
        str, typer.Option("--input", "-i", help="File to rewrite. - reads standard input.")
    ] = "-",
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Format of the input: lines (one text per line), csv, tsv or jsonl. By default the name of the file "
            "decides.",
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(help="Column of CSV and TSV, or field of JSONL, that has the text. Default: text."),
    ] = None,
    into: Annotated[
        str,
        typer.Option(
            help="Name of the new column or field with the paraphrase. NAME_rank has its rank; 0 is the text itself."
        ),
    ] = "paraphrase",
    header: Annotated[
        bool,
        typer.Option(
            "--header/--no-header", help="Whether CSV and TSV have a header. Without it, --field is a number."
        ),
    ] = True,
    document: Annotated[
        bool,
        typer.Option(
            "--document",
            help="Rewrite each sentence of the input in its place, and keep paragraphs, indentation and blank lines.",
        ),
    ] = False,
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
    format: Annotated[
        RewriteFormat | None,
        typer.Option(
            help="text: for people, with edits in brackets. plain: one paraphrase per line. records: the rows of the "
            "input with the paraphrase added, in the format of the input or of --output. json: one object per "
            "paraphrase, with its edits. Default: records for CSV, TSV, JSONL, plain for --document, otherwise text.",
            show_default=False,
        ),
    ] = None,
    originals: Annotated[
        bool, typer.Option("--originals", help="Also write each text itself, before its paraphrases.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no messages and no progress, only errors.")
    ] = False,
    threads: Threads = 0,
    verbose: Verbose = False,
) -> None:
    """Rewrite a text, or each text of a file.

    If a run that writes to a file is interrupted, run the same command again to continue it.

    Exit codes: 0 results were written, 1 a single text has no paraphrase, 2 wrong options or input, 130 interrupted.
    """
    from dataclasses import replace

    from paraphrast._jit import compile_notice, on_compile
    from paraphrast.errors import InputError

    set_verbosity(verbose)
    on_compile.clear()
    if not quiet:
        on_compile.append(lambda: report(compile_notice()))
    control = replace(
        control,
        protect=(*(protect or ()), *map(_span, protect_span or ())),
        vetoes=None if control.vetoes is None else tuple(name for name in control.vetoes if name != "none"),
    )
    one_text, path = _text_or_file(text, input, document=document, quiet=quiet)
    if lattice is not None:
        _check_lattice(lattice, one_text)
    if one_text is not None or (path == "-" and sys.stdin.isatty()):
        if document or field is not None or from_ is not None or format is RewriteFormat.records:
            raise InputError("expected a file for --document, --field, --from and --format records, got none")
        _answer(
            one_text,
            model,
            control,
            lattice=(lattice, lattice_edges),
            output=output,
            format=format or RewriteFormat.text,
            originals=originals,
            quiet=quiet,
            verbose=verbose,
            threads=threads,
        )
        return
    from paraphrast.cli._support.rewrite_file import FileRewrite

    FileRewrite(
        path,
        from_,
        field,
        document=document,
        into=into,
        header=header,
        output=output,
        format=format,
        originals=originals,
        quiet=quiet,
    ).run(model, control, threads=threads, verbose=verbose)


def _layout(path: str, *, document: bool) -> str:
    from paraphrast.formats.records import LINES, kind_of

    if document or kind_of(path) != LINES:
        return ""
    return ", one text per line (--document rewrites it sentence by sentence)"


def _text_or_file(
    text: list[str] | None, input: str, *, document: bool, quiet: bool
) -> tuple[str | None, str]:
    """The text to rewrite, or None and the file to read."""
    from pathlib import Path

    from paraphrast.errors import InputError

    if not text:
        return None, input
    if len(text) > 1:
        raise InputError(
            f"expected one text, got {len(text)} arguments",
            remedy=f'put the text in quotes: paraphrast "{" ".join(text)}"',
        )
    if input != "-":
        raise InputError("expected a text or --input, got both", remedy="remove one of them")
    if not text[0].strip():
        raise InputError("expected a text, got an empty one", remedy='paraphrast "A sentence."')
    with contextlib.suppress(OSError, ValueError):
        if text[0] == "-" or Path(text[0]).is_file():
            if text[0] != "-" and not quiet:
                report(f"Reading the file {text[0]}{_layout(text[0], document=document)}")
            return None, text[0]
    if FILE_NAME.fullmatch(text[0]):
        raise InputError(
            "no such file",
            where=text[0],
            remedy=f"to rewrite these words and not a file: echo '{text[0]}' | paraphrast paraphrase",
        )
    return text[0], input


def _answer(
    text: str | None,
    name: str,
    control: Control,
    *,
    lattice: tuple[str | None, int | None],
    output: str,
    format: RewriteFormat,
    originals: bool,
    quiet: bool,
    verbose: bool,
    threads: int,
) -> None:
    """Rewrite one text, or, on a terminal, one line after the other."""
    from paraphrast.cli._support.advice import advice
    from paraphrast.cli._support.rewrites import json_writer, plain_writer, text_writer
    from paraphrast.formats.files import atomic_write
    from paraphrast.formats.records import Record
    from paraphrast.model import load
    from paraphrast.types.results import shows_colour

    colour = output == "-" and shows_colour()
    write = {
        RewriteFormat.text: text_writer(colour=colour, source=False),
        RewriteFormat.plain: plain_writer(originals=originals, unchanged=False),
        RewriteFormat.json: json_writer(originals=originals, unchanged=False, fields=False),
    }[format]
    model = load(name)
    if text is None:
        from paraphrast.cli._support.interactive import answer_lines

        answer_lines(model, control, write, quiet=quiet)
        return
    if lattice[0] is not None:
        write_lattice_as(lattice[0], model.lattice(text, control), lattice[1], title=text)
    results = model.paraphrase(text, control)
    with atomic_write(output) as stream:
        write(stream, Record(1, text, {"text": text}), results)
    if format is RewriteFormat.text and not quiet and any(result.is_unsure for result in results):
        report("? marks paraphrases that are more likely wrong than right. --sure 0.5 hides them.")
    if verbose:
        from paraphrast.cli._support.rewrite_file import report_loss

        report_loss(model, [text], control, threads)
    if not results:
        if not quiet:
            report(advice(model, text, control))
        raise typer.Exit(NO_RESULT)


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


def _span(item: str) -> tuple[int, int]:
    from paraphrast.errors import InputError

    match = re.fullmatch(r"(\d+):(\d+)", item)
    if not match:
        raise InputError(f"--protect-span: expected START:END, got {item!r}")
    return int(match[1]), int(match[2])
