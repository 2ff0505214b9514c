"""Page → story text: three extractors with one interface, and conversion of a page to an article.

``trafilatura`` is a well-maintained library, ``hmm`` the line tagger of the paper, and ``both`` that tagger with the
library's decision as an additional feature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from paraphrast.acquire.lines import PageLines, lines_of, parse
from paraphrast.acquire.metadata import guess_language, read_metadata
from paraphrast.acquire.pages import Page, decode
from paraphrast.acquire.tagger import LineTagger, default_tagger
from paraphrast.errors import MissingExtra
from paraphrast.formats.articles import Article
from paraphrast.registry import Registry

#: Name → ``make(model folder or None) → Extractor``; plug-ins register in the group ``paraphrast.extractor``.
EXTRACTORS = Registry(
    "extractor",
    {
        "trafilatura": "paraphrast.acquire.extractors:make_trafilatura",
        "hmm": "paraphrast.acquire.extractors:make_hmm",
        "both": "paraphrast.acquire.extractors:make_both",
    },
)
#: Minimum number of characters of a story.
MIN_STORY = 40


@dataclass(frozen=True)
class ParsedPage:
    """A page as its text, its tree and its lines, as input for an extractor."""

    html: str
    tree: Any
    lines: PageLines


#: A parsed page → its story.
Extractor = Callable[[ParsedPage], str]


def check_packages(extractor: str) -> None:
    """Report packages that are missing once, before any page is read."""
    needed = ["lxml", *(["trafilatura"] if extractor in ("trafilatura", "both") else [])]
    for package in needed:
        try:
            missing = find_spec(package) is None
        except ValueError:  # hidden in sys.modules
            missing = True
        if missing:
            raise MissingExtra("reading web pages", "news")


def trafilatura_text(html: str) -> str:
    """The story found by trafilatura, without comments."""
    try:
        import trafilatura
    except ImportError as error:
        raise MissingExtra("the extractor trafilatura", "news") from error

    return trafilatura.extract(html, include_comments=False, deduplicate=False) or ""


def make_trafilatura(_model: str | None = None) -> Extractor:
    """The extractor of the library."""
    return lambda page: trafilatura_text(page.html) if page.tree is not None else ""


def make_hmm(model: str | None = None) -> Extractor:
    """The line tagger. ``model``: a folder written by :meth:`LineTagger.save`."""
    tagger = default_tagger("hmm") if model is None else LineTagger.load(model)
    if tagger.uses_other:
        return _with_other(tagger)
    return lambda page: tagger.story(page.lines.lines)


def make_both(model: str | None = None) -> Extractor:
    """The line tagger with trafilatura's decision as a feature."""
    tagger = default_tagger("both") if model is None else LineTagger.load(model)
    return _with_other(tagger)


def _with_other(tagger: LineTagger) -> Extractor:
    alone = default_tagger("hmm")

    def extract(page: ParsedPage) -> str:
        if page.tree is None:
            return ""
        if page.lines.cut:
            # The library takes seconds per megabyte of such pages; the lines that were read are enough.
            page.lines.notes.append("too long for trafilatura")
            return alone.story(page.lines.lines)
        other = trafilatura_text(page.html)
        return tagger.story(page.lines.lines, other) or other

    return extract


def parse_page(html: str) -> ParsedPage:
    """Parse a page once for all uses."""
    tree = parse(html)
    return ParsedPage(html, tree, lines_of(tree))


def extract_article(page: Page, extractor: Extractor) -> Article:
    """A page as an article. Problems are reported in its note."""
    if not page.data.strip():
        return Article(page.name, url=page.url, date=page.date, note=page.note or "empty page")
    html, _ = decode(page.data, page.charset)
    parsed = parse_page(html)
    about = read_metadata(parsed.tree, page.url)
    text = extractor(parsed)
    notes = [note for note in (page.note, *parsed.lines.notes) if note]
    if parsed.tree is None:
        notes.append("not HTML")
    text = text.replace("\x00", "").strip()
    if len(text) < MIN_STORY:
        notes.append("no story found")
    return Article(
        page=page.name,
        text=text,
        title=about.title,
        date=about.date or page.date,
        source=about.source,
        language=guess_language(text) or about.language,
        url=about.url,
        cluster=page.folder,
        note="; ".join(notes),
    )
