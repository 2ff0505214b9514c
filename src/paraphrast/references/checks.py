"""Whether outputs and references belong together: of one script, of one language, in the same order.

Nothing in a score tells a file in the wrong language, or with lines in another order, from a bad system. Each check is
cautious: it reports a problem only where the text is very unlike a translation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paraphrast.errors import InputError
from paraphrast.references.words import source_words
from paraphrast.text import get_language
from paraphrast.text.identify import identify_language, read_language, sampled, script_of

#: A language, or a way of cutting words, that the text itself decides.
AUTO = "auto"
_REMEDY = "check the files, or pass --no-check (check=False) if they are right"


def target_language_of(references: Sequence[str], named: str = AUTO) -> str:
    """The language named; with ``auto`` the one that the references read like, English where that is not clear."""
    return named if named != AUTO else read_language(references).language or "en"


def source_language_of(sources: Sequence[str], named: str = AUTO) -> str:
    """The language named; with ``auto`` the one identified from the sources, an error where that is not clear."""
    if named != AUTO:
        return named
    language = identify_language(sources)
    if language is None:
        raise InputError(
            "cannot identify the language of the sources from their text",
            remedy="name it with --source-language (source_language=), for example --source-language fr",
        )
    return language


def check_languages(
    references: Sequence[str], outputs: Mapping[str, Sequence[str]], *, target_language: str
) -> None:
    """Refuse references that are not of the target language, and outputs that are not of the references'."""
    script, reading = script_of(references), read_language(references)
    wanted = get_language(target_language)
    if not wanted.segmented:
        raise InputError(
            f"references in {wanted.name} have no spaces between words, but paraphrases replace words",
            remedy="put spaces between the words of references and outputs, and leave out --target-language",
        )
    if wanted.function_words and reading.language not in (None, wanted.code):
        raise InputError(
            f"expected references in {wanted.name}, got text that looks like "
            f"{get_language(str(reading.language)).name}",
            remedy="source and reference may be swapped; "
            f"set the language of the references with --target-language; {_REMEDY}",
        )
    for system, texts in outputs.items():
        output_script = script_of(texts)
        if script and output_script and output_script != script:
            raise InputError(
                f"expected outputs in the script of the references, {script.title()}, got {output_script.title()}",
                where=system,
                remedy=_REMEDY,
            )
        language = read_language(texts).language
        if reading.language and language and language != reading.language:
            raise InputError(
                f"expected outputs in the references' language, {get_language(reading.language).name}, "
                f"got text that looks like {get_language(language).name}",
                where=system,
                remedy=_REMEDY,
            )


@dataclass(frozen=True, slots=True)
class Order:
    """How outputs fit references: how many were looked at, fit their own line, and fit another far better.

    example: an output's line and the line whose reference it fits, from 0. shift: how far most are off, where most are
    off alike.
    """

    looked: int
    own: int
    elsewhere: int
    example: tuple[int, int] | None = None
    shift: int | None = None

    @property
    def wrong(self) -> bool:
        """Whether lines are in another order: one in five, or more, of those that fit anywhere fit elsewhere."""
        return self.elsewhere >= 4 and 4 * self.elsewhere >= self.own


class LineFinder:
    """References by their rarer words, so that the line an output fits is found without trying all."""

    def __init__(self, references: Sequence[str], language: str = "en") -> None:
        self._language = language
        rows = [set(self._words(text)) for text in references]
        frequency = Counter(word for row in rows for word in row)
        common = max(len(rows) // 10, 3)
        self._weight = {
            word: math.log(1 + len(rows) / count) for word, count in frequency.items() if count <= common
        }
        self._common = frozenset(frequency) - frozenset(self._weight)
        self._rarest = math.log(1 + len(rows))
        self._lines: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            for word in row:
                if word in self._weight:
                    self._lines.setdefault(word, []).append(number)
        self._size = [sum(self._weight.get(word, 0.0) for word in sorted(row)) for row in rows]

    def _words(self, text: str) -> list[str]:
        return source_words(text.lower(), self._language)

    def fit(self, text: str) -> dict[int, float]:
        """How well a text fits each line, 0 to 1: twice the weight of the words in both by that of either's words."""
        shared: dict[int, float] = {}
        words = sorted(set(self._words(text)))
        for word in words:
            for line in self._lines.get(word, ()):
                shared[line] = shared.get(line, 0.0) + self._weight[word]
        size = sum(self._weight.get(word, self._rarest) for word in words if word not in self._common)
        return {line: 2 * value / (size + self._size[line]) for line, value in shared.items()}


def find_order(finder: LineFinder, texts: Sequence[str], *, least: float = 0.3, far: float = 0.2) -> Order:
    """Whether each of ``texts`` fits its own line or, if not, another, better by ``far``; below ``least`` none fits."""
    places = sampled(len(texts))
    in_place, moved = 0, []
    for place in places:
        fits = finder.fit(texts[place])
        here = fits.pop(place, 0.0)
        other = min(fits, key=lambda line: (-fits[line], line), default=None)
        if here >= least:
            in_place += 1
        elif other is not None and fits[other] >= max(least, here + far):
            moved.append((place, other))
    shifts = Counter(other - place for place, other in moved)
    shift = min(shifts, key=lambda one: (-shifts[one], one), default=None)
    alike = shift is not None and 2 * shifts[shift] > len(moved)
    # An output that occurs on many lines fits one of them.
    elsewhere = len({other for _, other in moved})
    return Order(len(places), in_place, elsewhere, moved[0] if moved else None, shift if alike else None)


def check_order(
    references: Sequence[str], outputs: Mapping[str, Sequence[str]], *, target_language: str = "en"
) -> None:
    """Refuse outputs whose lines are in another order than the references'."""
    finder = LineFinder(references, target_language)
    for system, texts in outputs.items():
        order = find_order(finder, texts)
        if order.wrong and order.example is not None:
            line, other = order.example
            shift_note = f", most of them by {order.shift:+d} lines" if order.shift is not None else ""
            raise InputError(
                f"expected outputs in the order of the references, got {order.elsewhere} of {order.looked} that fit "
                f"another line much better{shift_note}: output {line + 1} fits reference {other + 1}",
                where=system,
                remedy=_REMEDY,
            )
