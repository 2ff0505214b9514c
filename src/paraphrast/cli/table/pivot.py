"""`paraphrast table pivot`: a pivot table from bitext, without a model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from paraphrast.cli._support.bind import given, with_options
from paraphrast.cli._support.options import (
    NO_RESULT,
    EngineName,
    Force,
    KeepWork,
    Memory,
    SkipBad,
    TableOutput,
    Threads,
    Verbose,
    report,
    set_verbosity,
    split_names,
)
from paraphrast.extract.options import ExtractOptions
from paraphrast.tables.options import FilterOptions, PivotOptions


@with_options
def pivot(
    bitext: Annotated[
        list[str],
        typer.Argument(
            help="Bitext files with columns separated by tabs or |||, or one TOML file, as for `paraphrast train`."
        ),
    ],
    *,
    output: TableOutput,
    columns: Annotated[
        str,
        typer.Option(help="Languages of the columns, separated by commas. All but one are pivot languages."),
    ] = "en,xx",
    language: Annotated[str, typer.Option(help="Language to learn paraphrases of, one of --columns.")] = "en",
    pivot: Annotated[dict[str, Any], given(PivotOptions)],
    extract: Annotated[dict[str, Any], given(ExtractOptions, "significance")],
    filters: Annotated[dict[str, Any], given(FilterOptions)],
    force: Force = False,
    keep_work: KeepWork = False,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Build a table by pivoting: align bitext, extract phrases, and join them through the other languages.

    An interrupted run resumes when it is started again.
    """
    import dataclasses

    from paraphrast.cli._support.progress import StageProgress
    from paraphrast.errors import InputError
    from paraphrast.training.config import read_config
    from paraphrast.training.pivot_table import bitext_config, write_pivot_table

    set_verbosity(verbose)
    options = {"pivot": pivot, "extract": extract, "filters": filters}
    if len(bitext) == 1 and bitext[0].endswith(".toml"):
        config = read_config(bitext[0])
        merged = {
            name: {**config.options.get(name, {}), **options.get(name, {})}
            for name in {*config.options, *options}
        }
        config = dataclasses.replace(config, options=merged)
    elif any(name.endswith(".toml") for name in bitext):
        raise InputError("expected one TOML file, or bitext files, got both")
    else:
        config = bitext_config(bitext, split_names(columns), language=language, options=options)
    table = write_pivot_table(
        config,
        output,
        force=force,
        threads=threads,
        memory=memory or None,
        engine=engine,
        skip_bad=skip_bad,
        keep_work=keep_work,
        progress=StageProgress(),
    )
    allowed = int((table.table.veto == 0).sum())
    if not allowed:
        report(
            f"The table {output} has no rows that can be used: no two phrases have the same translation. Use more "
            "bitext, or lower --min-probability."
        )
        raise typer.Exit(NO_RESULT)
    report(f"{allowed:,} rows, and {len(table) - allowed:,} rows that a veto forbids → {output}")
