"""Bitext → ``bitext.tsv.gz``: English, tab, the other language; one pair per line, no header."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from paraphrast.data._archives import members
from paraphrast.data._clean import could_translate, distinct, is_chat, is_coarse, one_line
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.errors import At, DataError
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.numbers import whole_number

NAME = "bitext.tsv.gz"
_DOCUMENT = re.compile(r"package/builds/doc-(\d+)\.json")


def write_pairs(folder: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Clean, filter and write pairs of (English, other)."""
    lined = ((one_line(english), one_line(other)) for english, other in pairs)
    pairs_to_write = (pair for pair in distinct(lined) if could_translate(*pair))
    if write_lines(folder / NAME, (f"{english}\t{other}" for english, other in pairs_to_write)) == 0:
        raise DataError(
            "the sources contain no sentence pair that passes the filters: has their layout changed?"
        )


def documents(path: Path) -> list[list[Any]]:
    """The rows of the numbered JSON documents of ``nlp-corpus`` or a translation of it, in order."""
    texts = {}
    for name, content in members(path, lambda name: _DOCUMENT.fullmatch(name) is not None):
        match = _DOCUMENT.fullmatch(name)
        try:
            rows = parse_json(content)
        except ValueError as error:
            raise DataError(f"expected JSON in {name}: {error}", where=path) from error
        if match is not None and isinstance(rows, list):
            texts[int(match.group(1))] = rows
    return [texts[number] for number in sorted(texts)]


def nlp_corpus(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """English ``nlp-corpus`` and a translation of it; rows are joined on the MD5 of the English sentence.

    The translations were made from an earlier release, so rows whose English text changed have no match and are
    dropped. The texts are mixed; rows with coarse language or chat are dropped too.
    """
    english = {
        hashlib.md5(row.encode(), usedforsecurity=False).hexdigest(): row
        for rows in documents(parts[0].path)
        for row in rows
        if isinstance(row, str)
    }

    def pairs() -> Iterator[tuple[str, str]]:
        for rows in documents(parts[1].path):
            for row in rows:
                if isinstance(row, list) and len(row) == 2 and row[1] in english:
                    sentence = english[row[1]]
                    if not is_coarse(sentence) and not is_chat(sentence):
                        yield sentence, str(row[0])

    write_pairs(folder, pairs())


_HELP_PAGE = re.compile(r"usr/share/libreoffice/help/[^/]+/(text/.+\.html)")
_PARAGRAPH = re.compile(r'<(p|h[1-6]) id="((?:par|hd)_[^"]+)"([^>]*)>(.*?)</\1>', re.DOTALL)
_VARIANT = re.compile(r'<span hidden="true" id="[^"]*" class="[A-Z]+">')
_SPAN = re.compile(r"<(/?)span\b[^>]*>")
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?td|/?li)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
#: Signs of program text, formulas and markup inside a paragraph.
_CODE = re.compile(r"[<>={}|~\\^_#@]|\(\)|\w\.\w+\.\w|\w\(\w*[;,]|\$[A-Z]")
_SENTENCE_END = re.compile(r"(?<=[a-zäöüßáéíóúñçè\])”»][.!?]) (?=[A-ZÄÖÜÁÉÍÓÚÀÈÊÇÑ¿¡])")


def libreoffice_help(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Two language packages of LibreOffice's help, joined on page and paragraph id: human translations.

    Paragraphs are split into sentences where both sides have the same number of them.
    """
    english = _help_paragraphs(parts[0].path)
    other = _help_paragraphs(parts[1].path)

    def pairs() -> Iterator[tuple[str, str]]:
        for key, paragraph in english.items():
            if key in other and _is_plain(paragraph) and _is_plain(other[key]):
                yield from _sentence_pairs(paragraph, other[key])

    write_pairs(folder, pairs())


def _is_plain(paragraph: str) -> bool:
    """Whether the paragraph is not program text, and not only the name of a function in capitals."""
    return not _CODE.search(paragraph) and paragraph != paragraph.upper()


def _sentence_pairs(english: str, other: str) -> Iterator[tuple[str, str]]:
    ours, theirs = _SENTENCE_END.split(english), _SENTENCE_END.split(other)
    if len(ours) == len(theirs) and all(map(could_translate, ours, theirs)):
        yield from zip(ours, theirs, strict=True)
    else:
        yield english, other


def _help_paragraphs(path: Path) -> dict[tuple[str, str], str]:
    """(page, paragraph id) → text, in the order of pages and paragraphs."""
    pages = {}
    for name, content in members(path, lambda name: _HELP_PAGE.fullmatch(name) is not None):
        match = _HELP_PAGE.fullmatch(name)
        if match is not None:
            pages[match.group(1)] = content.decode("utf-8")
    paragraphs: dict[tuple[str, str], str] = {}
    for page in sorted(pages):
        for _, identity, attributes, inner in _PARAGRAPH.findall(pages[page]):
            if "code" not in attributes:
                paragraphs.setdefault((page, identity), plain_text(inner))
    return paragraphs


def plain_text(markup: str) -> str:
    """Markup without tags. Of texts that vary by operating system or module, only the default is used."""
    markup = _without_variants(markup)
    return one_line(html.unescape(_TAG.sub("", _BREAK.sub(" ", markup))))


def _without_variants(markup: str) -> str:
    """Remove every hidden span that has a class (MAC, WRITER, …), up to its matching end."""
    while start := _VARIANT.search(markup):
        depth, end = 1, len(markup)
        for span in _SPAN.finditer(markup, start.end()):
            depth += -1 if span.group(1) else 1
            if depth == 0:
                end = span.end()
                break
        markup = markup[: start.start()] + markup[end:]
    return markup


def _column(resource: Resource, key: str, default: int) -> int:
    value = resource.options.get(key, str(default))
    column = whole_number(value)
    if not column:
        raise DataError(f"[{resource.name}] options.{key}: expected a column from 1, got {value!r}")
    return column


def tsv(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Tab-separated files; options ``english`` and ``other`` give 1-based columns (1 and 2 by default)."""
    english, other = (_column(resource, key, default) for key, default in (("english", 1), ("other", 2)))

    def pairs() -> Iterator[tuple[str, str]]:
        for part in parts:
            for number, line in enumerate(read_lines(part.path), 1):
                if not line.strip():
                    continue
                fields = line.split("\t")
                if len(fields) < max(english, other):
                    where = At(part.path, number)
                    raise DataError(f"expected {max(english, other)} columns, got {len(fields)}", where=where)
                yield fields[english - 1], fields[other - 1]

    write_pairs(folder, pairs())


def moses(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Archives with two line-aligned files whose names end in ``.en`` and ``.`` + the other language."""
    other = next((language for language in resource.languages if language != "en"), "")

    def pairs() -> Iterator[tuple[str, str]]:
        for part in parts:
            sides = dict(members(part.path, lambda name: name.endswith((".en", f".{other}"))))
            files = {
                suffix: [name for name in sides if name.endswith(f".{suffix}")] for suffix in ("en", other)
            }
            if any(len(names) != 1 for names in files.values()):
                raise DataError(
                    f"expected one .en and one .{other} file, got {sorted(sides)}", where=part.path
                )
            left, right = sides[files["en"][0]], sides[files[other][0]]
            counts = [side.count(b"\n") + (not side.endswith(b"\n")) for side in (left, right)]
            if counts[0] != counts[1]:
                raise DataError(f"the sides have {counts[0]} and {counts[1]} lines", where=part.path)
            for left_line, right_line in zip(io.BytesIO(left), io.BytesIO(right), strict=True):
                yield left_line.decode("utf-8", "replace"), right_line.decode("utf-8", "replace")

    write_pairs(folder, pairs())
