"""The words of a phrase as text, in its most frequent spelling."""

from __future__ import annotations

from collections.abc import Iterable


def spelled(words: Iterable[str], glue: int) -> str:
    """Join words by spaces, except where ``glue`` has a bit: "EU" + "'s" is "EU's"."""
    text = ""
    for place, word in enumerate(words):
        text += ("" if place == 0 or glue >> (place - 1) & 1 else " ") + word
    return text
