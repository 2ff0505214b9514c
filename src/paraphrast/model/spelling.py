"""Spelling: of the words of a phrase as text, and of words that have several."""

from __future__ import annotations

from collections.abc import Iterable

from paraphrast.text import Language


def spelled(words: Iterable[str], glue: int, language: Language) -> str:
    """Join words by spaces, except where ``glue`` has a bit ("EU" + "-wide") and before clitics ("EU" + "'s")."""
    text = ""
    for place, word in enumerate(words):
        joined = place == 0 or glue >> (place - 1) & 1 or word.lower() in language.suffix_clitics
        text += ("" if joined else " ") + word
    return text


def one_spelling(word: str, language: Language) -> str:
    """One spelling of a word that has several: "labor" for "labour"."""
    if len(word) > 3:
        for ending, instead in language.spellings:
            if word.endswith(ending):
                return word[: -len(ending)] + instead
    return word


def same_but_spelling(before: str, after: str, language: Language) -> bool:
    """Whether two texts differ only in the spelling of words: "in favour of", "in favor of"."""
    one, two = (
        [one_spelling(word, language) for word in text.lower().replace("-", "").split()]
        for text in (before, after)
    )
    return one == two
