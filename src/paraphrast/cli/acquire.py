"""`paraphrast acquire`: pages to articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli.options import EngineName, Output, Threads, Verbose, set_verbosity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paraphrast.formats.articles import Article


def acquire(
    pages: Annotated[
        list[str],
        typer.Argument(help="Folders of pages, pages, WARC files, JSON lines with 'html', or lists (.txt)."),
    ],
    output: Output = "-",
    extractor: Annotated[
        str, typer.Option(help="both, hmm, trafilatura, or the name of a plug-in.")
    ] = "both",
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="A tagger of lines that --save kept.")
    ] = None,
    learn: Annotated[
        str | None,
        typer.Option(help='Train a tagger: JSON of {"page": {"articleBody": "its story"}}; with --save.'),
    ] = None,
    save: Annotated[str | None, typer.Option(help="Keep the trained tagger in this folder.")] = None,
    folders_are_clusters: Annotated[
        bool, typer.Option("--folders-are-clusters", help="A page's folder is the event it reports.")
    ] = False,
    duplicates: Annotated[
        float,
        typer.Option(help="Similarity from which an article is a copy; 0 looks for none.", min=0, max=1),
    ] = 0.8,
    seconds: Annotated[float, typer.Option(help="Time that one page may take.", min=0.1)] = 20.0,
    megabytes: Annotated[int, typer.Option(help="Memory that one page may take.", min=200)] = 2000,
    max_page: Annotated[int, typer.Option(help="Megabytes of a page that are read.", min=1)] = 8,
    threads: Threads = 0,
    engine: EngineName = "duckdb",
    verbose: Verbose = False,
) -> None:
    """Find the story of each page and write an article a line: page, title, date, source, language, text, …"""
    import os

    from paraphrast.cli.progress import Tally
    from paraphrast.engine import check_engine
    from paraphrast.errors import InputError
    from paraphrast.formats.articles import write_articles

    set_verbosity(verbose)
    check_engine(engine)
    if (learn is None) != (save is None):
        raise InputError("--learn and --save go together: one was given without the other")
    if learn is not None and save is not None:
        _learn(pages, learn, save, extractor, max_page << 20)
        return
    found: list[Article] = []
    with Tally("pages") as tally:
        for article in _articles(
            pages, extractor, model, seconds, megabytes, max_page << 20, threads or os.cpu_count() or 1
        ):
            found.append(article)
            tally.reached(len(found))
    write_articles(output, _finished(found, folders_are_clusters, duplicates, engine))
    _say(found)


def _articles(
    sources: list[str],
    extractor: str,
    model: str | None,
    seconds: float,
    megabytes: int,
    max_bytes: int,
    processes: int,
) -> Iterator[Article]:
    from itertools import chain

    from paraphrast.acquire import ExtractOptions, extract_pages, read_pages

    pages = chain.from_iterable(read_pages(source, max_bytes=max_bytes) for source in sources)
    return extract_pages(pages, ExtractOptions(extractor, model, seconds, megabytes, processes))


def _finished(
    found: list[Article], folders_are_clusters: bool, duplicates: float, engine: str
) -> list[Article]:
    from dataclasses import replace

    from paraphrast.acquire import DuplicateOptions, mark_duplicates
    from paraphrast.engine import open_engine

    articles = found if folders_are_clusters else [replace(article, cluster="") for article in found]
    if duplicates > 0:
        with open_engine(engine, threads=1) as workers:
            articles = mark_duplicates(articles, workers, DuplicateOptions(similarity=duplicates))
    copies = sum(bool(article.duplicate_of) for article in articles)
    if copies:
        typer.echo(f"{copies:,} copies of other articles, marked", err=True)
    return articles


def _say(found: list[Article]) -> None:
    """How many pages had a story, and what is to be said of the others."""
    notes: dict[str, int] = {}
    for article in found:
        for note in article.note.split("; "):
            if note:
                notes[note] = notes.get(note, 0) + 1
    stories = sum(bool(article.text) for article in found)
    typer.echo(f"{len(found):,} pages, {stories:,} with a story", err=True)
    for note, count in sorted(notes.items(), key=lambda item: (-item[1], item[0]))[:20]:
        typer.echo(f"  {count:,} × {note}", err=True)


def _learn(sources: list[str], labels: str, folder: str, extractor: str, max_bytes: int) -> None:
    """Train a tagger of lines on the user's own pages."""
    import json
    from itertools import chain
    from pathlib import Path

    from paraphrast.acquire import decode, label_lines, read_pages, train_tagger
    from paraphrast.acquire.extractors import parse_page, trafilatura_text
    from paraphrast.acquire.features import line_features
    from paraphrast.errors import FormatError, InputError

    if extractor not in ("hmm", "both"):
        raise InputError(f"the extractor {extractor} cannot be trained", remedy="--extractor hmm, or both")
    try:
        record = json.loads(Path(labels).read_text(encoding="utf-8"))
        stories = {
            str(name): entry if isinstance(entry, str) else str(entry["articleBody"])
            for name, entry in record.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"expected JSON of page and story: {error}", where=labels) from error
    bins, tags = [], []
    for page in chain.from_iterable(read_pages(source, max_bytes=max_bytes) for source in sources):
        name = next((key for key in (page.name, Path(page.name).stem, page.url) if key in stories), None)
        if name is None or not page.data:
            continue
        html, _ = decode(page.data, page.charset)
        lines = parse_page(html).lines.lines
        bins.append(line_features(lines, trafilatura_text(html) if extractor == "both" else None))
        tags.append(label_lines(lines, stories[name]))
    tagger = train_tagger(bins, tags, uses_other=extractor == "both")
    tagger.save(folder)
    typer.echo(f"trained on {len(bins):,} pages, {sum(map(len, bins)):,} lines", err=True)
