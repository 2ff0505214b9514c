"""Paraphrases through foreign phrases: p(e2 | e1) = Σ_f p(f | e1) · p(e2 | f).

Bannard & Callison-Burch 2005; Zhao et al. 2008, eq. 8. Several languages are mixed with equal weights, so a
pair that only one of three languages knows has at most a third of its probability there.

Everything in the engine is an integer: probabilities are fixed-point with 30 bits (``count · 2^30 DIV total``),
products have 60 bits and, since they sum to at most one over the pivots of a phrase, never reach 2^63.
Logarithms are taken once, in numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.types import ParaphraseTable, TableInfo

ONE_BITS = 30
PRODUCT_ONE = float(1 << (2 * ONE_BITS))


@dataclass(frozen=True)
class PivotOptions:
    """Options of :func:`pivot`.

    best_translations: each phrase keeps this many translations each way before the join, which bounds it.
    min_probability: paraphrases below it, in the mixture, are dropped.
    top: paraphrases kept a phrase, ranked by the smaller of both directions.
    """

    best_translations: int = 50
    min_probability: float = 0.0005
    top: int = 20

    def __post_init__(self) -> None:
        if self.best_translations < 1 or self.top < 1 or not 0.0 <= self.min_probability < 1.0:
            raise InputError(
                f"expected best_translations and top from 1, min_probability from 0 to below 1, "
                f"got {self.best_translations}, {self.top}, {self.min_probability}"
            )


@dataclass(frozen=True)
class LanguagePairs:
    """Counted phrase pairs of one pivot language, sorted by (source, target).

    source: int32[n], phrase ids shared by all languages; target: int32[n], the language's own phrase ids.
    count: int64[n]; source_total, target_total: int64[n], the phrase's count over *all* its pairs,
    those pruned away included, so that probabilities stay below one.
    """

    language: str
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64]
    source_total: NDArray[np.int64]
    target_total: NDArray[np.int64]


def pivot(
    engine: Engine, pairs: Sequence[LanguagePairs], options: PivotOptions, *, language: str = "en"
) -> ParaphraseTable:
    """The pivot table over all ``pairs``; cost grows with Σ_f degree(f)², bounded by ``best_translations``.

    Features: ``reverse`` log p(source | target), ``both`` the smaller of both directions, ``languages`` the log
    of the number of languages that know the pair, and ``in_XX`` log p within each language (NaN where unseen).
    """
    if not pairs:
        raise InputError(
            "a pivot table needs at least one language", remedy="give bitext with a foreign side"
        )
    for number, language_pairs in enumerate(pairs):
        _join_language(engine, number, language_pairs, options)
    floor = int(options.min_probability * PRODUCT_ONE)
    columns = ", ".join(
        f"sum(CASE WHEN l = {number} THEN p ELSE 0 END) AS p{number}" for number in range(len(pairs))
    )
    union = " UNION ALL ".join(
        f"SELECT {number} AS l, e1, e2, p, c FROM joined{number}" for number in range(len(pairs))
    )
    engine.run(
        f"CREATE OR REPLACE TABLE mixed AS SELECT e1, e2, CAST(sum(p // {len(pairs)}) AS BIGINT) AS p, "
        f"CAST(sum(c) AS BIGINT) AS c, {_as_bigint(columns)} FROM ({union}) GROUP BY e1, e2"
    )
    for number in range(len(pairs)):
        engine.drop(f"joined{number}")
    engine.run(
        "CREATE OR REPLACE TABLE both_ways AS SELECT a.*, coalesce(b.p, 0) AS reverse "
        "FROM mixed a LEFT JOIN mixed b ON a.e1 = b.e2 AND a.e2 = b.e1"
    )
    engine.drop("mixed")
    per_language = "".join(f", p{number}" for number in range(len(pairs)))
    rows = engine.fetch(
        f"SELECT e1, e2, p, c, reverse{per_language} FROM both_ways WHERE p >= {floor} AND reverse > 0 "
        "ORDER BY e1, p DESC, e2"
    )
    engine.drop("both_ways")
    return _table(rows, pairs, options, language)


def feature_names(languages: Sequence[str]) -> list[str]:
    """The columns of a pivot table over these languages that a weight may name."""
    return ["score", "reverse", "both", *(f"in_{language}" for language in languages), "languages"]


def _as_bigint(columns: str) -> str:
    """Sums of BIGINT are HUGEINT in the engine; they fit in 63 bits here (see the module's docstring)."""
    return columns.replace("sum(", "CAST(sum(").replace(") AS", ") AS BIGINT) AS")


def _join_language(engine: Engine, number: int, pairs: LanguagePairs, options: PivotOptions) -> None:
    """Make ``joined<number>(e1, e2, p, c)``: p(e2 | e1) within one language, 60-bit fixed point."""
    prune_pairs(engine, f"kept{number}", pairs, options.best_translations)
    engine.run(
        f"CREATE OR REPLACE TABLE joined{number} AS "
        f"SELECT a.e AS e1, b.e AS e2, CAST(sum(a.p_fe * b.p_ef) AS BIGINT) AS p, "
        f"CAST(sum(least(a.c, b.c)) AS BIGINT) AS c "
        f"FROM kept{number} a JOIN kept{number} b ON a.f = b.f AND a.e <> b.e GROUP BY a.e, b.e"
    )
    engine.drop(f"kept{number}")


def prune_pairs(engine: Engine, name: str, pairs: LanguagePairs, best: int) -> None:
    """Make table ``name(e, f, c, p_fe, p_ef)``: each phrase with its ``best`` translations each way."""
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
        f"(c << {ONE_BITS}) // te AS p_fe, (c << {ONE_BITS}) // tf AS p_ef FROM ("
        "SELECT *, row_number() OVER (PARTITION BY e ORDER BY c DESC, f) AS rank_e, "
        "row_number() OVER (PARTITION BY f ORDER BY c DESC, e) AS rank_f FROM counted) "
        f"WHERE rank_e <= {best} AND rank_f <= {best}"
    )
    engine.drop("counted")


def _table(
    rows: dict[str, NDArray[Any]], pairs: Sequence[LanguagePairs], options: PivotOptions, language: str
) -> ParaphraseTable:
    """Fixed point to natural logs."""
    forward = _log_probability(rows["p"])
    reverse = _log_probability(rows["reverse"])
    features = {"reverse": reverse, "both": np.minimum(forward, reverse)}
    seen = np.zeros(len(forward), dtype=np.int64)
    for number, language_pairs in enumerate(pairs):
        within = rows[f"p{number}"]
        seen += within > 0
        features[f"in_{language_pairs.language}"] = _log_probability(within)
    features["languages"] = np.log(np.maximum(seen, 1)).astype(np.float32)
    info = TableInfo(
        kind="pivot",
        language=language,
        signature=f"pivot|langs:{'+'.join(p.language for p in pairs)}|best:{options.best_translations}"
        f"|min:{options.min_probability:g}|top:{options.top}",
        features={
            name: {"direction": "higher", "floor": _floor(values)} for name, values in features.items()
        },
        notes={"options": asdict(options)},
    )
    return ParaphraseTable(
        rows["e1"].astype(np.int32),
        rows["e2"].astype(np.int32),
        rows["c"].astype(np.int64),
        forward,
        features,
        info,
    )


def _log_probability(fixed: NDArray[np.int64]) -> NDArray[np.float32]:
    """Natural log of 60-bit fixed point; NaN for zero."""
    values = np.asarray(fixed, dtype=np.float64) / PRODUCT_ONE
    return np.log(values, out=np.full(len(values), np.nan), where=values > 0).astype(np.float32)


def _floor(values: NDArray[np.float32]) -> float:
    known = values[~np.isnan(values)]
    return float(known.min()) if len(known) else 0.0


def keep_top(table: ParaphraseTable, keep: NDArray[np.bool_], top: int, by: str = "both") -> ParaphraseTable:
    """The rows where ``keep`` holds, at most ``top`` a source, ranked by feature ``by``; ties by target."""
    rank_values = np.nan_to_num(table.features[by], nan=-np.inf)
    chosen = np.flatnonzero(keep)
    order = chosen[np.lexsort((table.target[chosen], -rank_values[chosen], table.source[chosen]))]
    sources = table.source[order]
    first = np.r_[True, sources[1:] != sources[:-1]] if len(order) else np.zeros(0, bool)
    rank = np.arange(len(order)) - np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    return select(table, order[rank < top])


def select(table: ParaphraseTable, rows: NDArray[np.int64]) -> ParaphraseTable:
    """The given rows, in a table's order: source, score descending, target."""
    order = rows[np.lexsort((table.target[rows], -table.score[rows], table.source[rows]))]
    return ParaphraseTable(
        table.source[order],
        table.target[order],
        table.count[order],
        table.score[order],
        {name: values[order] for name, values in table.features.items()},
        table.info,
        table.veto[order] if len(table.veto) else table.veto,
    )
