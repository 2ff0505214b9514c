"""`paraphrast pairs`: articles to sentence pairs; `paraphrast identify`: paraphrase or not."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import (
    EngineName,
    Format,
    Memory,
    Output,
    OutputFormat,
    SkipBad,
    Threads,
    Verbose,
    print_json,
    set_verbosity,
)


def pairs(
    articles: Annotated[
        str, typer.Argument(help="Articles as JSON lines, as acquire writes them; - is standard input.")
    ],
    output: Output = "-",
    clusters: Annotated[
        str,
        typer.Option(help="given (column cluster), found, documents (two by two), or auto: given if any is."),
    ] = "auto",
    method: Annotated[str, typer.Option(help="distance, overlap, first-two or classifier.")] = "distance",
    cutoff: Annotated[int, typer.Option(help="Greatest word edit distance.", min=0)] = 12,
    ratio: Annotated[
        float,
        typer.Option(help="Least share of the longer sentence's words that the shorter has.", min=0, max=1),
    ] = 2 / 3,
    overlap: Annotated[
        float, typer.Option(help="Th3: word overlap, for --method overlap.", min=0, max=1)
    ] = 0.5,
    similarity: Annotated[
        float, typer.Option(help="Th2: cosine of documents, for --clusters documents.", min=0, max=1)
    ] = 0.3,
    probability: Annotated[
        float, typer.Option(help="Least probability, for --method classifier.", min=0, max=1)
    ] = 0.7,
    bootstrap: Annotated[
        int,
        typer.Option(help="Rounds in which the classifier first learns from its own sure pairs.", min=0),
    ] = 0,
    min_words: Annotated[int, typer.Option(help="Words that both sentences have at least.", min=1)] = 1,
    same_article: Annotated[
        bool, typer.Option("--same-article", help="Also pair sentences of one article, as the paper did.")
    ] = False,
    window: Annotated[
        int, typer.Option(help="Articles so many days apart are of different events.", min=1)
    ] = 4,
    threshold: Annotated[
        float, typer.Option(help="Mean cosine of one event's articles.", min=0, max=1)
    ] = 0.155,
    state: Annotated[
        str | None, typer.Option(help="Folder that remembers clusters: tomorrow's articles join them.")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the articles.")] = "en",
    hold_out: Annotated[
        str | None, typer.Option(help="Keep whole clusters back, and write pairs of them here, to annotate.")
    ] = None,
    hold_out_share: Annotated[float, typer.Option(help="Share of clusters kept back.", min=0, max=1)] = 0.05,
    hold_out_pairs: Annotated[int, typer.Option(help="Pairs sampled, at distance 5 to 20.", min=1)] = 250,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = 1,
    clustered: Annotated[
        str | None, typer.Option(help="Also write the articles here, with clusters and copies.")
    ] = None,
    key_terms: Annotated[
        str | None,
        typer.Option(help="Also write the sentences that share a key term here, as JSON lines for fuse."),
    ] = None,
    report: Annotated[str | None, typer.Option(help="Also write the figures here, as JSON.")] = None,
    histogram: Annotated[str | None, typer.Option(help="Also draw pairs by distance here, as SVG.")] = None,
    threads: Threads = 0,
    memory: Memory = "4GB",
    engine: EngineName = "duckdb",
    skip_bad: SkipBad = False,
    verbose: Verbose = False,
) -> None:
    """Find sentence pairs in articles of one event: sentence, sentence, distance, score, page, page, by tab."""
    import json
    import os
    from dataclasses import replace

    from paraphrast.acquire import ClusterOptions, HoldOutOptions, PairOptions
    from paraphrast.build.news import (
        NewsOptions,
        key_term_clusters,
        sentence_pairs,
        write_key_terms,
        write_pairs,
    )
    from paraphrast.engine import check_engine, open_engine
    from paraphrast.errors import At
    from paraphrast.formats.articles import read_articles, write_articles
    from paraphrast.formats.files import atomic_write

    set_verbosity(verbose)
    cluster = ClusterOptions(threshold=threshold)
    if clusters != "documents" or window != 4:
        cluster = replace(cluster, near=replace(cluster.near, window=window))
    options = NewsOptions(
        clusters=clusters,
        similarity=similarity,
        state=state,
        cluster=cluster,
        pairs=PairOptions(
            method=method,
            cutoff=cutoff,
            ratio=ratio,
            overlap=overlap,
            least=probability,
            bootstrap=bootstrap,
            same_article=same_article,
            min_words=min_words,
        ),
        hold_out=None
        if hold_out is None
        else HoldOutOptions(share=hold_out_share, pairs=hold_out_pairs, seed=seed),
    )
    check_engine(engine)
    bad: list[At] = []
    given = list(read_articles(articles, skip_bad=skip_bad, bad=bad))
    if bad:
        typer.echo(f"{len(bad)} malformed lines left out, the first at {bad[0]}", err=True)
    cores = threads or os.cpu_count() or 1
    with open_engine(engine, threads=cores, memory=memory) as workers:
        found = sentence_pairs(given, options, language=language, threads=cores, engine=workers)
    write_pairs(output, found.pairs, found.articles)
    if hold_out is not None:
        write_pairs(hold_out, found.held_out, found.articles)
    if clustered is not None:
        write_articles(clustered, found.articles)
    if key_terms is not None:
        write_key_terms(key_terms, key_term_clusters(found, language=language))
    if report is not None:
        with atomic_write(report) as stream:
            stream.write(json.dumps(found.report.to_dict(), indent=1) + "\n")
    if histogram is not None:
        with atomic_write(histogram) as stream:
            stream.write(found.report.histogram())
    typer.echo(found.report.text(), err=True)


def identify(
    first: Annotated[str, typer.Argument(help="A sentence; - reads pairs by tab from standard input.")],
    second: Annotated[str | None, typer.Argument(help="The other sentence.")] = None,
    probability: Annotated[
        float, typer.Option(help="Probability from which two sentences are paraphrases.", min=0, max=1)
    ] = 0.5,
    language: Annotated[str, typer.Option(help="Language of the sentences.")] = "en",
    form: OutputFormat = Format.text,
) -> None:
    """Say whether two sentences are paraphrases, and how probably."""
    from paraphrast.acquire import default_classifier, pair_features
    from paraphrast.errors import InputError

    if (second is None) != (first == "-"):
        raise InputError("expected two sentences, or - for pairs by tab on standard input")
    if second is None:
        from paraphrast.formats.bitext import read_columns

        bitext = read_columns("-", ["1", "2"])
        one, other = list(bitext.lines["1"]), list(bitext.lines["2"])
    else:
        one, other = [first], [second]
    chances = default_classifier().probability(pair_features(one, other, language=language))
    for a, b, chance in zip(one, other, chances.tolist(), strict=True):
        if form is Format.json:
            print_json(
                {
                    "first": a,
                    "second": b,
                    "probability": round(chance, 4),
                    "paraphrase": chance >= probability,
                }
            )
        else:
            typer.echo(f"{'paraphrase' if chance >= probability else 'different'}\t{chance:.3f}")
