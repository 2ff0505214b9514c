"""`paraphrast table KIND INPUT… -o TABLE`: build one table of one resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from paraphrast.cli.options import Threads, Verbose, set_verbosity

Inputs = Annotated[list[str], typer.Argument(help="Files, or names of data (paraphrast data list).")]
Table = Annotated[str, typer.Option("--output", "-o", help="The table to write, a Parquet file.")]
Language = Annotated[str, typer.Option(help="Language of the text.")]
FromModel = Annotated[
    str | None, typer.Option("--model", "-m", help="A model folder whose casing and tagger to use.")
]
Parser = Annotated[str | None, typer.Option(help="Name or folder of a spaCy model (needs [syntax]).")]
Top = Annotated[int, typer.Option(help="Most paraphrases a phrase.", min=1)]
Inflect = Annotated[
    bool,
    typer.Option("--inflect/--no-inflect", help="Add inflected forms, with agreement (needs [english])."),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", help="Any other option of the table: NAME=VALUE (docs/resources.md)."),
]


def _build(
    kind: str,
    inputs: Sequence[str],
    output: str,
    values: dict[str, Any],
    settings: Sequence[str] | None,
    *,
    language: str,
    model: str | None = None,
    parser: str | None = None,
    threads: int = 1,
    verbose: bool = False,
) -> None:
    from paraphrast.build.tables import build_table
    from paraphrast.errors import InputError
    from paraphrast.formats.table_file import write_table_file

    set_verbosity(verbose)
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set: expected NAME=VALUE, got {setting!r}")
        values[name.strip().replace("-", "_")] = value.strip()
    table = build_table(kind, inputs, values, language=language, model=model, parser=parser, threads=threads)
    rows = write_table_file(output, table)
    typer.echo(f"{rows:,} rows → {output}\n{table.table.info.signature}", err=True)


def thesaurus(
    inputs: Inputs,
    output: Table,
    parser: Parser = None,
    inflect: Inflect = True,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    verbose: Verbose = False,
) -> None:
    """Words used alike in text that is parsed (Lin 1998): mutual information of shared dependencies."""
    _build(
        "thesaurus", inputs, output, {"inflect": inflect, "top": top}, settings,
        language=language, parser=parser, verbose=verbose,
    )  # fmt: skip


def lexicon(
    inputs: Inputs,
    output: Table,
    mutual: Annotated[bool, typer.Option("--mutual", help="Only pairs that are listed both ways.")] = False,
    inflect: Inflect = True,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """A thesaurus that people wrote: moby, wordnet-synonyms, MyThes .dat files, pairs by tab."""
    _build(
        "lexicon", inputs, output, {"mutual": mutual, "inflect": inflect, "top": top}, settings,
        language=language, model=model, verbose=verbose,
    )  # fmt: skip


def chunks(
    inputs: Inputs,
    output: Table,
    alpha: Annotated[float, typer.Option(help="Weight of content against context (α).")] = 0.4,
    th1: Annotated[float, typer.Option(help="Least similarity (Th1).")] = 0.45,
    parser: Parser = None,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """Chunks in like contexts of sentences that say the same (two columns)."""
    _build(
        "chunks", inputs, output, {"alpha": alpha, "th1": th1, "top": top}, settings,
        language=language, model=model, parser=parser, verbose=verbose,
    )  # fmt: skip


def comparable(
    inputs: Inputs,
    output: Table,
    th3: Annotated[float, typer.Option(help="Least word overlap of a sentence pair (Th3).")] = 0.3,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    threads: Threads = 1,
    verbose: Verbose = False,
) -> None:
    """Phrase pairs of aligned sentences that report the same (two columns)."""
    _build(
        "comparable", inputs, output, {"th3": th3, "top": top}, settings,
        language=language, model=model, threads=threads, verbose=verbose,
    )  # fmt: skip


def dictionary(
    inputs: Inputs,
    output: Table,
    gamma: Annotated[float, typer.Option(help="What each rank of a definition costs (γ).")] = 0.9,
    inflect: Inflect = True,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """Words and their definitions: gcide, TSV or JSON lines."""
    _build(
        "dictionary", inputs, output, {"gamma": gamma, "inflect": inflect, "top": top}, settings,
        language=language, model=model, verbose=verbose,
    )  # fmt: skip


def queries(
    inputs: Inputs,
    output: Table,
    beta: Annotated[float, typer.Option(help="Weight of content against clicks (β).")] = 0.4,
    th4: Annotated[float, typer.Option(help="Least similarity (Th4).")] = 0.5,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="The input is two columns of questions asked twice, no log.")
    ] = False,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """Queries that lead to the same documents: a log of query, document, count by tab."""
    _build(
        "queries", inputs, output, {"beta": beta, "th4": th4, "duplicates": duplicates, "top": top}, settings,
        language=language, model=model, verbose=verbose,
    )  # fmt: skip


def selves(inputs: Inputs, output: Table, language: Language = "en", model: FromModel = None) -> None:
    """Every word of other tables, or of text, as its own paraphrase."""
    _build("self", inputs, output, {}, None, language=language, model=model)


def wordnet(
    inputs: Inputs,
    output: Table,
    arbitrary: Annotated[
        bool,
        typer.Option("--arbitrary", help="One member a word, drawn by seed: the baseline without a model."),
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of --arbitrary.")] = 0,
    inflect: Inflect = True,
    language: Language = "en",
    model: FromModel = None,
) -> None:
    """Members of each word's most frequent synset, all equally likely (input: wordnet-synonyms)."""
    values = {"arbitrary": arbitrary, "seed": seed, "inflect": inflect}
    _build("wordnet", inputs, output, values, None, language=language, model=model)


def wordclusters(
    inputs: Inputs,
    output: Table,
    clusters: Annotated[int, typer.Option(help="How many clusters.", min=1)] = 4096,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """Words of one cluster by bigrams, from running text."""
    _build(
        "wordclusters", inputs, output, {"clusters": clusters, "top": top}, settings,
        language=language, model=model, verbose=verbose,
    )  # fmt: skip


def clusters(
    inputs: Inputs,
    output: Table,
    alignment: Annotated[
        str, typer.Option(help="V1 to V5, as in fuse; V4 and V5 need a parser, V3 and V2 stand in.")
    ] = "V4",
    terms: Annotated[
        int, typer.Option(help="Inputs are articles: so many clusters an event, by key terms.", min=0)
    ] = 0,
    pretokenized: Annotated[
        bool, typer.Option("--pretokenized", help="Tokens stand between white space.")
    ] = False,
    parser: Parser = None,
    top: Top = 20,
    settings: Setting = None,
    language: Language = "en",
    model: FromModel = None,
    verbose: Verbose = False,
) -> None:
    """What sentences about one thing put between the same words (.jsonl with sentences, .tsv, or a file a cluster)."""
    values = {"version": alignment, "terms": terms, "pretokenized": pretokenized, "top": top}
    _build(
        "clusters", inputs, output, values, settings,
        language=language, model=model, parser=parser, verbose=verbose,
    )  # fmt: skip


def expand(
    table: Annotated[str, typer.Argument(help="A table file.")],
    output: Table,
    back_off: Annotated[
        float, typer.Option(help="What a pair that was never seen costs, as a factor.")
    ] = 0.5,
) -> None:
    """Add inflected pairs that a table lacks, from the rows of their lemmas (needs [english])."""
    from paraphrast.formats.table_file import read_table_file, write_table_file
    from paraphrast.tables.resources.inflect import ExpandOptions, expand

    grown = expand(read_table_file(table), ExpandOptions(back_off=back_off))
    told = grown.table.info.notes["expanded"]
    write_table_file(output, grown)
    typer.echo(f"{told['rows_before']:,} rows, {len(grown):,} with inflected ones → {output}", err=True)


def substitute(
    table: Annotated[str, typer.Argument(help="A table file, such as one of: table wordnet --arbitrary.")],
    sentences: Annotated[str, typer.Argument(help="Sentences, one a line.")],
    output: Annotated[str, typer.Option("--output", "-o", help="File to write; - is standard output.")] = "-",
    match: Annotated[
        str | None,
        typer.Option(help="Rewrites of another system, line by line: replace as many words as it did."),
    ] = None,
    rate: Annotated[float | None, typer.Option(help="Share of the words to replace.", min=0, max=1)] = None,
    seed: Annotated[int, typer.Option(help="Which words and which paraphrases.")] = 0,
    language: Language = "en",
) -> None:
    """Replace words by a table's, chosen by seed and without a language model: the WordNet baseline."""
    from paraphrast.build.baseline import substitute_lines
    from paraphrast.formats.files import read_lines, write_lines
    from paraphrast.formats.table_file import read_table_file

    rewritten = substitute_lines(
        list(read_lines(sentences)), read_table_file(table), seed=seed, rate=rate, language=language,
        match=None if match is None else list(read_lines(match)),
    )  # fmt: skip
    write_lines(output, rewritten)


def register(app: typer.Typer) -> None:
    """Add a command for each kind."""
    kinds = (thesaurus, lexicon, chunks, comparable, dictionary, queries, wordnet, wordclusters, clusters)
    for command in (*kinds, expand, substitute):
        app.command(command.__name__)(command)
    app.command("self")(selves)
