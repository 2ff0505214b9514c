"""`paraphrast pairs`: articles to sentence pairs; `paraphrast identify`: paraphrase or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.acquire.options import HoldOutOptions
from paraphrast.build.options import NewsOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    EngineName,
    Format,
    Language,
    Memory,
    Output,
    OutputFormat,
    SkipBad,
    Threads,
    Verbose,
    core_count,
    print_json,
    report,
    set_verbosity,
)

if TYPE_CHECKING:
    from paraphrast.errors import At


@with_options
def pairs(
    articles: Annotated[
        str,
        typer.Argument(
            help="Articles as JSON lines, as `paraphrast acquire` writes them. - reads standard input."
        ),
    ],
    *,
    output: Output = "-",
    news: NewsOptions,
    language: Language = "en",
    hold_out: Annotated[
        str | None,
        typer.Option(
            help="Hold out whole clusters, and write a sample of their pairs to this file for annotation."
        ),
    ] = None,
    held_out: HoldOutOptions,
    clustered: Annotated[
        str | None,
        typer.Option(help="Also write the articles, with clusters and copies marked, to this file."),
    ] = None,
    key_terms: Annotated[
        str | None,
        typer.Option(
            help="Also write clusters of sentences that share a key term to this file, as JSON lines "
            "for `paraphrast fuse`."
        ),
    ] = None,
    report_file: Annotated[
        str | None, typer.Option("--report", help="Also write statistics to this file, as JSON.")
    ] = None,
    histogram: Annotated[
        str | None, typer.Option(help="Also write a histogram of word edit distances to this file, as SVG.")
    ] = None,
    threads: Threads = 0,
    memory: Memory = "4GB",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Find sentence pairs in articles about the same event.

    Writes six columns separated by tabs: sentence, sentence, distance, score, page, page.
    """
    import json
    from dataclasses import replace

    from paraphrast.build.news import key_term_clusters, sentence_pairs, write_key_terms, write_pairs
    from paraphrast.cli._support.bitext import report_skipped
    from paraphrast.engine import check_engine, open_engine
    from paraphrast.formats.articles import read_articles, write_articles
    from paraphrast.formats.files import atomic_write

    set_verbosity(verbose)
    check_engine(engine)
    options = replace(news, hold_out=held_out if hold_out is not None else None)
    skipped: list[At] = []
    given = list(read_articles(articles, skip_bad=skip_bad, bad=skipped))
    report_skipped(skipped)
    cores = core_count(threads)
    with open_engine(engine, threads=cores, memory=memory) as workers:
        result = sentence_pairs(given, options, language=language, threads=cores, engine=workers)
    write_pairs(output, result.pairs, result.articles)
    if hold_out is not None:
        write_pairs(hold_out, result.held_out, result.articles)
    if clustered is not None:
        write_articles(clustered, result.articles)
    if key_terms is not None:
        write_key_terms(key_terms, key_term_clusters(result, language=language))
    if report_file is not None:
        with atomic_write(report_file) as stream:
            stream.write(json.dumps(result.report.to_dict(), indent=1) + "\n")
    if histogram is not None:
        with atomic_write(histogram) as stream:
            stream.write(result.report.histogram())
    report(result.report.text())


def identify(
    first: Annotated[
        str, typer.Argument(help="The first sentence. - reads pairs separated by tabs from standard input.")
    ],
    second: Annotated[str | None, typer.Argument(help="The second sentence.")] = None,
    probability: Annotated[
        float,
        typer.Option(help="Minimum probability that two sentences are called paraphrases.", min=0, max=1),
    ] = 0.5,
    language: Language = "en",
    format: OutputFormat = Format.text,
) -> None:
    """Decide whether two sentences are paraphrases, and how probable it is."""
    from paraphrast.acquire import default_classifier, pair_features
    from paraphrast.errors import InputError

    if (second is None) != (first == "-"):
        raise InputError("expected two sentences, or - to read pairs from standard input")
    if second is None:
        from paraphrast.formats.bitext import read_columns

        bitext = read_columns("-", ["1", "2"])
        sides = bitext.lines["1"], bitext.lines["2"]
    else:
        sides = [first], [second]
    scores = default_classifier().probability(pair_features(*sides, language=language)).tolist()
    for one, other, score in zip(*sides, scores, strict=True):
        if format is Format.json:
            is_paraphrase = score >= probability
            print_json(
                {"first": one, "second": other, "probability": round(score, 4), "paraphrase": is_paraphrase}
            )
        else:
            typer.echo(f"{'paraphrase' if score >= probability else 'different'}\t{score:.3f}")
