"""Names in references and outputs: words that are never written without a capital.

Vectors find *Guangdong* and *Shandong* similar, and a reader finds the exchange a grave error. So names stand for each
other only if they have a common stem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paraphrast.references.stems import Stems
from paraphrast.references.words import is_word, split_words
from paraphrast.text import Language

#: Marks after which a capital says nothing.
_STARTS = frozenset('.!?:"“”()')


def proper_names(texts: Iterable[str], language: Language) -> frozenset[str]:
    """The lower-cased words that have a capital inside a sentence and never lack one. None if all nouns have one."""
    if language.capital_nouns:
        return frozenset()
    capitals: set[str] = set()
    plain: set[str] = set()
    for text in texts:
        before = "."
        for word in split_words(text):
            if is_word(word):
                if word[:1].islower():
                    plain.add(word)
                elif before not in _STARTS:
                    capitals.add(word.lower())
            before = word
    return frozenset(capitals - plain - language.function_words)


class Names:
    """Tells names apart."""

    def __init__(self, names: Collection[str], language: Language) -> None:
        self._names = frozenset(names)
        self._stems = Stems(language)

    def differ(self, first: Iterable[str], second: Iterable[str], *, only: bool = False) -> bool:
        """Whether two phrases (lower-cased words) have names, but none in common.

        only: also if one of them has no name (*Texas*, *state*).
        """
        own, others = self._of(first), self._of(second)
        return bool((own or others) if only else (own and others)) and own.isdisjoint(others)

    def _of(self, phrase: Iterable[str]) -> set[str]:
        return {
            self._stems.of(plain)
            for word in phrase
            if (plain := _bare(word)) in self._names or word in self._names
        }


def _bare(word: str) -> str:
    """A word without its possessive: *taiwan's* as *taiwan*."""
    return word.removesuffix("'s").removesuffix("’s")
