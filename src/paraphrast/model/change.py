"""How much an edit changes, and what a larger change is worth beside a probability.

Results are ranked by probability plus :func:`gain`. Contractions, spelling and words that may be left out ("that") do
not count as changed: a rewrite that only writes "isn't" for "is not" has no gain.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode import DecoderArrays
from paraphrast.model.spelling import one_spelling
from paraphrast.text import Language, analyse
from paraphrast.types import Paraphrase

#: Of probability for each changed word, at strength 1; from strength .5 on it does not grow.
WORTH, LARGEST_STRENGTH = 0.12, 0.5
#: Number of changed words from which on more gain nothing.
ENOUGH = 6
_UNKNOWN = -1


def gain(changed: float, words: int, strength: float) -> float:
    """What ``changed`` words in a text of ``words`` words are worth beside a probability.

    .06 a word at strength .5 and above, for up to six words or half of the text; less at a lower strength.
    """
    return WORTH * min(strength, LARGEST_STRENGTH) * min(changed, ENOUGH, words / 2)


def gain_of(result: Paraphrase, language: Language, strength: float) -> float:
    """The gain of a result by what its edits change."""
    changed = sum(changed_words(edit.before, edit.after, language) for edit in result.edits)
    return gain(changed, len(result.source.split()), strength)


@lru_cache(maxsize=1 << 16)
def changed_words(before: str, after: str, language: Language) -> int:
    """Number of words put in, left out and replaced, apart from contractions, spelling and words such as "that"."""
    old, new = (analyse(side, language, one_sentence=True).words for side in (before, after))
    return _distance(old, new, language)


class OptionChanges:
    """The number of changed words of the decoder's options, each computed when it is first asked for."""

    def __init__(self, arrays: DecoderArrays, vocabulary: tuple[str, ...], language: Language) -> None:
        self._arrays, self._vocabulary, self._language = arrays, vocabulary, language
        self._known = np.full(len(arrays), _UNKNOWN, np.int16)

    def of(self, options: NDArray[np.integer]) -> NDArray[np.float64]:
        """float64[options]: changed words of each."""
        for option in np.unique(options[self._known[options] == _UNKNOWN]).tolist():
            old, new = (
                [self._vocabulary[word] for word in words]
                for words in (self._arrays.source_words_of(option), self._arrays.target_words_of(option))
            )
            self._known[option] = _distance(old, new, self._language)
        changed: NDArray[np.float64] = self._known[options].astype(np.float64)
        return changed


def _distance(old: Iterable[str], new: Iterable[str], language: Language) -> int:
    one, two = (_counted(side, language) for side in (old, new))
    if "".join(one) == "".join(two):
        return 0
    steps = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    return sum(
        max(end - start, new_end - new_start)
        for tag, start, end, new_start, new_end in steps
        if tag != "equal"
    )


def _counted(tokens: Iterable[str], language: Language) -> list[str]:
    """The words that count, in one form: "n't" as "not", "is" as "'s"."""
    words = (token.lower().replace("’", "'") for token in tokens)
    full = (language.clitic_hosts.get(word, language.full_forms.get(word, word)) for word in words)
    forms = (language.contracted.get(word, word) for word in full if word not in language.droppable)
    return [one_spelling(form, language).replace("-", "") for form in forms]
