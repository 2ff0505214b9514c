"""Copy the case pattern of replaced text to its replacement."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def copy_case(before: str, after: str, *, before_true: str, at_start: bool) -> str:
    """``after`` with the case that position or style gave ``before``.

    ``before_true`` is ``before`` truecased: only differences from it are a pattern, so the capital of a name is not
    copied. CAPITALS and Title Case Of Every Word are copied to all words. A capital from the position (``at_start``:
    the edit begins a sentence) or from style goes to the first letter. Nothing is ever lower-cased: names in ``after``
    stay.

    >>> copy_case("Big", "very large", before_true="big", at_start=True)
    'Very large'
    >>> copy_case("BIG NEWS", "great news", before_true="big news", at_start=False)
    'GREAT NEWS'
    """
    surface, true = _WORD.findall(before), _WORD.findall(before_true)
    if not surface or not after:
        return after
    if _in_capitals(surface, true):
        return after.upper()
    if _in_title_case(surface, true):
        return _WORD.sub(lambda match: capitalise(match[0]), after)
    # Numbers and names may be missing from the truecased text: only the same word tells whether a capital is style.
    by_style = surface[0][0].isupper() and true[:1] == [surface[0].lower()]
    if by_style or (at_start and surface[0][0].isupper()):
        return capitalise(after)
    return after


def _in_capitals(surface: list[str], true: list[str]) -> bool:
    """Whether all words are in capitals, and not only because they are acronyms."""
    letters = "".join(surface)
    return len(letters) > 1 and letters.isupper() and not "".join(true).isupper()


def _in_title_case(surface: list[str], true: list[str]) -> bool:
    """Whether each of several words begins with a capital, at least two of them only for style."""
    if len(surface) < 2 or len(surface) != len(true):
        return False
    styled = sum(
        left[0].isupper() and not right[0].isupper() for left, right in zip(surface, true, strict=True)
    )
    return all(word[0].isupper() for word in surface) and styled >= 2


def capitalise(text: str) -> str:
    """``text`` with a capital as first letter, unless its first word has a capital inside (iPhone)."""
    match = _WORD.search(text)
    if match is None or any(char.isupper() for char in match[0]):
        return text
    first = match.start()
    return text[:first] + text[first].title() + text[first + 1 :]
