"""Metrics of outputs against any number of references, as sums of statistics: a row a segment, a score from a sum.

Statistics of BLEU, chrF and TER are counted here, once a segment's references for all systems, and are those that
sacreBLEU counts, as tests check; words, formulas and signatures are sacreBLEU's own. NIST (Doddington 2002) and CDER
(Leusch, Ueffing and Ney 2006) are in modules of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError, MissingExtra
from paraphrast.references._kernels_ter import ter_edits
from paraphrast.references.characters import CharacterReferences, chrf_scores

Floats = NDArray[np.float64]
ORDER = 4


def sacrebleu_metrics() -> Any:
    """sacreBLEU's metrics, or how to get them."""
    try:
        import sacrebleu.metrics
    except ImportError as error:
        raise MissingExtra("BLEU, chrF and TER", "mt") from error
    return sacrebleu.metrics


class Metric(ABC):
    """One metric. ``higher`` says whether more is better; correlations turn the others about."""

    name: str
    higher: bool = True

    @property
    def counted(self) -> str:
        """What its statistics are; metrics of the same can be had from one count."""
        return self.name

    @abstractmethod
    def prepare(self, references: Sequence[str]) -> Any:
        """What is worked out once for a segment's references."""

    @abstractmethod
    def statistics(self, output: str, prepared: Any) -> Sequence[float]:
        """An output's row."""

    @abstractmethod
    def segment_score(self, row: Sequence[float]) -> float:
        """The score of one segment."""

    def corpus_score(self, sums: Sequence[float]) -> float:
        """The score of many, from the sum of their rows."""
        return self.segment_score(sums)

    def worth(self, score: float) -> float:
        """The score, turned so that more is better."""
        return score if self.higher else -score

    @abstractmethod
    def signature(self, references: int | str) -> str:
        """How the score was computed, in the manner of sacreBLEU."""

    def grow(self, prepared: Any, reference: str) -> Any:
        """What was prepared, with one reference more."""
        raise NotImplementedError


@lru_cache(maxsize=1 << 16)
def bleu_words(text: str) -> tuple[str, ...]:
    """The words of sacreBLEU's default tokeniser."""
    if "\n" in text:  # which may stand within a word
        return _bleu_chunk(text.rstrip())
    return tuple(word for chunk in text.split() for word in _bleu_chunk(chunk))


@lru_cache(maxsize=1 << 16)
def _bleu_chunk(text: str) -> tuple[str, ...]:
    return tuple(_bleu_tokenizer()(text).split())


@lru_cache(maxsize=1)
def _bleu_tokenizer() -> Any:
    return sacrebleu_metrics().BLEU().tokenizer


def ngrams(words: Sequence[str], order: int = ORDER) -> Counter[tuple[str, ...]]:
    """How often each n-gram of up to ``order`` words occurs."""
    row = tuple(words)
    return Counter(row[at : at + n] for n in range(1, order + 1) for at in range(len(row) - n + 1))


@dataclass(frozen=True)
class NgramReferences:
    """The greatest count of each n-gram in any reference, and the references' lengths."""

    counts: dict[tuple[str, ...], int]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]], order: int = ORDER) -> NgramReferences:
        """Of references as words; those like the first but for a few words cost no more than these."""
        first = ngrams(rows[0], order) if rows else Counter()
        counts: dict[tuple[str, ...], int] = dict(first)
        for row in rows[1:]:
            _raise(counts, _gained(first, rows[0], row, order))
        return cls(counts, tuple(len(row) for row in rows))

    def grow(self, row: Sequence[str], order: int = ORDER) -> NgramReferences:
        """With one reference more."""
        counts = dict(self.counts)
        _raise(counts, ngrams(row, order))
        return NgramReferences(counts, (*self.lengths, len(row)))

    def closest(self, length: int) -> int:
        """The length nearest to an output's, of two the shorter."""
        return min(self.lengths, key=lambda own: (abs(own - length), own))


def _gained(
    known: Counter[tuple[str, ...]], base: Sequence[str], row: Sequence[str], order: int
) -> dict[tuple[str, ...], int]:
    """How often ``row`` has the n-grams that it has more often than ``base``, whose own are ``known``.

    Only windows about what differs are counted: an n-gram that touches none of it is in both.
    """
    shorter = min(len(base), len(row))
    start = 0
    while start < shorter and base[start] == row[start]:
        start += 1
    end = 0
    while end < shorter - start and base[-1 - end] == row[-1 - end]:
        end += 1
    first = max(start - order + 1, 0)
    old, new = (ngrams(side[first : max(len(side) - end + order - 1, 0)], order) for side in (base, row))
    return {gram: known[gram] + count - old[gram] for gram, count in new.items() if count > old[gram]}


def _raise(counts: dict[tuple[str, ...], int], more: Mapping[tuple[str, ...], int]) -> None:
    for gram, count in more.items():
        if count > counts.get(gram, 0):
            counts[gram] = count


class Bleu(Metric):
    """BLEU; a segment's with effective order and a smoothing: ``exp`` (default), ``add-k`` or ``none``."""

    def __init__(self, smoothing: str = "exp") -> None:
        self.smoothing = smoothing
        self.name = {"exp": "bleu", "add-k": "bleu-add-one", "none": "bleu-unsmoothed"}[smoothing]
        self._sacrebleu = sacrebleu_metrics().BLEU

    @property
    def counted(self) -> str:
        return "bleu"

    def prepare(self, references: Sequence[str]) -> NgramReferences:
        return NgramReferences.of([bleu_words(text) for text in references])

    def grow(self, prepared: NgramReferences, reference: str) -> NgramReferences:
        return prepared.grow(bleu_words(reference))

    def statistics(self, output: str, prepared: NgramReferences) -> list[float]:
        words = bleu_words(output)
        right, total = [0] * ORDER, [max(len(words) - n, 0) for n in range(ORDER)]
        known = prepared.counts
        for gram, count in ngrams(words).items():
            allowed = known.get(gram)
            if allowed:
                right[len(gram) - 1] += min(count, allowed)
        return [len(words), prepared.closest(len(words)), *right, *total]

    def segment_score(self, row: Sequence[float]) -> float:
        return self._score(row, effective=self.smoothing != "none")

    def corpus_score(self, sums: Sequence[float]) -> float:
        return self._score(sums, effective=False)

    def _score(self, row: Sequence[float], *, effective: bool) -> float:
        values = [float(value) for value in row]
        return float(
            self._sacrebleu.compute_bleu(
                correct=values[2 : 2 + ORDER],
                total=values[2 + ORDER :],
                sys_len=round(values[0]),
                ref_len=round(values[1]),
                smooth_method=self.smoothing,
                effective_order=effective,
            ).score
        )

    def signature(self, references: int | str) -> str:
        own = self._sacrebleu(smooth_method=self.smoothing, effective_order=self.smoothing != "none")
        return _told(own, references)


class Chrf(Metric):
    """chrF2 of sacreBLEU: character n-grams up to six, the best of the references."""

    name = "chrf"

    def prepare(self, references: Sequence[str]) -> CharacterReferences:
        return CharacterReferences.of(references)

    def grow(self, prepared: CharacterReferences, reference: str) -> CharacterReferences:
        return CharacterReferences.of([*prepared.texts, reference])

    def statistics(self, output: str, prepared: CharacterReferences) -> list[float]:
        table = prepared.statistics(output)
        row: list[float] = table[int(np.argmax(chrf_scores(table)))].tolist()
        return row

    def segment_score(self, row: Sequence[float]) -> float:
        return float(chrf_scores(np.array([row], dtype=np.float64))[0])

    def signature(self, references: int | str) -> str:
        return _told(sacrebleu_metrics().CHRF(), references)


class Ter(Metric):
    """TER of sacreBLEU: fewest edits to any reference, by the references' mean length."""

    name = "ter"
    higher = False

    def __init__(self) -> None:
        self._ter = sacrebleu_metrics().TER()

    def _words(self, text: str) -> tuple[str, ...]:
        return tuple(self._ter.tokenizer(text.rstrip()).split())

    def prepare(self, references: Sequence[str]) -> list[tuple[str, ...]]:
        return [self._words(text) for text in references]

    def grow(self, prepared: list[tuple[str, ...]], reference: str) -> list[tuple[str, ...]]:
        return [*prepared, self._words(reference)]

    def statistics(self, output: str, prepared: list[tuple[str, ...]]) -> list[float]:
        words = self._words(output)
        ids = {word: number for number, word in enumerate(dict.fromkeys(words))}
        # Words that the output lacks are all alike, and so are most references with one substitution.
        rows = list(dict.fromkeys(tuple([ids.get(word, -1) for word in row]) for row in prepared))
        begin = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=begin[1:])
        edits = ter_edits(
            np.array([ids[word] for word in words], dtype=np.int32),
            begin,
            np.array([word for row in rows for word in row], dtype=np.int32),
        )
        return [float(edits), sum(len(row) for row in prepared) / len(prepared)]

    def segment_score(self, row: Sequence[float]) -> float:
        edits, length = float(row[0]), float(row[1])
        if length > 0:
            return 100 * (edits / length)
        return 100.0 if edits > 0 else 0.0

    def signature(self, references: int | str) -> str:
        return _told(self._ter, references)


def _told(metric: Any, references: int | str) -> str:
    """sacreBLEU's signature of a metric; it knows the number of references only once it has scored some."""
    own = type(metric).__name__
    metric.num_refs = references
    return f"{own}|{metric.get_signature().format()}"


METRICS = ("bleu", "bleu-add-one", "bleu-unsmoothed", "nist", "chrf", "ter", "cder")


def get_metric(name: str, references: Sequence[str] = ()) -> Metric:
    """A metric by name. references: all of the test set, from which NIST has its information."""
    from paraphrast.references.cder import Cder
    from paraphrast.references.nist import Nist

    if name in ("bleu", "bleu-add-one", "bleu-unsmoothed"):
        return Bleu({"bleu": "exp", "bleu-add-one": "add-k", "bleu-unsmoothed": "none"}[name])
    if name == "nist":
        return Nist.of(references)
    if name == "chrf":
        return Chrf()
    if name == "ter":
        return Ter()
    if name == "cder":
        return Cder()
    raise InputError(f"unknown metric {name!r}", remedy=f"known: {', '.join(METRICS)}")
