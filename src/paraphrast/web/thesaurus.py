"""Alignment of two texts of one language in a service: lexicons are read once per process, not once per request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.evidence import Resources, stem_all
from paraphrast.align.evidence_kinds import choose, default_names
from paraphrast.align.monolingual import train_monolingual
from paraphrast.build.monolingual import both_sides, find_resources
from paraphrast.text import Language, analyse


class _Numbers(dict[str, int]):
    """The number of a word's stem, −1 for a phrase; computed when a word is first met."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.stems: dict[str, int] = {}
        self.words: list[str] = []

    def __missing__(self, word: str) -> int:
        number = -1
        if " " not in word:
            lower = [word.lower()]
            stem = (stem_all(lower, self.language) or lower)[0]
            number = self.stems.setdefault(stem, len(self.words))
            if number == len(self.words):
                self.words.append(lower[0])
        self[word] = number
        return number


@dataclass(frozen=True)
class StemPairs:
    """The pairs of some thesauri by their stems. first, second: int32[pairs], into ``words``."""

    stems: dict[str, int]
    words: list[str]
    first: NDArray[np.int32]
    second: NDArray[np.int32]

    @classmethod
    def read(cls, resources: Resources) -> StemPairs:
        """Read every pair of single words once; ``words`` has one word per stem."""
        numbers = _Numbers(resources.language)
        first: list[int] = []
        second: list[int] = []
        for one, other in resources.synonyms or ():
            first.append(numbers[one])
            second.append(numbers[other])
        sides = np.array([first, second], dtype=np.int32)
        sides = sides[:, (sides >= 0).all(axis=0)]
        return cls(numbers.stems, numbers.words, sides[0], sides[1])

    def among(self, stems: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The pairs whose stems are both among these."""
        wanted = np.zeros(len(self.words), dtype=bool)
        wanted[[self.stems[stem] for stem in stems if stem in self.stems]] = True
        for place in np.flatnonzero(wanted[self.first] & wanted[self.second]).tolist():
            yield self.words[self.first[place]], self.words[self.second[place]]


@dataclass(frozen=True)
class AlignResources:
    """The lexicons of a language that this machine has; nothing is fetched for a request."""

    resources: Resources
    pairs: StemPairs | None

    @classmethod
    def load(cls, language: str) -> AlignResources:
        """Read what is there."""
        resources = find_resources(language)
        return cls(resources, None if resources.synonyms is None else StemPairs.read(resources))

    def align(self, sources: Sequence[str], targets: Sequence[str]) -> list[dict[str, Any]]:
        """The words of both texts of each pair, with their places, and the links with their probabilities."""
        code = self.resources.language.code
        words, first, second = both_sides(sources, targets, code, pretokenized=False)
        resources = self.resources
        if self.pairs is not None:
            stems = stem_all(words, resources.language) or list(words)
            resources = replace(resources, synonyms=list(self.pairs.among(stems)))
        aligner = train_monolingual(
            first, second, words, choose(default_names(), resources), None, language=resources.language
        )
        links = aligner.align(first, second, words)
        posterior = links.posterior
        results = []
        for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
            begin, end = int(links.starts[number]), int(links.starts[number + 1])
            results.append(
                {
                    "source": self._tokens(source),
                    "target": self._tokens(target),
                    "links": [
                        {
                            "source": int(links.source[at]),
                            "target": int(links.target[at]),
                            "probability": None if posterior is None else round(float(posterior[at]), 4),
                        }
                        for at in range(begin, end)
                    ],
                }
            )
        return results

    def _tokens(self, text: str) -> list[dict[str, Any]]:
        analysis = analyse(text, self.resources.language)
        return [
            {"text": text[start:end], "start": start, "end": end}
            for start, end in zip(analysis.starts, analysis.ends, strict=True)
        ]
