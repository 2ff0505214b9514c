"""Places where a substitution cannot stand, whatever its probability: by the words before and after it.

The rules are those of the language (:class:`~paraphrast.text.languages.record.Place`): "which" for "what" only before a
noun ("what colour", not "what is"); no "does not" for "doesn't" between a question word and the subject ("why doesn't
he"); no contraction that nobody writes ("which's", or "he'dn't" for "he hadn't").
"""

from __future__ import annotations

from paraphrast.text.languages.record import Language

#: Number of characters on either side in which the next word is searched.
_LONGEST_WORD = 60
#: Also the mark of a possessive, which may follow any noun.
_POSSESSIVE = "'s"
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
    place = language.places.get((old, new))
    if place is None:
        return False
    before = text[max(0, start - _LONGEST_WORD) : start].split()
    previous = before[-1].lower() if before else ""
    following = text[end : end + _LONGEST_WORD].split()
    next_word = _plain(following[0]) if following else ""
    return (
        next_word in place.not_before
        or previous in place.not_after
        or (place.first and bool(previous) and previous[-1] not in ".!?:\"'“‘(")
    )


def _may_go_on(new: str, rest: str, language: Language) -> bool:
    """Whether a clitic at the beginning of ``rest``, such as "n't", may follow the last word of ``new``."""
    rest = rest[:_LONGEST_WORD].lower().replace("’", "'")
    last = new.split()[-1:]
    return all(
        any([word] == last for word in words)
        for clitic, words in language.clitic_places.items()
        if rest.startswith(clitic) and clitic != _POSSESSIVE
    )


def _plain(text: str) -> str:
    """In lower case with straight apostrophes, without marks at the ends."""
    return text.lower().replace("’", "'").strip(_MARKS + " ")
