"""The language of a text, from its script and from the function words of the language records."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from paraphrast.text.languages.registry import LANGUAGES, get_language

#: Maximum number of texts that are examined, evenly spaced.
SAMPLE = 200
#: Scripts that are used together.
_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK", "BOPOMOFO": "CJK"}
_KANA = ("HIRAGANA", "KATAKANA")
#: Languages that are identified by their script.
_BY_SCRIPT = {"CJK": "zh", "THAI": "th"}


def sampled(count: int, most: int = SAMPLE) -> list[int]:
    """At most ``most`` evenly spaced indices below ``count``."""
    return [place * count // min(count, most) for place in range(min(count, most))]


@lru_cache(maxsize=1 << 14)
def _script(character: str) -> str:
    name = unicodedata.name(character, "UNKNOWN").split()[0]
    return _TOGETHER.get(name, name)


def script_of(texts: Sequence[str]) -> str | None:
    """The script of most letters, by its Unicode name; None if no script has 70 %."""
    counts = Counter(
        _script(letter) for place in sampled(len(texts)) for letter in texts[place] if letter.isalpha()
    )
    if counts.total() < 5:
        return None
    script, most = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return script if most >= 0.7 * counts.total() else None


@dataclass(frozen=True, slots=True)
class Reading:
    """Which language texts look like: the share of function words of each language; words: total number of words."""

    shares: Mapping[str, float]
    words: int

    @property
    def language(self) -> str | None:
        """The language that they look like, if it is clear."""
        if self.words < 30 or not self.shares:
            return None
        ranked = sorted(self.shares, key=lambda code: (-self.shares[code], code))
        best = self.shares[ranked[0]]
        second = self.shares[ranked[1]] if len(ranked) > 1 else 0.0
        return ranked[0] if best >= 0.2 and best >= 1.5 * second else None


def read_language(texts: Sequence[str]) -> Reading:
    """Count function words of every language that has a list of them."""
    known = {code: get_language(code).function_words for code in LANGUAGES}
    counts: Counter[str] = Counter()
    for place in sampled(len(texts)):
        counts.update(word for word in texts[place].lower().split() if any(map(str.isalpha, word)))
    total = counts.total()
    shares = {
        code: sum(counts[word] for word in function_words) / total
        for code, function_words in known.items()
        if function_words and total
    }
    return Reading(shares, total)


def identify_language(texts: Sequence[str]) -> str | None:
    """The code of the language of the texts; None if it is not clear.

    Chinese, Japanese and Thai are identified by their script, other languages by the share of their function words.
    Only languages with a record can be identified.

    >>> identify_language(["Le comité examinera la proposition dans une semaine, mais pas avant."])
    'fr'
    """
    script = script_of(texts)
    if script in _BY_SCRIPT:
        return "ja" if script == "CJK" and _has_kana(texts) else _BY_SCRIPT[script]
    reading = read_language(texts)
    if reading.words < 5 or not reading.shares:
        return None
    ranked = sorted(reading.shares, key=lambda code: (-reading.shares[code], code))
    best, second = (reading.shares[code] for code in ranked[:2])
    return ranked[0] if best >= 0.15 and best >= 1.25 * second else None


def _has_kana(texts: Sequence[str]) -> bool:
    """Whether at least one letter in twenty is kana."""
    letters = [letter for place in sampled(len(texts)) for letter in texts[place] if letter.isalpha()]
    kana = sum(unicodedata.name(letter, "").startswith(_KANA) for letter in letters)
    return 20 * kana >= len(letters) > 0
