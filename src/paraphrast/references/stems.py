"""Stems of words, with the irregular forms of a language."""

from __future__ import annotations

from collections.abc import Callable

from paraphrast.text import Language


class Stems:
    """The stem of a word: the same for the forms of one word. Without a stemmer, the word itself."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._stem: Callable[[str], str] = str
        if language.stemmer:
            import snowballstemmer

            self._stem = snowballstemmer.stemmer(language.stemmer).stemWord

    def of(self, word: str) -> str:
        """The stem of a lower-cased word."""
        return self._stem(self._language.irregular.get(word, word))
