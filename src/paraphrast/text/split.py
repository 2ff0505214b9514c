"""Sentence boundaries: a rule on the mark, the word before it and the word after it."""

from __future__ import annotations

import re
from functools import cache

from paraphrast.text.languages.record import Language

_CLOSING = "\"'”’»)\\]}›」』）"
#: Marks, closing characters after them, white space. A single set of characters comes first, to make searching fast.
_CANDIDATE = re.compile(rf"[.!?…。！？｡]+[{_CLOSING}]*\s*")
_BLANK_LINE = re.compile(r"\n\s*?\n\s*")
_WIDE = frozenset("。！？｡")
_BEFORE = re.compile(r"[^\s\"'“”‘’«»()\[\]{}]+$")
_AFTER = re.compile(r"[\"'“”‘’«»‹›()\[\]{}¿¡–—-]*\s?(\w*)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
#: Longer words are not abbreviations. This limit keeps splitting linear.
_WINDOW = 24


def split_sentences(text: str, language: Language) -> list[tuple[int, int]]:
    """Character spans of the sentences of ``text``, without the white space between them.

    A full stop does not end a sentence after a title ("Mr.") or an initial, or before a lower-case letter. After other
    abbreviations ("Inc.", "U.S.") it does if a capitalised function word follows.

    >>> from paraphrast.text import get_language
    >>> split_sentences("Mr. Low is in. She left at 5 p.m. The end.", get_language("en"))
    [(0, 14), (15, 33), (34, 42)]
    """
    spans: list[tuple[int, int]] = []
    begin = _skip_space(text, 0)
    for end in _ends(text, language):
        stop = end
        while stop > begin and text[stop - 1].isspace():
            stop -= 1
        if stop > begin:
            spans.append((begin, stop))
            begin = end
    last = len(text.rstrip())
    if last > begin:
        spans.append((begin, last))
    return spans


def _ends(text: str, language: Language) -> list[int]:
    """Where all sentences after the first begin."""
    length = len(text)
    ends = [
        match.end()
        for match in _CANDIDATE.finditer(text)
        if match.end() < length and _is_end(text, match, language)
    ]
    if "\n" in text:
        ends += [match.end() for match in _BLANK_LINE.finditer(text)]
        ends = sorted(set(ends))
    return ends


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _is_end(text: str, match: re.Match[str], language: Language) -> bool:
    """Whether the matched mark ends a sentence."""
    mark = match[0]
    marks = mark.rstrip()
    if len(marks) == len(mark):  # no white space
        return not _WIDE.isdisjoint(mark)
    after = _AFTER.match(text, match.end())
    following = after[1] if after else ""
    if following[:1].islower():
        return False
    if marks != ".":
        return True
    before = _BEFORE.search(text[max(0, match.start() - _WINDOW) : match.start()])
    if before is None:
        return True
    word = before[0]
    starter = len(following) > 1 and following.lower() in language.function_words
    lower = word.lower()
    if language.ordinal_dot and word.isdigit() and len(word) <= 2:
        return starter or not following[:1].isalpha()
    if lower in language.titles:
        return False
    if following[:1].isdigit() and lower in language.numeric_abbreviations:
        return False
    if lower in language.abbreviations or _INITIALS.fullmatch(word):
        return starter and (len(word) > 1 or word.islower() or word in _standing_letters(language))
    return True


@cache
def _standing_letters(language: Language) -> frozenset[str]:
    """One-letter words that may end a sentence, such as the English pronoun I."""
    return frozenset(
        word.upper()
        for word in language.function_words - language.articles
        if len(word) == 1 and word.isalpha()
    )
