"""What a rewrite must keep of a sentence: numbers, names, negations, persons, contrasts, and words such as "only"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from paraphrast.model.spelling import one_spelling
from paraphrast.text.languages.record import Language

_TOKEN = re.compile(r"\w+(?:['’.,]\w+)*|[^\w\s]")


def keeps(text: str, rewrite: str, language: Language) -> bool:
    """Whether a rewrite keeps what it must; a name may move to or from the beginning."""
    before, after = (_tokens(side) for side in (text, rewrite))
    words, new_words = (
        Counter(one_spelling(_low(word), language) for word in side) for side in (before, after)
    )
    fixed, new_fixed = (_fixed(side, language) for side in (before, after))
    no, new_no = (sum(_negates(_low(word), language) for word in side) for side in (before, after))
    if no != new_no or fixed - new_words or new_fixed - words:
        return False
    if not says_as_much(text, rewrite, language):
        return False
    return not any(person & new_words.keys() and not person & words.keys() for person in people_of(language))


def says_as_much(text: str, rewrite: str, language: Language) -> bool:
    """Whether a rewrite, or a substitute of a phrase, has a contrast if the original has one, and loses no limit."""
    before, after = (f" {' '.join(map(_low, _tokens(side)))} " for side in (text, rewrite))
    return _contrasts_alike(before, after, language) and _limits_alike(before, after, language)


def people_of(language: Language) -> list[frozenset[str]]:
    """The pronouns of each person, without those that can also refer to things: a rewrite may add or drop these."""
    return [person for person in language.persons if not person & {"it", "they"}]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _low(word: str) -> str:
    return word.lower().replace("’", "'").removesuffix("'s")


def _negates(word: str, language: Language) -> bool:
    return word in language.negations or word.endswith("n't")


def _fixed(tokens: Sequence[str], language: Language) -> Counter[str]:
    """Numbers, and capitalised words that do not begin the text or follow punctuation."""
    found: Counter[str] = Counter()
    for place, word in enumerate(tokens):
        low = _low(word)
        first = place == 0 or not tokens[place - 1][-1].isalnum()
        name = word[0].isupper() and not first and low not in language.function_words
        if (
            any(map(str.isdigit, word))
            or low in language.number_words
            or (name and not language.capital_nouns)
        ):
            found[one_spelling(low, language)] += 1
    return found


def _contrasts_alike(text: str, rewrite: str, language: Language) -> bool:
    """Whether both have a contrast, or neither: "On the other hand" is not "In addition"."""
    for one, other in ((text, rewrite), (rewrite, text)):
        may = (*language.contrasts, *language.may_contrast)
        if _has_any(one, language.contrasts) and not _has_any(other, may):
            return False
    return True


def _limits_alike(text: str, rewrite: str, language: Language) -> bool:
    """Whether "only" and the like have not been lost."""
    return all(
        _has_any(rewrite, (word, *same)) for word, same in language.kept.items() if _has_any(text, (word,))
    )


def _has_any(text: str, phrases: Iterable[str]) -> bool:
    return any(f" {phrase} " in text for phrase in phrases)
