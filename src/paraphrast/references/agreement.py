"""Equivalence sets cleaned by monolingual evidence, so that the members of a set could stand for each other.

Alignment of a few hundred sentences makes sets such as *advice – the*. Two members are kept together only if something
besides one source phrase supports it: the same content words (*the report – reports*), several source phrases that have
both, or similar words by the vectors of a model. Negations and different names are kept apart. A set is divided into
groups whose members all support each other; groups of one are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from paraphrast.references.equivalents import EquivalenceSet, Item
from paraphrast.references.function_words import FunctionWords
from paraphrast.references.names import Names
from paraphrast.references.stems import Stems
from paraphrast.references.words import Phrase
from paraphrast.text import Language

#: Cosine of the content words of two phrases, or None if a model does not know them.
Similarity = Callable[[Phrase, Phrase], float | None]


@dataclass(frozen=True, slots=True)
class Support:
    """When two members of a set support each other.

    similarity: minimum cosine of their content words. sources: minimum number of source phrases that have both, for
    phrases without known vectors.
    """

    similarity: float = 0.4
    sources: int = 2


def clean_sets(
    sets: Sequence[EquivalenceSet],
    language: Language,
    similarity: Similarity | None = None,
    support: Support | None = None,
    names: Collection[str] = frozenset(),
) -> list[EquivalenceSet]:
    """The sets, divided into groups whose members support each other. Probabilities do not change.

    similarity: of two phrases; without it, only content words are kept apart from function words. names: words that
    stand for no other name.
    """
    support = support or Support()
    agreement = shared_sources(sets)
    content = _Content(language)
    apart = Names(names, language)
    known: dict[tuple[Phrase, Phrase], bool] = {}

    def supported(first: Phrase, second: Phrase) -> bool:
        key = (min(first, second), max(first, second))
        if key not in known:
            known[key] = not apart.differ(*key, only=True) and _supported(
                *key, agreement.get(key, 0), content, similarity, support
            )
        return known[key]

    cleaned = []
    for equivalents in sets:
        groups: list[list[Item]] = []
        for item in equivalents.items:
            for group in groups:
                if all(supported(item.phrase, other.phrase) for other in group):
                    group.append(item)
                    break
            else:
                groups.append([item])
        cleaned += [replace(equivalents, items=tuple(group)) for group in groups if len(group) > 1]
    return cleaned


def shared_sources(sets: Sequence[EquivalenceSet]) -> dict[tuple[Phrase, Phrase], int]:
    """For each pair of members, in order: the number of source phrases that have both.

    A source phrase that contains another one with both is not counted: it is the same place of the same sentences.
    """
    sources: dict[tuple[Phrase, Phrase], list[Phrase]] = {}
    for equivalents in sets:
        for first, second in combinations(sorted(item.phrase for item in equivalents.items), 2):
            sources.setdefault((first, second), []).append(equivalents.source)
    return {
        pair: 1
        if len(phrases) == 1
        else sum(not any(one != other and _contains(one, other) for other in phrases) for one in phrases)
        for pair, phrases in sources.items()
    }


def _contains(phrase: Phrase, part: Phrase) -> bool:
    return any(
        phrase[at : at + len(part)] == part
        for at in range(len(phrase) - len(part) + 1)
        if len(part) < len(phrase)
    )


def _supported(
    first: Phrase,
    second: Phrase,
    sources: int,
    content: _Content,
    similarity: Similarity | None,
    support: Support,
) -> bool:
    words, other_words = content.words(first), content.words(second)
    if content.negated(first) != content.negated(second):  # "is" – "not"
        return False
    stems, other_stems = content.stems(words), content.stems(other_words)
    if words and stems == other_stems:
        return True
    if bool(words) != bool(other_words):  # "advice" – "the"
        return False
    if not words and content.classes(first) != content.classes(second):  # "also" – "is"
        return False
    if words and (set(stems) <= set(other_stems) or set(other_stems) <= set(stems)):
        return False  # "activities" – "outdoor activities"
    if similarity is None:  # most pairs of a small bitext have one source phrase only
        return True
    cosine = similarity(words, other_words) if words else None
    if cosine is None:
        return sources >= support.sources
    return cosine >= support.similarity


class _Content:
    """The content words of phrases, and their stems."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._stems = Stems(language)
        self._classes = FunctionWords(language)

    def words(self, phrase: Phrase) -> Phrase:
        """The words of a phrase that are not function words."""
        return tuple(word for word in phrase if word not in self._language.function_words)

    def classes(self, phrase: Phrase) -> set[str]:
        """The classes of the function words of a phrase."""
        return {self._classes.of(word) for word in phrase}

    def negated(self, phrase: Phrase) -> bool:
        """Whether a phrase has a negation."""
        return not self._language.negations.isdisjoint(phrase)

    def stems(self, words: Phrase) -> list[str]:
        """Their stems, sorted."""
        return sorted(map(self._stems.of, words))
