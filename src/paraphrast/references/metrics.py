"""Metrics of outputs against any number of references: one row of statistics per segment, a score from a sum of rows.

Statistics of BLEU, chrF and TER are counted here, once per segment's references for all systems. They equal those of
sacreBLEU, as tests check. Tokenisers, formulas and signatures are sacreBLEU's. NIST (Doddington 2002) and CDER (Leusch,
Ueffing and Ney 2006) have separate modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from paraphrast.errors import InputError, MissingExtra
from paraphrast.references._kernels_ter import ter_edits
from paraphrast.references.cder import Cder
from paraphrast.references.characters import CharacterReferences, chrf_scores
from paraphrast.references.metric import Metric
from paraphrast.references.ngrams import ORDER, NgramReferences, ngrams
from paraphrast.references.nist import Nist


def sacrebleu_metrics() -> Any:
    """sacreBLEU's metrics, or an error that says how to install it."""
    try:
        import sacrebleu.metrics
    except ImportError as error:
        raise MissingExtra("BLEU, chrF and TER", "mt") from error
    return sacrebleu.metrics


@lru_cache(maxsize=1 << 16)
def bleu_words(text: str) -> tuple[str, ...]:
    """The words from sacreBLEU's default tokeniser."""
    if "\n" in text:  # it can occur inside a word
        return _bleu_chunk(text.rstrip())
    return tuple(word for chunk in text.split() for word in _bleu_chunk(chunk))


@lru_cache(maxsize=1 << 16)
def _bleu_chunk(text: str) -> tuple[str, ...]:
    return tuple(_bleu_tokenizer()(text).split())


@lru_cache(maxsize=1)
def _bleu_tokenizer() -> Any:
    return sacrebleu_metrics().BLEU().tokenizer


class Bleu(Metric):
    """BLEU. A segment score uses effective order and a smoothing: ``exp`` (default), ``add-k`` or ``none``."""

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
        metric = self._sacrebleu(smooth_method=self.smoothing, effective_order=self.smoothing != "none")
        return _sacrebleu_signature(metric, references)


class Chrf(Metric):
    """chrF2 of sacreBLEU: character n-grams up to length six, with the best of the references."""

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
        return _sacrebleu_signature(sacrebleu_metrics().CHRF(), references)


class Ter(Metric):
    """TER of sacreBLEU: the fewest edits to any reference, divided by the mean length of the references."""

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
        # Words that the output lacks are equivalent, and so are most references with one substitution.
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
        return _sacrebleu_signature(self._ter, references)


def _sacrebleu_signature(metric: Any, references: int | str) -> str:
    """sacreBLEU's signature of a metric, which knows the number of references only after scoring."""
    metric_name = type(metric).__name__
    metric.num_refs = references
    return f"{metric_name}|{metric.get_signature().format()}"


METRICS = ("bleu", "bleu-add-one", "bleu-unsmoothed", "nist", "chrf", "ter", "cder")


def get_metric(name: str, references: Sequence[str] = ()) -> Metric:
    """A metric by name. references: all references of the test set, from which NIST computes its information."""
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
