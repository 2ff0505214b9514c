"""`paraphrast graph`: look up phrases in the graph of a phrase table."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json, report

app = typer.Typer(help="Look up phrases in the graph of a phrase table.", no_args_is_help=True)


@app.callback()
def graph() -> None:
    """Look up phrases in the graph of a phrase table."""


@app.command()
def near(
    phrase: Annotated[str, typer.Argument(help="Phrase to look up, with tokens separated by spaces.")],
    index: Annotated[
        str,
        typer.Option(
            "--index",
            "-i",
            help="Index folder that `paraphrast table graph --index` wrote, or that of a training run's graph stage.",
        ),
    ],
    n: Annotated[int, typer.Option("-n", help="Maximum number of paraphrases.", min=1)] = 10,
    format: OutputFormat = Format.text,
) -> None:
    """Find paraphrases of one phrase in its neighbourhood of the graph."""
    from paraphrast.build.graph import open_index

    rows = open_index(index).near(phrase)[:n]
    if format is Format.json:
        for text, score, count in rows:
            print_json({"phrase": phrase, "paraphrase": text, "probability": score, "count": count})
        return
    for text, score, count in rows:
        typer.echo(f"{text}\t{score:.4f}\t{count:.1f}")
    if not rows:
        report("no paraphrases: the phrase shares no translation with another phrase")
