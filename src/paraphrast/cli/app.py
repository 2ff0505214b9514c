"""The application: every command and its module."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast._version import __version__
from paraphrast.cli import (
    acquire,
    align,
    data,
    demo,
    doctor,
    evaluate,
    explain,
    extract,
    fuse,
    graph,
    judge,
    lm,
    model,
    pairs,
    paraphrase,
    references,
    table,
    templates,
    train,
    tune,
)

app = typer.Typer(
    name="paraphrast",
    help="Learn paraphrases from text, rewrite sentences with them, and see the evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"paraphrast {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Learn paraphrases from text, rewrite sentences with them, and see the evidence."""


app.command("demo")(demo.demo)
app.command("paraphrase")(paraphrase.paraphrase)
app.command("explain")(explain.explain)
app.command("train")(train.train)
app.command("acquire")(acquire.acquire)
app.command("pairs")(pairs.pairs)
app.command("identify")(pairs.identify)
app.command("align")(align.align)
app.command("extract")(extract.extract)
app.command("lm")(lm.lm)
app.command("fuse")(fuse.fuse)
app.command("references")(references.references)
app.add_typer(table.app, name="table")
app.add_typer(graph.app, name="graph")
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(judge.app, name="judge")
app.add_typer(templates.app, name="templates")
app.add_typer(tune.app, name="tune")
app.add_typer(data.app, name="data")
app.add_typer(model.app, name="model")
app.command("doctor")(doctor.doctor)
