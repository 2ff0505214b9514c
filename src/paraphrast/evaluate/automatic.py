"""Figures of rewrites that need no rater: BLEU, iBLEU, PINC, word edit distance, coverage.

BLEU uses paraphrase references (sacreBLEU, extra ``mt``). iBLEU (Sun and Zhou 2012) subtracts the part that a rewrite
copies: α · BLEU(output, references) − (1 − α) · BLEU(output, input), α = 0.9. PINC (Chen and Dolan 2011) is the share
of an output's n-grams that are not in its input, averaged over n = 1 … 4 (or over the n for which the output has
n-grams). Edit distance is Levenshtein's over words (Quirk et al. 2004 report 2.9 and 25.8). Coverage is the share of
inputs with an output that differs from them. Words are split at white space and punctuation, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paraphrast.errors import InputError, MissingExtra
from paraphrast.evaluate.bootstrap import Floats, Interval, bootstrap
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.outputs import SystemOutput

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
ORDER = 4
#: Weight of faithfulness relative to novelty (Sun and Zhou 2012).
ALPHA = 0.9


@dataclass(frozen=True)
class Figure:
    """A value with its interval; None if it cannot be computed."""

    value: float | None
    interval: Interval | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {"value": self.value, "interval": self.interval.to_list() if self.interval else None}


def words(text: str) -> list[str]:
    """The words of a text in lower case, with punctuation split off."""
    return _WORD.findall(text.lower())


def edit_distance(source: str, text: str) -> int:
    """Number of insertions, deletions and substitutions of words that turn one text into the other."""
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(words(source), words(text)))


def pinc(source: str, text: str) -> float:
    """The mean share of the output's distinct n-grams, n = 1 … 4, that are not in the input."""
    old, new = words(source), words(text)
    shares = []
    for size in range(1, ORDER + 1):
        output_grams = {tuple(new[at : at + size]) for at in range(len(new) - size + 1)}
        if output_grams:
            had = {tuple(old[at : at + size]) for at in range(len(old) - size + 1)}
            shares.append(1 - len(output_grams & had) / len(output_grams))
    return sum(shares) / len(shares) if shares else 0.0


def bleu_statistics(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """Output length, reference length, matches and totals by order, one row per output: float64[n, 10]."""
    bleu = _sacrebleu()
    rows = []
    for output, output_references in zip(outputs, references, strict=True):
        score = bleu.sentence_score(output, list(output_references))
        rows.append([score.sys_len, score.ref_len, *score.counts, *score.totals])
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2 + 2 * ORDER)


def bleu_of(sums: Floats) -> Floats:
    """Corpus BLEU, 0 to 100, from summed statistics, without smoothing: float64[n, 10] → float64[n]."""
    length, reference = sums[:, 0], sums[:, 1]
    matches, totals = sums[:, 2 : 2 + ORDER], sums[:, 2 + ORDER :]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(matches > 0, np.log(matches / totals), -np.inf).mean(axis=1)
        penalty = np.where(length < reference, 1 - reference / length, 0.0)
        scores: Floats = np.where(length > 0, 100 * np.exp(precision + penalty), 0.0)
    return scores


def _sacrebleu() -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise MissingExtra("BLEU", "mt") from error
    return BLEU(effective_order=True)


def automatic_figures(
    outputs: Sequence[SystemOutput],
    inputs: Sequence[str],
    references: Mapping[str, Sequence[str]] | None = None,
    options: BootstrapOptions | None = None,
    *,
    alpha: float = ALPHA,
) -> dict[str, Figure]:
    """The figures of one system's outputs by name, with at most one output (the best) per input. BLEU needs references.

    inputs: all inputs of the system, for coverage. references: input → its paraphrases.
    """
    if not inputs:
        raise InputError("expected at least one input, got none")
    best: dict[str, SystemOutput] = {}
    for output in outputs:
        if output.source not in best or output.rank < best[output.source].rank:
            best[output.source] = output
    changed = [rewrite for rewrite in best.values() if rewrite.text != rewrite.source]
    covered = {rewrite.source for rewrite in changed}
    figures = {"coverage": _mean([float(text in covered) for text in inputs], options)}
    figures["edit_distance"] = _mean(
        [edit_distance(rewrite.source, rewrite.text) for rewrite in changed], options
    )
    figures["pinc"] = _mean([pinc(rewrite.source, rewrite.text) for rewrite in changed], options)
    if references is not None:
        figures |= _bleu_figures(
            [rewrite for rewrite in changed if references.get(rewrite.source)], references, options, alpha
        )
    return figures


def _bleu_figures(
    outputs: Sequence[SystemOutput],
    references: Mapping[str, Sequence[str]],
    options: BootstrapOptions | None,
    alpha: float,
) -> dict[str, Figure]:
    if not outputs:
        return {"bleu": Figure(None), "ibleu": Figure(None), "self_bleu": Figure(None)}
    texts = [output.text for output in outputs]
    units = np.concatenate(
        [
            bleu_statistics(texts, [references[output.source] for output in outputs]),
            bleu_statistics(texts, [[output.source] for output in outputs]),
        ],
        axis=1,
    )
    width = 2 + 2 * ORDER

    def three(sums: Floats) -> Floats:
        good, copied = bleu_of(sums[:, :width]), bleu_of(sums[:, width:])
        return np.stack([good, alpha * good - (1 - alpha) * copied, copied], axis=1)

    values = three(units.sum(axis=0, keepdims=True))[0].tolist()
    intervals = bootstrap(units, three, options)
    return {
        name: Figure(value, interval)
        for name, value, interval in zip(("bleu", "ibleu", "self_bleu"), values, intervals, strict=True)
    }


def _mean(values: Sequence[float], options: BootstrapOptions | None) -> Figure:
    if not values:
        return Figure(None)
    units = np.array([[value, 1.0] for value in values])

    def mean(sums: Floats) -> Floats:
        quotient: Floats = sums[:, 0] / sums[:, 1]
        return quotient

    return Figure(float(mean(units.sum(axis=0, keepdims=True))[0]), bootstrap(units, mean, options)[0])
