"""`paraphrast table show`, `export`, `merge`, `diff`: inspect, convert, combine and compare tables."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import (
    Format,
    Model,
    Output,
    OutputFormat,
    TableOutput,
    print_json,
    report,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paraphrast.types import TextRow

Name = Annotated[str, typer.Argument(help="Table file, or the name of a table in the model, such as pivot.")]
Tables = Annotated[list[str], typer.Argument(help="Table files.")]


class Shape(enum.StrEnum):
    """Formats a table is written in."""

    tsv = "tsv"
    moses = "moses"
    meteor = "meteor"
    ppdb = "ppdb"
    parquet = "parquet"


def show(
    name: Name = "pivot",
    model: Model = "default",
    phrase: Annotated[str | None, typer.Option(help="Show only the rows of this phrase.")] = None,
    n: Annotated[int, typer.Option("-n", help="Maximum number of rows.", min=1)] = 20,
    vetoed: Annotated[
        bool, typer.Option("--vetoed", help="Also show rows that a veto forbids, with the veto.")
    ] = False,
) -> None:
    """Show what a table is, and its first rows."""
    import itertools
    import math

    from paraphrast.build.table_files import describe, is_table_file
    from paraphrast.formats.table_file import read_table_file
    from paraphrast.model import load
    from paraphrast.study.model_tables import table_rows
    from paraphrast.tables.checks.vetoes import VETOES

    name, model = _table_of(name, model)
    if is_table_file(name):
        typer.echo(describe(read_table_file(name)) + "\n")
    else:
        loaded = load(model)
        features = ", ".join(("score", *table_rows(loaded, name).names))
        signature = loaded.manifest["tables"][name]["signature"]
        typer.echo(f"{name} ({loaded.language.code})  {signature}\nfeatures: {features}\n")
    for row in itertools.islice(_rows(name, model, phrase, vetoed=vetoed), n):
        vetoes = ",".join(veto for veto, bit in VETOES.items() if row.veto & bit)
        mark = f"\tvetoed: {vetoes}" if vetoes else ""
        typer.echo(f"{row.source}\t{row.target}\t{math.exp(row.score):.5f}\t{row.count}{mark}")


def export(
    name: Name = "pivot",
    model: Model = "default",
    shape: Annotated[Shape, typer.Option("--to", help="Format to write.")] = Shape.tsv,
    output: Output = "-",
    vetoed: Annotated[bool, typer.Option("--vetoed", help="Also write rows that a veto forbids.")] = False,
) -> None:
    """Write a table as TSV with a header, a Moses phrase table, a METEOR or PPDB paraphrase file, or a Parquet file."""
    from paraphrast.formats.table_rows import write_rows
    from paraphrast.formats.tables import WRITERS

    name, model = _table_of(name, model)
    write = write_rows if shape is Shape.parquet else WRITERS[shape.value]
    written = write(output, _rows(name, model, vetoed=vetoed))
    if output != "-":
        report(f"{written:,} rows → {output}")


def _table_of(name: str, model: str) -> tuple[str, str]:
    """The table and the model that are meant: if ``name`` is a model that has one table only, that table."""
    from pathlib import Path

    from paraphrast.errors import InputError
    from paraphrast.model import model_folder
    from paraphrast.model.default import DEFAULT, REGISTRY
    from paraphrast.model.folder import MANIFEST, read_manifest

    is_named = name in (DEFAULT, REGISTRY) and not Path(name).exists()
    if not (is_named or (Path(name) / MANIFEST).is_file() or name.endswith(".zip")):
        return name, model
    tables = sorted(read_manifest(model_folder(name))["tables"])
    if len(tables) == 1:
        return tables[0], name
    raise InputError(
        f"expected a table, got the model {name}",
        remedy=f"name one of its tables ({', '.join(tables)}), for example: {next(iter(tables), 'pivot')} -m {name}",
    )


def _rows(name: str, model: str, phrase: str | None = None, *, vetoed: bool) -> Iterator[TextRow]:
    """The rows of a table file or of a model's table; without ``vetoed``, those that no veto forbids."""
    from paraphrast.build.table_files import is_table_file, text_rows
    from paraphrast.formats.table_file import read_table_file
    from paraphrast.model import load
    from paraphrast.study.model_tables import read_rows

    if not is_table_file(name):
        return read_rows(load(model), name, phrase, vetoed=vetoed)
    return (row for row in text_rows(read_table_file(name), phrase) if vetoed or not row.veto)


def merge(
    tables: Tables,
    output: TableOutput,
    weights: Annotated[
        str,
        typer.Option(
            help="One weight per table, separated by commas, such as 2,1,1. Default: equal weights."
        ),
    ] = "",
    top: Annotated[int, typer.Option(help="Maximum number of paraphrases per phrase.", min=1)] = 20,
) -> None:
    """Combine several tables into one: a mixture, with the scores and features of each table."""
    from paraphrast.build.table_files import describe, merge_tables, read_tables
    from paraphrast.errors import InputError
    from paraphrast.formats.table_file import write_table_file

    try:
        shares = [float(part) for part in weights.split(",")] if weights else None
    except ValueError as error:
        raise InputError(f"--weights: expected numbers separated by commas, got {weights!r}") from error
    merged = merge_tables(read_tables(tables), shares, top=top)
    write_table_file(output, merged)
    report(f"{describe(merged)}\n→ {output}")


def diff(
    first: Annotated[str, typer.Argument(help="Table file.")],
    second: Annotated[str, typer.Argument(help="Table file to compare with.")],
    n: Annotated[int, typer.Option("-n", help="Maximum number of rows of each kind to show.", min=0)] = 10,
    format: OutputFormat = Format.text,
) -> None:
    """Compare two tables: rows that only one of them has, and rows with different scores."""
    import math

    from paraphrast.build.table_files import compare_tables
    from paraphrast.formats.table_file import read_table_file

    difference = compare_tables(read_table_file(first), read_table_file(second))
    counts = {
        "same": difference.same,
        "changed": len(difference.changed),
        "only_first": len(difference.only_first),
        "only_second": len(difference.only_second),
    }
    if format is Format.json:
        print_json(counts)
        return
    typer.echo(", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items()))
    for sign, alone in (("-", difference.only_first), ("+", difference.only_second)):
        for row in alone[:n]:
            typer.echo(f"{sign} {row.source}\t{row.target}\t{math.exp(row.score):.5f}")
    for before, after in difference.changed[:n]:
        change = f"{math.exp(before.score):.5f} → {math.exp(after.score):.5f}"
        typer.echo(f"~ {before.source}\t{before.target}\t{change}")
