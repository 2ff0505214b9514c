"""`paraphrast demo`: the default model, then five sentences rewritten."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.options import Memory, Threads, report, set_verbosity

SENTENCES = (
    "The committee will examine the proposal tomorrow.",
    "We must find a solution to this problem as soon as possible.",
    "The government announced that it would help the victims of the flood.",
    "Many people believe that the new law is very important.",
    "She began to work in a large city at the end of the year.",
)


def demo(
    threads: Threads = 0,
    memory: Memory = "",
    n: Annotated[int, typer.Option("-n", help="Number of paraphrases per sentence.", min=1)] = 5,
) -> None:
    """Build the default model if it does not exist, then rewrite five sentences."""
    import sys

    from paraphrast.cli._support.progress import StageProgress
    from paraphrast.cli.paraphrase import write_text
    from paraphrast.model import load
    from paraphrast.model.default import default_folder
    from paraphrast.training.default import build_default

    set_verbosity(False)
    if not default_folder().exists():
        build_default(
            None,
            threads=threads,
            memory=memory or None,
            progress=StageProgress(),
            tell=report,
        )
    model = load()
    for sentence in SENTENCES:
        typer.echo(sentence)
        # Where few edits are likely enough, try again with a higher strength.
        for strength in (0.5, 0.7, 0.85):
            results = model.paraphrase(sentence, n=n, strength=strength)
            if len(results) >= min(n, 3):
                break
        write_text(sys.stdout, results, sys.stdout.isatty(), several=True)
    typer.echo("Next:")
    typer.echo(
        '  paraphrast paraphrase "Your own sentence." --precise      reads with translation models (docs/read.md)'
    )
    typer.echo('  paraphrast explain "examine"')
    typer.echo("  paraphrast train CONFIG.toml -o MODEL      train on your own bitext (docs/training.md)")
