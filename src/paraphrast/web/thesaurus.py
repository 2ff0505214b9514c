"""Alignment of two texts of one language in a service: lexicons are read once per machine, not once per request.

Thesauri have millions of pairs. What alignment needs of them is kept in the user's cache folder as arrays, which all
workers map.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import cache_root
from paraphrast._version import __version__
from paraphrast.align.evidence import Resources, stem_all
from paraphrast.align.evidence_kinds import choose, default_names
from paraphrast.align.monolingual import train_monolingual
from paraphrast.build.monolingual import both_sides, find_resources
from paraphrast.errors import ParaphrastError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.files import atomic_folder
from paraphrast.text import Language, analyse

log = logging.getLogger(__name__)
#: Most frequent words of the vectors, from which alignment computes their common directions.
COMMON_WORDS = 20_000


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

    @classmethod
    def load(cls, resources: Resources) -> StemPairs:
        """The pairs from the cache, or read once and put there, if it can be written."""
        paths: Sequence[Path] = getattr(resources.synonyms, "paths", ())
        if not paths:
            return cls.read(resources)
        known = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
        digest = hashlib.sha256(repr((__version__, resources.language.code, known)).encode()).hexdigest()[:16]
        folder = cache_root() / "serve" / f"thesauri-{digest}"
        try:
            return cls.open(folder)
        except (OSError, ValueError, ParaphrastError):
            pairs = cls.read(resources)
        try:
            pairs.save(folder)
        except (OSError, ParaphrastError) as error:
            log.warning("the thesauri are read again at the next start: %s", error)
        return pairs

    def save(self, folder: Path) -> None:
        """Write a folder, complete or not at all."""
        with atomic_folder(folder, checked=True) as temporary:
            save_array(temporary / "first.npy", self.first)
            save_array(temporary / "second.npy", self.second)
            for name, texts in (("stems", self.stems), ("words", self.words)):
                (temporary / f"{name}.txt").write_text("\n".join(texts), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> StemPairs:
        """Read what :meth:`save` wrote; the arrays are mapped."""
        stems, words = (
            (folder / f"{name}.txt").read_text(encoding="utf-8").split("\n") for name in ("stems", "words")
        )
        first, second = (load_array(folder / f"{name}.npy", np.int32) for name in ("first", "second"))
        if len(stems) != len(words) or len(first) != len(second):
            raise ValueError("the lists differ in length")
        return cls({stem: number for number, stem in enumerate(stems)}, words, first, second)

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
        return cls(resources, None if resources.synonyms is None else StemPairs.load(resources))

    @cached_property
    def _vector_rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate((self.resources.vectors or ((), None))[0])}

    def _vectors_of(self, words: Sequence[str]) -> tuple[list[str], NDArray[Any]] | None:
        """The vectors of the most frequent words, and of these words: all that alignment reads, without the rest."""
        if self.resources.vectors is None:
            return None
        known, table = self.resources.vectors
        rows = sorted({self._vector_rows[word] for word in words if word in self._vector_rows})
        more = [row for row in rows if row >= COMMON_WORDS]
        chosen = np.concatenate([np.arange(min(len(known), COMMON_WORDS)), np.array(more, dtype=np.int64)])
        return [*known[:COMMON_WORDS], *(known[row] for row in more)], table[chosen]

    def align(self, sources: Sequence[str], targets: Sequence[str]) -> list[dict[str, Any]]:
        """The words of both texts of each pair, with their places, and the links with their probabilities."""
        code = self.resources.language.code
        words, first, second = both_sides(sources, targets, code, pretokenized=False)
        resources = replace(self.resources, vectors=self._vectors_of(words))
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
