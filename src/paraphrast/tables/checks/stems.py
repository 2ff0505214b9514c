"""Stems of words, for vetoes and filters."""

from __future__ import annotations

from collections.abc import Callable

from paraphrast.text.languages.record import Language

#: Words of unknown languages with the same first letters count as inflections of one word.
_PREFIX_STEM = 5
#: Minimum number of letters of a stem.
_SHORTEST_STEM = 4


def stemmer(language: Language) -> Callable[[str], str]:
    """A function from a lower-cased word to its stem: irregular forms first, then Snowball if it has the language.

    Endings that the language record lists, and that Snowball leaves on inflected forms, are removed too: geprüft,
    prüft, prüfen.
    """
    if not language.stemmer:
        return lambda word: word[:_PREFIX_STEM] if language.segmented else word
    import snowballstemmer

    snowball = snowballstemmer.stemmer(language.stemmer)

    def stem(word: str) -> str:
        stemmed = str(snowball.stemWord(language.irregular.get(word, word)))
        if not language.stem_endings:
            return stemmed
        again = str(snowball.stemWord(stemmed))
        for ending in language.stem_endings:
            if again.endswith(ending) and len(again) - len(ending) >= _SHORTEST_STEM:
                again = again.removesuffix(ending)
                break
        for prefix in language.stem_prefixes:
            if again.startswith(prefix) and len(again) - len(prefix) >= _SHORTEST_STEM:
                return again.removeprefix(prefix)
        return again

    return stem
