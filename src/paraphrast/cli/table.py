"""`paraphrast table`: look into paraphrase tables and write them in other tools' formats."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli.options import Format, Model, Output, OutputFormat, print_json, writable

app = typer.Typer(
    help="Build paraphrase tables, look into them, merge, compare and export them.", no_args_is_help=True
)
Name = Annotated[str, typer.Argument(help="A table of the model, such as pivot, or a table's file.")]
Tables = Annotated[list[str], typer.Argument(help="Files of tables.")]


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

    from paraphrast.build.table_files import describe, is_table_file, text_rows
    from paraphrast.engine import Engine
    from paraphrast.formats.table_file import read_table_file, table_info
    from paraphrast.model import load
    from paraphrast.study.model_tables import read_rows, table_file
    from paraphrast.tables.checks.vetoes import VETOES

    if is_table_file(name):
        table = read_table_file(name)
        typer.echo(describe(table) + "\n")
        shown = text_rows(table, phrase)
    else:
        loaded = load(model)
        with Engine(threads=1) as engine:
            info = table_info(engine, table_file(loaded, name))
        typer.echo(
            f"{info.kind} ({info.language})  {info.signature}\nfeatures: score, {', '.join(info.features)}\n"
        )
        shown = read_rows(loaded, name, phrase, vetoed=vetoed)
    for row in itertools.islice(shown, rows):
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
    from paraphrast.build.table_files import is_table_file, text_rows
    from paraphrast.formats.table_file import read_table_file
    from paraphrast.formats.tables import WRITERS
    from paraphrast.model import load
    from paraphrast.study.model_tables import read_rows

    rows = (
        text_rows(read_table_file(name))
        if is_table_file(name)
        else read_rows(load(model), name, vetoed=vetoed)
    )
    written = WRITERS[shape.value](output, rows)
    if output != "-":
        typer.echo(f"{written:,} rows → {Path(output)}", err=True)


@app.command()
def merge(
    tables: Tables,
    output: Annotated[str, typer.Option("--output", "-o", help="The table to write.", callback=writable)],
    weights: Annotated[
        str, typer.Option(help="A weight a table, by comma, such as 2,1,1; equal without.")
    ] = "",
    top: Annotated[int, typer.Option(help="Most paraphrases a phrase.", min=1)] = 20,
) -> None:
    """Several tables as one: their mixture, with the scores and features of each beside it."""
    from paraphrast.build.table_files import describe, merge_tables, read_tables
    from paraphrast.errors import InputError
    from paraphrast.formats.table_file import write_table_file

    try:
        shares = [float(part) for part in weights.split(",")] if weights else None
    except ValueError as error:
        raise InputError(f"--weights: expected numbers by comma, got {weights!r}") from error
    made = merge_tables(read_tables(tables), shares, top=top)
    write_table_file(output, made)
    typer.echo(f"{describe(made)}\n→ {output}", err=True)


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="File of a table.")],
    second: Annotated[str, typer.Argument(help="File of another.")],
    rows: Annotated[int, typer.Option("-n", help="How many rows of each kind.", min=0)] = 10,
    form: OutputFormat = Format.text,
) -> None:
    """What two tables do not share: rows of one alone, and rows with another score."""
    import math

    from paraphrast.build.table_files import compare_tables
    from paraphrast.formats.table_file import read_table_file

    found = compare_tables(read_table_file(first), read_table_file(second))
    counts = {
        "same": found.same,
        "changed": len(found.changed),
        "only_first": len(found.only_first),
        "only_second": len(found.only_second),
    }
    if form is Format.json:
        print_json(counts)
        return
    typer.echo(", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items()))
    for sign, alone in (("-", found.only_first), ("+", found.only_second)):
        for row in alone[:rows]:
            typer.echo(f"{sign} {row.source}\t{row.target}\t{math.exp(row.score):.5f}")
    for before, after in found.changed[:rows]:
        change = f"{math.exp(before.score):.5f} → {math.exp(after.score):.5f}"
        typer.echo(f"~ {before.source}\t{before.target}\t{change}")
