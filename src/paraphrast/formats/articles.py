"""Articles as JSON lines: written by ``acquire`` and read by ``pairs``. Feed archives are easily converted to it.

One object per line. Only ``text`` (or ``sentences``, a list, if already split) is required. Other known fields are
``page``, ``title``, ``date`` (``2004-05-31``, or any text that begins like this), ``source``, ``language``, ``url``,
``cluster``, ``duplicate_of`` and ``note``. Unknown fields are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from paraphrast.errors import At, FormatError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.files import BAD_LINE, atomic_write, open_text

#: Text fields, in the order in which they are written.
FIELDS = ("page", "title", "date", "source", "language", "url", "cluster", "duplicate_of", "note", "text")
#: Other names of these fields in archives.
_ALIASES = {
    "page": ("article", "id"),
    "text": ("body", "articleBody", "content"),
    "cluster": ("topic_cluster",),
    "date": ("published", "date_published"),
}


@dataclass(frozen=True, slots=True)
class Article:
    """An article. Unknown values are empty.

    page: its name, unique in its file. date: an ISO date. cluster: the event it reports, if given.
    duplicate_of: the page it copies. note: a remark about its processing. sentences: if already split.
    """

    page: str
    text: str = ""
    title: str = ""
    date: str = ""
    source: str = ""
    language: str = ""
    url: str = ""
    cluster: str = ""
    duplicate_of: str = ""
    note: str = ""
    sentences: tuple[str, ...] | None = None

    def day(self) -> int | None:
        """Days since year 1, or None."""
        try:
            return date.fromisoformat(self.date[:10]).toordinal()
        except ValueError:
            return None

    def body(self) -> str:
        """Its text, also if it was given as sentences."""
        return self.text if self.sentences is None else "\n".join(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The fields that are not empty, ``page`` and ``text`` always."""
        record: dict[str, Any] = {
            name: getattr(self, name) for name in FIELDS if getattr(self, name) or name in ("page", "text")
        }
        if self.sentences is not None:
            record["sentences"] = list(self.sentences)
            if not self.text:
                del record["text"]
        return record


def article_of(record: object, *, name: str, where: At | str | None = None) -> Article:
    """An article from a JSON object. ``name``: its page if it has none."""
    if not isinstance(record, dict):
        raise FormatError(f"expected an object, got {type(record).__name__}", where=where)
    values: dict[str, Any] = {}
    for key in FIELDS:
        value = next((record[k] for k in (key, *_ALIASES.get(key, ())) if record.get(k) is not None), "")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise FormatError(f"expected text in {key!r}, got {type(value).__name__}", where=where)
        values[key] = value
    sentences = record.get("sentences")
    if sentences is not None:
        if not isinstance(sentences, list) or not all(isinstance(entry, str) for entry in sentences):
            raise FormatError("expected a list of texts in 'sentences'", where=where)
        values["sentences"] = tuple(sentences)
    elif not any(key in record for key in ("text", *_ALIASES["text"])):
        raise FormatError("expected 'text' or 'sentences'", where=where, remedy="one JSON object per line")
    values["page"] = values["page"] or name
    return Article(**values)


def read_articles(path: str, *, skip_bad: bool = False, bad: list[At] | None = None) -> Iterator[Article]:
    """The articles of a JSONL file, plain or compressed; ``-`` is standard input.

    skip_bad: skip malformed lines and add their places to ``bad``.
    """
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    with open_text(path, mark_bad=skip_bad) as reader:
        for number, line in enumerate(reader, 1):
            if not line.strip():
                continue
            at = At(path, number)
            try:
                if line == BAD_LINE:
                    raise FormatError("expected UTF-8", where=at)
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise FormatError(f"expected a JSON object: {error}", where=at) from error
                article = article_of(record, name=str(number), where=at)
            except FormatError as error:
                bad_lines.add(error.message, at, cause=error)
                continue
            yield article


def write_articles(path: str, articles: Iterable[Article]) -> int:
    """Write articles, one per line; returns how many."""
    count = 0
    with atomic_write(path) as stream:
        for article in articles:
            text = json.dumps(article.to_dict(), ensure_ascii=False)
            stream.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")
            count += 1
    return count
