"""Function words that an output has more, fewer or others of: *the report* – *a report* – *report*.

A function word between the right content words breaks every n-gram around it. Readers mind it little. So the lattice
for an output may drop a function word of the reference, add one before a word, or exchange two of one class, with
probabilities that were set without data. Only what an output of the segment has is added. Negations and quantities
never change, nor does the person of a pronoun.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.words import DETERMINERS, PREPOSITIONS, Phrase, split_words
from paraphrast.text import Language

#: Probability that a function word may be dropped or added.
DROPPED = 0.5
#: Probability that one may stand for another of its class.
EXCHANGED = 0.3
#: Name of the resource.
ORIGIN = "function"


def function_word_edits(
    reference: str,
    outputs: Iterable[str],
    language: Language,
    *,
    dropped: float = DROPPED,
    exchanged: float = EXCHANGED,
    origin: str = ORIGIN,
) -> Substitutions:
    """For words of a reference: without the function word before them, with one more, or another function word."""
    classes = FunctionWords(language)
    words = split_words(reference)
    rows: dict[Phrase, dict[Phrase, float]] = {}

    def add(phrase: Phrase, target: Phrase, probability: float) -> None:
        rows.setdefault(tuple(word.lower() for word in phrase), {})[target] = probability

    used: set[str] = set()
    before: dict[str, set[str]] = {}
    for text in outputs:
        output_words = split_words(text)
        used.update(output_words)
        for first, second in pairwise(output_words):
            if classes.loose(first):
                before.setdefault(second, set()).add(first)
    by_class: dict[str, list[str]] = {}
    for word in sorted(used):
        if classes.loose(word):
            by_class.setdefault(classes.of(word), []).append(word)
    for word, following in pairwise([*words, ""]):
        for extra in before.get(word, ()):
            add((word,), (extra, word), dropped)
        if not classes.loose(word):
            continue
        if following in used:
            add((word, following), (following,), dropped)
        for other in by_class.get(classes.of(word), ()):
            if classes.exchangeable(word, other):
                add((word,), (other,), exchanged)
    return Substitutions(
        {
            phrase: tuple(
                Substitute(target, targets[target], origin, literal=True, found=True)
                for target in sorted(targets, key=lambda one: (-targets[one], one))
            )
            for phrase, targets in sorted(rows.items())
        }
    )


class FunctionWords:
    """The classes of function words of a language."""

    def __init__(self, language: Language) -> None:
        self._words = language.function_words - language.negations - language.number_words
        self._words -= language.quantity_words
        prepositions = PREPOSITIONS.get(language.code, frozenset())
        auxiliaries = language.tense_auxiliaries | language.perfect_auxiliaries | set(language.modals)
        determiners = language.articles | DETERMINERS.get(language.code, frozenset())
        self._class = {
            **dict.fromkeys(determiners, "determiner"),
            **dict.fromkeys(auxiliaries, "auxiliary"),
            **dict.fromkeys(prepositions, "preposition"),
        }
        self._person = {word: number for number, group in enumerate(language.persons) for word in group}

    def loose(self, word: str) -> bool:
        """Whether a word is a function word that may change."""
        return word.lower() in self._words

    def of(self, word: str) -> str:
        """The class of a function word."""
        return self._class.get(word.lower(), "other")

    def exchangeable(self, word: str, other: str) -> bool:
        """Whether two function words of one class may stand for each other: not *he* for *she*."""
        one, two = word.lower(), other.lower()
        person, other_person = self._person.get(one), self._person.get(two)
        if person is not None and other_person is not None and person != other_person:
            return False
        return one != two
