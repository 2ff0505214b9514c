"""`paraphrast train`: from a configuration to a model folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import (
    NO_RESULT,
    EngineName,
    Force,
    KeepWork,
    Memory,
    SkipBad,
    Threads,
    Verbose,
    report,
    set_verbosity,
)

if TYPE_CHECKING:
    from pathlib import Path


def train(
    config: Annotated[
        str | None, typer.Argument(help="TOML file that names the sources and options (docs/training.md).")
    ] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Model folder to write.")] = None,
    default: Annotated[
        bool,
        typer.Option("--default", help="Build the registry model (`-m registry`) from downloaded corpora."),
    ] = False,
    force: Force = False,
    keep_work: KeepWork = False,
    evidence: Annotated[
        str | None,
        typer.Option(
            help="What `paraphrast explain` can cite: none, ids or text. By default the configuration decides."
        ),
    ] = None,
    threads: Threads = 0,
    memory: Memory = "",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Print what each stage is estimated to cost, and do nothing (docs/scale.md)."
        ),
    ] = False,
    cores: Annotated[
        int, typer.Option(help="Cores that --plan assumes. 0 uses all cores of this machine.", min=0)
    ] = 0,
    pairs: Annotated[
        int | None, typer.Option(help="Sentence pairs that --plan assumes, instead of counting them.", min=1)
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Train a model from a configuration file. An interrupted run resumes when it is started again."""
    import dataclasses

    from paraphrast.cli._support.progress import StageProgress
    from paraphrast.errors import InputError
    from paraphrast.training import train as run
    from paraphrast.training.config import EVIDENCE, read_config
    from paraphrast.training.default import build_default

    set_verbosity(verbose)
    progress = StageProgress()
    if plan:
        _print_plan(config, engine, cores, pairs)
        return
    if cores or pairs is not None:
        raise InputError("--cores and --pairs only describe a plan", remedy="add --plan")
    if evidence not in (None, *EVIDENCE):
        raise InputError(f"--evidence: expected none, ids or text, got {evidence!r}")
    if default:
        if config:
            raise InputError("expected a configuration or --default, got both", remedy="remove one of them")
        model = build_default(
            output,
            force=force,
            threads=threads,
            memory=memory or None,
            engine=engine,
            evidence=evidence or "text",
            keep_work=keep_work,
            progress=progress,
            tell=report,
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
    if not _substitution_count(model):
        report(
            f"The model in {model} has no substitutions, so it cannot rewrite anything: training found no two phrases "
            "with the same translation. Train on more bitext, or lower min_count and min_probability (docs/options.md)."
        )
        raise typer.Exit(NO_RESULT)
    option = "" if default and not output else f" -m {model}"
    typer.echo(f"Model written to {model}")
    typer.echo(f'Next: paraphrast paraphrase "The committee will examine the proposal tomorrow."{option}')


def _print_plan(config: str | None, engine: str, cores: int, pairs: int | None) -> None:
    import os

    from paraphrast.errors import InputError
    from paraphrast.training.config import read_config
    from paraphrast.training.plan import plan_text, plan_training

    if not config:
        raise InputError("expected a configuration", remedy="paraphrast train CONFIG.toml --plan")
    plan = plan_training(read_config(config), engine=engine, cores=cores or os.cpu_count() or 1, pairs=pairs)
    typer.echo(plan_text(plan))


def _substitution_count(model: Path) -> int:
    from paraphrast.decode import DecoderArrays

    return len(DecoderArrays.load(model / "decoder"))
