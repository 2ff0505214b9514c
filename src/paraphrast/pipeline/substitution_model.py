"""How likely a substitution is right in its sentence: ten features in a logistic model, fitted to human judgements.

What a pair is worth by itself is told when the model is built (:mod:`paraphrast.pipeline.quality`); what the sentence
adds is computed for all edges of a batch at once: how the language model likes the substitute where it stands, and how
it goes with the words around. The model's probability is what a person sees beside an edit, and decides together with
``strength`` which edits are made at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode import DecodeBatch, Decoder, DecoderArrays, Edges, HypEdit, Hypothesis
from paraphrast.decode.features import phrases_of
from paraphrast.engine import Engine
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.arrays import load_array
from paraphrast.formats.files import atomic_folder
from paraphrast.pipeline.folder import SUBSTITUTION, load_phrases, model_vocabulary, read_manifest
from paraphrast.pipeline.quality import make_scorer, pair_evidence, pair_keys, paired_words
from paraphrast.tables.quality import FEATURES as PAIR_FEATURES
from paraphrast.tables.store import load_table
from paraphrast.types import ParaphraseTable, Phrases, Vocabulary

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
_UNKNOWN = {"both": -10.0, "rank": 12.0, "quality": math.log(0.02), "meaning": 0.3}
FOLDER = SUBSTITUTION
#: Log-odds that a sentence may add to a substitution before the search leaves it out unseen.
HEADROOM = 0.5
WEIGHTS_FILE = Path(__file__).with_name("substitution_weights.json")
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


def fit_logistic(
    values: NDArray[np.floating],
    right: NDArray[np.floating],
    names: Sequence[str],
    *,
    weight: NDArray[np.floating] | None = None,
    penalty: float = 1.0,
    note: str = "",
) -> LogisticModel:
    """Logistic regression by Newton's method on scaled features; ``penalty``: of squared scaled weights."""
    if values.ndim != 2 or len(values) != len(right) or values.shape[1] != len(names) or not len(right):
        raise InputError(f"expected a row of {len(names)} values a label, got shape {values.shape}")
    each = np.ones(len(right)) if weight is None else np.asarray(weight, dtype=np.float64)
    total = float(each.sum())
    centre = np.einsum("n,nf->f", each, values) / total
    scale = np.sqrt(np.einsum("n,nf->f", each, (values - centre) ** 2) / total)
    scale = np.where(scale > 1e-9, scale, 1.0)
    rows = np.column_stack([np.ones(len(values)), (values - centre) / scale])
    cost = np.full(rows.shape[1], penalty)
    cost[0] = 1e-6
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        guess = 1.0 / (1.0 + np.exp(-np.einsum("nf,f->n", rows, found)))
        slope = np.einsum("n,nf->f", each * (right - guess), rows) - cost * found
        step = np.linalg.solve(_bend(rows, each * guess * (1 - guess)) + np.diag(cost), slope)
        found += step
        if np.abs(step).max() < 1e-10:
            break
    weights = found[1:] / scale
    return LogisticModel(tuple(names), weights, float(found[0] - (weights * centre).sum()), note)


def _bend(rows: NDArray[np.float64], each: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ each · row · rowᵀ, column by column."""
    size = rows.shape[1]
    found = np.zeros((size, size))
    for one in range(size):
        scaled = each * rows[:, one]
        for two in range(one, size):
            found[one, two] = found[two, one] = float((scaled * rows[:, two]).sum())
    return found


@dataclass(frozen=True)
class SubstitutionModel:
    """A logistic model with what it needs of a model folder.

    static: float32[options, len(STATIC)], of the decoder's options; vector: float32[vocabulary, size]; weight:
    float32[vocabulary], of a word in a sum of vectors.
    """

    logistic: LogisticModel
    static: NDArray[np.float32]
    vector: NDArray[np.float32]
    weight: NDArray[np.float32]

    def features(self, decoder: Decoder, batch: DecodeBatch, edges: Edges) -> NDArray[np.float32]:
        """float32[edges, features] by :data:`FEATURES`."""
        from paraphrast.decode._kernels_context import edge_context

        context = edge_context(
            decoder._ngrams,
            np.asarray(batch.tokens),
            np.asarray(batch.starts),
            np.asarray(batch.breaks),
            edges.begin,
            edges.start,
            edges.end,
            edges.option,
            decoder._options.word_begin,
            decoder._options.target_words,
            self.vector,
            self.weight,
        )
        for name, (low, high) in _ENDS.items():
            place = CONTEXT.index(name)
            context[:, place] = np.clip(context[:, place], low, high)
        return np.column_stack([self.static[edges.option], context])

    def log_odds(self, decoder: Decoder, batch: DecodeBatch, edges: Edges) -> NDArray[np.float64]:
        """Log-odds that each substitution is right where it stands."""
        return self.logistic.log_odds(self.features(decoder, batch, edges))

    def static_log_odds(self) -> NDArray[np.float32]:
        """Log-odds of every option as far as no sentence is needed."""
        total = np.full(len(self.static), self.logistic.bias)
        for column in range(len(STATIC)):
            total += self.logistic.weights[column] * self.static[:, column]
        return total.astype(np.float32)

    def save(self, folder: Path) -> None:
        """Write a folder, whole or not at all."""
        with atomic_folder(folder) as temporary:
            for name in ("static", "vector", "weight"):
                np.save(temporary / f"{name}.npy", getattr(self, name), allow_pickle=False)
            text = json.dumps(self.logistic.to_dict(), indent=2, ensure_ascii=False)
            (temporary / "weights.json").write_text(text + "\n", encoding="utf-8")

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
            read_logistic(folder / "weights.json"), *(np.array(one) for one in (static, vector, weight))
        )


def read_logistic(path: Path) -> LogisticModel:
    """Read a file of :meth:`LogisticModel.to_dict`."""
    try:
        return LogisticModel.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise FormatError(f"expected a logistic model as JSON: {error}", where=path) from error
    except InputError as error:
        raise FormatError(error.message, where=path) from error


@cache
def default_logistic() -> LogisticModel:
    """The weights that ship with the package."""
    return read_logistic(WEIGHTS_FILE)


def build_substitution_model(
    model: str | Path, logistic: LogisticModel | None = None, *, fetch: bool = False, threads: int = 1
) -> SubstitutionModel:
    """Gather what is known of every option of a model folder; vectors and WordNet come from the data room."""
    folder = Path(model)
    language = str(read_manifest(folder)["language"])
    vocabulary = model_vocabulary(folder)
    with Engine(threads=1) as engine:
        phrases, categories = load_phrases(engine, folder / "phrases.parquet")
        tables = {
            path.stem: load_table(engine, path) for path in sorted((folder / "tables").glob("*.parquet"))
        }
    judged = judge_pairs(tables, phrases, categories, vocabulary, language, fetch=fetch, threads=threads)
    return judged.substitution_model(DecoderArrays.load(folder / "decoder"), phrases, logistic)


@dataclass(frozen=True)
class JudgedTables:
    """What is known of all pairs of a model's tables before any sentence.

    keys: int64[pairs], ascending, by :func:`~paraphrast.pipeline.quality.pair_keys`; static: float32[pairs,
    len(STATIC)]; vector, weight: as in :class:`SubstitutionModel`.
    """

    keys: NDArray[np.int64]
    static: NDArray[np.float32]
    vector: NDArray[np.float32]
    weight: NDArray[np.float32]

    def rows_of(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.int64]:
        """The row of each pair, which must be there."""
        return np.searchsorted(self.keys, pair_keys(source, target))

    def substitution_model(
        self, arrays: DecoderArrays, phrases: Phrases, logistic: LogisticModel | None = None
    ) -> SubstitutionModel:
        """The model of substitutions for a decoder's options."""
        words, _ = phrases_of(arrays)
        rows = np.ascontiguousarray(phrases.words, np.int32)
        ids = {row.tobytes(): number for number, row in enumerate(rows)}
        source = np.array([ids[row.tobytes()] for row in words], dtype=np.int32)
        own = self.static[self.rows_of(source, np.asarray(arrays.options.target, dtype=np.int32))]
        return SubstitutionModel(logistic or default_logistic(), own, self.vector, self.weight)

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        for name in ("keys", "static", "vector", "weight"):
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> JudgedTables:
        """Read what :meth:`save` wrote."""
        return cls(
            load_array(folder / "keys.npy", np.int64),
            load_array(folder / "static.npy", np.float32, dimensions=2),
            load_array(folder / "vector.npy", np.float32, dimensions=2),
            load_array(folder / "weight.npy", np.float32),
        )


def judge_pairs(
    tables: Mapping[str, ParaphraseTable],
    phrases: Phrases,
    categories: NDArray[np.uint32],
    vocabulary: Vocabulary,
    language: str,
    *,
    fetch: bool = False,
    threads: int = 1,
    done: Callable[[int], None] | None = None,
) -> JudgedTables:
    """Grade every pair of a model's tables, and gather what the substitution model asks of it.

    done: told how many phrases were encoded, now and then.
    """
    keys = np.unique(np.concatenate([pair_keys(one.source, one.target) for one in tables.values()]))
    source, target = (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)
    pairs = paired_words(tables, phrases, vocabulary.words)
    scorer = make_scorer(vocabulary, language, word_pairs=pairs, fetch=fetch)
    evidence = pair_evidence(tables, categories, source, target)
    features = scorer.features(phrases, source, target, evidence, threads=threads, done=done)

    def column(name: str) -> NDArray[np.float32]:
        return features[:, PAIR_FEATURES.index(name)]

    values = {
        "quality": scorer.model.log_quality(features),
        "meaning": column("meaning"),
        "both": column("pivot_both"),
        "tables": evidence["tables"],
        "synonym": column("synonym"),
        "rank": column("target_rank"),
    }
    static = [np.nan_to_num(values[name], nan=_UNKNOWN.get(name, 0.0)) for name in STATIC]
    knowledge = scorer.knowledge
    weight = np.where(knowledge.content, np.nan_to_num(knowledge.rank) / 10.0, 0.0).astype(np.float32)
    return JudgedTables(keys, np.column_stack(static).astype(np.float32), knowledge.vector, weight)


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
