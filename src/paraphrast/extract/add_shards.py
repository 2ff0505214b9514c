"""Add up the counts of shards in the engine, and number the phrases of the pairs that are kept.

Neither the occurrences nor the phrases of the whole corpus are ever in this process: shards are Parquet files
(:mod:`paraphrast.extract.shard`), sums and joins are the engine's, and the results are Parquet files again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from paraphrast.engine import Engine
from paraphrast.extract.shard import SENTENCE, WORD, WORDS
from paraphrast.types.phrase_keys import PhraseKeys, equal, listed

#: Phrases are numbered within blocks of this many sentences, so that no worker has to sort them all.
BLOCK = 8192 * SENTENCE
#: A category is in the mask of a phrase if it has at least this share of its occurrences.
CATEGORY_PERCENT = 10

PAIRS, SOURCES, TARGETS, ORIENTATION = (
    f"{name}.parquet" for name in ("pairs", "sources", "targets", "orientation")
)


def add_shards(
    engine: Engine,
    files: Mapping[str, Sequence[Path]],
    source_keys: PhraseKeys,
    target_keys: PhraseKeys,
    min_count: int,
    folder: Path,
) -> int:
    """Write the results of all shards to ``folder``; returns the number of pairs.

    pairs: source, target, count, source_total, target_total, sentence, source_start, sorted by (source, target).
    sources, targets: id, packed words, total, and of sources glue and category. Ids follow the first appearance in the
    corpus of the phrases that any pair uses. The packing is in the metadata of the files.
    orientation: packed words, mono, swap, other of every source phrase seen more than once; the first row, of the empty
    phrase, is the sum of all others.
    files: the shards of each table of :func:`~paraphrast.extract.shard.count_shard`.
    """
    for name, paths in files.items():
        engine.files(f"shard_{name}", paths)
    source, target = source_keys.names("s"), target_keys.names("t")
    engine.run(
        f"CREATE OR REPLACE TABLE added AS SELECT {listed(source + target)}, CAST(sum(n) AS BIGINT) AS n,"
        f" min(place) AS place FROM shard_pairs GROUP BY {listed(source + target)}"
        f" HAVING CAST(sum(n) AS BIGINT) >= {int(min_count)}"
    )
    _number(engine, "source", source)
    _number(engine, "target", target)
    _describe(engine, source, "categories" in files)
    engine.write_parquet(
        f"SELECT i.id, {listed(source, 'i')}, i.total, g.mask AS glue, c.mask AS category FROM ids_source i"
        f" JOIN spelt g ON {equal('i', source, 'g', source)}"
        f" JOIN classed c ON {equal('i', source, 'c', source)} ORDER BY i.id",
        folder / SOURCES,
        {"keys": asdict(source_keys)},
    )
    engine.write_parquet(
        f"SELECT id, {listed(target)}, total FROM ids_target ORDER BY id",
        folder / TARGETS,
        {"keys": asdict(target_keys)},
    )
    engine.write_parquet(
        "SELECT s.id AS source, t.id AS target, a.n AS count, s.total AS source_total, t.total AS target_total,"
        f" CAST(a.place // {SENTENCE} AS INTEGER) AS sentence,"
        f" CAST((a.place // {WORD}) % {WORDS} AS INTEGER) AS source_start FROM added a"
        f" JOIN ids_source s ON {equal('a', source, 's', source)}"
        f" JOIN ids_target t ON {equal('a', target, 't', target)} ORDER BY source, target",
        folder / PAIRS,
    )
    if "sources" in files:
        _write_orientation(engine, source, folder / ORIENTATION)
    number = int(engine.fetch("SELECT count(*) AS n FROM added")["n"][0])
    for name in ("added", "ids_source", "ids_target", "spelt", "classed"):
        engine.drop(name)
    for name in files:
        engine.drop(f"shard_{name}")
    return number


def _number(engine: Engine, side: str, names: Sequence[str]) -> None:
    """Make ``ids_SIDE(words…, total, id)``: the phrases of the added pairs, numbered by first appearance.

    The total and the first appearance are those in all pairs.
    """
    engine.run(
        f"CREATE OR REPLACE TABLE used AS SELECT {listed(names, 'p')}, CAST(sum(p.n) AS BIGINT) AS total,"
        f" min(p.place) AS place FROM shard_pairs p JOIN (SELECT DISTINCT {listed(names)} FROM added) d"
        f" ON {equal('p', names, 'd', names)} GROUP BY {listed(names, 'p')}"
    )
    number_rows(engine, f"ids_{side}", "used", [*names, "total"], f"place // {BLOCK}", ["place"])
    engine.drop("used")


def number_rows(
    engine: Engine, name: str, table: str, columns: Sequence[str], block: str, order: Sequence[str]
) -> None:
    """Make ``name(columns…, id)``: the rows of ``table``, numbered from 0 by ``order``.

    block: an integer that never falls in that order. Only the size of each block is held here.
    """
    sizes = engine.fetch(
        f"SELECT {block} AS block, count(*) AS n FROM {table} GROUP BY {block} ORDER BY block"
    )
    before = np.concatenate([[0], np.cumsum(sizes["n"].astype(np.int64))])[:-1]
    engine.table("blocks", {"block": sizes["block"].astype(np.int64), "preceding": before})
    engine.run(
        f"CREATE OR REPLACE TABLE {name} AS SELECT {listed(columns, 'o')},"
        " CAST(b.preceding + o.place_in_block - 1 AS INTEGER) AS id FROM ("
        f"SELECT {listed(columns)}, {block} AS block,"
        f" row_number() OVER (PARTITION BY {block} ORDER BY {listed(order)}) AS place_in_block FROM {table}) o"
        " JOIN blocks b ON b.block = o.block"
    )
    engine.drop("blocks")


def _describe(engine: Engine, names: Sequence[str], tagged: bool) -> None:
    """Make ``spelt(words…, mask)`` and ``classed(words…, mask)`` of the numbered source phrases."""
    words, same = listed(names, "i"), equal("i", names, "v", names)
    engine.run(
        f"CREATE OR REPLACE TABLE masks AS SELECT {words}, v.mask, CAST(sum(v.n) AS BIGINT) AS n"
        f" FROM ids_source i JOIN shard_glue v ON {same} GROUP BY {words}, v.mask"
    )
    # The spelling with all spaces is what remains of the total. Of equally frequent ones, the smaller mask is used.
    engine.run(
        f"CREATE OR REPLACE TABLE spelt AS SELECT {listed(names)}, mask FROM (SELECT {listed(names)}, mask,"
        f" row_number() OVER (PARTITION BY {listed(names)} ORDER BY n DESC, mask) AS place FROM ("
        f"SELECT {listed(names)}, mask, n FROM masks UNION ALL"
        f" SELECT {words}, 0 AS mask, i.total - coalesce(v.n, 0) AS n FROM ids_source i LEFT JOIN"
        f" (SELECT {listed(names)}, CAST(sum(n) AS BIGINT) AS n FROM masks GROUP BY {listed(names)}) v ON {same}"
        ") tallied) ranked WHERE place = 1"
    )
    engine.drop("masks")
    if not tagged:
        engine.run(
            f"CREATE OR REPLACE TABLE classed AS SELECT {listed(names)}, CAST(0 AS BIGINT) AS mask FROM ids_source"
        )
        return
    bits = np.arange(32)
    engine.table("powers", {"category": bits.astype(np.int32), "mask": np.int64(1) << bits.astype(np.int64)})
    engine.run(
        f"CREATE OR REPLACE TABLE classed AS SELECT {listed(names, 'c')}, CAST(sum(b.mask) AS BIGINT) AS mask FROM ("
        f"SELECT {words}, v.category, i.total, CAST(sum(v.n) AS BIGINT) AS n FROM ids_source i"
        f" JOIN shard_categories v ON {same} GROUP BY {words}, v.category, i.total) c"
        f" JOIN powers b ON b.category = c.category WHERE c.n * 100 >= {CATEGORY_PERCENT} * c.total"
        f" GROUP BY {listed(names, 'c')}"
    )
    engine.drop("powers")


def _write_orientation(engine: Engine, names: Sequence[str], path: Path) -> None:
    outcomes = ("mono", "swap", "other")
    sums = ", ".join(f"CAST(sum({name}) AS BIGINT) AS {name}" for name in ("n", *outcomes))
    engine.run(
        f"CREATE OR REPLACE TABLE oriented AS SELECT {listed(names)}, {sums} FROM shard_sources"
        f" GROUP BY {listed(names)}"
    )
    rest = ", ".join(f"CAST(coalesce(sum({name}), 0) AS BIGINT) AS {name}" for name in outcomes)
    nothing = ", ".join(f"CAST(0 AS BIGINT) AS {name}" for name in names)
    engine.write_parquet(
        f"SELECT {listed([*names, *outcomes])} FROM (SELECT {listed([*names, *outcomes])} FROM oriented WHERE n > 1"
        f" UNION ALL SELECT {nothing}, {rest} FROM oriented WHERE n <= 1) pooled ORDER BY {listed(names)}",
        path,
    )
    engine.drop("oriented")
