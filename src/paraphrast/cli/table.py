"""`paraphrast table`: look into paraphrase tables and write them in other tools' formats."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli.options import Model, Output

app = typer.Typer(help="Look into a model's paraphrase tables, and export them.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="A table of the model, such as pivot.")]


class Shape(enum.StrEnum):
    """Formats a table is written in."""

    tsv = "tsv"
    moses = "moses"
    meteor = "meteor"


@app.command()
def show(
    name: Name = "pivot",
    model: Model = "default",
    phrase: Annotated[str | None, typer.Option(help="Only the rows of this phrase.")] = None,
    rows: Annotated[int, typer.Option("-n", help="How many rows.", min=1)] = 20,
    vetoed: Annotated[bool, typer.Option("--vetoed", help="Also rows that a veto forbids, marked.")] = False,
) -> None:
    """What a table is, and its first rows."""
    import itertools
    import math

    from paraphrast.engine import Engine
    from paraphrast.pipeline import load
    from paraphrast.pipeline.tables import read_rows, table_file
    from paraphrast.tables.store import table_info
    from paraphrast.tables.vetoes import VETOES

    loaded = load(model)
    with Engine(threads=1) as engine:
        info = table_info(engine, table_file(loaded, name))
    typer.echo(
        f"{info.kind} ({info.language})  {info.signature}\nfeatures: score, {', '.join(info.features)}\n"
    )
    for row in itertools.islice(read_rows(loaded, name, phrase, vetoed=vetoed), rows):
        vetoes = ",".join(veto for veto, bit in VETOES.items() if row.veto & bit)
        mark = f"\tvetoed: {vetoes}" if vetoes else ""
        typer.echo(f"{row.source}\t{row.target}\t{math.exp(row.score):.5f}\t{row.count}{mark}")


@app.command()
def export(
    name: Name = "pivot",
    model: Model = "default",
    shape: Annotated[Shape, typer.Option("--to", help="tsv, moses or meteor.")] = Shape.tsv,
    output: Output = "-",
    vetoed: Annotated[bool, typer.Option("--vetoed", help="Also rows that a veto forbids.")] = False,
) -> None:
    """Write a table as text: TSV with a header, a Moses phrase table, or METEOR's paraphrase file."""
    from paraphrast.formats.tables import WRITERS
    from paraphrast.pipeline import load
    from paraphrast.pipeline.tables import read_rows

    written = WRITERS[shape.value](output, read_rows(load(model), name, vetoed=vetoed))
    if output != "-":
        typer.echo(f"{written:,} rows → {Path(output)}", err=True)
