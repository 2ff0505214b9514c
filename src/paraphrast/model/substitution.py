"""How likely a substitution is right in its sentence: ten features in a logistic model, fitted to human judgements.

What a pair is worth by itself is computed when the model is built (``paraphrast.training.pair_quality``). What the
sentence adds is computed for all edges of a batch at once: how the language model likes the substitute in its place,
and how it goes with the words around it. The probability is shown beside an edit, and decides together with
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

#: What is known of a pair whatever the sentence, then what the sentence tells.
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
#: Values beyond these ends say no more.
_ENDS = {"lm_left": (-15.0, 15.0), "lm_right": (-10.0, 10.0)}
#: What stands for an unknown value.
UNKNOWN_VALUES = {"both": -10.0, "rank": 12.0, "quality": math.log(0.02), "meaning": 0.3}
FOLDER = SUBSTITUTION
#: Log-odds that a sentence may add to a substitution before the search leaves it out unseen.
HEADROOM = 0.5
#: Log-odds that the sentence encoder may add: what is less likely is not read by it.
PRECISE_HEADROOM = 1.0
PRECISE = (*FEATURES, "in_context")
WEIGHTS_FILE = Path(__file__).with_name("substitution_weights.json")
PRECISE_FILE = Path(__file__).with_name("precise_weights.json")
FORMAT_VERSION = 1


@dataclass(frozen=True)
class LogisticModel:
    """p(right) = σ(bias + Σ weight · value), over named features; ``note`` says what it was fitted on."""

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
        odds: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-self.log_odds(values)))
        return odds

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
        """From :meth:`to_dict`'s values, which must weigh just ``names``."""
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
    """A logistic model with what it needs of a model folder; ``precise``: one that has the sentence encoder's word too.

    static: float32[options, len(STATIC)], of the decoder's options; vector: float32[vocabulary, size]; weight:
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
        for name, (low, high) in _ENDS.items():
            place = CONTEXT.index(name)
            context[:, place] = np.clip(context[:, place], low, high)
        return np.column_stack([self.static[edges.option], context])

    def static_log_odds(self) -> NDArray[np.float32]:
        """Log-odds of every option as far as no sentence is needed."""
        return static_log_odds(self.logistic, self.static)

    def save(self, folder: Path) -> None:
        """Write a folder, whole or not at all."""
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
            raise FormatError("the arrays do not fit together", where=folder, remedy="build it again")
        return cls(
            read_logistic(folder / "weights.json"),
            read_logistic(folder / "precise.json", PRECISE),
            *(np.array(one) for one in (static, vector, weight)),
        )


def static_log_odds(logistic: LogisticModel, static: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds of pairs by :data:`STATIC` alone."""
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
    """Those with the sentence encoder's word."""
    return read_logistic(PRECISE_FILE, PRECISE)


def with_probabilities(
    hypotheses: Sequence[Hypothesis], edges: Edges, item: int, log_odds: NDArray[np.float64]
) -> list[Hypothesis]:
    """Rewrites whose edits have the substitution model's probability instead of the tables'."""
    begin, end = int(edges.begin[item]), int(edges.begin[item + 1])
    # Rows of an item stand by start, end and option.
    keys = (edges.start[begin:end].astype(np.int64) << 48) | (edges.end[begin:end].astype(np.int64) << 32)
    keys |= edges.option[begin:end]
    made: dict[int, HypEdit] = {}  # hypotheses share their edits, and those that render them count on it
    for hypothesis in hypotheses:
        for edit in hypothesis.edits:
            if id(edit) in made:
                continue
            made[id(edit)] = edit
            if edit.option >= 0:
                wanted = (edit.start_token << 48) | (edit.end_token << 32) | edit.option
                row = int(np.searchsorted(keys, wanted))
                if row < len(keys) and keys[row] == wanted:
                    value = float(log_odds[begin + row])
                    made[id(edit)] = replace(edit, log_prob=-float(np.logaddexp(0.0, -value)))
    return [replace(one, edits=tuple(made[id(edit)] for edit in one.edits)) for one in hypotheses]
