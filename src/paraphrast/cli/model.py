"""`paraphrast model`: inspect a model, check that it is undamaged, pack it into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json, writable

app = typer.Typer(help="Inspect and check models, and pack them into one file.", no_args_is_help=True)
ModelName = Annotated[
    str, typer.Argument(help="Model: 'default', 'registry', a model folder, or a packed model.")
]


def _folder(model: str) -> Path:
    from paraphrast.errors import ModelError
    from paraphrast.model import model_folder
    from paraphrast.model.default import REGISTRY, registry_folder

    if model == REGISTRY and not Path(REGISTRY).exists() and not registry_folder().exists():
        from paraphrast.training.default import how_to_build

        raise ModelError("the registry model does not exist yet", remedy=how_to_build())
    return model_folder(model)


@app.command()
def show(model: ModelName = "default", format: OutputFormat = Format.text) -> None:
    """Show what a model was made from: sources with hashes and licences, tables, options, signature."""
    from paraphrast.model.folder import read_manifest

    folder = _folder(model)
    manifest = read_manifest(folder)
    if format is Format.json:
        print_json(manifest, indent=2)
        return
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    typer.echo(f"{folder}  ({size / 1e6:,.0f} MB)")
    typer.echo(f"signature  {manifest['signature']}|version:{manifest['paraphrast']}")
    typer.echo(f"language   {manifest['language']}, pivots {', '.join(manifest['pivots'])}")
    for name, table in manifest["tables"].items():
        typer.echo(f"table      {name}: {table['rows']:,} rows  {table['signature']}")
    for source in manifest["sources"]:
        typer.echo(f"source     {source['name']}  [{source['licence']}]")


@app.command()
def pack(
    model: ModelName,
    output: Annotated[
        str, typer.Option("--output", "-o", help="File to write, for example model.zip.", callback=writable)
    ],
    small: Annotated[
        bool, typer.Option("--small", help="Compress harder: a fifth smaller, several times slower to write.")
    ] = False,
) -> None:
    """Write a model as one file, which `-m FILE` and `paraphrast.load` open on any machine."""
    from paraphrast.model.pack import pack_model

    path = pack_model(_folder(model), Path(output), small=small)
    typer.echo(f"{path}  ({path.stat().st_size / 1e6:,.0f} MB)")
    typer.echo(f'Next: paraphrast paraphrase "…" -m {path.name}')


@app.command()
def verify(model: ModelName = "default", format: OutputFormat = Format.text) -> None:
    """Check every file of a model against the hashes in its manifest, and every value of its arrays.

    Loading a model checks sizes and small files only. Exit code 1 if something is wrong.
    """
    from dataclasses import asdict

    from paraphrast.model.verify import verify as verify_model

    path = Path(model)
    result = verify_model(path if path.is_file() else _folder(model))
    if format is Format.json:
        print_json({"model": model, "sound": not result.problems, **asdict(result)}, indent=2)
    else:
        for problem in result.problems:
            typer.echo(f"damaged    {problem}")
        for name in result.absent:
            typer.echo(f"absent     {name} (not needed to rewrite or explain)")
        if not result.has_hashes:
            typer.echo(
                "no hashes  an earlier version of paraphrast made this model; only values were checked"
            )
        if not result.problems:
            typer.echo(f"sound      {result.files:,} files, {result.size / 1e6:,.1f} MB")
    if result.problems:
        raise typer.Exit(1)
