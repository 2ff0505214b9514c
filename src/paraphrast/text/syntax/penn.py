"""The Penn Treebank's tags in ours, for corpora that spaCy or another Penn tagger has tagged.

Our tags are Penn's, except that punctuation has one tag (PUNCT) and "not" and "n't" have a tag of their own (NEG).
Tags: Santorini (1990), "Part-of-speech tagging guidelines for the Penn Treebank project", and the additions of
OntoNotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paraphrast.errors import InputError
from paraphrast.text._kernels import TAGS
from paraphrast.text.syntax.brown import truecase_first

_OTHER = {
    **dict.fromkeys((".", ",", ":", "``", "''", '""', "-LRB-", "-RRB-", "HYPH", "NFP", "-"), "PUNCT"),
    **dict.fromkeys(("$", "#"), "SYM"),
    "AFX": "JJ",
    "ADD": "NNP",
    "LS": "CD",
    **dict.fromkeys(("GW", "XX"), "FW"),
}
_NOT = ("not", "n't", "n’t")


def penn_tag(word: str, tag: str) -> str:
    """Our tag for a word with a Penn tag.

    >>> penn_tag("examine", "VB"), penn_tag("n't", "RB"), penn_tag(",", ",")
    ('VB', 'NEG', 'PUNCT')
    """
    if word.lower() in _NOT:
        return "NEG"
    if tag in _OTHER:
        return _OTHER[tag]
    if tag not in TAGS:
        raise InputError(f"expected a tag of the Penn Treebank, got {tag!r}")
    return tag


def penn_sentences(
    sentences: Iterable[Iterable[tuple[str, str]]], *, raw_every: int = 4
) -> Iterator[tuple[list[str], list[str]]]:
    """Training sentences for :class:`~paraphrast.text.syntax.tag.Tagger` from sentences of ``(word, Penn tag)``.

    The first word of a sentence loses its capital unless it is a name, because the tagger is applied to truecased
    text. Every ``raw_every``-th sentence keeps it.
    """
    for number, sentence in enumerate(sentences):
        words: list[str] = []
        tags: list[str] = []
        for word, tag in sentence:
            words.append(word)
            tags.append(penn_tag(word, tag))
        if words:
            if number % raw_every:
                truecase_first(words, tags)
            yield words, tags
