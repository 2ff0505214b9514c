"""Places where a substitution cannot stand, whatever its probability: by the words before and after it.

The rules are those of the language (:class:`~paraphrast.text.languages.record.Place`): "which" for "what" only before a
noun ("what colour", not "what is"); no "does not" for "doesn't" between a question word and the subject ("why doesn't
he"); no contraction that nobody writes ("which's", or "he'dn't" for "he hadn't").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from paraphrast.model.kept import says_as_much
from paraphrast.text.languages.record import Language, Place

#: Number of characters on either side in which the next word is searched.
_LONGEST_WORD = 60
#: Also the mark of a possessive, which may follow any noun.
_POSSESSIVE = "'s"
#: Marks after which ", said the official" begins.
_ENDING_MARKS = (",", '"', "”", "'", "’")
_APOSTROPHES = ("'", "’")
_MARKS = ".,;:!?'\"()“”‘’[]"


def is_out_of_place(text: str, start: int, end: int, after: str, language: Language) -> bool:
    """Whether ``after`` cannot stand for ``text[start:end]`` there."""
    if not language.places and not language.unwritten:
        return False
    old, new = _plain(text[start:end]).split(), _plain(after).split()
    before = text[max(0, start - _LONGEST_WORD) : start].split()
    following = [_next_word(word, language) for word in text[end : end + _LONGEST_WORD].split()[:2]]
    return (
        _is_unwritten(old, new, text[end:], language)
        or not _may_go_on(new, text[end:], language)
        or _adds(old, new, language)
        or not says_as_much(text[start:end], after, language)
        or _points_elsewhere(old, [*new, *following[:1]], language)
        or _disagrees(old, new, before, language)
        or _repeats_the_word_before(old, new, before)
        or _begins_a_name(text, start, end, language)
        or _is_forbidden(text, old, new, list(map(str.lower, before)), following, language)
    )


def _is_forbidden(
    text: str,
    old: Sequence[str],
    new: Sequence[str],
    before: Sequence[str],
    following: Sequence[str],
    language: Language,
) -> bool:
    """Whether a rule forbids the pair, or what differs in it, beside the words before and after."""
    place = language.places.get((" ".join(old), " ".join(new)))
    if place is None:
        head, old, new, tail = _difference(old, new)
        place = language.places.get((" ".join(old), " ".join(new)))
        before, following = [*before, *head], [*tail, *following]
    if place is None:
        return False
    if place.once and f" {' '.join(map(_plain, text.split()))} ".count(f" {' '.join(old)} ") > 1:
        return True
    return _forbids(place, before[-1] if before else "", following[0] if following else "")


def _forbids(place: Place, previous: str, following: str) -> bool:
    """Whether a rule forbids the words before and after a substitution."""
    begins = not previous or previous[-1] in ".!?:\"'“‘("
    return (
        following in place.not_before
        or (place.only_before is not None and following not in place.only_before)
        or _plain(previous) in place.not_after
        or (place.only_after is not None and _plain(previous) not in place.only_after)
        or (not place.after_mark and previous.endswith(_ENDING_MARKS))
        or (place.first and not begins)
        or (place.inside and begins)
    )


def _is_unwritten(old: Sequence[str], new: Sequence[str], rest: str, language: Language) -> bool:
    """Whether a word of ``new``, also with the clitic that follows it, is never written: "which" before "'s"."""
    attached = _plain(rest.split()[0]) if rest[:1] in _APOSTROPHES and rest.split() else ""
    joined = [f"{new[-1]}'{attached}"] if new and attached else []
    return any(word in language.unwritten and word not in old for word in (*new, *joined))


def _adds(old: Sequence[str], new: Sequence[str], language: Language) -> bool:
    """Whether "both", or the like, is added: "already" → "both already"."""
    return any(
        word not in old and not language.unadded[word].intersection(old)
        for word in new
        if word in language.unadded
    )


def _disagrees(old: Sequence[str], new: Sequence[str], before: Sequence[str], language: Language) -> bool:
    """Whether the first verb of ``new`` has another subject: "will am", "Ann and Bob was"."""
    if not new or old[:1] == new[:1]:
        return False
    subjects = language.verb_subjects.get(new[0])
    if subjects is not None and not (before and _plain(before[-1]) in subjects):
        return new[1:2] == [] or new[1] not in subjects
    return (
        new[0] in language.singular_verbs
        and old[0] not in language.singular_verbs
        and len(before) > 1
        and before[-1][0].isupper()
        and before[-2].lower() in language.joining
    )


def _points_elsewhere(old: Sequence[str], new: Sequence[str], language: Language) -> bool:
    """Whether "that" stands for "this", or the like, before a noun. ``new`` ends with the word that follows it."""
    if not language.demonstratives.intersection(old) - set(new):
        return False
    return any(
        word in language.demonstratives
        and word not in old
        and follower
        and follower not in language.function_words
        for word, follower in pairwise(new)
    )


def _repeats_the_word_before(old: Sequence[str], new: Sequence[str], before: Sequence[str]) -> bool:
    """Whether the first word of ``new`` has the word before it in it: "long long-lasting", "web website"."""
    previous = _plain(before[-1]) if before else ""
    return (
        len(previous) > 2
        and bool(old and new)
        and new[0] != previous
        and new[0].startswith(previous)
        and not old[0].startswith(previous)
    )


def _begins_a_name(text: str, start: int, end: int, language: Language) -> bool:
    """Whether a word at the beginning of a sentence may belong to a name, since one follows: "Computer Associates"."""
    old = text[start:end]
    if len(old.split()) != 1 or not old[:1].isupper() or old.lower() in language.function_words:
        return False
    head = text[max(0, start - _LONGEST_WORD) : start].rstrip(" \"'“‘(")
    rest = text[end : end + _LONGEST_WORD].split()
    if language.capital_nouns or (head and head[-1] not in ".!?:") or not rest or text[end : end + 1] != " ":
        return False
    following = rest[0]
    return following[0].isupper() and len(following) > 1 and _plain(following) not in language.function_words


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


def _may_go_on(new: Sequence[str], rest: str, language: Language) -> bool:
    """Whether a clitic at the beginning of ``rest``, such as "n't", may follow the last word of ``new``."""
    rest = rest[:_LONGEST_WORD].lower().replace("’", "'")
    last = new[-1] if new else ""
    return all(
        last in words
        for clitic, words in language.clitic_places.items()
        if rest.startswith(clitic) and clitic != _POSSESSIVE
    )


def _next_word(word: str, language: Language) -> str:
    """As :func:`_plain`, but a clitic keeps its apostrophe: "'s" of "what's"."""
    low = word.lower().replace("’", "'")
    return low if low in language.suffix_clitics else _plain(low)


def _plain(text: str) -> str:
    """In lower case with straight apostrophes, without marks at the ends."""
    return text.lower().replace("’", "'").strip(_MARKS + " ")
