"""How likely a substitution is right in its sentence: ten features in a logistic model, fitted to human judgements.

The features of a pair without context are computed when the model is built (in the room ``training``). The features of
the sentence are computed for all edges of a batch at once: how the language model scores the substitute in its place,
and how well its vector fits the words around it. The probability is shown with an edit, and decides together with
``strength`` which edits are made.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode import DecodeBatch, Decoder, Edges, HypEdit, Hypothesis
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.files import atomic_folder
from paraphrast.model.folder import SUBSTITUTION

#: Features of a pair without context, then features of the pair in its sentence.
STATIC = ("quality", "meaning", "both", "tables", "synonym", "rank")
CONTEXT = ("lm_left", "lm_right", "fit", "cosine")
FEATURES = (*STATIC, *CONTEXT)
GROUPS: dict[str, tuple[str, ...]] = {
    "quality": ("quality",),
    "encoder": ("meaning",),
    "tables": ("both", "tables"),
    "words": ("synonym", "rank", "cosine"),
    "language model": ("lm_left", "lm_right"),
    "fit to the sentence": ("fit",),
}
#: Values are clipped to these bounds.
_BOUNDS = {"lm_left": (-15.0, 15.0), "lm_right": (-10.0, 10.0)}
#: Replacements of unknown values.
UNKNOWN_VALUES = {"both": -10.0, "rank": 12.0, "quality": math.log(0.02), "meaning": 0.3}
FOLDER = SUBSTITUTION
#: Log-odds that a sentence can add to a substitution; options further below the threshold are not listed.
HEADROOM = 0.5
#: Log-odds that the sentence encoder can add; substitutions further below the threshold are not encoded.
PRECISE_HEADROOM = 1.0
PRECISE = (*FEATURES, "in_context")
WEIGHTS_FILE = Path(__file__).with_name("substitution_weights.json")
PRECISE_FILE = Path(__file__).with_name("precise_weights.json")
FORMAT_VERSION = 1


@dataclass(frozen=True)
class LogisticModel:
    """p(right) = σ(bias + Σ weight · value), over named features; ``note``: the data it was fitted to."""

    names: tuple[str, ...]
    weights: NDArray[np.float64]
    bias: float
    note: str = ""

    def log_odds(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Natural log-odds of rows of features."""
        # Column by column, so that the order of the sum does not depend on any library.
        total = np.full(len(values), self.bias)
        for column, weight in enumerate(self.weights.tolist()):
            total += weight * values[:, column]
        return total

    def probability(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Probabilities of rows of features."""
        probabilities: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-self.log_odds(values)))
        return probabilities

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "format_version": FORMAT_VERSION,
            "note": self.note,
            "bias": round(self.bias, 6),
            "weights": {
                name: round(weight, 6) for name, weight in zip(self.names, self.weights.tolist(), strict=True)
            },
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], names: Sequence[str] = FEATURES) -> LogisticModel:
        """From :meth:`to_dict`'s values, which must have weights of exactly ``names``."""
        try:
            weights = {str(name): float(weight) for name, weight in values["weights"].items()}
            bias = float(values["bias"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"expected a bias and weights by name: {error}") from error
        if values.get("format_version") != FORMAT_VERSION or sorted(weights) != sorted(names):
            raise InputError(f"expected weights of {', '.join(names)}, got {', '.join(sorted(weights))}")
        ordered = np.array([weights[name] for name in names])
        return cls(tuple(names), ordered, bias, str(values.get("note", "")))


@dataclass(frozen=True)
class SubstitutionModel:
    """A logistic model and the arrays of a model folder that its features need.

    precise: a second logistic model, with the sentence encoder's cosine as one more feature.
    static: float32[options, len(STATIC)], of the decoder's options. vector: float32[vocabulary, size]. weight:
    float32[vocabulary], of a word in a sum of vectors.
    """

    logistic: LogisticModel
    precise: LogisticModel
    static: NDArray[np.float32]
    vector: NDArray[np.float32]
    weight: NDArray[np.float32]

    def features(self, decoder: Decoder, batch: DecodeBatch, edges: Edges) -> NDArray[np.float32]:
        """float32[edges, features] by :data:`FEATURES`."""
        context = decoder.edge_context(batch, edges, self.vector, self.weight)
        for name, (low, high) in _BOUNDS.items():
            place = CONTEXT.index(name)
            context[:, place] = np.clip(context[:, place], low, high)
        return np.column_stack([self.static[edges.option], context])

    def static_log_odds(self) -> NDArray[np.float32]:
        """Log-odds of every option without context."""
        return static_log_odds(self.logistic, self.static)

    def save(self, folder: Path) -> None:
        """Write a folder, complete or not at all."""
        with atomic_folder(folder) as temporary:
            for name in ("static", "vector", "weight"):
                np.save(temporary / f"{name}.npy", getattr(self, name), allow_pickle=False)
            for name, model in (("weights", self.logistic), ("precise", self.precise)):
                text = json.dumps(model.to_dict(), indent=2, ensure_ascii=False)
                (temporary / f"{name}.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> SubstitutionModel:
        """Read what :meth:`save` wrote."""
        static, vector = (
            load_array(folder / f"{name}.npy", np.float32, dimensions=2) for name in ("static", "vector")
        )
        weight = load_array(folder / "weight.npy", np.float32)
        if static.shape[1] != len(STATIC) or len(vector) != len(weight):
            raise FormatError("the arrays do not fit together", where=folder, remedy="train the model again")
        return cls(
            read_logistic(folder / "weights.json"),
            read_logistic(folder / "precise.json", PRECISE),
            *(np.array(array) for array in (static, vector, weight)),
        )


def static_log_odds(logistic: LogisticModel, static: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds of pairs by the features in :data:`STATIC` alone."""
    total = np.full(len(static), logistic.bias)
    for column in range(len(STATIC)):
        total += logistic.weights[column] * static[:, column]
    return total.astype(np.float32)


def read_logistic(path: Path, names: Sequence[str] = FEATURES) -> LogisticModel:
    """Read a file of :meth:`LogisticModel.to_dict`."""
    try:
        return LogisticModel.from_dict(json.loads(path.read_text(encoding="utf-8")), names)
    except (OSError, ValueError) as error:
        raise FormatError(f"expected a logistic model as JSON: {error}", where=path) from error
    except InputError as error:
        raise FormatError(error.message, where=path) from error


@cache
def default_logistic() -> LogisticModel:
    """The weights that ship with the package."""
    return read_logistic(WEIGHTS_FILE)


@cache
def default_precise() -> LogisticModel:
    """The weights with the sentence encoder, as shipped with the package."""
    return read_logistic(PRECISE_FILE, PRECISE)


def with_probabilities(hypotheses: Sequence[Hypothesis], log_odds: NDArray[np.float64]) -> list[Hypothesis]:
    """The hypotheses of one item, with probabilities of the substitution model instead of the tables'.

    log_odds: float64[edges of the item]; an edit's row is its ``edge``.
    """
    judged: dict[int, HypEdit] = {}
    for hypothesis in hypotheses:
        for edit in hypothesis.edits:
            if edit.edge not in judged:
                judged[edit.edge] = _with_probability(edit, log_odds)
    return [
        replace(hypothesis, edits=tuple(judged[edit.edge] for edit in hypothesis.edits))
        for hypothesis in hypotheses
    ]


def _with_probability(edit: HypEdit, log_odds: NDArray[np.float64]) -> HypEdit:
    """An edit with the log-probability of its log-odds; of a swap, each part and so the whole."""
    if edit.swapped:
        parts = tuple(_with_probability(part, log_odds) for part in edit.swapped)
        change = sum(new.log_prob - old.log_prob for new, old in zip(parts, edit.swapped, strict=True))
        return replace(edit, swapped=parts, log_prob=edit.log_prob + change)
    if edit.edge < 0:  # kept words
        return edit
    return replace(edit, log_prob=-float(np.logaddexp(0.0, -float(log_odds[edit.edge]))))
