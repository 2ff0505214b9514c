"""Places where a substitution cannot stand, whatever its probability: by the words before and after it.

The rules are those of the language (:class:`~paraphrast.text.languages.record.Place`): "which" for "what" only before a
noun ("what colour", not "what is"); no "does not" for "doesn't" between a question word and the subject ("why doesn't
he"); no contraction that nobody writes ("which's", or "he'dn't" for "he hadn't").
"""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.text.languages.record import Language, Place

#: Number of characters on either side in which the next word is searched.
_LONGEST_WORD = 60
#: Also the mark of a possessive, which may follow any noun.
_POSSESSIVE = "'s"
#: Marks after which ", said the official" begins.
_ENDING_MARKS = (",", '"', "”", "'", "’")
_MARKS = ".,;:!?'\"()“”‘’[]"


def is_out_of_place(text: str, start: int, end: int, after: str, language: Language) -> bool:
    """Whether ``after`` cannot stand for ``text[start:end]`` there."""
    if not language.places and not language.unwritten:
        return False
    old, new = _plain(text[start:end]), _plain(after)
    if any(word in language.unwritten and word not in old.split() for word in new.split()):
        return True
    if not _may_go_on(new, text[end:], language):
        return True
    before = text[max(0, start - _LONGEST_WORD) : start].lower().split()
    following = text[end : end + _LONGEST_WORD].split()
    if (old, new) in language.places:
        return _forbids(language.places[old, new], before, following)
    head, old_core, new_core, tail = _difference(old.split(), new.split())
    place = language.places.get((" ".join(old_core), " ".join(new_core)))
    return place is not None and _forbids(place, [*before, *head], [*tail, *following])


def _forbids(place: Place, before: Sequence[str], following: Sequence[str]) -> bool:
    """Whether a rule forbids the words before and after a substitution."""
    previous = before[-1] if before else ""
    next_word = _plain(following[0]) if following else ""
    return (
        next_word in place.not_before
        or previous in place.not_after
        or (not place.after_mark and previous.endswith(_ENDING_MARKS))
        or (place.first and bool(previous) and previous[-1] not in ".!?:\"'“‘(")
    )


def _difference(
    old: Sequence[str], new: Sequence[str]
) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]:
    """Words that both begin with, what differs, words that both end with; each side keeps a word at least."""
    end = 0
    while end < min(len(old), len(new)) - 1 and old[-1 - end] == new[-1 - end]:
        end += 1
    old_core, new_core, tail = old[: len(old) - end], new[: len(new) - end], old[len(old) - end :]
    begin = 0
    while begin < min(len(old_core), len(new_core)) - 1 and old_core[begin] == new_core[begin]:
        begin += 1
    return old_core[:begin], old_core[begin:], new_core[begin:], tail


def _may_go_on(new: str, rest: str, language: Language) -> bool:
    """Whether a clitic at the beginning of ``rest``, such as "n't", may follow the last word of ``new``."""
    rest = rest[:_LONGEST_WORD].lower().replace("’", "'")
    last = new.rpartition(" ")[2]
    return all(
        last in words
        for clitic, words in language.clitic_places.items()
        if rest.startswith(clitic) and clitic != _POSSESSIVE
    )


def _plain(text: str) -> str:
    """In lower case with straight apostrophes, without marks at the ends."""
    return text.lower().replace("’", "'").strip(_MARKS + " ")
