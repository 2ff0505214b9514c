"""Written variants as substitutes: *Youth* – *youth*, *don't* – *do not*, *colour* – *color*, *three* – *3*, “ – ".

A metric that compares words counts them as errors, and no reader does. A variant is added only if an output of the
segment has it, so thousands of possible spellings cost nothing. Two phrases are variants of each other if they have the
same key: lower-cased, contractions in full, one spelling of each word, numbers as digits, without hyphens, dots,
apostrophes and spaces, with plain quotation marks and dashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.words import Phrase, split_words
from paraphrast.text import Language

#: Probability that a written variant can stand for a phrase.
PROBABILITY = 0.95
#: Maximum number of words of a variant.
LONGEST = 3
_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "."}
)
_SILENT = str.maketrans("", "", "'-.")
#: Words that are written as marks.
_MARKS = {"&": "and", "%": "percent"}


def written_variants(
    reference: str,
    outputs: Iterable[str],
    language: Language,
    *,
    probability: float = PROBABILITY,
    origin: str = "spelling",
) -> Substitutions:
    """For phrases of a reference, the other ways in which ``outputs`` write them."""
    key_of = _Keys(language)
    reference_phrases = _phrases(split_words(reference))
    wanted: dict[str, set[Phrase]] = {}
    for phrase in reference_phrases:
        wanted.setdefault(key_of(phrase), set()).add(phrase)
    rows: dict[Phrase, set[Phrase]] = {}
    for variant in set().union(*(_phrases(split_words(text)) for text in outputs)):
        for phrase in wanted.get(key_of(variant), ()):
            # Longer phrases on both sides are made of shorter variants.
            if phrase != variant and min(len(phrase), len(variant)) == 1:
                rows.setdefault(tuple(word.lower() for word in phrase), set()).add(variant)
    return Substitutions(
        {
            phrase: tuple(
                Substitute(target, probability, origin, literal=True, found=True)
                for target in sorted(targets)
            )
            for phrase, targets in sorted(rows.items())
        }
    )


def _phrases(words: list[str]) -> set[Phrase]:
    return {
        tuple(words[first : first + size])
        for size in range(1, LONGEST + 1)
        for first in range(len(words) - size + 1)
    }


class _Keys:
    """The key of a phrase: equal for written variants. Phrases that are only silent marks have themselves as key."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._digits = {word: str(number) for number, word in enumerate(language.cardinals)}
        self._word = lru_cache(maxsize=1 << 16)(self._plain)

    def __call__(self, phrase: Phrase) -> str:
        key = "".join(map(self._word, phrase))
        return key or " ".join(phrase)

    def _plain(self, word: str) -> str:
        low = word.lower().translate(_PLAIN)
        low = _MARKS.get(low, low)
        if not any(map(str.isalnum, low)):
            return low.strip(".") if len(low) > 1 else low
        core = low.strip('"')
        before, _, after = low.partition(core)
        return f"{before}{self._core(core)}{after}"

    def _core(self, word: str) -> str:
        """A word without quotation marks, in one spelling."""
        word = self._in_full(word)
        bare = word.replace("-", "") if word[:1].isdigit() else word.translate(_SILENT)
        bare = self._digits.get(bare, bare)
        if len(bare) > 3:
            for ending, instead in self._language.spellings:
                if bare.endswith(ending):
                    return bare[: -len(ending)] + instead
        return bare

    def _in_full(self, word: str) -> str:
        """A word with its contraction in full: "don't" as "donot". "'s" is left: it may be a genitive."""
        for short, full in (("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am")):
            if self._language.code == "en" and word.endswith(short) and len(word) > len(short):
                host = word[: -len(short)]
                return self._language.clitic_hosts.get(host, host) + full
        return word
