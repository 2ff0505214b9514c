"""`paraphrast data`: named corpora and lexicons."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import Format, OutputFormat, print_json

app = typer.Typer(help="Named corpora and lexicons: size, licence, where from.", no_args_is_help=True)
Names = Annotated[list[str], typer.Argument(help="Names from `paraphrast data list`.")]


@app.command("list")
def list_() -> None:
    """What there is, one a line; * marks what is on this machine already."""
    from paraphrast import data

    for name, resource in sorted(data.index().items()):
        mark = "*" if data.is_cached(name) else " " if data.available(name) else "-"
        languages = ",".join(resource.languages)
        typer.echo(
            f"{mark} {name:<24} {resource.kind:<9} {languages:<8} {resource.size_mb:>7,.1f} MB  {resource.licence}"
        )
    typer.echo("\n* here already   - its tool (npm, apt-get, …) is missing on this machine")


@app.command()
def get(names: Names) -> None:
    """Fetch, check and convert corpora into the cache; prints each folder."""
    from paraphrast import data
    from paraphrast.cli.progress import Tally

    for name in names:
        resource = data.show(name)
        if not data.is_cached(name):
            typer.echo(f"{name}: {resource['licence']}, {resource['size_mb']} MB", err=True)
        with Tally("bytes") as tally:
            folder = data.get(name, progress=lambda _, done, total: tally.reached(done, total))
        typer.echo(str(folder))


@app.command()
def show(names: Names, format: OutputFormat = Format.text) -> None:
    """Everything known about corpora: licence, source, hashes, whether they are here."""
    from paraphrast import data

    for name in names:
        record = data.show(name)
        if format is Format.json:
            print_json(record)
        else:
            for key, value in record.items():
                typer.echo(f"{key:<14} {value}")
            typer.echo()
