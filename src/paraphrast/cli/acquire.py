"""`paraphrast acquire`: web pages to articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.acquire.options import AcquireOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    EngineName,
    Output,
    Threads,
    Verbose,
    core_count,
    report,
    set_verbosity,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paraphrast.formats.articles import Article


@with_options
def acquire(
    pages: Annotated[
        list[str],
        typer.Argument(
            help="Pages to read: HTML files, folders of them, WARC files, JSON lines with 'html', or lists (.txt)."
        ),
    ],
    *,
    output: Output = "-",
    options: AcquireOptions,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Folder of a line tagger that --save wrote.")
    ] = None,
    learn: Annotated[
        str | None,
        typer.Option(
            help='Train a line tagger on labelled pages: JSON of {"page": {"articleBody": "text"}}. Requires --save.'
        ),
    ] = None,
    save: Annotated[
        str | None, typer.Option(help="Folder to save the trained line tagger in. Requires --learn.")
    ] = None,
    threads: Threads = 0,
    engine: EngineName = "duckdb",
    verbose: Verbose = False,
) -> None:
    """Find the article of each web page and write one article per line, as JSON."""
    from dataclasses import replace

    from paraphrast.cli._support.progress import Tally
    from paraphrast.engine import check_engine
    from paraphrast.errors import InputError
    from paraphrast.formats.articles import write_articles

    set_verbosity(verbose)
    check_engine(engine)
    if (learn is None) != (save is None):
        raise InputError("--learn requires --save, and --save requires --learn")
    if learn is not None and save is not None:
        _learn(pages, learn, save, options)
        return
    extract = replace(options.extract, model=model, processes=core_count(threads))
    articles: list[Article] = []
    with Tally("pages") as tally:
        for article in _articles(pages, replace(options, extract=extract)):
            articles.append(article)
            tally.reached(len(articles))
    write_articles(output, _marked(articles, options, engine))
    _report(articles)


def _articles(sources: list[str], options: AcquireOptions) -> Iterator[Article]:
    from itertools import chain

    from paraphrast.acquire import extract_pages, read_pages

    pages = chain.from_iterable(read_pages(source, max_bytes=options.max_bytes) for source in sources)
    return extract_pages(pages, options.extract)


def _marked(articles: list[Article], options: AcquireOptions, engine: str) -> list[Article]:
    """The articles with clusters and copies marked."""
    from dataclasses import replace

    from paraphrast.acquire import DuplicateOptions, mark_duplicates
    from paraphrast.engine import open_engine

    if not options.folders_are_clusters:
        articles = [replace(article, cluster="") for article in articles]
    if options.duplicates > 0:
        with open_engine(engine, threads=1) as workers:
            articles = mark_duplicates(articles, workers, DuplicateOptions(similarity=options.duplicates))
    copies = sum(bool(article.duplicate_of) for article in articles)
    if copies:
        report(f"{copies:,} articles marked as copies of others")
    return articles


def _report(articles: list[Article]) -> None:
    """Report how many pages had an article, and the problems of the others."""
    notes: dict[str, int] = {}
    for article in articles:
        for note in article.note.split("; "):
            if note:
                notes[note] = notes.get(note, 0) + 1
    with_text = sum(bool(article.text) for article in articles)
    report(f"{len(articles):,} pages, {with_text:,} with an article")
    for note, count in sorted(notes.items(), key=lambda item: (-item[1], item[0]))[:20]:
        report(f"  {count:,} × {note}")


def _learn(sources: list[str], labels: str, folder: str, options: AcquireOptions) -> None:
    """Train a line tagger on the user's own pages."""
    from itertools import chain
    from pathlib import Path

    from paraphrast.acquire import decode, label_lines, read_pages, train_tagger
    from paraphrast.acquire.extractors import parse_page, trafilatura_text
    from paraphrast.acquire.features import line_features
    from paraphrast.errors import FormatError, InputError
    from paraphrast.formats.json_text import parse_json

    extractor = options.extract.extractor
    if extractor not in ("hmm", "both"):
        raise InputError(
            f"--learn: expected --extractor hmm or both, got {extractor}, which cannot be trained"
        )
    try:
        record = parse_json(Path(labels).read_text(encoding="utf-8"))
        stories = {
            str(name): entry if isinstance(entry, str) else str(entry["articleBody"])
            for name, entry in record.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"expected JSON of pages and their articles: {error}", where=labels) from error
    bins, tags = [], []
    for page in chain.from_iterable(read_pages(source, max_bytes=options.max_bytes) for source in sources):
        name = next((key for key in (page.name, Path(page.name).stem, page.url) if key in stories), None)
        if name is None or not page.data:
            continue
        html, _ = decode(page.data, page.charset)
        lines = parse_page(html).lines.lines
        bins.append(line_features(lines, trafilatura_text(html) if extractor == "both" else None))
        tags.append(label_lines(lines, stories[name]))
    tagger = train_tagger(bins, tags, uses_other=extractor == "both")
    tagger.save(folder)
    report(f"trained on {len(bins):,} pages, {sum(map(len, bins)):,} lines")
