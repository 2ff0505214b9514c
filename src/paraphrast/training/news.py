"""The stages of ``[[news]]``: pages or articles → clusters → sentence pairs, running text → a table ``comparable``.

Quirk et al. 2004, §3.1, and Zhao et al. 2008, §4, resource 3. Parsing pages takes longest, so it is a separate stage:
another cutoff does not parse them again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast._options import values_of
from paraphrast.acquire.duplicates import mark_duplicates
from paraphrast.acquire.extractors import EXTRACTORS
from paraphrast.acquire.options import AcquireOptions, DuplicateOptions
from paraphrast.acquire.pages import holds_articles, read_pages
from paraphrast.acquire.workers import extract_pages
from paraphrast.build.comparable import build_comparable
from paraphrast.build.monolingual import find_resources, wanted_resources
from paraphrast.build.news import running_text, sentence_pairs, write_pairs
from paraphrast.errors import At, InputError
from paraphrast.formats.articles import Article, read_articles, write_articles
from paraphrast.formats.bad_lines import skipped_note
from paraphrast.formats.bitext import read_columns
from paraphrast.formats.files import write_lines
from paraphrast.formats.table_file import write_table_file
from paraphrast.text.truecase import Truecaser
from paraphrast.training.config import Config, NewsTableOptions, Source
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import NEWS_TEXT, open_engine

PAIRS_FILE = "pairs.tsv"
REPORT_FILE = "report.json"


def news_options(config: Config) -> dict[str, Any]:
    """All options of news in the configuration, by section, for manifests and signatures."""
    sections = {name: values_of(config.section(name)) for name in ("acquire", "pairs", "comparable")}
    sections["pairs"].pop("state")
    return sections


def stage_options(config: Config) -> tuple[dict[str, Any], list[Any]]:
    """Options of the stages ``articles`` and ``news``. Another duplicate threshold does not parse pages again."""
    sections = news_options(config)
    page_options = sections["acquire"]
    EXTRACTORS.get(page_options["extractor"])
    return page_options, [page_options.pop("duplicates"), sections["pairs"]]


def comparable_options(config: Config) -> list[Any]:
    """Options of the stage ``comparable``, and the lexicons of its aligner."""
    if not config.news_for("pairs"):
        return []
    lexicons = [data.provenance(name) for name in wanted_resources(config.language) if data.is_cached(name)]
    return [news_options(config)["comparable"], lexicons]


def fetch_lexicons(config: Config) -> None:
    """Fetch the lexicons of the monolingual aligner, if it uses all available evidence."""
    if config.news_for("pairs") and "evidence" not in config.options.get("comparable", {}):
        find_resources(config.language, fetch=True)


def read_news(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Pages → articles, one file per source; files of articles are copied."""
    options: AcquireOptions = recipe.config.section("acquire")
    bad: list[At] = []
    counts = [0, 0]

    def counted(articles: Iterator[Article]) -> Iterator[Article]:
        for article in articles:
            counts[0] += 1
            counts[1] += bool(article.body())
            if counts[0] % 50 == 0:
                step(counts[0], counts[0], "articles")
            yield article

    for number, source in enumerate(recipe.config.news):
        write_articles(
            str(folder / f"{number}.jsonl"),
            counted(_articles(source, options, resources.thread_count, recipe.skip_bad, bad)),
        )
    note = f"{counts[0]:,} articles, {counts[1]:,} with a story"
    return f"{note}; {skipped_note(bad)}" if bad else note


def _articles(
    source: Source, options: AcquireOptions, processes: int, skip_bad: bool, bad: list[At]
) -> Iterator[Article]:
    assert isinstance(source.path, Path)
    if holds_articles(source.path):
        yield from read_articles(str(source.path), skip_bad=skip_bad, bad=bad)
        return
    pages = read_pages(source.path, max_bytes=options.max_bytes)
    for article in extract_pages(pages, replace(options.extract, processes=processes)):
        yield article if options.folders_are_clusters else replace(article, cluster="")


def _read(config: Config, folder: Path) -> list[tuple[Article, tuple[str, ...]]]:
    """Every article with its uses, those for pairs first: of two copies the earlier is used. With several sources,
    pages and clusters are distinguished by source."""
    several = len(config.news) > 1
    articles_read = []
    for number, source in sorted(enumerate(config.news), key=lambda item: "pairs" not in item[1].use):
        for article in read_articles(str(folder / f"{number}.jsonl")):
            if several:
                cluster, copied = (
                    name and f"{number}/{name}" for name in (article.cluster, article.duplicate_of)
                )
                article = replace(
                    article, page=f"{number}/{article.page}", cluster=cluster, duplicate_of=copied
                )
            articles_read.append((article, source.use))
    return articles_read


def pair_news(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Articles → copies marked, clusters, sentence pairs, and the sentences of articles that are used as text."""
    config = recipe.config
    duplicates = config.section("acquire").duplicates
    articles_read = _read(config, work / "articles")
    articles = [article for article, _ in articles_read]
    notes = []
    with open_engine(resources, folder, step) as engine:
        if duplicates > 0:
            articles = mark_duplicates(articles, engine, DuplicateOptions(similarity=duplicates))
        if config.news_for("pairs"):
            pairs_found = sentence_pairs(
                [
                    article
                    for article, (_, use) in zip(articles, articles_read, strict=True)
                    if "pairs" in use
                ],
                replace(config.section("pairs"), copies=False),
                language=config.language,
                threads=resources.thread_count,
                engine=engine,
            )
            report = pairs_found.report
            if not pairs_found.pairs:
                raise InputError(
                    f"no sentence pairs in {report.articles:,} articles, {report.clusters:,} clusters",
                    remedy='a larger cutoff or another method in [pairs]; or use = ["text"] in [[news]]',
                )
            write_pairs(str(folder / PAIRS_FILE), pairs_found.pairs, pairs_found.articles)
            (folder / REPORT_FILE).write_text(json.dumps(report.to_dict(), indent=1) + "\n", encoding="utf-8")
            notes.append(
                f"{report.copies:,} copies, {report.clusters:,} clusters of {report.articles_per_cluster:.1f} "
                f"articles, {report.pairs:,} pairs at a mean distance of {report.mean_distance:.1f}"
            )
    shutil.rmtree(folder / ".spill", ignore_errors=True)
    if config.news_for("text"):
        texts = [article for article, (_, use) in zip(articles, articles_read, strict=True) if "text" in use]
        count = write_lines(folder / NEWS_TEXT, running_text(texts, language=config.language))
        if not count:
            raise InputError("expected text in [[news]], got none", remedy='use = ["pairs"]')
        notes.append(f"{count:,} sentences of text")
    return "; ".join(notes)


def tabulate(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Sentence pairs → the table ``comparable``, with the words and the casing of the model's text."""
    config = recipe.config
    options: NewsTableOptions = config.section("comparable")
    pairs = read_columns(
        work / "news" / PAIRS_FILE, [str(column) for column in range(1, 7)], wanted=["1", "2"]
    )
    table = build_comparable(
        pairs.lines["1"],
        pairs.lines["2"],
        options.table,
        language=config.language,
        truecaser=Truecaser.load(work / "text" / config.language / "casing.tsv"),
        evidence=options.evidence,
        threads=resources.thread_count,
    )
    write_table_file(folder / "comparable.parquet", table)
    notes = table.table.info.notes
    return f"{notes['pairs_used']:,} pairs used, {notes['phrase_pairs']:,} phrase pairs, {len(table):,} rows"
