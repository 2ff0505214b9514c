"""`paraphrast explain`: the evidence for a substitution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import Format, Model, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.model.explain import Citation, Explanation


def explain(
    phrase: Annotated[str, typer.Argument(help="Word or phrase to look up.")],
    paraphrase: Annotated[
        str | None, typer.Argument(help="Paraphrase to explain. Without it, all paraphrases are listed.")
    ] = None,
    model: Model = "default",
    format: OutputFormat = Format.text,
) -> None:
    """Show why a phrase can be replaced by another: tables, scores, pivot phrases and corpus sentences."""
    from paraphrast.model import explain as look_up
    from paraphrast.model import load, paraphrases_of

    loaded = load(model)
    if paraphrase is None:
        known = paraphrases_of(loaded, phrase)
        if format is Format.json:
            print_json([{"paraphrase": text, "probability": value} for text, value in known])
            return
        for text, value in known:
            typer.echo(f"{value:8.4f}  {text}")
        return
    explanation = look_up(loaded, phrase, paraphrase)
    if format is Format.json:
        print_json(explanation.to_dict(), indent=2)
    else:
        show_explanation(explanation)


def show_explanation(explanation: Explanation) -> None:
    """Print an explanation for people."""
    typer.echo(f"{explanation.source} → {explanation.target}")
    for table in explanation.tables:
        vetoed = f", vetoed: {', '.join(table.vetoes)}" if table.vetoes else ""
        typer.echo(f"\ntable {table.table}: rank {table.rank} of {table.of}, count {table.count}{vetoed}")
        typer.echo(f"  p(target | source)   {math.exp(table.score):.5f}")
        for name, value in table.features.items():
            typer.echo(f"  {name:<20} {'unknown' if value is None else f'{math.exp(value):.5f}'}")
    if explanation.pivots:
        typer.echo("\npivot phrases:")
    for pivot in explanation.pivots:
        typer.echo(f"  {pivot.language}  {pivot.phrase}  ({pivot.probability:.5f})")
        for citation in (pivot.source_seen, pivot.target_seen):
            if citation is not None:
                if citation.text:
                    typer.echo(f"      {_marked(citation)}")
                typer.echo(f"      — {citation.corpus}, line {citation.line} ({citation.licence})")


def _marked(citation: Citation) -> str:
    text = citation.text
    return f"{text[: citation.start]}[{text[citation.start : citation.end]}]{text[citation.end :]}"
