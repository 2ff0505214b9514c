"""The line tagger of the paper (Quirk et al. 2004, note 2): a supervised hidden Markov model, and alternatives.

States are *before*, *story*, *between* and *after*: a page begins before its story, may leave it for an insertion (a
promotion, a caption) and return, but does not return after the end. There are two ways to score a line in a state:
``bins`` multiplies p(bin | story or not) over the features, as in a plain hidden Markov model; ``logistic`` takes
p(story | line) of a logistic regression over the same bins and divides by the prior (Bayes' rule), which does not count
the same evidence twice.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast import _logistic
from paraphrast.acquire import _kernels
from paraphrast.acquire.features import BINS, NAMES, OTHER, STARTS, line_features
from paraphrast.acquire.lines import Line
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.json_text import parse_json
from paraphrast.types.corpus import writable

BEFORE, STORY, BETWEEN, AFTER = range(4)
STATES = 4
FORMAT = "paraphrast-line-tagger"
SIZE = int(STARTS[-1])

#: Approximate number of words of a line in each bin of ``words``.
_WORDS_OF_BIN = np.array([1, 3, 5, 9, 13, 19, 29, 47, 80, 120], dtype=np.float64)

Bins = NDArray[np.int32]
Labels = NDArray[np.int8]


@dataclass(frozen=True)
class TaggerOptions:
    """ridge: strength of the regularisation of the logistic weights. scale: weight of a line relative to transitions;
    the features of a line, and neighbouring lines, are not independent. by_words: a line counts in training as often
    as it has words, to this power, because words of the story matter, not lines."""

    emission: str = "logistic"
    ridge: float = 3.0
    scale: float = 2.0
    by_words: float = 0.5


@dataclass(frozen=True)
class LineTagger:
    """weights: log-odds of every bin, the constant last. transition, initial: log-probabilities of states.

    uses_other: whether the decision of another extractor is among the features.
    """

    weights: NDArray[np.float64]
    transition: NDArray[np.float64]
    initial: NDArray[np.float64]
    scale: float = 1.0
    uses_other: bool = False

    def odds(self, bins: Bins) -> NDArray[np.float64]:
        """Log-odds of each line without its neighbours."""
        return np.asarray(_kernels.sum_weights(bins, STARTS, self.weights) + self.weights[-1])

    def tag(self, bins: Bins) -> Labels:
        """1 for every line of the story."""
        odds = self.scale * self.odds(bins)
        emission = np.zeros((len(odds), STATES))
        emission[:, STORY] = odds
        path = _kernels.viterbi(emission, self.transition, self.initial)
        return np.asarray(path == STORY, dtype=np.int8)

    def story(self, lines: Sequence[Line], other: str | None = None) -> str:
        """The story of a page, one paragraph per line."""
        bins = line_features(lines, other if self.uses_other else None)
        return "\n".join(line.text for line, in_story in zip(lines, self.tag(bins), strict=True) if in_story)

    def save(self, folder: str | Path) -> None:
        """Write a folder of arrays."""
        with atomic_folder(Path(folder)) as temporary:
            save_array(temporary / "weights.npy", self.weights)
            save_array(temporary / "transition.npy", self.transition)
            save_array(temporary / "initial.npy", self.initial)
            info = {"format": FORMAT, "bins": BINS, "scale": self.scale, "uses_other": self.uses_other}
            (temporary / "tagger.json").write_text(json.dumps(info, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> LineTagger:
        """Read a folder written by :meth:`save`."""
        place = Path(folder)
        try:
            info = parse_json((place / "tagger.json").read_text(encoding="utf-8"))
            if info["format"] != FORMAT or info["bins"] != BINS:
                raise ValueError("written by a version with other features")
            scale, uses_other = float(info["scale"]), bool(info["uses_other"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"expected a line tagger: {error}", where=place, remedy="train it again with this version"
            ) from error
        weights = load_array(place / "weights.npy", np.float64, mapped=False)
        transition = load_array(place / "transition.npy", np.float64, dimensions=2, mapped=False)
        initial = load_array(place / "initial.npy", np.float64, mapped=False)
        return cls(*_checked(weights, transition, initial, place), scale, uses_other)

    def to_dict(self) -> dict[str, Any]:
        """The weights as rounded numbers for JSON, to be shipped with a package."""
        return {
            "weights": [round(float(weight), 3) for weight in self.weights],
            "transition": [
                [round(float(value), 3) for value in row] for row in np.maximum(self.transition, -99)
            ],
            "initial": [round(float(value), 3) for value in np.maximum(self.initial, -99)],
            "scale": self.scale,
            "uses_other": self.uses_other,
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any], where: Path) -> LineTagger:
        """Read a record of :meth:`to_dict`."""
        try:
            weights, transition, initial = (
                np.array(record[key], dtype=np.float64) for key in ("weights", "transition", "initial")
            )
            return cls(
                *_checked(weights, transition, initial, where),
                float(record["scale"]),
                bool(record["uses_other"]),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise ModelError(f"expected the weights of a tagger: {error}", where=where) from error


def _checked(
    weights: NDArray[np.float64], transition: NDArray[np.float64], initial: NDArray[np.float64], where: Path
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    if weights.shape != (SIZE + 1,) or transition.shape != (STATES, STATES) or initial.shape != (STATES,):
        raise ModelError("the arrays have other sizes than this version expects", where=where)
    return writable(weights), writable(transition), writable(initial)


@cache
def default_tagger(name: str) -> LineTagger:
    """The tagger of the package: ``hmm`` or ``both``."""
    path = Path(__file__).with_name("tagger_weights.json")
    record = parse_json(path.read_text(encoding="utf-8"))
    if record.get("bins") != BINS:
        raise ModelError("written by a version with other features", where=path)
    return LineTagger.from_dict(record[name], path)


def states_of(labels: Labels) -> NDArray[np.int32]:
    """The states for labels."""
    states = np.full(len(labels), BETWEEN, dtype=np.int32)
    story = np.flatnonzero(labels)
    if not len(story):
        return np.full(len(labels), BEFORE, dtype=np.int32)
    states[: story[0]] = BEFORE
    states[story[-1] + 1 :] = AFTER
    states[story] = STORY
    return states


def train_tagger(
    pages: Sequence[Bins],
    labels: Sequence[Labels],
    options: TaggerOptions | None = None,
    *,
    uses_other: bool = False,
) -> LineTagger:
    """Fit a tagger to pages whose lines are labelled."""
    options = options or TaggerOptions()
    if not pages or sum(int(row.sum()) for row in labels) == 0:
        raise InputError("expected pages with a labelled story, got none")
    bins, truth = np.concatenate(pages), np.concatenate(labels).astype(np.float64)
    prior = np.log(truth.mean() / max(1 - truth.mean(), 1e-9))
    if options.emission == "bins":
        weights = fit_bayes(bins, truth)
    elif options.emission == "logistic":
        importance = _WORDS_OF_BIN[bins[:, NAMES.index("words")]] ** options.by_words
        weights = fit_logistic(bins, truth, ridge=options.ridge, importance=importance / importance.mean())
    else:
        raise InputError(f"unknown emission {options.emission!r}", remedy="known: bins, logistic")
    weights[-1] -= prior
    if not uses_other:
        for name in OTHER:
            weights[STARTS[NAMES.index(name)] : STARTS[NAMES.index(name) + 1]] = 0.0
    counts = np.full((STATES, STATES), 0.1)
    initial = np.full(STATES, 0.1)
    for page_labels in labels:
        states = states_of(page_labels)
        if len(states):
            initial[states[0]] += 1
            np.add.at(counts, (states[:-1], states[1:]), 1.0)
    allowed = np.array([[1, 1, 0, 0], [0, 1, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    chances = np.where(allowed, counts, 0.0)
    with np.errstate(divide="ignore"):
        transition = np.maximum(np.log(chances / chances.sum(axis=1, keepdims=True)), -99.0)
        begins = np.maximum(np.log(initial * np.array([1, 1, 0, 0]) / initial[:2].sum()), -99.0)
    return LineTagger(weights, transition, begins, options.scale, uses_other)


def fit_bayes(bins: Bins, truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Naive Bayes: log p(bin | story) − log p(bin | not); the constant last."""
    weights = np.zeros(SIZE + 1)
    for feature in range(bins.shape[1]):
        begin, end = int(STARTS[feature]), int(STARTS[feature + 1])
        inside = np.bincount(bins[:, feature], weights=truth, minlength=end - begin) + 0.5
        outside = np.bincount(bins[:, feature], weights=1 - truth, minlength=end - begin) + 0.5
        weights[begin:end] = np.log(inside / inside.sum()) - np.log(outside / outside.sum())
    weights[-1] = np.log(truth.mean() / (1 - truth.mean()))
    return weights


def fit_logistic(
    bins: Bins,
    truth: NDArray[np.float64],
    *,
    ridge: float = 2.0,
    importance: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Logistic regression with a ridge; the constant last."""
    from scipy.sparse import csr_array

    count, features = bins.shape
    places = np.concatenate([bins + STARTS[:-1], np.full((count, 1), SIZE)], axis=1).ravel()
    ends = np.arange(0, len(places) + 1, features + 1)
    rows = csr_array((np.ones(len(places)), places, ends), shape=(count, SIZE + 1))
    penalty = np.full(SIZE + 1, ridge)
    penalty[-1] = 1e-6
    return _logistic.fit_logistic(rows, truth, penalty, importance=importance, rounds=300)


def fit_perceptron(
    bins: Bins, truth: NDArray[np.float64], *, rounds: int = 10, seed: int = 0
) -> NDArray[np.float64]:
    """Averaged perceptron; the constant last."""
    weights, summed = np.zeros(SIZE + 1), np.zeros(SIZE + 1)
    places = np.concatenate([bins + STARTS[:-1], np.full((len(bins), 1), SIZE)], axis=1)
    order = np.random.Generator(np.random.PCG64(seed))
    for _ in range(rounds):
        for index in order.permutation(len(bins)):
            at = places[index]
            sign = 1.0 if truth[index] else -1.0
            if sign * weights[at].sum() <= 0:
                weights[at] += sign
            # The average over epochs replaces the average over steps: cheaper, and as good here.
        summed += weights
    return summed / rounds
