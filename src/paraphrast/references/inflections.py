"""Inflectional variants as substitutes: *abandon*, *abandoning*, *abandoned* (Owczarzak et al. 2006, §5, example 4).

They make ungrammatical references, but distinguish an output with another form of the right word from one with a wrong
word. Words are forms of one word if they have a common stem, or are together in the language's irregular forms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.words import Phrase, is_word
from paraphrast.text import Language

#: Probability of an inflectional variant if nothing else is known.
PROBABILITY = 0.5


def inflection_substitutions(
    words: Iterable[str],
    language: Language,
    *,
    closed: Collection[str] = frozenset(),
    probability: float = PROBABILITY,
    origin: str = "inflection",
) -> Substitutions:
    """For each word, the others of ``words`` (lower-cased) that are forms of the same word."""
    if not language.stemmer:
        return Substitutions()
    import snowballstemmer

    stemmer = snowballstemmer.stemmer(language.stemmer)
    families: dict[str, list[str]] = {}
    known = sorted({word.lower() for word in words if is_word(word)})
    for word in known:
        if word not in closed and len(word) > 2:
            base = language.irregular.get(word, word)
            families.setdefault(stemmer.stemWord(base), []).append(word)
    rows: dict[Phrase, tuple[Substitute, ...]] = {}
    for family in families.values():
        for word in family:
            others = [Substitute((other,), probability, origin) for other in family if other != word]
            if others:
                rows[(word,)] = tuple(others)
    return Substitutions(rows)
