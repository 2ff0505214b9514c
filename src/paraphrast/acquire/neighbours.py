"""Pairs of similar articles: an inverted index over rare terms, through the engine, and exact products.

No step is quadratic. An article is listed under its terms and its bucket of days. A term that more than ``crowd``
articles of a bucket share is ignored (it is no evidence of a common event), so a list gives at most ``crowd``² / 2
pairs, and the number of lists grows with the text. Pairs that share at least ``shared`` listed terms are then compared
by the product of their whole rows. The query uses integers only, so all engines give the same pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire import _kernels
from paraphrast.acquire.options import NeighbourOptions
from paraphrast.acquire.terms import UNIT, Rows
from paraphrast.engine import Engine

#: The day of articles without a date, which are compared only with each other.
UNDATED = -1


@dataclass(frozen=True)
class Neighbours:
    """Pairs ``first < second`` with the product of their rows, in units of 2³⁰; sorted by first, then second."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    product: NDArray[np.int64]

    def cosines(self) -> NDArray[np.float64]:
        """Products as numbers from 0 to 1."""
        return np.asarray(self.product / float(UNIT * UNIT))


QUERY = """
SELECT a.doc AS one, b.doc AS other
FROM near_posts AS a JOIN near_others AS b ON a.term = b.term AND a.bucket = b.bucket
WHERE (b.later = 1 OR a.doc < b.doc) AND b.day - a.day < {window} AND a.day - b.day < {window}
  AND a.fresh + b.fresh > 0
GROUP BY a.doc, b.doc
HAVING count(*) >= {shared}
ORDER BY one, other
"""


def days_array(days: Sequence[int | None]) -> NDArray[np.int64]:
    """Days as an array, :data:`UNDATED` if unknown."""
    return np.array([UNDATED if day is None else day for day in days], dtype=np.int64)


def find_neighbours(
    rows: Rows,
    days: NDArray[np.int64],
    engine: Engine,
    options: NeighbourOptions | None = None,
    *,
    fresh_from: int = 0,
) -> Neighbours:
    """Pairs of near rows, with at least one row from ``fresh_from`` on."""
    options = options or NeighbourOptions()
    docs = np.repeat(np.arange(len(rows), dtype=np.int64), np.diff(rows.starts))
    dated = days != UNDATED
    # Undated articles have a separate bucket, far from all others.
    bucket_of = np.where(dated, days // options.window, -1_000_000)
    listed = rows.weights > 0
    docs, terms = docs[listed], rows.terms[listed].astype(np.int64)
    bucket = bucket_of[docs]
    uncrowded = _uncrowded(terms, bucket, options.crowd)
    docs, terms, bucket = docs[uncrowded], terms[uncrowded], bucket[uncrowded]
    fresh = (docs >= fresh_from).astype(np.int64)
    day = np.where(dated, days, 0)[docs]
    engine.table("near_posts", {"term": terms, "bucket": bucket, "doc": docs, "day": day, "fresh": fresh})
    later = dated[docs]
    engine.table(
        "near_others",
        {
            "term": np.concatenate([terms, terms[later]]),
            "bucket": np.concatenate([bucket, bucket[later] - 1]),
            "doc": np.concatenate([docs, docs[later]]),
            "day": np.concatenate([day, day[later]]),
            "fresh": np.concatenate([fresh, fresh[later]]),
            "later": np.concatenate([np.zeros(len(docs), np.int64), np.ones(int(later.sum()), np.int64)]),
        },
    )
    matches = engine.fetch(QUERY.format(window=options.window, shared=options.shared))
    engine.drop("near_posts")
    engine.drop("near_others")
    one, other = matches["one"].astype(np.int64), matches["other"].astype(np.int64)
    first, second = np.minimum(one, other), np.maximum(one, other)
    product = _kernels.pair_products(rows.starts, rows.terms, rows.weights, first, second)
    near = product >= int(options.least * UNIT * UNIT)
    return _nearest(first[near], second[near], product[near], len(rows), options.most)


def _uncrowded(terms: NDArray[np.int64], bucket: NDArray[np.int64], crowd: int) -> NDArray[np.bool_]:
    """Postings of lists that have from two to ``crowd`` entries, including neighbouring buckets."""
    if not len(terms):
        return np.zeros(0, dtype=bool)
    low = int(bucket.min())
    span = int(bucket.max()) - low + 2
    key = terms * span + (bucket - low)
    keys, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    after = np.searchsorted(keys, keys + 1)
    has_after = (after < len(keys)) & (keys[np.minimum(after, len(keys) - 1)] == keys + 1)
    with_next = counts + np.where(has_after, counts[np.minimum(after, len(keys) - 1)], 0)
    before = np.searchsorted(keys, keys - 1)
    has_before = keys[np.minimum(before, len(keys) - 1)] == keys - 1
    total = with_next + np.where(has_before, counts[np.minimum(before, len(keys) - 1)], 0)
    return np.asarray(((total >= 2) & (counts <= crowd))[inverse])


def _nearest(
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    product: NDArray[np.int64],
    count: int,
    most: int,
) -> Neighbours:
    """Pairs that are among the ``most`` nearest of either article."""
    docs = np.concatenate([first, second])
    pair = np.concatenate([np.arange(len(first)), np.arange(len(first))])
    others = np.concatenate([second, first])
    order = np.lexsort((others, -np.concatenate([product, product]), docs))
    rank = np.arange(len(docs)) - np.searchsorted(docs[order], docs[order])
    is_near = np.zeros(len(first), dtype=bool)
    is_near[pair[order[rank < most]]] = True
    first, second, product = first[is_near], second[is_near], product[is_near]
    order = np.lexsort((second, first))
    return Neighbours(first[order], second[order], product[order])
