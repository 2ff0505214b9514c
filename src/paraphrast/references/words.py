"""Words as the metrics define them, with their positions in the text, so that a substitution keeps the rest unchanged.

Words are those of the international tokeniser of mteval-v13a, which sacreBLEU uses by default. It only inserts spaces
between characters, so every word can be located in the raw text. Languages written without spaces are split by
character, except runs of Latin letters and digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from paraphrast.text import Language, get_language
from paraphrast.text.languages.record import words

_RULES = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_CHARACTERS = re.compile(r"[A-Za-z0-9]+(?:[.,][0-9]+)*|\S")
_LETTER = re.compile(r"[^\W\d_]")

#: The words of a phrase, lower-cased for lookups.
Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text and their positions in code points: word i is ``text[starts[i]:ends[i]]``."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)


def split_words(text: str) -> list[str]:
    """The words of a text by mteval-v13a's rules.

    The rules look at pairs of adjacent characters, so the words between two spaces do not depend on the text around
    them.
    """
    return [word for chunk in text.split() for word in _chunk_words(chunk)]


@lru_cache(maxsize=1 << 16)
def _chunk_words(chunk: str) -> tuple[str, ...]:
    line = f" {chunk} "
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return tuple(line.split())


def place_words(text: str) -> Words:
    """The words of a text with their positions."""
    words_in_text = split_words(text)
    starts, ends = [], []
    at = 0
    for word in words_in_text:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
        ends.append(at)
    return Words(text, tuple(words_in_text), tuple(starts), tuple(ends))


def source_words(text: str, language: str) -> list[str]:
    """The words of a source sentence; characters if the language has no spaces between words."""
    if get_language(language).segmented:
        return split_words(text)
    return by_character(text)


def by_character(text: str) -> list[str]:
    """Characters, except runs of Latin letters and digits, which stay together."""
    return _CHARACTERS.findall(text)


def is_word(word: str) -> bool:
    """Whether it has a letter. Marks and numbers are not words and have no paraphrases."""
    return _LETTER.search(word) is not None


#: Prepositions, the closed class that Owczarzak et al. (2006, §3.4) leave out.
PREPOSITIONS: dict[str, frozenset[str]] = {
    "en": words("""
        about above across after against along alongside amid among amongst around as at before behind below beneath
        beside besides between beyond by concerning despite down during except for from in inside into like near of
        off on onto out outside over past per regarding since than through throughout till to toward towards under
        underneath until unto up upon via versus with within without
    """),
    "fr": words("""
        à après avant avec chez contre dans de depuis derrière dès devant durant en entre envers hors jusque malgré
        outre par parmi pendant pour sans sauf selon sous suivant sur vers du des au aux d' jusqu'
    """),
    "de": words("""
        ab an am ans auf aus außer bei beim bis durch entlang für gegen gegenüber hinter in im ins mit nach neben ohne
        seit statt trotz über um unter von vom vor während wegen zu zum zur zwischen
    """),
    "es": words("""
        a ante bajo con contra de del desde durante en entre hacia hasta mediante para por según sin sobre tras al
    """),
    "it": words("""
        a ad al alla ai alle con contro da dal dalla dai dalle di del della dei delle durante fra in nel nella nei
        nelle per senza sopra sotto su sul sulla tra verso
    """),
}

#: Determiners besides articles.
DETERMINERS: dict[str, frozenset[str]] = {
    "en": words("this that these those its their his her our my your some any each every")
}


def closed_class(kind: str, language: Language) -> frozenset[str]:
    """The words without equivalents: none, prepositions, or all function words of the language."""
    if kind == "prepositions":
        return PREPOSITIONS.get(language.code, frozenset())
    return language.function_words if kind == "function" else frozenset()


def like_case(target: Phrase, source: Phrase) -> Phrase:
    """``target`` with the capital of the phrase that it replaces."""
    if not target or not source:
        return target
    if len(source[0]) > 1 and source[0].isupper() and all(word.isupper() for word in source if is_word(word)):
        return tuple(word.upper() for word in target)
    if source[0][:1].isupper() and not source[0].isupper():
        first = target[0]
        return (first[:1].upper() + first[1:], *target[1:])
    return target


def joined(phrase: Phrase) -> str:
    """Words as text: closing marks follow the previous word directly, opening marks precede the next."""
    text = ""
    for number, word in enumerate(phrase):
        before = phrase[number - 1] if number else ""
        glued = (
            number == 0 or word in {",", ".", ";", ":", "!", "?", ")", "]", "%"} or before in {"(", "[", "$"}
        )
        text += word if glued else f" {word}"
    return text
