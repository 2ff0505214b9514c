"""The stages of ``[[news]]``: pages or articles → clusters → sentence pairs, running text → a table ``comparable``.

Quirk et al. 2004, §3.1, and Zhao et al. 2008, §4, resource 3. Pages are parsed in a stage of their own, which
takes longest: another cutoff does not parse them again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast.acquire.clusters import ClusterOptions
from paraphrast.acquire.duplicates import DuplicateOptions, mark_duplicates
from paraphrast.acquire.extractors import DEFAULT_EXTRACTOR, EXTRACTORS
from paraphrast.acquire.neighbours import NeighbourOptions
from paraphrast.acquire.pages import MAX_BYTES, holds_articles, read_pages
from paraphrast.acquire.pairs import PairOptions
from paraphrast.acquire.workers import ExtractOptions, extract_pages
from paraphrast.build.comparable import build_comparable
from paraphrast.build.monolingual import find_resources, wanted_resources
from paraphrast.build.news import NewsOptions, running_text, sentence_pairs, write_pairs
from paraphrast.errors import At, InputError
from paraphrast.formats.articles import Article, read_articles, write_articles
from paraphrast.formats.bitext import read_columns
from paraphrast.formats.files import write_lines
from paraphrast.formats.table_file import write_table_file
from paraphrast.tables.resources.comparable import ComparableOptions
from paraphrast.text.truecase import Truecaser
from paraphrast.training.config import Config, Source, options_record
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import NEWS_TEXT, open_engine

PAIRS_FILE = "pairs.tsv"
REPORT_FILE = "report.json"


@dataclass(frozen=True)
class AcquireSection:
    """``[acquire]``: how pages are read; the names are those of ``paraphrast acquire``."""

    extractor: str = DEFAULT_EXTRACTOR
    folders_are_clusters: bool = False
    duplicates: float = 0.8
    seconds: float = 20.0
    megabytes: int = 2000
    max_page: int = MAX_BYTES >> 20

    def __post_init__(self) -> None:
        EXTRACTORS.get(self.extractor)
        ExtractOptions(seconds=self.seconds, megabytes=self.megabytes)
        if not 0 <= self.duplicates <= 1 or self.max_page < 1:
            raise InputError("[acquire]: expected duplicates between 0 and 1, and a max_page of 1 MB or more")


@dataclass(frozen=True)
class PairsSection:
    """``[pairs]``: how pairs are chosen; the names are those of ``paraphrast pairs``. window: 4 days unless given,
    and 2 where documents are compared two by two."""

    clusters: str = "auto"
    method: str = "distance"
    cutoff: int = 12
    ratio: float = 2 / 3
    overlap: float = 0.5
    similarity: float = 0.3
    probability: float = 0.7
    bootstrap: int = 0
    min_words: int = 1
    same_article: bool = False
    window: int | None = None
    threshold: float = 0.155

    def __post_init__(self) -> None:
        self.news_options()

    def news_options(self) -> NewsOptions:
        """The same as options of each step; wrong values raise an error here."""
        days = self.window or (2 if self.clusters == "documents" else NeighbourOptions().window)
        return NewsOptions(
            clusters=self.clusters,
            similarity=self.similarity,
            copies=False,
            cluster=ClusterOptions(self.threshold, near=NeighbourOptions(window=days)),
            pairs=PairOptions(
                method=self.method,
                cutoff=self.cutoff,
                ratio=self.ratio,
                overlap=self.overlap,
                least=self.probability,
                bootstrap=self.bootstrap,
                same_article=self.same_article,
                min_words=self.min_words,
            ),
        )


@dataclass(frozen=True)
class ComparableSection(ComparableOptions):
    """``[comparable]``: the options of the table. evidence: what the aligner looks at; if None, all there is."""

    evidence: tuple[str, ...] | None = None

    def options(self) -> ComparableOptions:
        """Those of the table alone."""
        names = [entry.name for entry in fields(ComparableOptions)]
        return ComparableOptions(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True)
class NewsSection:
    """All that is asked of news."""

    acquire: AcquireSection = field(default_factory=AcquireSection)
    pairs: PairsSection = field(default_factory=PairsSection)
    comparable: ComparableSection = field(default_factory=ComparableSection)


def news_section(recipe: Recipe) -> NewsSection:
    """The sections of a configuration, checked."""
    given = recipe.config.options
    return NewsSection(
        options_record(AcquireSection, given.get("acquire", {}), "acquire"),
        options_record(PairsSection, given.get("pairs", {}), "pairs"),
        options_record(ComparableSection, given.get("comparable", {}), "comparable"),
    )


def news_options(recipe: Recipe) -> tuple[dict[str, Any], list[Any]]:
    """Options of the stages ``articles`` and ``news``; another duplicate threshold does not parse pages again."""
    section = news_section(recipe)
    page_options = asdict(section.acquire)
    return page_options, [page_options.pop("duplicates"), asdict(section.pairs)]


def comparable_options(recipe: Recipe) -> list[Any]:
    """Options of the stage ``comparable``, and the lexicons that its aligner has."""
    config = recipe.config
    if not config.news_for("pairs"):
        return []
    lexicons = [data.provenance(name) for name in wanted_resources(config.language) if data.is_cached(name)]
    return [asdict(news_section(recipe).comparable), lexicons]


def fetch_lexicons(config: Config) -> None:
    """Fetch what the aligner of one language draws on, where it is to look at all there is."""
    if config.news_for("pairs") and "evidence" not in config.options.get("comparable", {}):
        find_resources(config.language, fetch=True)


def read_news(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Pages → articles, one file per source; files of articles are copied."""
    section = news_section(recipe).acquire
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
            counted(_articles(source, section, resources.thread_count, recipe.skip_bad, bad)),
        )
    note = f"{counts[0]:,} articles, {counts[1]:,} with a story"
    return note + (f"; {len(bad):,} malformed lines left out, the first at {bad[0]}" if bad else "")


def _articles(
    source: Source, section: AcquireSection, processes: int, skip_bad: bool, bad: list[At]
) -> Iterator[Article]:
    assert source.path is not None
    if holds_articles(source.path):
        yield from read_articles(str(source.path), skip_bad=skip_bad, bad=bad)
        return
    options = ExtractOptions(
        section.extractor, seconds=section.seconds, megabytes=section.megabytes, processes=processes
    )
    for article in extract_pages(read_pages(source.path, max_bytes=section.max_page << 20), options):
        yield article if section.folders_are_clusters else replace(article, cluster="")


def _read(config: Config, folder: Path) -> list[tuple[Article, tuple[str, ...]]]:
    """Every article with what it is for, those for pairs first: of two copies the earlier is used. With several
    sources, pages and clusters are those of their source."""
    several = len(config.news) > 1
    found = []
    for number, source in sorted(enumerate(config.news), key=lambda item: "pairs" not in item[1].use):
        for article in read_articles(str(folder / f"{number}.jsonl")):
            if several:
                cluster, copied = (
                    name and f"{number}/{name}" for name in (article.cluster, article.duplicate_of)
                )
                article = replace(
                    article, page=f"{number}/{article.page}", cluster=cluster, duplicate_of=copied
                )
            found.append((article, source.use))
    return found


def pair_news(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Articles → copies marked, clusters, sentence pairs; and the sentences of those that are for the text."""
    config, section = recipe.config, news_section(recipe)
    given = _read(config, work / "articles")
    articles = [article for article, _ in given]
    notes = []
    with open_engine(resources, folder, step) as engine:
        if section.acquire.duplicates > 0:
            copies = DuplicateOptions(similarity=section.acquire.duplicates)
            articles = mark_duplicates(articles, engine, copies)
        if config.news_for("pairs"):
            found = sentence_pairs(
                [article for article, (_, use) in zip(articles, given, strict=True) if "pairs" in use],
                section.pairs.news_options(),
                language=config.language,
                threads=resources.thread_count,
                engine=engine,
            )
            report = found.report
            if not found.pairs:
                raise InputError(
                    f"no sentence pairs in {report.articles:,} articles, {report.clusters:,} clusters",
                    remedy='a larger cutoff or another method in [pairs]; or use = ["text"] in [[news]]',
                )
            write_pairs(str(folder / PAIRS_FILE), found.pairs, found.articles)
            (folder / REPORT_FILE).write_text(json.dumps(report.to_dict(), indent=1) + "\n", encoding="utf-8")
            notes.append(
                f"{report.copies:,} copies, {report.clusters:,} clusters of {report.articles_per_cluster:.1f} "
                f"articles, {report.pairs:,} pairs at a mean distance of {report.mean_distance:.1f}"
            )
    shutil.rmtree(folder / ".spill", ignore_errors=True)
    if config.news_for("text"):
        texts = [article for article, (_, use) in zip(articles, given, strict=True) if "text" in use]
        count = write_lines(folder / NEWS_TEXT, running_text(texts, language=config.language))
        if not count:
            raise InputError("expected text in [[news]], got none", remedy='use = ["pairs"]')
        notes.append(f"{count:,} sentences of text")
    return "; ".join(notes)


def tabulate(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Sentence pairs → the table ``comparable``, in the words and the casing of the model's text."""
    config, section = recipe.config, news_section(recipe).comparable
    pairs = read_columns(
        work / "news" / PAIRS_FILE, [str(column) for column in range(1, 7)], wanted=["1", "2"]
    )
    table = build_comparable(
        pairs.lines["1"],
        pairs.lines["2"],
        section.options(),
        language=config.language,
        truecaser=Truecaser.load(work / "text" / config.language / "casing.tsv"),
        evidence=section.evidence,
        threads=resources.thread_count,
    )
    write_table_file(folder / "comparable.parquet", table)
    notes = table.table.info.notes
    return f"{notes['pairs_used']:,} pairs used, {notes['phrase_pairs']:,} phrase pairs, {len(table):,} rows"
