"""Where one sentence may be continued by another, from part-of-speech tags alone: for clusters without a parse.

A cut is described by the tags to its left. Two sentences may be joined at a word only if the descriptions are equal:
the same clause, a subject without its verb in both or in neither, the same subject and last verb, the same word before
the noun group at the cut, and the same numbers in it. :mod:`paraphrast.msa.joins` does the same with a parse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_NOMINAL = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "CD", "EX"})
_GROUP = _NOMINAL | {"DT", "PDT", "JJ", "JJR", "JJS", "PRP$", "POS", "VBN", "VBG"}
_CLAUSES = frozenset({"WP", "WDT", "WRB", "WP$"})
_MARKERS = frozenset(
    ["that", "while", "because", "if", "although", "though", "since", "unless", "until", "whether"]
)


class Signature(NamedTuple):
    """The description of a cut, from the words on its left.

    clause: the word that begins the clause, "" for the main clause. waiting: whether it has no finite verb yet.
    subject: the head of its first noun group. verb: its last verb. before: the word before the noun group at the cut.
    counts: the numbers in that group.
    """

    clause: str
    waiting: bool
    subject: str
    verb: str
    before: str
    counts: tuple[str, ...]


def signature(words: Sequence[str], tags: Sequence[str], cut: int) -> Signature:
    """The description of the cut after the word at ``cut``."""
    small = [word.lower() for word in words[: cut + 1]]
    clause = max(
        (place for place in range(cut + 1) if tags[place] in _CLAUSES or small[place] in _MARKERS), default=-1
    )
    verbs = [place for place in range(clause + 1, cut + 1) if tags[place].startswith("VB")]
    finite = [place for place in range(clause + 1, cut + 1) if tags[place] in _FINITE]
    begin = cut
    while begin > 0 and tags[begin - 1] in _GROUP and tags[begin] in _GROUP:
        begin -= 1
    return Signature(
        small[clause] if clause >= 0 else "",
        not finite,
        _subject(small, tags, clause + 1),
        small[verbs[-1]] if verbs else "",
        small[begin - 1] if begin else "",
        tuple(small[place] for place in range(begin, cut) if tags[place] == "CD"),
    )


def _subject(small: Sequence[str], tags: Sequence[str], begin: int) -> str:
    """The last noun of the first run of words that may form a noun group."""
    head = ""
    for place in range(begin, len(small)):
        if tags[place] in _NOMINAL:
            head = small[place]
        elif head:
            break
    return head


def fitting_by_tags(
    rows: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
    sentences: Sequence[int],
    places: Sequence[int],
) -> list[list[bool]]:
    """[first][second]: whether two of ``sentences`` have equal cuts at the word that they share, at ``places``."""
    cuts = [
        signature(rows[sentence], tags[sentence], place)
        for sentence, place in zip(sentences, places, strict=True)
    ]
    return [
        [sentence == other or first == second for other, second in zip(sentences, cuts, strict=True)]
        for sentence, first in zip(sentences, cuts, strict=True)
    ]


def has_finite_verb(tags: Sequence[str]) -> bool:
    """Whether one of the tags is a tag of finite verbs."""
    return not _FINITE.isdisjoint(tags)
