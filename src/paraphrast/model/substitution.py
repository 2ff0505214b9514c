"""How likely a substitution is acceptable in its sentence: boosted trees fitted to ratings of rewritten sentences.

What is known of a pair without context is computed when the model is built (in the room ``training``) and stored as
one byte per value. The features of the sentence are computed for all edges of a batch at once: how the language model
scores the substitute in its place, how well its vector fits the words around it, what its neighbours are. The
probability is shown with every edit, and results are ranked by it and the size of their change.
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

from paraphrast._trees import Trees
from paraphrast.decode import CONTEXT_COLUMNS, DecodeBatch, Decoder, Edges, HypEdit, Hypothesis
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.arrays import check_finite, load_array, save_array
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.json_text import parse_json
from paraphrast.model.folder import SUBSTITUTION

#: What the tables say of a pair.
_TABLES = (
    *("pivot", "pivot_both", "pivot_reverse", "pivot_languages", "pivot_context", "graph", "thesaurus"),
    *("comparable", "tables", "syntax"),
)
_STRINGS = (
    *(
        "source_words",
        "target_words",
        "source_content",
        "target_content",
        "edit",
        "stems_shared",
        "source_kept",
    ),
)
_VECTORS = ("cosine_weighted", "cosine_rest", "source_worst", "target_worst")
_RANKS = ("source_rank", "target_rank")
_RELATIONS = ("synonym", "hypernym", "hyponym", "sibling", "similar", "derived", "listed", "paired_well")
#: Features of a pair without context: its grade, the encoder's cosine, what ratings say of it, and features of
#: ``tables.quality``.
STATIC = ("quality", "meaning", "rated", *_TABLES, *_STRINGS, *_VECTORS, *_RANKS, *_RELATIONS)
#: The score of the log-linear model without the language model, then features of the pair in its sentence.
CONTEXT = ("score", *CONTEXT_COLUMNS)
FEATURES = (*STATIC, *CONTEXT)
GROUPS: dict[str, tuple[str, ...]] = {
    "quality": ("quality",),
    "encoder": ("meaning",),
    "ratings of pairs": ("rated",),
    "tables": (*_TABLES, "score"),
    "strings": _STRINGS,
    "vectors": (*_VECTORS, "cosine"),
    "frequency": _RANKS,
    "lexicons": _RELATIONS,
    "language model": CONTEXT_COLUMNS[:2] + CONTEXT_COLUMNS[4:10],
    "fit to the sentence": ("fit",),
    "neighbours": CONTEXT_COLUMNS[10:],
}
#: Values are clipped to these bounds.
_BOUNDS = {"lm_left": (-15.0, 15.0), "lm_right": (-10.0, 10.0)}
FOLDER = SUBSTITUTION
#: Code of an unknown value; codes below it are equal steps from the least value to the largest.
UNKNOWN_CODE = 255
WEIGHTS_FILE = Path(__file__).with_name("substitution_weights.json")
FORMAT_VERSION = 2


@dataclass(frozen=True)
class Acceptance:
    """Trees that give the log-odds of being accepted.

    prior: from the features in :data:`STATIC`, averaged over sentences; decides which options a model keeps. trees:
    from all :data:`FEATURES`. note: the ratings they were fitted to.
    """

    prior: Trees
    trees: Trees
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "format_version": FORMAT_VERSION,
            "note": self.note,
            "features": list(FEATURES),
            "prior": self.prior.to_dict(),
            "trees": self.trees.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Acceptance:
        """From :meth:`to_dict`'s values, which must be for the features of this version."""
        try:
            names = tuple(values["features"])
            prior, trees = Trees.from_dict(values["prior"]), Trees.from_dict(values["trees"])
        except (KeyError, TypeError) as error:
            raise InputError(f"expected trees and the names of their features: {error}") from error
        if values.get("format_version") != FORMAT_VERSION or names != FEATURES:
            raise InputError(f"expected trees over {', '.join(FEATURES)}, got {', '.join(map(str, names))}")
        return cls(prior, trees, str(values.get("note", "")))


@dataclass(frozen=True)
class StaticFeatures:
    """The features of many pairs, one byte each.

    codes: uint8[pairs, len(STATIC)]; low, step: float32[len(STATIC)].
    """

    codes: NDArray[np.uint8]
    low: NDArray[np.float32]
    step: NDArray[np.float32]

    @classmethod
    def encode(cls, values: NDArray[np.floating]) -> StaticFeatures:
        """Round float values, NaN where unknown, to 255 steps per column."""
        known = np.where(np.isfinite(values), values, np.nan).astype(np.float64)
        empty = np.isnan(known).all(axis=0) if len(known) else np.ones(known.shape[1], np.bool_)
        filled = np.where(empty, 0.0, known)
        low = np.where(np.isnan(filled), np.inf, filled).min(axis=0, initial=np.inf)
        high = np.where(np.isnan(filled), -np.inf, filled).max(axis=0, initial=-np.inf)
        low, high = np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
        step = np.maximum(high - low, 1e-6) / (UNKNOWN_CODE - 1)
        codes = np.rint((known - low) / step)
        return cls(
            np.where(np.isnan(codes), UNKNOWN_CODE, codes).astype(np.uint8),
            low.astype(np.float32),
            step.astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: NDArray[np.integer]) -> StaticFeatures:
        """Some of the pairs."""
        return StaticFeatures(self.codes[rows], self.low, self.step)

    def values(self, rows: NDArray[np.integer] | slice = slice(None)) -> NDArray[np.float32]:
        """float32[rows, len(STATIC)], NaN where unknown."""
        codes = self.codes[rows]
        values = self.low + codes * self.step
        values[codes == UNKNOWN_CODE] = np.nan
        return values


@dataclass(frozen=True)
class SubstitutionModel:
    """The trees, and the arrays of a model folder that their features need.

    static, prior: of the decoder's options; prior is float32[options], log-odds without context. vector:
    int8[vocabulary, size]. weight: float32[vocabulary], of a word in a sum of vectors. flags: uint8[vocabulary], see
    ``decode``.
    """

    acceptance: Acceptance
    static: StaticFeatures
    prior: NDArray[np.float32]
    vector: NDArray[np.int8]
    weight: NDArray[np.float32]
    flags: NDArray[np.uint8]

    def features(self, decoder: Decoder, batch: DecodeBatch, edges: Edges) -> NDArray[np.float32]:
        """float32[edges, features] by :data:`FEATURES`."""
        context = decoder.edge_context(batch, edges, self.vector, self.weight, self.flags)
        for name, (low, high) in _BOUNDS.items():
            place = CONTEXT_COLUMNS.index(name)
            context[:, place] = np.clip(context[:, place], low, high)
        score = edges.score.astype(np.float32)
        return np.column_stack([self.static.values(edges.option), score, context])

    def log_odds(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Log-odds that each substitution is accepted, from rows of features."""
        return self.acceptance.trees.predict(values)

    def save(self, folder: Path) -> None:
        """Write a folder, complete or not at all."""
        with atomic_folder(folder) as temporary:
            arrays: dict[str, NDArray[Any]] = {
                "static": self.static.codes,
                "bounds": np.stack([self.static.low, self.static.step]),
                "prior": self.prior.astype(np.float16),
                "vector": self.vector,
                "weight": self.weight,
                "flags": self.flags,
            }
            for name, array in arrays.items():
                save_array(temporary / f"{name}.npy", array)
            text = json.dumps(self.acceptance.to_dict(), ensure_ascii=False)
            (temporary / "weights.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> SubstitutionModel:
        """Read what :meth:`save` wrote."""
        codes = load_array(folder / "static.npy", np.uint8, dimensions=2)
        bounds = load_array(folder / "bounds.npy", np.float32, dimensions=2)
        prior = load_array(folder / "prior.npy", np.float16)
        vector = load_array(folder / "vector.npy", np.int8, dimensions=2)
        weight = load_array(folder / "weight.npy", np.float32)
        flags = load_array(folder / "flags.npy", np.uint8)
        if (
            codes.shape[1] != len(STATIC)
            or bounds.shape != (2, len(STATIC))
            or len(prior) != len(codes)
            or not len(vector) == len(weight) == len(flags)
        ):
            raise FormatError("the arrays do not fit together", where=folder, remedy="train the model again")
        for name, values in (("bounds", bounds), ("prior", prior), ("weight", weight)):
            check_finite(folder / f"{name}.npy", values)
        return cls(
            read_acceptance(folder / "weights.json"),
            StaticFeatures(codes, bounds[0], bounds[1]),
            np.asarray(prior, np.float32),
            vector,
            weight,
            flags,
        )


def read_acceptance(path: Path) -> Acceptance:
    """Read a file of :meth:`Acceptance.to_dict`."""
    try:
        return Acceptance.from_dict(parse_json(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise FormatError(f"expected fitted trees as JSON: {error}", where=path) from error
    except InputError as error:
        raise FormatError(error.message, where=path) from error


@cache
def default_acceptance() -> Acceptance:
    """The trees that ship with the package."""
    return read_acceptance(WEIGHTS_FILE)


def log_probability(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Natural log of the probability with these log-odds."""
    log_prob: NDArray[np.float64] = -np.logaddexp(0.0, -log_odds)
    return log_prob


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
    return replace(edit, log_prob=-math.log1p(math.exp(min(-float(log_odds[edit.edge]), 700.0))))
