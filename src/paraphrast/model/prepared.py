"""A text that is ready for the decoder."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast.text import Analysis


@dataclass(frozen=True)
class Prepared:
    """A text with its tokens, their truecased words and ids, and the character spans that must not be edited."""

    analysis: Analysis
    words: list[str]
    ids: list[int]
    protected: list[tuple[int, int]]
