"""When two substitutes are equal: gold standards list lemmas, a decoder writes inflected words.

A substitute matches a listed one if they are equal in lower case, or if the listed one is among the lemmas of the
substitute's words (lemminflect, extra ``english``; every part of speech). Without that package, or in another language,
stems are compared (Snowball). British and American spellings of a word are equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, product
from typing import Any

from paraphrast.formats.substitutions import Target

#: Maximum number of readings of a phrase that are tried.
MOST_FORMS = 64
_SPELLINGS = (
    (re.compile(r"(?<=[a-z])is(e[sdr]?|ing|ations?|ational)$"), r"iz\1"),
    (re.compile(r"lys(e[sdr]?|ing)$"), r"lyz\1"),
    (re.compile(r"our((?:s|ed|ing|ful|able|ite|ites|hood|hoods|less)?)$"), r"or\1"),
    (re.compile(r"tre(s?)$"), r"ter\1"),
    (re.compile(r"amme(s?)$"), r"am\1"),
    (re.compile(r"(?<=[a-z]{3}e)ll(ed|ing|er|ers)$"), r"l\1"),
    (re.compile(r"ence(s?)$"), r"ense\1"),
)
_SNOWBALL = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian"}


def one_spelling(text: str) -> str:
    """A text in lower case with American spellings. Both sides of a comparison are converted."""
    return " ".join(_american(word) for word in text.lower().split())


@lru_cache(maxsize=100_000)
def _american(word: str) -> str:
    # Short words have these endings for other reasons: rise, four.
    if len(word) < 6:
        return word
    for pattern, ending in _SPELLINGS:
        changed = pattern.sub(ending, word)
        if changed != word:
            return changed
    return word


class Forms:
    """Lemmas of English words, or stems. ``kind`` says which, for signatures."""

    def __init__(self, language: str = "en", *, lemmas: bool = True) -> None:
        self._lemmas: Any = None
        if lemmas and language == "en":
            try:
                from lemminflect import getAllLemmas

                self._lemmas = getAllLemmas
            except ImportError:
                pass
        self.kind = "lemma" if self._lemmas is not None else "stem"
        self._stemmer: Any = None
        if self._lemmas is None and language in _SNOWBALL:
            import snowballstemmer

            self._stemmer = snowballstemmer.stemmer(_SNOWBALL[language])
        self._word = lru_cache(maxsize=100_000)(self._word_forms)

    def _word_forms(self, word: str) -> tuple[str, ...]:
        if self._lemmas is not None:
            forms = {one_spelling(lemma) for lemmas in self._lemmas(word).values() for lemma in lemmas}
            return tuple(dict.fromkeys([one_spelling(word), *sorted(forms)]))
        return (self._stem(word),)

    def _stem(self, word: str) -> str:
        return str(self._stemmer.stemWord(word)) if self._stemmer is not None else word

    def of(self, text: str) -> list[str]:
        """The forms of a listed substitute that match ``text``."""
        words = [self._word(word) for word in text.lower().split()]
        return [" ".join(reading) for reading in islice(product(*words), MOST_FORMS)]

    def listed(self, text: str) -> str:
        """A listed substitute in the form used for comparison."""
        if self._lemmas is not None:
            return one_spelling(text)
        return " ".join(self._stem(word) for word in text.lower().split())


class Matcher:
    """Looks up substitutes among those of a target."""

    def __init__(self, forms: Forms | None = None) -> None:
        self.forms = forms or Forms()

    def share(self, target: Target, after: str) -> float | None:
        """The share of judges that accept ``after``; None if it was not judged."""
        exact = one_spelling(after)
        plain = self._plain(target.accepted)
        if exact in plain:
            return plain[exact]
        if target.lemmas:
            listed: dict[str, float] = {}
            for text, share in target.accepted.items():
                name = self.forms.listed(text)
                listed[name] = max(share, listed.get(name, 0.0))
            shares = [listed[form] for form in self.forms.of(after) if form in listed]
            if shares:
                return max(shares)
        return 0.0 if target.closed else None

    @staticmethod
    def _plain(accepted: Mapping[str, float]) -> dict[str, float]:
        by_form: dict[str, float] = {}
        for text, share in accepted.items():
            name = one_spelling(text)
            by_form[name] = max(share, by_form.get(name, 0.0))
        return by_form

    def verdict(self, target: Target, after: str, *, least: float = 0.5) -> bool | None:
        """Whether a substitute is right: at least ``least`` of its judges accept it."""
        share = self.share(target, after)
        return None if share is None else share >= least
