"""Sentence pairs of one language as numbers, for tests."""

from __future__ import annotations

from paraphrast.types import Sentences


def encoded(pairs: list[tuple[str, str]]) -> tuple[Sentences, Sentences, list[str]]:
    """Both sides over one list of words, and the list."""
    words: dict[str, int] = {}
    sides = [
        Sentences.from_lists(
            [words.setdefault(word, len(words)) for word in pair[k].split()] for pair in pairs
        )
        for k in (0, 1)
    ]
    return sides[0], sides[1], list(words)
