"""Stems of words by Snowball's stemmers, safe to share between threads."""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from typing import Any

from paraphrast._extras import require

_STEMMING = Lock()


@lru_cache(maxsize=1 << 16)
def stem_word(word: str, stemmer: str) -> str:
    """The stem of a word. stemmer: a name that Snowball knows ("english")."""
    # A stemmer keeps the word it works on in itself: one word at a time.
    with _STEMMING:
        return str(_stemmer(stemmer).stemWord(word))


@cache
def _stemmer(name: str) -> Any:
    require("stemming", "train")
    import snowballstemmer

    return snowballstemmer.stemmer(name)
