"""Near-duplicate articles: syndicated copies, found by MinHash, marked, and used once.

datasketch computes the signatures of one part of the articles at a time. Equal bands of two signatures are found by a
join of integers. So both run on any engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.options import DuplicateOptions
from paraphrast.engine import Engine
from paraphrast.errors import MissingExtra
from paraphrast.formats.articles import Article

_WORD = re.compile(r"\w+")
#: Number of articles per task of a worker.
PART = 500


def signatures(job: tuple[Sequence[str], DuplicateOptions]) -> NDArray[np.uint64]:
    """MinHash signatures of texts, [texts, hashes]."""
    texts, options = job
    try:
        from datasketch import MinHash
    except ImportError as error:
        raise MissingExtra("finding copies", "news") from error

    hashes = np.zeros((len(texts), options.hashes), dtype=np.uint64)
    blank = MinHash(num_perm=options.hashes, seed=1)
    for index, text in enumerate(texts):
        words = _WORD.findall(text.lower())
        size = options.shingle
        shingles = {" ".join(words[i : i + size]) for i in range(max(len(words) - size + 1, 1))}
        signature = blank.copy()
        signature.update_batch([shingle.encode("utf-8", "replace") for shingle in sorted(shingles)])
        hashes[index] = signature.hashvalues
    return hashes


#: Every article of a band with the first one that agrees with it, and with the previous one.
RANKED = """
CREATE OR REPLACE TABLE copy_ranks AS
SELECT band, value, doc, row_number() OVER (PARTITION BY band, value ORDER BY doc) AS place FROM copy_bands
"""
QUERY = """
SELECT DISTINCT one, other FROM (
  SELECT a.doc AS one, b.doc AS other FROM copy_ranks AS a
  JOIN copy_ranks AS b ON a.band = b.band AND a.value = b.value AND a.place + 1 = b.place
  UNION ALL
  SELECT a.doc AS one, b.doc AS other FROM copy_ranks AS a
  JOIN copy_ranks AS b ON a.band = b.band AND a.value = b.value
  WHERE a.place = 1 AND b.place > 1
) AS agreeing
ORDER BY other, one
"""


def find_duplicates(
    articles: Sequence[Article], engine: Engine, options: DuplicateOptions | None = None
) -> list[int]:
    """For each article, the index of the earlier article it copies, or −1. Articles without text are never copies."""
    options = options or DuplicateOptions()
    long_enough = [index for index, article in enumerate(articles) if len(article.body()) >= 80]
    copies = [-1] * len(articles)
    if len(long_enough) < 2:
        return copies
    parts = [
        ([articles[index].body() for index in long_enough[begin : begin + PART]], options)
        for begin in range(0, len(long_enough), PART)
    ]
    table = np.concatenate(engine.map(signatures, parts))
    rows = options.hashes // options.bands
    # The values of a band are mixed into one 62-bit number; numbers that agree by chance are separated below.
    mixed = np.zeros((len(long_enough), options.bands), dtype=np.uint64)
    for row in range(rows):
        mixed = (mixed ^ table[:, row::rows][:, : options.bands]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    engine.table(
        "copy_bands",
        {
            "doc": np.repeat(np.arange(len(long_enough), dtype=np.int64), options.bands),
            "band": np.tile(np.arange(options.bands, dtype=np.int64), len(long_enough)),
            "value": (mixed >> np.uint64(2)).astype(np.int64).ravel(),
        },
    )
    engine.run(RANKED)
    matches = engine.fetch(QUERY)
    engine.drop("copy_ranks")
    engine.drop("copy_bands")
    original: dict[int, int] = {}
    for first, second in zip(matches["one"].tolist(), matches["other"].tolist(), strict=True):
        first = original.get(first, first)
        if second in original or first == second:
            continue
        if (table[first] == table[second]).mean() >= options.similarity:
            original[second] = first
    for second, first in original.items():
        copies[long_enough[second]] = long_enough[first]
    return copies


def mark_duplicates(
    articles: Sequence[Article], engine: Engine, options: DuplicateOptions | None = None
) -> list[Article]:
    """The articles, with ``duplicate_of`` of each copy set to the page that it copies."""
    return [
        article if copied < 0 else replace(article, duplicate_of=articles[copied].page)
        for article, copied in zip(articles, find_duplicates(articles, engine, options), strict=True)
    ]
