"""`paraphrast table pivot`: a pivot table from bitext, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli.options import EngineName, Memory, SkipBad, Threads, Verbose, set_verbosity


def pivot(
    bitext: Annotated[
        list[str], typer.Argument(help="Files of columns by tab or |||; or one TOML file, as for train.")
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="The table to write, one Parquet file.")],
    columns: Annotated[
        str, typer.Option(help="The languages of the columns, by comma; of all but one, the pivots.")
    ] = "en,xx",
    language: Annotated[str, typer.Option(help="The language to learn paraphrases of: one of them.")] = "en",
    top: Annotated[int | None, typer.Option(help="Paraphrases kept a phrase.", min=1)] = None,
    best_translations: Annotated[
        int | None, typer.Option(help="Translations a phrase keeps each way before the join.", min=1)
    ] = None,
    min_probability: Annotated[float | None, typer.Option(help="Least probability of a row.")] = None,
    combine: Annotated[
        str | None, typer.Option(help="How languages come together: mixture or product.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(help="Weights of languages, such as de=2,fr=1; 1 where none is given.")
    ] = None,
    significance: Annotated[
        str | None,
        typer.Option(help="Keep phrase pairs of at least this -log p: none, a+e, a-e or a number."),
    ] = None,
    substrings: Annotated[
        bool, typer.Option("--drop-substrings", help="Leave out rows of which one side holds the other.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    keep_work: Annotated[bool, typer.Option("--keep-work", help="Keep OUTPUT.work for a later run.")] = False,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Align bitext, extract phrases, pivot them, and write a paraphrase table. Interrupted, it resumes."""
    import dataclasses
    from typing import Any

    from paraphrast.cli.progress import StageProgress
    from paraphrast.errors import InputError
    from paraphrast.training.config import read_config
    from paraphrast.training.pivot_table import bitext_config, write_pivot_table

    set_verbosity(verbose)
    given: dict[str, Any] = {
        "top": top,
        "best_translations": best_translations,
        "min_probability": min_probability,
        "combine": combine,
        "weights": None if weights is None else _weights(weights),
    }
    options: dict[str, dict[str, Any]] = {
        "pivot": {name: value for name, value in given.items() if value is not None},
        "extract": {} if significance is None else {"significance": _number(significance)},
        "filters": {"substring": True} if substrings else {},
    }
    if len(bitext) == 1 and bitext[0].endswith(".toml"):
        config = read_config(bitext[0])
        merged = {
            room: {**config.options.get(room, {}), **options.get(room, {})}
            for room in {*config.options, *options}
        }
        config = dataclasses.replace(config, options=merged)
    elif any(name.endswith(".toml") for name in bitext):
        raise InputError("expected one TOML file, or files of columns, got both")
    else:
        config = bitext_config(bitext, columns.split(","), language=language, options=options)
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
    typer.echo(
        f"{allowed:,} rows, and {len(table) - allowed:,} that a veto forbids → {Path(output)}", err=True
    )


def _weights(text: str) -> dict[str, float]:
    from paraphrast.errors import InputError

    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError as error:
            raise InputError(
                f"--weights: expected language=number, got {part!r}", remedy="de=2,fr=1"
            ) from error
    return found


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
