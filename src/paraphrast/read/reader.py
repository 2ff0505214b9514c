"""The reader computes the features of candidate rewrites of a sentence, and translates a sentence there and back.

This is pivoting in context: a phrase table gives the other translations of a foreign phrase, a translation model those
of a whole sentence. The sentence is translated into each pivot language (n-best). The features are in five groups:
``back``, the probability of the rewrite as a translation of these translations; ``forth``, the probability of the
translations given the rewrite; ``fluency``, the probability of the rewrite for a causal language model;
``restated``, the same after the source and "In other words:"; ``nearness``, the comparison by a sentence encoder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.read.encoder import SentenceEncoder
from paraphrast.read.features import CONTRAST, SHAPE, SHIFT, Floats, contrast, shape, shift
from paraphrast.read.language_model import LanguageModel
from paraphrast.read.nearness import NEARNESS, nearness
from paraphrast.read.translator import BEAM, Translation, Translator
from paraphrast.types import Encoder

#: Text between the source and the rewrite in the group ``restated``.
RESTATED = " In other words:"
DECIMALS = 4
_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
GROUPS = ("back", "forth", "fluency", "restated", "nearness", "shape")
_NAMES = dict(zip(GROUPS, (CONTRAST, SHIFT, CONTRAST, CONTRAST, NEARNESS, SHAPE), strict=True))
#: The groups that are computed for every rewrite, and the column that then chooses rewrites for the other groups.
FIRST, RANKED_BY = ("back", "fluency", "shape"), "back_lowest_new"
#: A function from features to a number per rewrite.
Rank = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Pivot:
    """The translation models to and from one pivot language."""

    language: str
    forth: Translator
    back: Translator


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A sentence translated and translated back.

    text: the result, in the sentence's language. foreign: the translation. language: the pivot language.
    forth, back: mean log-probability per piece of the translation and of the translation back.
    """

    text: str
    foreign: str
    language: str
    forth: float
    back: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A request to read rewrites; see ``Reader.read``."""

    source: str
    rewrites: tuple[str, ...]
    groups: tuple[str, ...]
    translations: int | None = None


@dataclass(frozen=True, slots=True)
class Trips:
    """A request for round trips; see ``Reader.round_trips``."""

    sentence: str
    n: int
    ways: int | None = None


class Reader:
    """Scores rewrites with translation models, averaged over pivot languages, a language model and an encoder."""

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
        """translations: number of translations of the source per pivot; more is slower and better.

        beam: size of the beam that searches them; 1 is as good for one translation. groups: groups of features, from
        ``GROUPS``, with ``back``; those whose model is not given are left out.
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
        """Number of translations of the source per pivot."""
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
        """Open models by folder; per pivot language two: source → pivot and pivot → source."""
        opened = [
            Pivot(language, Translator(forth, threads=threads), Translator(back, threads=threads))
            for language, (forth, back) in sorted(pivots.items())
        ]
        causal = LanguageModel(language_model, threads=threads) if language_model is not None else None
        words = SentenceEncoder(encoder, threads=threads) if encoder is not None else None
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

        best: compute the groups ``FIRST`` for all rewrites, and the other groups for this number of rewrites; their
        columns are NaN for the rest. rank: a function from the features of ``FIRST`` (NaN in other columns) to a number
        per rewrite, the best highest; if None, the least likely new piece in the translation back.
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
        """As ``features``, for some groups; the columns of the others are NaN.

        translations: use only this number of translations per pivot, the likeliest.
        """
        found = np.full((len(rewrites), len(self.columns)), np.nan)
        chosen = [name for name in self.groups if name in groups]
        self._fill(found, source, rewrites, np.arange(len(rewrites)), chosen, translations)
        return found

    def prepare(self, requests: Sequence[Reading | Trips]) -> None:
        """Compute what the models say for many sentences at once and cache it; ``read`` and ``round_trips`` use it.

        This changes no result. It is faster, because texts of equal lengths of all sentences share batches.
        """
        for pivot in self._pivots:
            self._prepare_trips(pivot, [one for one in requests if isinstance(one, Trips)])
        readings = [one for one in requests if isinstance(one, Reading) and one.rewrites]
        for pivot in self._pivots:
            self._search(pivot, [one.source for one in readings], self._translations)
            for name, model in (("back", pivot.back), ("forth", pivot.forth)):
                chosen = [one for one in readings if name in one.groups]
                model.score(
                    [
                        pair
                        for one in chosen
                        for pair in self._pairs(name, pivot, one.source, one.rewrites, one.translations)
                    ]
                )
        if self._language_model is not None:
            self._language_model.score_pairs(
                [
                    (_after(name, one.source), text)
                    for one in readings
                    for name in ("fluency", "restated")
                    if name in one.groups
                    for text in (one.source, *one.rewrites)
                ]
            )

    def _prepare_trips(self, pivot: Pivot, wanted: Sequence[Trips]) -> None:
        by_ways: dict[int, list[Trips]] = {}
        for one in wanted:
            by_ways.setdefault(_ways(one.n, one.ways), []).append(one)
        by_count: dict[int, list[list[str]]] = {}
        for ways, alike in by_ways.items():
            self._search(pivot, [one.sentence for one in alike], ways)
            for one in alike:
                there = self._there(pivot, one.sentence, ways)
                by_count.setdefault(_backs(one.n, ways), []).append([found.text for found in there])
        for count, groups in by_count.items():
            pivot.back.translate_groups(groups, count)

    def _fill(
        self,
        found: Floats,
        source: str,
        rewrites: Sequence[str],
        rows: NDArray[np.int64],
        groups: Sequence[str],
        translations: int | None = None,
    ) -> None:
        """Set the columns of ``groups`` in some rows."""
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
            scores = self._language_model.score([source, *rewrites], after=_after(name, source))
            return np.array([contrast(scores[0], rewrite) for rewrite in scores[1:]])
        if name == "nearness" and self._encoder is not None:
            return nearness(self._encoder, _words(source), [_words(rewrite) for rewrite in rewrites])
        return np.array([shape(source, rewrite) for rewrite in rewrites])

    def _translated(self, name: str, source: str, rewrites: Sequence[str], most: int | None = None) -> Floats:
        """The group ``back`` or ``forth``: means over pivots and translations, at most ``most`` per pivot."""
        texts = [source, *rewrites]
        by_pivot = []
        for pivot in self._pivots:
            model = pivot.back if name == "back" else pivot.forth
            scores = model.score(self._pairs(name, pivot, source, rewrites, most))
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

    def _pairs(
        self, name: str, pivot: Pivot, source: str, rewrites: Sequence[str], most: int | None
    ) -> list[tuple[str, str]]:
        """What the group ``back`` or ``forth`` scores: source and rewrites for each translation in turn."""
        foreign = [one.text for one in self._there(pivot, source, self._translations)][:most]
        pairs = [(there, text) for there in foreign for text in (source, *rewrites)]
        return pairs if name == "back" else [(text, there) for there, text in pairs]

    def _search(self, pivot: Pivot, texts: Sequence[str], most: int) -> list[tuple[Translation, ...]]:
        return pivot.forth.translate(texts, max(most, self._beam), beam=self._beam)

    def _there(self, pivot: Pivot, text: str, most: int) -> list[Translation]:
        """The likeliest translations of a text, at most ``most``; smaller requests share one cached search."""
        (found,) = self._search(pivot, [text], most)
        return [one for one in found if pivot.back.readable(one.text)][:most]

    def round_trips(self, sentence: str, n: int = 10, *, ways: int | None = None) -> list[RoundTrip]:
        """Up to ``n`` rephrasings of a sentence per pivot: its translations, each translated back.

        Likeliest first. Copies of the sentence are left out; of equal rephrasings the likeliest is kept. ways: number
        of translations, by default the square root of ``n``; up to :attr:`translations` of them are needed anyway.
        """
        ways = _ways(n, ways)
        found: dict[str, RoundTrip] = {}
        for pivot in self._pivots:
            there = self._there(pivot, sentence, ways)
            back = pivot.back.translate_together([one.text for one in there], _backs(n, ways))
            for translation, rephrasings in zip(there, back, strict=True):
                for one in rephrasings:
                    trip = RoundTrip(one.text, translation.text, pivot.language, translation.score, one.score)
                    kept = found.get(one.text)
                    if one.text != sentence and (kept is None or _likelihood(trip) > _likelihood(kept)):
                        found[one.text] = trip
        ranked = sorted(found.values(), key=lambda trip: (-_likelihood(trip), trip.text))
        return ranked[: n * len(self._pivots)]


def _ways(n: int, ways: int | None) -> int:
    """Number of translations for ``n`` round trips."""
    return ways or max(1, round(n**0.5))


def _backs(n: int, ways: int) -> int:
    """Number of translations back of each translation; one more, because one may be the sentence itself."""
    return -(-n // ways) + 1


def _after(name: str, source: str) -> str:
    """The text before a rewrite in the group ``fluency`` or ``restated``."""
    return f"{source}{RESTATED}" if name == "restated" else ""


def _likelihood(trip: RoundTrip) -> float:
    return trip.forth + trip.back


def _words(text: str) -> list[str]:
    """Words and punctuation marks; the encoder splits them further."""
    return _WORD.findall(text)


def columns(
    *, with_language_model: bool = True, with_encoder: bool = True, groups: Collection[str] = GROUPS
) -> tuple[str, ...]:
    """The names of the features, in order: group, underscore, name (see ``features``)."""
    absent = set() if with_language_model else {"fluency", "restated"}
    absent |= set() if with_encoder else {"nearness"}
    return tuple(
        f"{group}_{name}"
        for group in GROUPS
        if group in groups and group not in absent
        for name in _NAMES[group]
    )
