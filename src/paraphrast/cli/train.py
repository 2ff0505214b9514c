"""`paraphrast train`: sources in, a model folder out."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import EngineName, Memory, SkipBad, Threads, Verbose, set_verbosity


def train(
    config: Annotated[
        str | None, typer.Argument(help="A TOML file: what to train from (docs/pipeline.md).")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The model folder to write.")] = None,
    default: Annotated[
        bool, typer.Option("--default", help="Build the default model from registry data.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing model.")] = False,
    keep_work: Annotated[bool, typer.Option("--keep-work", help="Keep OUTPUT.work for a later run.")] = False,
    evidence: Annotated[
        str | None,
        typer.Option(help="What `explain` can cite: none, ids or text (the configuration's by default)."),
    ] = None,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Train a model: align, extract, pivot, language model, decoder arrays. Interrupted, it resumes."""
    import dataclasses

    from paraphrast.cli.progress import StageProgress
    from paraphrast.errors import InputError
    from paraphrast.training import train as run
    from paraphrast.training.config import read_config
    from paraphrast.training.default import build_default

    set_verbosity(verbose)
    progress = StageProgress()
    if evidence not in (None, "none", "ids", "text"):
        raise InputError(f"--evidence: expected none, ids or text, got {evidence!r}")
    if default:
        if config:
            raise InputError(
                "--default and a configuration exclude each other", remedy="leave one of them out"
            )
        model = build_default(
            output,
            force=force,
            threads=threads,
            memory=memory or None,
            engine=engine,
            evidence=evidence or "text",
            keep_work=keep_work,
            progress=progress,
            tell=_tell,
        )
    else:
        if not config or not output:
            raise InputError(
                "expected a configuration and -o MODEL",
                remedy="paraphrast train CONFIG.toml -o MODEL, or --default",
            )
        checked = read_config(config)
        if evidence is not None:
            checked = dataclasses.replace(checked, evidence=evidence)
        model = run(
            checked,
            output,
            force=force,
            threads=threads,
            memory=memory or None,
            engine=engine,
            skip_bad=skip_bad,
            keep_work=keep_work,
            progress=progress,
        )
    option = "" if default and not output else f" -m {model}"
    typer.echo(f"The model is ready: {model}")
    typer.echo(f'Next: paraphrast paraphrase "The committee will examine the proposal tomorrow."{option}')


def _tell(message: str) -> None:
    typer.echo(message, err=True)
