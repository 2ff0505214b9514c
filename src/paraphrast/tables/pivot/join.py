"""Paraphrases through foreign phrases: p(e2 | e1) = Σ_f p(f | e1) · p(e2 | f).

Bannard & Callison-Burch 2005; Zhao et al. 2008, eq. 8. Several languages are either mixed with weights, so that a pair
known to only one of three languages gets at most that language's part, or multiplied as a product of experts.

Everything in the engine is an integer. Probabilities are fixed-point with 30 bits (``count · 2^30 DIV total``).
Products have 60 bits; over the pivots of a phrase they sum to at most one, so they never reach 2^63.
Weights of languages are integers that sum to 2^20. Logarithms are taken once, in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.rows import select
from paraphrast.types import ParaphraseTable, TableInfo

ONE_BITS = 30
PRODUCT_ONE = float(1 << (2 * ONE_BITS))
#: The integer weights of all languages add up to this.
WEIGHT_ONE = 1 << 20
#: Probability that a product of experts uses for a language without the pair.
UNSEEN = 1e-4


@dataclass(frozen=True)
class LanguagePairs:
    """Counted phrase pairs of one pivot language, sorted by (source, target).

    source: int32[n], phrase ids shared by all languages; target: int32[n], phrase ids of this language.
    count: int64[n]; source_total, target_total: int64[n], the phrase's count over *all* its pairs, including pruned
    ones, so that probabilities stay below one.
    """

    language: str
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    source_total: NDArray[np.int64]
    target_total: NDArray[np.int64]


def whole_weights(languages: Sequence[str], weights: Mapping[str, float]) -> list[int]:
    """Integers that sum to :data:`WEIGHT_ONE`, in the ratio of the weights. The first one gets the rounding error."""
    unknown = sorted(set(weights) - set(languages))
    if unknown:
        raise InputError(
            f"weights: no such pivot language: {unknown[0]!r}", remedy=f"there are: {', '.join(languages)}"
        )
    values = [float(weights.get(language, 1.0)) for language in languages]
    total = math.fsum(values)
    if total <= 0:
        raise InputError("weights: expected one above 0")
    whole = [int(value / total * WEIGHT_ONE) for value in values]
    whole[whole.index(max(whole))] += WEIGHT_ONE - sum(whole)
    return whole


def pivot(
    engine: Engine, pairs: Sequence[LanguagePairs], options: PivotOptions, *, language: str = "en"
) -> ParaphraseTable:
    """The pivot table over all ``pairs``; cost grows with Σ_f degree(f)², bounded by ``best_translations``.

    Features: ``reverse`` log p(source | target), ``both`` the smaller of both directions, ``languages`` the log of
    the number of languages with the pair, and ``in_XX`` log p within each language (NaN if unseen). The table's notes
    say how much was pruned before the join.
    """
    if not pairs:
        raise InputError(
            "a pivot table needs at least one language", remedy="give bitext with a foreign side"
        )
    numbers = range(len(pairs))
    weights = whole_weights([language_pairs.language for language_pairs in pairs], options.weights)
    pruned = {
        language_pairs.language: _join_language(engine, number, language_pairs, options)
        for number, language_pairs in enumerate(pairs)
    }
    floor = int(options.min_probability * PRODUCT_ONE)
    columns = ", ".join(f"CAST(sum(CASE WHEN l = {n} THEN p ELSE 0 END) AS BIGINT) AS p{n}" for n in numbers)
    union = " UNION ALL ".join(
        f"SELECT {n} AS l, e1, e2, p, (p // {WEIGHT_ONE}) * {weights[n]} AS part, c FROM joined{n}"
        for n in numbers
    )
    engine.run(
        "CREATE OR REPLACE TABLE mixed AS SELECT e1, e2, CAST(sum(part) AS BIGINT) AS p, "
        f"CAST(sum(c) AS BIGINT) AS c, {columns} FROM ({union}) parts GROUP BY e1, e2"
    )
    for n in numbers:
        engine.drop(f"joined{n}")
    forward = ", ".join(f"a.p{n} AS p{n}" for n in numbers)
    back = ", ".join(f"b.p{n} AS r{n}" for n in numbers)
    rows = engine.fetch(
        f"SELECT a.e1 AS e1, a.e2 AS e2, a.p AS p, a.c AS c, b.p AS reverse, {forward}, {back} "
        "FROM mixed a JOIN mixed b ON a.e1 = b.e2 AND a.e2 = b.e1 "
        f"WHERE a.p >= {floor} AND a.p > 0 AND b.p > 0 ORDER BY a.e1, a.p DESC, a.e2"
    )
    engine.drop("mixed")
    return _table(rows, pairs, options, language, weights, pruned)


def feature_names(languages: Sequence[str], options: PivotOptions | None = None) -> list[str]:
    """The columns of a pivot table over these languages that a weight may name, including those that the pivot
    stage adds under ``options``."""
    added = []
    if options is not None:
        added = ["context"] * options.context + ["syntax"] * (options.syntax != "none")
    return ["score", "reverse", "both", *(f"in_{language}" for language in languages), "languages", *added]


def _join_language(
    engine: Engine, number: int, pairs: LanguagePairs, options: PivotOptions
) -> dict[str, float]:
    """Make ``joined<number>(e1, e2, p, c)``: p(e2 | e1) within one language, 60-bit fixed point."""
    report = prune_pairs(engine, f"kept{number}", pairs, options.best_translations)
    engine.run(
        f"CREATE OR REPLACE TABLE joined{number} AS "
        "SELECT a.e AS e1, b.e AS e2, CAST(sum(a.p_fe * b.p_ef) AS BIGINT) AS p, "
        "CAST(sum(CASE WHEN a.c < b.c THEN a.c ELSE b.c END) AS BIGINT) AS c "
        f"FROM kept{number} a JOIN kept{number} b ON a.f = b.f WHERE a.e <> b.e GROUP BY a.e, b.e"
    )
    engine.drop(f"kept{number}")
    return report


def prune_pairs(engine: Engine, name: str, pairs: LanguagePairs, best: int) -> dict[str, float]:
    """Make table ``name(e, f, c, p_fe, p_ef)``: each phrase with its ``best`` translations each way.

    Entries whose two phrases are each other's only translation give no paraphrase and are left out.

    Returns the number of pairs before and after pruning, the number of entries left out for that reason, and the share
    of occurrences that were pruned: relative to the given pairs, and relative to the totals.
    """
    engine.table(
        "counted",
        {
            "e": pairs.source,
            "f": pairs.target,
            "c": pairs.count,
            "te": pairs.source_total,
            "tf": pairs.target_total,
        },
    )
    engine.run(
        f"CREATE OR REPLACE TABLE {name} AS SELECT e, f, c, "
        f"(c * {1 << ONE_BITS}) // te AS p_fe, (c * {1 << ONE_BITS}) // tf AS p_ef FROM ("
        "SELECT e, f, c, te, tf, row_number() OVER (PARTITION BY e ORDER BY c DESC, f) AS rank_e, "
        "row_number() OVER (PARTITION BY f ORDER BY c DESC, e) AS rank_f "
        "FROM counted WHERE c < te OR c < tf) ranked "
        f"WHERE rank_e <= {best} AND rank_f <= {best}"
    )
    remaining = engine.fetch(
        f"SELECT count(*) AS pairs, CAST(coalesce(sum(c), 0) AS BIGINT) AS mass FROM {name}"
    )
    engine.drop("counted")
    alone = (pairs.count == pairs.source_total) & (pairs.count == pairs.target_total)
    _, first = np.unique(pairs.source, return_index=True)
    total_count = int(pairs.count.sum())
    mass = int(remaining["mass"][0]) + int(pairs.count[alone].sum())
    return {
        "pairs": len(pairs.source),
        "kept": int(remaining["pairs"][0]),
        "one_to_one": int(alone.sum()),
        "mass_dropped": 1.0 - mass / max(total_count, 1),
        "mass_dropped_of_all": 1.0 - mass / max(int(pairs.source_total[first].sum()), 1),
    }


def _table(
    rows: dict[str, NDArray[Any]],
    pairs: Sequence[LanguagePairs],
    options: PivotOptions,
    language: str,
    weights: Sequence[int],
    pruned: dict[str, dict[str, float]],
) -> ParaphraseTable:
    """Fixed point to natural logs."""
    if options.combine == "product":
        forward = _product([rows[f"p{n}"] for n in range(len(pairs))], weights)
        reverse = _product([rows[f"r{n}"] for n in range(len(pairs))], weights)
    else:
        forward, reverse = _log_probability(rows["p"]), _log_probability(rows["reverse"])
    features = {"reverse": reverse, "both": np.minimum(forward, reverse)}
    seen = np.zeros(len(forward), dtype=np.int64)
    for number, language_pairs in enumerate(pairs):
        within = rows[f"p{number}"]
        seen += within > 0
        features[f"in_{language_pairs.language}"] = _log_probability(within)
    features["languages"] = np.log(np.maximum(seen, 1)).astype(np.float32)
    ratio = "+".join(
        p.language + (f":{w / WEIGHT_ONE:.3g}" if options.weights else "")
        for p, w in zip(pairs, weights, strict=True)
    )
    info = TableInfo(
        kind="pivot",
        language=language,
        signature=f"pivot|langs:{ratio}|combine:{options.combine}|best:{options.best_translations}"
        f"|min:{options.min_probability:g}|top:{options.top}",
        features={
            name: {"direction": "higher", "floor": feature_floor(values)} for name, values in features.items()
        },
        notes={"options": {**asdict(options), "weights": dict(options.weights)}, "pruned": pruned},
    )
    table = ParaphraseTable(
        rows["e1"].astype(np.int32),
        rows["e2"].astype(np.int32),
        rows["c"].astype(np.int64),
        forward,
        features,
        info,
    )
    return select(table) if options.combine == "product" else table


def _log_probability(fixed: NDArray[np.int64]) -> NDArray[np.float32]:
    """Natural log of 60-bit fixed point; NaN for zero."""
    values = np.asarray(fixed, dtype=np.float64) / PRODUCT_ONE
    return np.log(values, out=np.full(len(values), np.nan), where=values > 0).astype(np.float32)


def _product(columns: Sequence[NDArray[np.int64]], weights: Sequence[int]) -> NDArray[np.float32]:
    """Σ_l w_l · log max(p_l, :data:`UNSEEN`): a product of experts, not normalised, since only its order matters."""
    total = np.zeros(len(columns[0]), dtype=np.float64)
    for column, weight in zip(columns, weights, strict=True):
        total += weight / WEIGHT_ONE * np.log(np.maximum(column / PRODUCT_ONE, UNSEEN))
    return total.astype(np.float32)


def feature_floor(values: NDArray[np.float32]) -> float:
    """The lowest known value of a feature; 0 if all are unknown."""
    known = values[~np.isnan(values)]
    return float(known.min()) if len(known) else 0.0
