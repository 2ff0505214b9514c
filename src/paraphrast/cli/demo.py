"""`paraphrast demo`: five sentences rewritten by the embedded model, and the evidence for one edit."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.options import set_verbosity

SENTENCES = (
    "The committee will examine the proposal tomorrow.",
    "We must find a solution to this problem as soon as possible.",
    "The government announced that it would help the victims of the flood.",
    "Many people believe that the new law is very important.",
    "She began to work in a large city at the end of the year.",
)


def demo(
    n: Annotated[int, typer.Option("-n", help="Number of paraphrases per sentence.", min=1)] = 3,
) -> None:
    """Rewrite five sentences with the embedded model, and show the evidence for one edit."""
    import sys

    from paraphrast.cli._support.rewrites import write_text
    from paraphrast.cli.explain import show_explanation
    from paraphrast.model import load

    set_verbosity(False)
    model = load()
    edit = None
    for sentence, results in zip(SENTENCES, model.paraphrase_many(SENTENCES, n=n), strict=True):
        typer.echo(sentence)
        write_text(sys.stdout, results, sys.stdout.isatty(), several=True)
        if edit is None:
            edit = next((edit for result in results for edit in result.edits if "pivot" in edit.tables), None)
    if edit is not None:
        typer.echo("Why? The evidence for one of these edits:\n")
        show_explanation(model.explain(edit.before, edit.after))
    typer.echo("\nNext:")
    typer.echo('  paraphrast "Your own sentence."')
    typer.echo(
        '  paraphrast "Your own sentence." --precise     slower, changes more, right more often (docs/precise.md)'
    )
    typer.echo("  paraphrast train CONFIG.toml -o MODEL         train on your own bitext (docs/training.md)")
