"""`paraphrast tune`: labelled substitutes, which weights are fitted to."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import Format, Model, OutputFormat, print_json

app = typer.Typer(help="Label substitutes, to fit a model's weights to.", no_args_is_help=True)


@app.callback()
def tune() -> None:
    """Label substitutes, to fit a model's weights to."""


@app.command()
def label(
    sentences: Annotated[
        str | None, typer.Argument(help="Sentences, one a line; - is standard input.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="JSONL to write, 'correct' left null; - is standard output.")
    ] = "-",
    check: Annotated[
        str | None, typer.Option(help="Read a labelled file instead: check it, and count what it has.")
    ] = None,
    model: Model = "default",
    table: Annotated[list[str] | None, typer.Option(help="Only substitutes of this table; repeat.")] = None,
    top: Annotated[int, typer.Option(help="At most so many a span, likeliest first; 0 is all.", min=0)] = 0,
    strength: Annotated[
        float, typer.Option(help="1 for all there is; less leaves out unlikely ones.", min=0, max=1)
    ] = 1.0,
    form: OutputFormat = Format.text,
) -> None:
    """All possible substitutes of sentences, to be labelled; or --check a file that was.

    Right is a substitute that means the same in this sentence and leaves it grammatical.
    """
    from paraphrast.errors import InputError
    from paraphrast.formats.substitutions import read_labelled, write_labelled

    if (sentences is None) == (check is None):
        raise InputError(
            "expected sentences, or a labelled file to check",
            remedy="tune label SENTENCES -o FILE, then tune label --check FILE",
        )
    if check is not None:
        rows = read_labelled(check)
        said = [row.correct for row in rows]
        record = {
            "file": check,
            "substitutes": len(rows),
            "sentences": len({row.sentence for row in rows}),
            "spans": len({(row.sentence, row.start, row.end) for row in rows}),
            "correct": said.count(True),
            "wrong": said.count(False),
            "unlabelled": said.count(None),
        }
        if form is Format.json:
            print_json(record)
        else:
            for name, value in record.items():
                typer.echo(f"{name:<12} {value:,}" if isinstance(value, int) else f"{name:<12} {value}")
        return
    from paraphrast.formats.files import read_lines
    from paraphrast.pipeline import Control, load
    from paraphrast.pipeline.substitutions import possible_substitutes

    control = Control(strength=strength, tables=tuple(table or ()))
    lines = [line for line in read_lines(sentences or "-") if line.strip()]
    count = write_labelled(output, possible_substitutes(load(model), lines, control, top=top))
    if output != "-":
        typer.echo(f"{count:,} substitutes of {len(lines):,} sentences → {output}", err=True)
