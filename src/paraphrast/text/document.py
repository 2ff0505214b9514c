"""A document as the sentences in it and what is between them, so that rewriting the sentences keeps the layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paraphrast.text.languages.record import Language
from paraphrast.text.split import split_sentences

#: A line that is at least this long may continue in the next line; a shorter one is a title, a verse or an item.
WRAPPED = 50
#: Marks at the beginning of a line: list items, headings, quotations, rows of tables.
_MARKS = re.compile(r"\s*(?:(?:[-*+•‣–—]|#+|>+|\||\d{1,3}[.)]|[a-z]\))\s+)*")
_FENCE = re.compile(r"\s*(```|~~~)")


def document_pieces(lines: Iterable[str], language: Language) -> Iterator[tuple[str, str]]:
    """(what comes before a sentence, the sentence) from beginning to end; all of them joined are the document.

    Sentences may run over several lines of a paragraph. List marks and headings' marks are not part of a sentence, and
    code between ``` lines has no sentences. The last pair has an empty sentence.

    >>> from paraphrast.text import get_language
    >>> list(document_pieces(["# Title", "", "- One. Two."], get_language("en")))
    [('# ', 'Title'), ('\\n\\n- ', 'One.'), (' ', 'Two.'), ('\\n', '')]
    """
    gap = ""
    for block, is_text in _blocks(lines):
        if not is_text:
            gap += block
            continue
        begin = _MARKS.match(block).end()  # type: ignore[union-attr]  # the pattern also matches nothing
        done = 0
        for start, end in split_sentences(block[begin:], language):
            yield gap + block[done : begin + start], block[begin + start : begin + end]
            gap, done = "", begin + end
        gap += block[done:]
    yield gap, ""


def _blocks(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Paragraphs, with their line ends, and whether there is text in them."""
    block: list[str] = []
    in_code = False
    for line in lines:
        fence = _FENCE.match(line) is not None
        if block and (in_code or fence or not _continues(block[-1], line)):
            yield "\n".join(block) + "\n", True
            block = []
        if in_code or fence or not line.strip():
            in_code ^= fence
            yield line + "\n", False
        else:
            block.append(line)
    if block:
        yield "\n".join(block) + "\n", True


def _continues(previous: str, line: str) -> bool:
    """Whether a line goes on with the paragraph of the previous line."""
    marks = _MARKS.match(line)
    is_item = marks is not None and bool(marks[0].strip())
    return len(previous.rstrip()) >= WRAPPED and bool(line.strip()) and not is_item
