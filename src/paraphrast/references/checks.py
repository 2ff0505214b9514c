"""Check that outputs and references belong together: same script, same language, same order.

A score cannot distinguish a file in the wrong language, or with lines in another order, from a bad system. The checks
are cautious: they report a problem only if the text is very unlikely to be a translation.
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

#: A language, or a way of splitting words, that is identified from the text.
AUTO = "auto"
_REMEDY = "check the files, or pass --no-check (check=False) if they are right"


def target_language_of(references: Sequence[str], named: str = AUTO) -> str:
    """The named language; with ``auto`` the language of the references, or English if it is not clear."""
    return named if named != AUTO else read_language(references).language or "en"


def source_language_of(sources: Sequence[str], named: str = AUTO) -> str:
    """The named language; with ``auto`` the language identified from the sources. An error if it is not clear."""
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
    """Raise an error if the references are not in the target language, or the outputs not in that of the references."""
    script, reading = script_of(references), read_language(references)
    target = get_language(target_language)
    if not target.segmented:
        raise InputError(
            f"references in {target.name} have no spaces between words, but paraphrases replace words",
            remedy="put spaces between the words of references and outputs, and leave out --target-language",
        )
    if target.function_words and reading.language not in (None, target.code):
        raise InputError(
            f"expected references in {target.name}, got text that looks like "
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
    """How outputs match references: how many were compared, match their own line, and match another much better.

    example: the line of an output and the line of the matching reference, from 0. shift: the common distance between
    them, if most outputs have the same.
    """

    looked: int
    own: int
    elsewhere: int
    example: tuple[int, int] | None = None
    shift: int | None = None

    @property
    def wrong(self) -> bool:
        """Whether lines are in another order: at least one in five of the matching outputs match another line."""
        return self.elsewhere >= 4 and 4 * self.elsewhere >= self.own


class LineFinder:
    """Index of references by their rarer words, to find the line that an output matches without trying all."""

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
        """How well a text matches each line, 0 to 1: twice the weight of common words divided by that of both texts."""
        shared: dict[int, float] = {}
        words = sorted(set(self._words(text)))
        for word in words:
            for line in self._lines.get(word, ()):
                shared[line] = shared.get(line, 0.0) + self._weight[word]
        size = sum(self._weight.get(word, self._rarest) for word in words if word not in self._common)
        return {line: 2 * value / (size + self._size[line]) for line, value in shared.items()}


def find_order(finder: LineFinder, texts: Sequence[str], *, least: float = 0.3, far: float = 0.2) -> Order:
    """Whether each text matches its own line or another, better by ``far``. Below ``least`` nothing matches."""
    places = sampled(len(texts))
    in_place, moved = 0, []
    for place in places:
        fits = finder.fit(texts[place])
        own_fit = fits.pop(place, 0.0)
        other = min(fits, key=lambda line: (-fits[line], line), default=None)
        if own_fit >= least:
            in_place += 1
        elif other is not None and fits[other] >= max(least, own_fit + far):
            moved.append((place, other))
    shifts = Counter(other - place for place, other in moved)
    shift = min(shifts, key=lambda distance: (-shifts[distance], distance), default=None)
    alike = shift is not None and 2 * shifts[shift] > len(moved)
    # An output that occurs on many lines matches one of them.
    elsewhere = len({other for _, other in moved})
    return Order(len(places), in_place, elsewhere, moved[0] if moved else None, shift if alike else None)


def check_order(
    references: Sequence[str], outputs: Mapping[str, Sequence[str]], *, target_language: str = "en"
) -> None:
    """Raise an error if the lines of outputs are in another order than those of the references."""
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
