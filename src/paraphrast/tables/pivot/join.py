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
    names = [_register(engine, f"counted{number}", one) for number, one in enumerate(pairs)]
    languages = [one.language for one in pairs]
    try:
        pruned = mix_languages(engine, languages, names, options)
    finally:
        for name in names:
            engine.drop(name)
    rows = engine.fetch(f"{mirrored_rows(len(pairs), options)} ORDER BY a.e1, a.p DESC, a.e2")
    engine.drop("mixed")
    return log_table(rows, languages, options, language, pruned)


def mix_languages(
    engine: Engine, languages: Sequence[str], counted: Sequence[str], options: PivotOptions
) -> dict[str, dict[str, float]]:
    """Make ``mixed(e1, e2, p, c, p0, p1, …)`` of the tables ``counted(e, f, c, te, tf)``, one per language.

    Returns what was pruned before the join, by language: see :func:`prune_counted`.
    """
    if not languages:
        raise InputError(
            "a pivot table needs at least one language", remedy="give bitext with a foreign side"
        )
    numbers = range(len(languages))
    weights = whole_weights(languages, options.weights)
    pruned = {
        language: _join_language(engine, number, counted[number], options)
        for number, language in enumerate(languages)
    }
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
    return pruned


def row_columns(languages: int) -> list[str]:
    """The columns of :func:`mirrored_rows`."""
    forward, back = ([f"{letter}{n}" for n in range(languages)] for letter in "pr")
    return ["e1", "e2", "p", "c", "reverse", *forward, *back]


def mirrored_rows(languages: int, options: PivotOptions) -> str:
    """A query for the rows of ``mixed`` (as a) above the minimum, with what ``mixed`` has of the reverse pair."""
    floor = int(options.min_probability * PRODUCT_ONE)
    forward = ", ".join(f"a.p{n} AS p{n}" for n in range(languages))
    back = ", ".join(f"b.p{n} AS r{n}" for n in range(languages))
    return (
        f"SELECT a.e1 AS e1, a.e2 AS e2, a.p AS p, a.c AS c, b.p AS reverse, {forward}, {back} "
        "FROM mixed a JOIN mixed b ON a.e1 = b.e2 AND a.e2 = b.e1 "
        f"WHERE a.p >= {floor} AND a.p > 0 AND b.p > 0"
    )


def feature_names(languages: Sequence[str], options: PivotOptions | None = None) -> list[str]:
    """The columns of a pivot table over these languages that a weight may name, including those that the pivot
    stage adds under ``options``."""
    added = []
    if options is not None:
        added = ["context"] * options.context + ["syntax"] * (options.syntax != "none")
    return ["score", "reverse", "both", *(f"in_{language}" for language in languages), "languages", *added]


def _join_language(engine: Engine, number: int, counted: str, options: PivotOptions) -> dict[str, float]:
    """Make ``joined<number>(e1, e2, p, c)``: p(e2 | e1) within one language, 60-bit fixed point."""
    report = prune_counted(engine, f"kept{number}", counted, options.best_translations)
    engine.run(
        f"CREATE OR REPLACE TABLE joined{number} AS "
        "SELECT a.e AS e1, b.e AS e2, CAST(sum(a.p_fe * b.p_ef) AS BIGINT) AS p, "
        "CAST(sum(CASE WHEN a.c < b.c THEN a.c ELSE b.c END) AS BIGINT) AS c "
        f"FROM kept{number} a JOIN kept{number} b ON a.f = b.f WHERE a.e <> b.e GROUP BY a.e, b.e"
    )
    engine.drop(f"kept{number}")
    return report


def _register(engine: Engine, name: str, pairs: LanguagePairs) -> str:
    """Make the table ``name(e, f, c, te, tf)`` of arrays."""
    engine.table(
        name,
        {
            "e": pairs.source,
            "f": pairs.target,
            "c": pairs.count,
            "te": pairs.source_total,
            "tf": pairs.target_total,
        },
    )
    return name


def prune_pairs(engine: Engine, name: str, pairs: LanguagePairs, best: int) -> dict[str, float]:
    """:func:`prune_counted` of arrays."""
    report = prune_counted(engine, name, _register(engine, "counted", pairs), best)
    engine.drop("counted")
    return report


def prune_counted(engine: Engine, name: str, counted: str, best: int) -> dict[str, float]:
    """Make table ``name(e, f, c, p_fe, p_ef)`` of ``counted(e, f, c, te, tf)``: the ``best`` translations each way.

    Entries whose two phrases are each other's only translation give no paraphrase and are left out.

    Returns the number of pairs before and after pruning, the number of entries left out for that reason, and the share
    of occurrences that were pruned: relative to the given pairs, and relative to the totals.
    """
    engine.run(
        f"CREATE OR REPLACE TABLE {name} AS SELECT e, f, c, "
        f"(c * {1 << ONE_BITS}) // te AS p_fe, (c * {1 << ONE_BITS}) // tf AS p_ef FROM ("
        "SELECT e, f, c, te, tf, row_number() OVER (PARTITION BY e ORDER BY c DESC, f) AS rank_e, "
        "row_number() OVER (PARTITION BY f ORDER BY c DESC, e) AS rank_f "
        f"FROM {counted} WHERE c < te OR c < tf) ranked "
        f"WHERE rank_e <= {best} AND rank_f <= {best}"
    )
    remaining = _sums(engine, name, c="c")
    alone = "CASE WHEN c = te AND c = tf THEN {} ELSE 0 END"
    given = _sums(engine, counted, c="c", alone=alone.format("1"), alone_mass=alone.format("c"))
    totals = _sums(engine, f"(SELECT e, min(te) AS te FROM {counted} GROUP BY e) phrases", te="te")
    mass = remaining["c"] + given["alone_mass"]
    return {
        "pairs": given["n"],
        "kept": remaining["n"],
        "one_to_one": given["alone"],
        "mass_dropped": 1.0 - mass / max(given["c"], 1),
        "mass_dropped_of_all": 1.0 - mass / max(totals["te"], 1),
    }


def _sums(engine: Engine, table: str, **terms: str) -> dict[str, int]:
    """``n``, the number of rows, and the sums of some terms over them."""
    sums = ", ".join(f"CAST(coalesce(sum({term}), 0) AS BIGINT) AS {name}" for name, term in terms.items())
    columns = engine.fetch(f"SELECT count(*) AS n, {sums} FROM {table}")
    return {name: int(column[0]) for name, column in columns.items()}


def log_table(
    rows: Mapping[str, NDArray[Any]],
    languages: Sequence[str],
    options: PivotOptions,
    language: str,
    pruned: dict[str, dict[str, float]],
) -> ParaphraseTable:
    """Fixed point to natural logs: the table of rows in the columns of :func:`row_columns`."""
    weights = whole_weights(languages, options.weights)
    if options.combine == "product":
        forward = _product([rows[f"p{n}"] for n in range(len(languages))], weights)
        reverse = _product([rows[f"r{n}"] for n in range(len(languages))], weights)
    else:
        forward, reverse = _log_probability(rows["p"]), _log_probability(rows["reverse"])
    features = {"reverse": reverse, "both": np.minimum(forward, reverse)}
    seen = np.zeros(len(forward), dtype=np.int64)
    for number, pivot_language in enumerate(languages):
        within = rows[f"p{number}"]
        seen += within > 0
        features[f"in_{pivot_language}"] = _log_probability(within)
    features["languages"] = np.log(np.maximum(seen, 1)).astype(np.float32)
    ratio = "+".join(
        name + (f":{weight / WEIGHT_ONE:.3g}" if options.weights else "")
        for name, weight in zip(languages, weights, strict=True)
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
