"""Whole numbers in files of others."""

from __future__ import annotations

#: Every number that an array or a database holds has fewer digits. Python refuses to read more than 4,300.
_MOST_DIGITS = 18


def whole_number(text: str) -> int | None:
    """The number that ``text`` writes in the digits 0 to 9; None if it is something else, or too long.

    ``str.isdigit`` is not enough: it holds for ``²``, which ``int`` refuses, and for numbers of any length.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        return None
    return int(text)
