"""Fit the log-linear model's weights to labelled substitutes by the phrase substitution error rate.

PSER (Zhao et al. 2008, eqs. 11–13) is a step function of the weights. ``powell`` minimises it, as in the paper.
``ranking``, the default, first fits weights that score the right substitutes of a span above wrong ones (a smooth,
convex problem), then searches the steps along each weight. Both start at the model's weights, are reproducible with a
seed, stop when held-out spans no longer improve, and return the start if nothing is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraphrast._logistic import fit_logistic
from paraphrast.decode import Weights
from paraphrast.errors import InputError
from paraphrast.evaluate.folds import folds_of
from paraphrast.evaluate.forms import Forms, Matcher, one_spelling
from paraphrast.evaluate.pser import SentenceOutcome, sentence_pser
from paraphrast.formats.substitutions import Target
from paraphrast.model import render
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.study.substitutions import BATCH, EVERYTHING, edit_of, only_span
from paraphrast.tune.options import TuningOptions

_SCALARS = ("lm", "edit", "word")


@dataclass(frozen=True)
class Candidates:
    """Every substitute that the tables have for labelled spans.

    names: of the components, as in ``Decoder.components``; values: float64[rows, components]; target: int64[rows],
    number of the span; verdict: int8[rows], 1 right, 0 wrong, −1 unjudged; keep: float64[rows], the score of keeping
    the words, from ``identity``; possible: bool[targets], whether any candidate is right; word: one str per target.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    target: NDArray[np.int64]
    verdict: NDArray[np.int8]
    keep: NDArray[np.float64]
    possible: NDArray[np.bool_]
    word: tuple[str, ...]

    def of(self, chosen: NDArray[np.bool_]) -> Candidates:
        """The candidates of some targets."""
        rows = chosen[self.target]
        number = np.cumsum(chosen) - 1
        return Candidates(
            self.names,
            self.values[rows],
            number[self.target[rows]],
            self.verdict[rows],
            self.keep[rows],
            self.possible[chosen],
            tuple(word for word, is_chosen in zip(self.word, chosen.tolist(), strict=True) if is_chosen),
        )


@dataclass(frozen=True)
class Tuned:
    """weights: the best weights. before, after: mean PSER of all spans; held_out_before, held_out_after: of spans whose
    target words a fold did not see, over all folds. rounds: number of rounds of the search that were used."""

    weights: Weights
    before: float
    after: float
    held_out_before: float
    held_out_after: float
    rounds: int
    targets: int

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "targets": self.targets,
            "rounds": self.rounds,
            "before": self.before,
            "after": self.after,
            "held_out_before": self.held_out_before,
            "held_out_after": self.held_out_after,
            "weights": self.weights.to_dict(),
        }


def candidates(
    model: Paraphraser,
    targets: Sequence[Target],
    options: TuningOptions | None = None,
    control: Control = EVERYTHING,
) -> Candidates:
    """All substitutes of the targets' spans with the components of their scores. Targets without any are included."""
    options = options or TuningOptions()
    matcher = Matcher(Forms(model.language.code))
    decoder, limits = model.decoder_of(control), model.decode_options(control)
    arrays = decoder.arrays
    rows: list[NDArray[np.float64]] = []
    number: list[int] = []
    verdict: list[int] = []
    keep: list[float] = []
    for begin in range(0, len(targets), BATCH):
        part = targets[begin : begin + BATCH]
        prepared = [
            only_span(model, target_item.context, target_item.start, target_item.end, control)
            for target_item in part
        ]
        batch = model.batch_of(prepared)
        edges = decoder.edges(batch, limits)
        gains = decoder.edge_context(batch, edges)
        for item, (target, ready) in enumerate(zip(part, prepared, strict=True)):
            seen = {one_spelling(target.word)}
            for row in range(int(edges.begin[item]), int(edges.begin[item + 1])):
                start, end, option = int(edges.start[row]), int(edges.end[row]), int(edges.option[row])
                if (ready.analysis.starts[start], ready.analysis.ends[end - 1]) != (target.start, target.end):
                    continue
                after = render.inserted_text(model, ready, edit_of(arrays, (start, end), option))
                if one_spelling(after) in seen:
                    continue
                seen.add(one_spelling(after))
                judged_right = matcher.verdict(target, after, least=options.least)
                words = len(arrays.target_words_of(option)) - (end - start)
                scalars = [float(gains[row, 0]) + float(gains[row, 1]), 1.0, float(words)]
                rows.append(np.array([*scalars, *arrays.options.features[option]], dtype=np.float64))
                number.append(begin + item)
                verdict.append(-1 if judged_right is None else int(judged_right))
                keep.append(float(end - start))
    verdicts = np.array(verdict, dtype=np.int8)
    at = np.array(number, dtype=np.int64)
    possible = np.zeros(len(targets), np.bool_)
    possible[at[verdicts == 1]] = True
    return Candidates(
        (*_SCALARS, *arrays.feature_names),
        np.array(rows).reshape(len(rows), len(_SCALARS) + len(arrays.feature_names)),
        at,
        verdicts,
        np.array(keep),
        possible,
        tuple((target_item.lemma or target_item.word).lower() for target_item in targets),
    )


def start_vector(weights: Weights, names: Sequence[str]) -> NDArray[np.float64]:
    """The weights in the order of the candidates' components."""
    return np.array(
        [getattr(weights, name) if name in _SCALARS else weights.features.get(name, 0.0) for name in names]
    )


def weights_of(start: Weights, names: Sequence[str], vector: NDArray[np.float64]) -> Weights:
    """The weights with the values of a vector. Weights of 0 are left out."""
    values = dict(zip(names, np.round(vector, 6).tolist(), strict=True))
    scalars = {name: values.pop(name) for name in _SCALARS}
    nonzero = {name: value for name, value in values.items() if value or name in start.features}
    others = {name: value for name, value in start.features.items() if name not in values}
    return replace(start, **scalars, features={**others, **nonzero})


def error_rate(
    pool: Candidates, vector: NDArray[np.float64], identity: float, options: TuningOptions
) -> float:
    """Mean PSER of the pool's targets for some weights, as in ``evaluate.pser`` but for all targets at once."""
    right, wrong, unjudged = _counts(pool, vector, identity, options)
    judged = right + wrong
    silent = np.where(pool.possible, options.silence, 0.0)
    rates = np.where(judged > 0, wrong / np.maximum(judged, 1), silent)
    counted = (judged > 0) | (unjudged == 0)
    return float(rates[counted].sum() / max(int(counted.sum()), 1))


def _mean(values: Sequence[SentenceOutcome], options: TuningOptions) -> float:
    rates = [sentence_pser(outcome, silence=options.silence) for outcome in values]
    known = [rate for rate in rates if rate is not None]
    return math.fsum(known) / max(len(known), 1)


def outcomes(
    pool: Candidates, vector: NDArray[np.float64], identity: float, options: TuningOptions
) -> list[SentenceOutcome]:
    """The outcome of the n best substitutes of every target."""
    counts = _counts(pool, vector, identity, options)
    return [
        SentenceOutcome(int(right), int(wrong), int(unjudged), bool(possible))
        for right, wrong, unjudged, possible in zip(*counts, pool.possible.tolist(), strict=True)
    ]


def _counts(
    pool: Candidates, vector: NDArray[np.float64], identity: float, options: TuningOptions
) -> list[NDArray[np.int64]]:
    """Numbers of right, wrong and unjudged substitutes among the n best of every target."""
    score = np.einsum("nf,f->n", pool.values, vector) - identity * pool.keep
    order = np.lexsort((np.arange(len(score)), -score, pool.target))
    target = pool.target[order]
    first = np.searchsorted(target, target)
    listed = order[(np.arange(len(order)) - first < options.n) & (score[order] >= options.floor)]
    return [
        np.bincount(pool.target[listed][pool.verdict[listed] == judged_as], minlength=len(pool.word))
        for judged_as in (1, 0, -1)
    ]


def _ranked(pool: Candidates, start: NDArray[np.float64], options: TuningOptions) -> NDArray[np.float64]:
    """Weights that score right substitutes of a span above wrong ones: logistic loss, regularised towards the start."""
    differences = []
    for target in np.unique(pool.target).tolist():
        span_rows = np.flatnonzero(pool.target == target)
        right, wrong = span_rows[pool.verdict[span_rows] == 1], span_rows[pool.verdict[span_rows] == 0]
        if len(right) and len(wrong):
            gap = pool.values[right][:, None, :] - pool.values[wrong][None, :, :]
            differences.append(gap.reshape(-1, gap.shape[2]) / np.sqrt(len(right) * len(wrong)))
    if not differences:
        return start
    rows = np.concatenate(differences)
    scale = np.sqrt((rows**2).mean(axis=0))
    free = scale > 1e-9
    scaled = rows[:, free] / scale[free]

    # p(right above wrong) = σ(difference): class 0 of the negated differences.
    point = fit_logistic(
        -scaled,
        np.zeros(len(scaled)),
        np.full(scaled.shape[1], 0.02 * options.penalty),
        importance=np.full(len(scaled), 1.0 / len(scaled)),
        prior=start[free] * scale[free],
        rounds=200,
    )
    vector = start.copy()
    vector[free] = point / scale[free]
    return vector


def _searched(
    pool: Candidates, vector: NDArray[np.float64], identity: float, options: TuningOptions
) -> NDArray[np.float64]:
    """One round over the weights, in random order: the best step along each. Ties keep the old value."""
    spread = pool.values.std(axis=0)
    best = error_rate(pool, vector, identity, options)
    best_vector = vector.copy()
    for place in np.random.default_rng(options.seed).permutation(len(vector)).tolist():
        if spread[place] <= 1e-9 and pool.names[place] != "edit":
            continue
        unit = 1.0 / max(float(spread[place]), 0.5)
        for step in (-2.0, -1.0, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 1.0, 2.0):
            tried = best_vector.copy()
            tried[place] = vector[place] + step * unit
            value = error_rate(pool, tried, identity, options)
            if value < best - 1e-9:
                best, best_vector = value, tried
    return best_vector


def _powell(
    pool: Candidates, vector: NDArray[np.float64], identity: float, options: TuningOptions
) -> NDArray[np.float64]:
    """Powell's method on PSER, over weights scaled by the spread of their components."""
    from scipy.optimize import minimize

    spread = np.maximum(pool.values.std(axis=0), 0.5)

    def rate(point: NDArray[np.float64]) -> float:
        return error_rate(pool, point / spread, identity, options)

    result = minimize(
        rate, vector * spread, method="Powell", options={"maxiter": 1, "xtol": 0.05, "ftol": 1e-4}
    )
    point: NDArray[np.float64] = np.asarray(result.x, dtype=np.float64) / spread
    return point


def _path(
    pool: Candidates, start: NDArray[np.float64], identity: float, options: TuningOptions
) -> list[NDArray[np.float64]]:
    """The weights after 0, 1, 2 … rounds, each no worse on the pool than the one before."""
    path = [start]
    for number in range(options.rounds):
        last = path[-1]
        if options.method == "powell":
            new_vectors = [_powell(pool, last, identity, options)]
        else:
            tried = [last, _ranked(pool, start, options)] if number == 0 else [last]
            new_vectors = [_searched(pool, candidate, identity, options) for candidate in tried]
        best = min([last, *new_vectors], key=lambda candidate: error_rate(pool, candidate, identity, options))
        path.append(best)
        if best is last:
            break
    return path


def tune_weights(
    pool: Candidates, start: Weights, options: TuningOptions | None = None, *, identity: float | None = None
) -> Tuned:
    """The weights of lowest PSER, after as many rounds as help on held-out words; never worse than the start."""
    options = options or TuningOptions()
    if not len(pool.target) or not bool((pool.verdict >= 0).any()):
        raise InputError("expected labelled substitutes that the model can make, got none")
    identity_value = start.identity if identity is None else identity
    vector = start_vector(start, pool.names)
    fold = folds_of(pool.word, options.folds, options.seed)
    held_out: list[list[list[SentenceOutcome]]] = []
    for number in range(options.folds):
        inside, outside = pool.of(fold != number), pool.of(fold == number)
        path = _path(inside, vector, identity_value, options) if len(inside.target) else [vector]
        path += [path[-1]] * (options.rounds + 1 - len(path))
        held_out.append([outcomes(outside, item, identity_value, options) for item in path])
    rates = [
        _mean([item for part in held_out for item in part[number]], options)
        for number in range(options.rounds + 1)
    ]
    rounds = int(np.argmin(np.round(rates, 9)))
    best = vector
    if rounds:
        best = _path(pool, vector, identity_value, replace(options, rounds=rounds))[-1]
    before, after = (error_rate(pool, item, identity_value, options) for item in (vector, best))
    return Tuned(
        weights_of(start, pool.names, best) if rounds else start,
        before,
        after,
        rates[0],
        rates[rounds],
        rounds,
        len(pool.word),
    )
