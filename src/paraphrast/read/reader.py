"""The reader: a sentence and its candidate rewrites → features of each rewrite, and round trips of a sentence.

Pivoting in context: where a phrase table asks what else a foreign phrase translates to, a translation model asks it
of the whole sentence. For every pivot language the sentence is translated n-best, and every rewrite is read as a
translation of those translations (``back``); the translations are read as translations of the rewrite (``forth``);
a causal language model reads the rewrite alone (``fluency``) and after the source and "In other words:"
(``restated``); and a sentence encoder compares the two (``nearness``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.read.encoder import FastEncoder
from paraphrast.read.features import CONTRAST, SHAPE, SHIFT, Floats, contrast, shape, shift
from paraphrast.read.language_model import LanguageModel
from paraphrast.read.nearness import NEARNESS, Encoder, nearness
from paraphrast.read.translator import BEAM, Translation, Translator

#: What stands between the source and a rewrite when the language model reads the rewrite after the source.
RESTATED = " In other words:"
DECIMALS = 4
_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
GROUPS = ("back", "forth", "fluency", "restated", "nearness", "shape")
_NAMES = dict(zip(GROUPS, (CONTRAST, SHIFT, CONTRAST, CONTRAST, NEARNESS, SHAPE), strict=True))
#: Groups by which every rewrite is read before the best are chosen for the others, and the column that chooses.
FIRST, RANKED_BY = ("back", "shape"), "back_lowest_new"
#: Features → a number for each rewrite.
Rank = Callable[[Floats], Floats]


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
        beam: int = BEAM,
        groups: Collection[str] = GROUPS,
    ) -> None:
        """translations: of the source, for each pivot, that rewrites are read against; more is slower and better.

        beam: of the search for them; with one translation 1 is as good. groups: of features, among ``GROUPS``, ``back``
        always; those whose model is not given are left out.
        """
        if not pivots:
            raise InputError(
                "expected at least one pivot language", remedy="give the folders of two translation models"
            )
        if min(translations, beam) < 1:
            raise InputError(
                f"expected at least 1 translation and a beam of 1, got {translations} and {beam}"
            )
        if "back" not in groups or not set(groups) <= set(GROUPS):
            raise InputError(f"expected back, and others of {', '.join(GROUPS)}; got {', '.join(groups)}")
        self._pivots = tuple(pivots)
        self._language_model = language_model
        self._encoder = encoder
        self._translations, self._beam = translations, beam
        self.columns = columns(
            with_language_model=language_model is not None, with_encoder=encoder is not None, groups=groups
        )
        self.groups = tuple(dict.fromkeys(name.partition("_")[0] for name in self.columns))

    @property
    def translations(self) -> int:
        """How many translations of a source rewrites are read against."""
        return self._translations

    @classmethod
    def open(
        cls,
        pivots: Mapping[str, tuple[Path, Path]],
        language_model: Path | None = None,
        encoder: Path | None = None,
        *,
        threads: int = 1,
        translations: int = 3,
        beam: int = BEAM,
        groups: Collection[str] = GROUPS,
    ) -> Reader:
        """Open models by folder: for each pivot language (source → pivot, pivot → source)."""
        opened = [
            Pivot(language, Translator(forth, threads=threads), Translator(back, threads=threads))
            for language, (forth, back) in sorted(pivots.items())
        ]
        causal = LanguageModel(language_model, threads=threads) if language_model is not None else None
        words = FastEncoder(encoder, threads=threads) if encoder is not None else None
        return cls(opened, causal, words, translations=translations, beam=beam, groups=groups)

    def readable(self, text: str) -> bool:
        """Whether every model can read ``text``: not empty and not too long."""
        return all(pivot.forth.readable(text) for pivot in self._pivots) and (
            self._language_model is None or self._language_model.readable(text)
        )

    def features(
        self, source: str, rewrites: Sequence[str], *, best: int | None = None, rank: Rank | None = None
    ) -> Floats:
        """float64[rewrites, columns]: see ``columns``; every text must be ``readable``.

        best: read all rewrites by the groups ``FIRST`` alone, and so many of them by the others, whose columns are NaN
        for the rest. rank: features with NaN in the other groups → a number for each rewrite, highest best; if None,
        its least likely new piece as a translation back.
        """
        found = np.full((len(rewrites), len(self.columns)), np.nan)
        if not rewrites:
            return found
        everything = np.arange(len(rewrites))
        if best is None or best >= len(rewrites):
            self._fill(found, source, rewrites, everything, self.groups)
            return found
        self._fill(found, source, rewrites, everything, [name for name in self.groups if name in FIRST])
        value = found[:, self.columns.index(RANKED_BY)] if rank is None else np.asarray(rank(found.copy()))
        chosen = np.sort(np.argsort(-value, kind="stable")[:best])
        self._fill(found, source, rewrites, chosen, [name for name in self.groups if name not in FIRST])
        return found

    def read(
        self,
        source: str,
        rewrites: Sequence[str],
        groups: Collection[str],
        *,
        translations: int | None = None,
    ) -> Floats:
        """As ``features``, by some groups alone; the columns of the others are NaN.

        translations: read against so many of the source's translations, likeliest first, instead of all.
        """
        found = np.full((len(rewrites), len(self.columns)), np.nan)
        chosen = [name for name in self.groups if name in groups]
        self._fill(found, source, rewrites, np.arange(len(rewrites)), chosen, translations)
        return found

    def _fill(
        self,
        found: Floats,
        source: str,
        rewrites: Sequence[str],
        rows: NDArray[np.int64],
        groups: Sequence[str],
        translations: int | None = None,
    ) -> None:
        """Set the columns of ``groups`` of some rows."""
        texts = [rewrites[row] for row in rows]
        for name in groups if texts else ():
            where = np.flatnonzero([column.partition("_")[0] == name for column in self.columns])
            found[np.ix_(rows, where)] = self._group(name, source, texts, translations).round(DECIMALS)

    def _group(
        self, name: str, source: str, rewrites: Sequence[str], translations: int | None = None
    ) -> Floats:
        """float64[rewrites, columns of the group]."""
        if name in ("back", "forth"):
            return self._translated(name, source, rewrites, translations)
        if name in ("fluency", "restated") and self._language_model is not None:
            after = f"{source}{RESTATED}" if name == "restated" else ""
            scores = self._language_model.score([source, *rewrites], after=after)
            return np.array([contrast(scores[0], rewrite) for rewrite in scores[1:]])
        if name == "nearness" and self._encoder is not None:
            return nearness(self._encoder, _words(source), [_words(rewrite) for rewrite in rewrites])
        return np.array([shape(source, rewrite) for rewrite in rewrites])

    def _translated(self, name: str, source: str, rewrites: Sequence[str], most: int | None = None) -> Floats:
        """The group ``back`` or ``forth``: means over pivots and translations, at most ``most`` of a pivot."""
        texts = [source, *rewrites]
        by_pivot = []
        for pivot in self._pivots:
            there = self._there(pivot, source, self._translations)
            foreign = [one.text for one in there][:most]
            if name == "back":
                scores = pivot.back.score([(there, text) for there in foreign for text in texts])
            else:
                scores = pivot.forth.score([(text, there) for there in foreign for text in texts])
            compare = contrast if name == "back" else shift
            by_translation = [
                [compare(scores[begin], rewrite) for rewrite in scores[begin + 1 : begin + len(texts)]]
                for begin in range(0, len(scores), len(texts))
            ]
            if by_translation:
                by_pivot.append(np.mean(by_translation, axis=0))
        if not by_pivot:
            raise InputError(f"no pivot language has a translation of {source[:60]!r}")
        mean: Floats = np.mean(by_pivot, axis=0)
        return mean

    def _there(self, pivot: Pivot, text: str, most: int) -> list[Translation]:
        """The likeliest translations of a text, at most ``most``; one search serves all who ask for few."""
        (found,) = pivot.forth.translate([text], max(most, self._beam), beam=self._beam)
        return [one for one in found if pivot.back.readable(one.text)][:most]

    def round_trips(self, sentence: str, n: int = 10, *, ways: int | None = None) -> list[RoundTrip]:
        """Up to ``n`` rephrasings of a sentence for each pivot: its translations, each translated back.

        Copies of the sentence are left out; of equal rephrasings the likeliest is kept; likeliest first. ways:
        translations, by default the square root of ``n``; as many as the reader reads against cost nothing more.
        """
        ways = ways or max(1, round(n**0.5))
        found: dict[str, RoundTrip] = {}
        for pivot in self._pivots:
            there = self._there(pivot, sentence, ways)
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


def columns(
    *, with_language_model: bool = True, with_encoder: bool = True, groups: Collection[str] = GROUPS
) -> tuple[str, ...]:
    """The names of the features, in order: group, underscore, what it is (see ``features``)."""
    absent = set() if with_language_model else {"fluency", "restated"}
    absent |= set() if with_encoder else {"nearness"}
    return tuple(
        f"{group}_{name}"
        for group in GROUPS
        if group in groups and group not in absent
        for name in _NAMES[group]
    )
