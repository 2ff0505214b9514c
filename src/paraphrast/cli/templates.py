"""`paraphrast templates`: Barzilay and Lee's (2003) lattices with slots, the `msa` baseline."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import Verbose, set_verbosity

app = typer.Typer(
    help="Templates of sentences from comparable articles, and rewriting by them: the msa baseline.",
    no_args_is_help=True,
)
Language = Annotated[str, typer.Option(help="Language of the text.")]
Pretokenized = Annotated[bool, typer.Option("--pretokenized", help="Tokens stand between white space.")]


@app.command()
def learn(
    articles: Annotated[
        str, typer.Argument(help="Articles, JSONL of acquire or pairs, with a cluster or a date.")
    ],
    second: Annotated[
        str | None,
        typer.Argument(help="Articles of another agency about the same events; without, the first are both."),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Templates to write, JSONL.")] = "-",
    similarity: Annotated[
        float, typer.Option(help="Least cosine of n-grams among sentences of one template.")
    ] = 0.3,
    smallest: Annotated[int, typer.Option(help="Sentences that make a template.", min=2)] = 4,
    overlap: Annotated[
        float, typer.Option(help="Least overlap of what fills the slots of two templates.")
    ] = 0.3,
    language: Language = "en",
    pretokenized: Pretokenized = False,
    verbose: Verbose = False,
) -> None:
    """Group sentences by structure, align each group, and match templates whose slots hold the same."""
    from paraphrast.formats.articles import read_articles
    from paraphrast.fusion.templates import templates_of_articles, write_templates
    from paraphrast.msa.barzilay import BarzilayOptions

    set_verbosity(verbose)
    options = BarzilayOptions(similarity=similarity, smallest=smallest, overlap=overlap)
    pairs = templates_of_articles(
        read_articles(articles),
        read_articles(second) if second is not None else None,
        options,
        language=language,
        pretokenized=pretokenized,
    )
    write_templates(output, pairs)
    typer.echo(f"{len(pairs):,} pairs of templates → {output}", err=True)


@app.command()
def show(
    templates: Annotated[str, typer.Argument(help="Templates, of templates learn.")],
    rows: Annotated[int, typer.Option("-n", help="How many pairs.", min=1)] = 10,
) -> None:
    """Pairs of templates, the best first: slots are numbers in brackets."""
    from paraphrast.fusion.templates import read_templates

    for pair in read_templates(templates)[:rows]:
        order = ", ".join(f"{slot + 1} → {place + 1}" for slot, place in enumerate(pair.order))
        typer.echo(f"{pair.score:.2f}  {pair.first.text()}\n      {pair.second.text()}\n      {order}")


@app.command()
def rewrite(
    templates: Annotated[str, typer.Argument(help="Templates, of templates learn.")],
    sentences: Annotated[str, typer.Argument(help="Sentences, one a line; - is standard input.")] = "-",
    n: Annotated[int, typer.Option("-n", help="How many rewrites of a sentence at most.", min=1)] = 1,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Outputs, for judge new and evaluate sentences.")
    ] = "-",
    system: Annotated[str, typer.Option(help="The name that outputs carry.")] = "msa",
    language: Language = "en",
    pretokenized: Pretokenized = False,
) -> None:
    """Say sentences as the partners of their templates do; most sentences fit none."""
    from paraphrast.formats.files import read_lines
    from paraphrast.formats.outputs import write_outputs
    from paraphrast.fusion.templates import read_templates, rewrite_lines

    lines = [line for line in read_lines(sentences) if line.strip()]
    made = list(
        rewrite_lines(
            lines,
            read_templates(templates),
            n=n,
            language=language,
            pretokenized=pretokenized,
            system=system,
        )
    )
    write_outputs(output, made)
    told = len({one.source for one in made})
    typer.echo(f"{told:,} of {len(set(lines)):,} sentences rewritten → {output}", err=True)
