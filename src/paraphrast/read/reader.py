"""The reader: a sentence and its candidate rewrites → features of each rewrite, and round trips of a sentence.

Pivoting in context: where a phrase table asks what else a foreign phrase translates to, a translation model asks it
of the whole sentence. For every pivot language the sentence is translated n-best, and every rewrite is read as a
translation of those translations (``back``); the translations are read as translations of the rewrite (``forth``);
a causal language model reads the rewrite alone (``fluency``) and after the source and "In other words:"
(``restated``); and a sentence encoder compares the two (``nearness``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraphrast.errors import InputError
from paraphrast.read.features import CONTRAST, SHAPE, SHIFT, Floats, contrast, shape, shift
from paraphrast.read.language_model import LanguageModel
from paraphrast.read.nearness import NEARNESS, Encoder, nearness
from paraphrast.read.translator import PieceScores, Translator
from paraphrast.text.encoder import SentenceEncoder

#: What stands between the source and a rewrite when the language model reads the rewrite after the source.
RESTATED = " In other words:"
DECIMALS = 4
_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
GROUPS = ("back", "forth", "fluency", "restated", "nearness", "shape")


@dataclass(frozen=True, slots=True)
class Pivot:
    """The two directions of one pivot language."""

    language: str
    forth: Translator
    back: Translator


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A sentence translated and translated back.

    text: in the sentence's language. foreign: the translation it came from. language: the pivot's.
    forth, back: mean log-probability of a piece, of the translation and of the way back.
    """

    text: str
    foreign: str
    language: str
    forth: float
    back: float


class Reader:
    """Reads rewrites with translation models, averaged over pivot languages, and with a language model."""

    def __init__(
        self,
        pivots: Sequence[Pivot],
        language_model: LanguageModel | None = None,
        encoder: Encoder | None = None,
        *,
        translations: int = 3,
    ) -> None:
        """translations: of the source, for each pivot, that rewrites are read against; more is slower and better."""
        if not pivots:
            raise InputError(
                "expected at least one pivot language", remedy="give the folders of two translation models"
            )
        if translations < 1:
            raise InputError(f"expected at least 1 translation, got {translations}")
        self._pivots = tuple(pivots)
        self._language_model = language_model
        self._encoder = encoder
        self._translations = translations
        self.columns = columns(
            with_language_model=language_model is not None, with_encoder=encoder is not None
        )

    @classmethod
    def open(
        cls,
        pivots: Mapping[str, tuple[Path, Path]],
        language_model: Path | None = None,
        encoder: Path | None = None,
        *,
        threads: int = 1,
        translations: int = 3,
    ) -> Reader:
        """Open models by folder: for each pivot language (source → pivot, pivot → source)."""
        opened = [
            Pivot(language, Translator(forth, threads=threads), Translator(back, threads=threads))
            for language, (forth, back) in sorted(pivots.items())
        ]
        causal = LanguageModel(language_model, threads=threads) if language_model is not None else None
        words = SentenceEncoder.load(encoder) if encoder is not None else None
        return cls(opened, causal, words, translations=translations)

    def readable(self, text: str) -> bool:
        """Whether every model can read ``text``: not empty and not too long."""
        return all(pivot.forth.readable(text) for pivot in self._pivots) and (
            self._language_model is None or self._language_model.readable(text)
        )

    def features(self, source: str, rewrites: Sequence[str]) -> Floats:
        """float64[rewrites, columns]: see ``columns``; every text must be ``readable``."""
        found = np.zeros((len(rewrites), len(self.columns)))
        if not rewrites:
            return found
        groups = [self._translated(source, rewrites)]
        if self._language_model is not None:
            groups.append(self._fluency(self._language_model, source, rewrites))
        if self._encoder is not None:
            groups.append(nearness(self._encoder, _words(source), [_words(rewrite) for rewrite in rewrites]))
        groups.append(np.array([shape(source, rewrite) for rewrite in rewrites]))
        found[:] = np.concatenate(groups, axis=1)
        return found.round(DECIMALS)

    def _translated(self, source: str, rewrites: Sequence[str]) -> Floats:
        """The groups ``back`` and ``forth``: means over pivots and translations."""
        by_pivot = []
        for pivot in self._pivots:
            (translations,) = pivot.forth.translate([source], self._translations)
            foreign = [
                translation.text for translation in translations if pivot.back.readable(translation.text)
            ]
            texts = [source, *rewrites]
            back = pivot.back.score([(there, text) for there in foreign for text in texts])
            forth = pivot.forth.score([(text, there) for there in foreign for text in texts])
            by_translation = [
                self._rows(back[begin : begin + len(texts)], forth[begin : begin + len(texts)])
                for begin in range(0, len(back), len(texts))
            ]
            by_pivot.append(np.mean(by_translation, axis=0))
        if not by_pivot:
            raise InputError(f"no pivot language has a translation of {source[:60]!r}")
        mean: Floats = np.mean(by_pivot, axis=0)
        return mean

    @staticmethod
    def _rows(back: Sequence[PieceScores], forth: Sequence[PieceScores]) -> Floats:
        return np.array(
            [
                np.concatenate([contrast(back[0], back[place]), shift(forth[0], forth[place])])
                for place in range(1, len(back))
            ]
        )

    @staticmethod
    def _fluency(model: LanguageModel, source: str, rewrites: Sequence[str]) -> Floats:
        alone = model.score([source, *rewrites])
        after = model.score([source, *rewrites], after=f"{source}{RESTATED}")
        rows = zip(alone[1:], after[1:], strict=True)
        return np.array(
            [np.concatenate([contrast(alone[0], one), contrast(after[0], two)]) for one, two in rows]
        )

    def round_trips(self, sentence: str, n: int = 10) -> list[RoundTrip]:
        """Up to ``n`` rephrasings of a sentence for each pivot: its translations, each translated back.

        Copies of the sentence are left out; of equal rephrasings the likeliest is kept; likeliest first.
        """
        ways = max(1, round(n**0.5))
        found: dict[str, RoundTrip] = {}
        for pivot in self._pivots:
            (there,) = pivot.forth.translate([sentence], ways)
            there = tuple(one for one in there if pivot.back.readable(one.text))
            back = pivot.back.translate([one.text for one in there], -(-n // ways) + 1)
            for translation, rephrasings in zip(there, back, strict=True):
                for one in rephrasings:
                    trip = RoundTrip(one.text, translation.text, pivot.language, translation.score, one.score)
                    kept = found.get(one.text)
                    if one.text != sentence and (kept is None or _likelihood(trip) > _likelihood(kept)):
                        found[one.text] = trip
        ranked = sorted(found.values(), key=lambda trip: (-_likelihood(trip), trip.text))
        return ranked[: n * len(self._pivots)]


def _likelihood(trip: RoundTrip) -> float:
    return trip.forth + trip.back


def _words(text: str) -> list[str]:
    """Words and signs; the encoder's own pieces are smaller still."""
    return _WORD.findall(text)


def columns(*, with_language_model: bool = True, with_encoder: bool = True) -> tuple[str, ...]:
    """The names of the features, in order: group, underscore, what it is (see ``features``)."""
    names = [f"back_{name}" for name in CONTRAST] + [f"forth_{name}" for name in SHIFT]
    if with_language_model:
        names += [f"{group}_{name}" for group in ("fluency", "restated") for name in CONTRAST]
    if with_encoder:
        names += [f"nearness_{name}" for name in NEARNESS]
    return (*names, *(f"shape_{name}" for name in SHAPE))
