"""`paraphrast templates`: Barzilay and Lee's (2003) lattices with slots, the baseline `msa`."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Language, Output, Pretokenized, Verbose, report, set_verbosity
from paraphrast.msa.options import BarzilayOptions

app = typer.Typer(
    help="Learn sentence templates from comparable articles and rewrite sentences with them (the baseline msa).",
    no_args_is_help=True,
)
Templates = Annotated[str, typer.Argument(help="Templates, as `paraphrast templates learn` writes them.")]


@app.command()
@with_options
def learn(
    articles: Annotated[
        str,
        typer.Argument(
            help="Articles as JSON lines, as `acquire` or `pairs` write them, with a cluster or a date."
        ),
    ],
    second: Annotated[
        str | None,
        typer.Argument(help="Articles of another agency about the same events. Default: the first articles."),
    ] = None,
    *,
    output: Output = "-",
    options: BarzilayOptions,
    language: Language = "en",
    pretokenized: Pretokenized = False,
    verbose: Verbose = False,
) -> None:
    """Learn templates: group sentences by structure, align each group, and pair templates with the same slot values."""
    from paraphrast.formats.articles import read_articles
    from paraphrast.fusion.templates import templates_of_articles, write_templates

    set_verbosity(verbose)
    pairs = templates_of_articles(
        read_articles(articles),
        read_articles(second) if second is not None else None,
        options,
        language=language,
        pretokenized=pretokenized,
    )
    write_templates(output, pairs)
    report(f"{len(pairs):,} pairs of templates → {output}")


@app.command()
def show(
    templates: Templates,
    n: Annotated[int, typer.Option("-n", help="Maximum number of pairs.", min=1)] = 10,
) -> None:
    """Print pairs of templates, best first. Numbers in brackets are slots."""
    from paraphrast.fusion.templates import read_templates

    for pair in read_templates(templates)[:n]:
        order = ", ".join(f"{slot + 1} → {place + 1}" for slot, place in enumerate(pair.order))
        typer.echo(f"{pair.score:.2f}  {pair.first.text()}\n      {pair.second.text()}\n      {order}")


@app.command()
def rewrite(
    templates: Templates,
    sentences: Annotated[
        str, typer.Argument(help="Sentences to rewrite, one per line. - reads standard input.")
    ] = "-",
    n: Annotated[int, typer.Option("-n", help="Maximum number of paraphrases per sentence.", min=1)] = 1,
    output: Output = "-",
    system: Annotated[str, typer.Option(help="Name of the system in the output.")] = "msa",
    language: Language = "en",
    pretokenized: Pretokenized = False,
) -> None:
    """Rewrite sentences that match a template into the form of the paired template. Most sentences match none."""
    from paraphrast.formats.files import read_lines
    from paraphrast.formats.outputs import write_outputs
    from paraphrast.fusion.templates import read_templates, rewrite_lines

    lines = [line for line in read_lines(sentences) if line.strip()]
    outputs = list(
        rewrite_lines(
            lines,
            read_templates(templates),
            n=n,
            language=language,
            pretokenized=pretokenized,
            system=system,
        )
    )
    write_outputs(output, outputs)
    rewritten = len({row.source for row in outputs})
    report(f"{rewritten:,} of {len(set(lines)):,} sentences rewritten → {output}")
