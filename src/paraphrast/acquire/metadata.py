"""Title, date, source and language of a page, from its metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from paraphrast.text.languages.registry import LANGUAGES, get_language

_DATES = (
    "article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.created", "pubdate",
    "publishdate", "publish-date", "parsely-pub-date", "sailthru.date", "og:published_time", "article.published",
    "cxenseparse:recs:publishtime", "published_time", "dc.date.created", "article_date_original",
)  # fmt: skip
_TITLES = ("og:title", "twitter:title", "dc.title", "title", "parsely-title")
_SOURCES = ("og:site_name", "application-name", "dc.publisher", "publisher")
_ISO = re.compile(r"\b((?:19|20)\d\d)[-/.]?(0[1-9]|1[0-2])[-/.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)[-/](\d{1,2}|[a-z]{3})[-/](\d{1,2})(?=[/-])", re.I)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SAID = re.compile(r"\b([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b", re.I)
_SAID_BACK = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3})[a-z]*\.?,? ((?:19|20)\d\d)\b", re.I)
_WORD = re.compile(r"[^\W\d_]+")
#: Maximum number of characters of linked data that are read.
_MAX_LINKED_DATA = 200_000


@dataclass(frozen=True, slots=True)
class Metadata:
    """Unknown values are empty. date: an ISO date."""

    title: str = ""
    date: str = ""
    source: str = ""
    language: str = ""
    url: str = ""


def read_metadata(tree: Any, url: str = "") -> Metadata:
    """The metadata of a parsed page."""
    if tree is None:
        return Metadata(url=url, source=_host(url), date=_url_date(url))
    properties: dict[str, str] = {}
    for element in tree.iter("meta"):
        key = element.get("property") or element.get("name") or element.get("itemprop") or ""
        value = element.get("content")
        if key and value and len(value) < 2000:
            properties.setdefault(key.strip().lower(), value.strip())
    url = url or properties.get("og:url", "")
    if not url:
        for element in tree.iter("link"):
            if (element.get("rel") or "").lower() == "canonical":
                url = element.get("href") or ""
                break
    title = _first(properties, _TITLES) or _text(tree, "h1") or _text(tree, "title")
    language = (tree.get("lang") or properties.get("language") or properties.get("og:locale") or "")[
        :2
    ].lower()
    return Metadata(
        re.sub(r"\s+", " ", title).strip()[:500],
        _date(tree, properties, url),
        _first(properties, _SOURCES)[:200] or _host(url),
        language if language.isalpha() else "",
        url[:2000] if urlsplit_ok(url) else "",
    )


def _first(said: dict[str, str], keys: Iterable[str]) -> str:
    return next((said[key] for key in keys if said.get(key)), "")


def _text(tree: Any, tag: str) -> str:
    for element in tree.iter(tag):
        text = "".join(element.itertext())[:1000].strip()
        if text:
            return text
    return ""


def urlsplit_ok(url: str) -> bool:
    """Whether a URL can be parsed."""
    try:
        return bool(urlsplit(url).netloc)
    except ValueError:
        return False


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower().removeprefix("www.")[:200] if urlsplit_ok(url) else ""


def _date(tree: Any, said: dict[str, str], url: str) -> str:
    for text in (_first(said, _DATES), *_linked_dates(tree)):
        day = iso_day(text)
        if day:
            return day
    for element in tree.iter("time"):
        day = iso_day(element.get("datetime") or "") or iso_day("".join(element.itertext())[:200])
        if day:
            return day
    return _url_date(url)


def _linked_dates(tree: Any) -> Iterator[str]:
    """``datePublished`` of the page's linked data, found without recursion."""
    size = 0
    for element in tree.iter("script"):
        if "ld+json" not in (element.get("type") or ""):
            continue
        text = element.text or ""
        size += len(text)
        if size > _MAX_LINKED_DATA:
            return
        try:
            pending = [json.loads(text)]
        except (ValueError, RecursionError):
            continue
        while pending:
            value = pending.pop(0)
            if isinstance(value, dict):
                if isinstance(value.get("datePublished"), str):
                    yield value["datePublished"]
                pending += [inner for inner in value.values() if isinstance(inner, (dict, list))]
            elif isinstance(value, list):
                pending += [inner for inner in value if isinstance(inner, (dict, list))]


def iso_day(text: str) -> str:
    """The first date of a text as ``YYYY-MM-DD``, or an empty string."""
    text = text[:200]
    match = _ISO.search(text)
    if match:
        return _day(int(match[1]), int(match[2]), int(match[3]))
    match = _SAID.search(text)
    if match and match[1].lower() in _MONTHS:
        return _day(int(match[3]), _MONTHS.index(match[1].lower()) + 1, int(match[2]))
    match = _SAID_BACK.search(text)
    if match and match[2].lower() in _MONTHS:
        return _day(int(match[3]), _MONTHS.index(match[2].lower()) + 1, int(match[1]))
    return ""


def _url_date(url: str) -> str:
    match = _URL_DATE.search(url)
    if not match:
        return ""
    month = match[2].lower()
    if month in _MONTHS:
        return _day(int(match[1]), _MONTHS.index(month) + 1, int(match[3]))
    return _day(int(match[1]), int(month), int(match[3])) if month.isdigit() else ""


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def guess_language(text: str) -> str:
    """The language whose function words cover most of a text; empty if none covers a fifth of it."""
    words = [word.lower() for word in _WORD.findall(text[:20_000])]
    if len(words) < 5:
        return ""
    best, best_code = 0.0, ""
    for code in LANGUAGES:
        record = get_language(code)
        if record.segmented:
            share = sum(word in record.function_words for word in words) / len(words)
            if share > best:
                best, best_code = share, code
    return best_code if best >= 0.2 else ""
