"""`paraphrast table KIND INPUT… -o TABLE`: build one table of one resource.

A command per kind, made from the options record of the kind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from paraphrast._options import values_of
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    Language,
    Output,
    Parser,
    Seed,
    SourceModel,
    TableOutput,
    Threads,
    Verbose,
    check_rows,
    report,
    set_verbosity,
)
from paraphrast.fusion.options import ClustersOptions
from paraphrast.tables.resources import options as kinds

Inputs = Annotated[
    list[str], typer.Argument(help="Files, or names of corpora (`paraphrast data list` shows them).")
]
TableFile = Annotated[str, typer.Argument(help="Table file.")]
Setting = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="Any other option of the table, as NAME=VALUE (docs/resources.md). Repeatable."
    ),
]
Command = Callable[..., None]


def _command(kind: str, record: type[Any], needs: str, text: str) -> Command:
    """The command that builds tables of a kind.

    needs: which of model, parser, threads and settings the kind uses; the command offers no others. text: its help.
    """

    def build(
        inputs: Inputs,
        *,
        output: TableOutput,
        options: Any,
        settings: Setting = None,
        language: Language = "en",
        model: SourceModel = None,
        parser: Parser = None,
        threads: Threads = 1,
        verbose: Verbose = False,
    ) -> None:
        set_verbosity(verbose)
        values = {**values_of(options), **_settings(settings or [])}
        _write(kind, inputs, output, values, language=language, model=model, parser=parser, threads=threads)

    build.__annotations__["options"] = record
    build.__name__, build.__doc__ = kind, text
    signature = inspect.signature(build, eval_str=True)
    offered = [
        parameter
        for name, parameter in signature.parameters.items()
        if name not in ("model", "parser", "threads", "settings") or name in needs.split()
    ]
    build.__signature__ = signature.replace(parameters=offered)  # type: ignore[attr-defined]
    return with_options(build)


def _settings(settings: list[str]) -> dict[str, str]:
    from paraphrast.errors import InputError

    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set: expected NAME=VALUE, got {setting!r}")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def _write(
    kind: str,
    inputs: list[str],
    output: str,
    values: dict[str, Any],
    *,
    language: str,
    model: str | None,
    parser: str | None,
    threads: int,
) -> None:
    from paraphrast.build.tables import build_table
    from paraphrast.cli._support.progress import Steps
    from paraphrast.formats.table_file import write_table_file

    with Steps() as bar:
        table = build_table(
            kind,
            inputs,
            values,
            language=language,
            model=model,
            parser=parser,
            threads=threads,
            progress=bar.reached,
        )
    check_rows(len(table), inputs)
    rows = write_table_file(output, table)
    report(f"{rows:,} rows → {output}\n{table.table.info.signature}")


#: Kind → its command.
COMMANDS: dict[str, Command] = {
    kind: _command(kind, record, needs, text)
    for kind, record, needs, text in (
        (
            "thesaurus",
            kinds.ThesaurusOptions,
            "parser settings",
            "Build a table of words that occur with the same dependencies in parsed text (Lin 1998).",
        ),
        (
            "lexicon",
            kinds.LexiconOptions,
            "model settings",
            "Build a table from a thesaurus: moby, wordnet-synonyms, MyThes .dat files, or pairs separated by tabs.",
        ),
        (
            "ppdb",
            kinds.PpdbOptions,
            "model settings",
            "Build a table from files of the Paraphrase Database (PPDB 1 or 2).",
        ),
        (
            "meteor",
            kinds.MeteorOptions,
            "model",
            "Build a table from a paraphrase file of METEOR: probability, phrase and paraphrase on three lines.",
        ),
        (
            "chunks",
            kinds.ChunkOptions,
            "model parser settings",
            "Build a table of chunks in similar contexts of sentences that mean the same (two columns).",
        ),
        (
            "comparable",
            kinds.ComparableOptions,
            "model threads settings",
            "Build a table of phrase pairs from pairs of sentences about the same event (two columns).",
        ),
        (
            "dictionary",
            kinds.DictionaryOptions,
            "model settings",
            "Build a table of words and their definitions: gcide, TSV or JSON lines.",
        ),
        (
            "queries",
            kinds.QueryOptions,
            "model settings",
            "Build a table of search queries that lead to the same documents: query, document, "
            "count, separated by tabs.",
        ),
        (
            "wordnet",
            kinds.WordnetOptions,
            "model settings",
            "Build a table of the members of each word's most frequent synset, all equally likely "
            "(input: wordnet-synonyms).",
        ),
        (
            "wordclusters",
            kinds.ClusterOptions,
            "model settings",
            "Build a table of words that occur beside the same words in running text, by clustering.",
        ),
        (
            "clusters",
            ClustersOptions,
            "model parser settings",
            "Build a table of phrases that occur between the same words in sentences about one event.\n\n"
            "Inputs are .jsonl files with sentences, .tsv files, or text files with one cluster each.",
        ),
        (
            "roundtrip",
            kinds.RoundtripOptions,
            "model threads settings",
            "Build a table of phrases that change when sentences are translated to another language and back "
            "(requires paraphrast[precise]).\n\n"
            "Input: text with one sentence per line, or a .jsonl file of round trips.",
        ),
        (
            "self",
            kinds.SelfOptions,
            "model",
            "Build a table that pairs every word of other tables, or of text, with itself.",
        ),
    )
}


@with_options
def expand(
    table: TableFile,
    *,
    output: TableOutput,
    options: kinds.ExpandOptions,
) -> None:
    """Add inflected pairs that a table lacks, from the rows of their lemmas (requires paraphrast[english])."""
    from paraphrast.formats.table_file import read_table_file, write_table_file
    from paraphrast.tables.resources.inflect import expand

    expanded = expand(read_table_file(table), options)
    before = expanded.table.info.notes["expanded"]["rows_before"]
    write_table_file(output, expanded)
    report(f"{before:,} rows before, {len(expanded):,} with inflected pairs → {output}")


def substitute(
    table: TableFile,
    sentences: Annotated[str, typer.Argument(help="Sentences, one per line. - reads standard input.")],
    output: Output = "-",
    match: Annotated[
        str | None,
        typer.Option(
            help="Paraphrases of another system, one per line. Replaces as many words as that system did."
        ),
    ] = None,
    rate: Annotated[float | None, typer.Option(help="Share of the words to replace.", min=0, max=1)] = None,
    seed: Seed = 0,
    language: Language = "en",
) -> None:
    """Replace random words by their paraphrases in a table, without a language model: the WordNet baseline."""
    from paraphrast.build.baseline import substitute_lines
    from paraphrast.formats.files import read_lines, write_lines
    from paraphrast.formats.table_file import read_table_file

    rewritten = substitute_lines(
        list(read_lines(sentences)),
        read_table_file(table),
        seed=seed,
        rate=rate,
        language=language,
        match=None if match is None else list(read_lines(match)),
    )
    write_lines(output, rewritten)
