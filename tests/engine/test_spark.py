"""Spark against DuckDB on a real cluster: the same queries, the same rows, the same bytes, whoever dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import random_pairs
from bench_module import bench_module
from paraphrast.engine import Engine, check_engine, open_engine
from paraphrast.engine.portable import Statement
from paraphrast.engine.session import MissingJava
from paraphrast.engine.spark import SparkEngine
from paraphrast.errors import InputError, MissingExtra, ParaphrastError
from paraphrast.extract import count_pairs, extract_pairs
from paraphrast.extract.count import commonest_alignments
from paraphrast.formats.table_file import save_table
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.join import pivot

Standalone = bench_module("standalone").Standalone

OPTIONS = PivotOptions(best_translations=8)

QUERIES = [
    "SELECT a, b, c FROM t ORDER BY a, b, c",
    "SELECT a, count(*) AS n, CAST(sum(c) AS BIGINT) AS s, min(b) AS low, max(b) AS high FROM t GROUP BY a ORDER BY a",
    "SELECT c // 7 AS d, -c // 7 AS e, c % 7 AS m, -c % 7 AS n, (c << 20) // 3 AS s FROM t ORDER BY c, a, b, d",
    "SELECT a, b, c, row_number() OVER (PARTITION BY a ORDER BY c DESC, b) AS r FROM t ORDER BY a, r",
    "SELECT a, b, c, lag(c, 1, b) OVER (PARTITION BY a ORDER BY c, b) AS l, min(c) OVER (PARTITION BY b) AS m FROM t"
    " ORDER BY a, b, c",
    "SELECT t.a, u.k, least(t.b, u.k) AS low FROM t JOIN u ON t.a = u.k AND t.b <> u.v ORDER BY t.a, u.k, low",
    "SELECT t.a, t.b, t.c, coalesce(u.v, -1) AS v FROM t LEFT JOIN u ON t.b = u.k ORDER BY t.a, t.b, t.c, v",
    "SELECT a, CAST(sum(CASE WHEN b > 3 THEN c END) AS BIGINT) AS s FROM t GROUP BY a HAVING count(*) > 2 ORDER BY a",
    "SELECT a AS x FROM t UNION ALL SELECT k AS x FROM u ORDER BY x",
    "SELECT count(*) AS n FROM t WHERE a > 1000",
    "SELECT a, b FROM t WHERE a > 1000 ORDER BY a, b",
    "SELECT CAST(c % 1000 AS INTEGER) AS c, CAST(a AS TINYINT) AS a, b > 3 AS more FROM t ORDER BY t.c, t.a, t.b",
    "WITH best AS (SELECT a, max(c) AS c FROM t GROUP BY a) SELECT a, c FROM best ORDER BY c DESC, a LIMIT 3",
]  # fmt: skip


def small_tables(engine: Engine) -> None:
    rng = np.random.default_rng(5)
    engine.table(
        "t",
        {
            "a": rng.integers(0, 9, 200).astype(np.int32),
            "b": rng.integers(0, 9, 200).astype(np.uint8),
            "c": rng.integers(0, 2**40, 200),
        },
    )
    engine.table("u", {"k": np.arange(0, 12, 2, dtype=np.int16), "v": np.arange(6, dtype=np.uint32)})


def test_rows_and_types_are_those_of_duckdb(spark: SparkEngine) -> None:
    with Engine(threads=1) as duck:
        small_tables(duck)
        small_tables(spark)
        for query in QUERIES:
            expected, found = duck.fetch(query), spark.fetch(query)
            assert list(found) == list(expected), query
            for name, values in expected.items():
                assert found[name].dtype == values.dtype, (query, name)
                np.testing.assert_array_equal(found[name], values, err_msg=query)


def test_overflow_is_told_and_never_wraps(spark: SparkEngine) -> None:
    spark.table("big", {"x": np.array([2**62, 3], dtype=np.int64)})
    for query in ("SELECT x << 2 AS y FROM big", "SELECT x * x AS y FROM big"):
        with pytest.raises(ParaphrastError, match=r"(?i)overflow"):
            spark.fetch(query)
    spark.drop("big")


def test_tables_live_and_go(spark: SparkEngine, spark_folder: Path) -> None:
    small_tables(spark)
    spark.run("CREATE OR REPLACE TABLE made AS SELECT a, count(*) AS n FROM t GROUP BY a")
    spark.run("CREATE OR REPLACE TEMP TABLE made AS SELECT a, n + 1 AS n FROM made")
    assert spark.fetch("SELECT CAST(sum(n) AS BIGINT) AS n FROM made")["n"].tolist() == [209]
    spark.drop("made")
    with pytest.raises(Exception, match="made"):
        spark.fetch("SELECT n FROM made")
    for name in ("t", "u"):
        spark.drop(name)
    left = [path.name for path in spark_folder.rglob("*.parquet")]
    assert left == []


def test_what_is_no_integer_stays_here(spark: SparkEngine, tmp_path: Path) -> None:
    spark.table("words", {"id": np.arange(3), "word": np.array(["b", "a", "c"], dtype=object)})
    spark.write_parquet("SELECT id, word FROM words ORDER BY word", tmp_path / "w.parquet", {"kind": "words"})
    assert spark.read_parquet(tmp_path / "w.parquet")["id"].tolist() == [1, 0, 2]
    assert spark.parquet_metadata(tmp_path / "w.parquet") == {"kind": "words"}
    assert spark.fetch(f"SELECT max(word) AS w FROM {spark.parquet(tmp_path / 'w.parquet')}")[
        "w"
    ].tolist() == ["c"]
    spark.drop("words")


def test_the_one_writer_writes_what_spark_made(spark: SparkEngine, tmp_path: Path) -> None:
    query = "SELECT a, c FROM made ORDER BY c, a"
    with Engine(threads=2) as duck:
        for engine, name in ((duck, "duck"), (spark, "spark")):
            small_tables(engine)
            engine.run("CREATE OR REPLACE TABLE made AS SELECT a, c FROM t WHERE b < 7")
            engine.write_parquet(query, tmp_path / name, {"made": [1]})
            engine.drop("made")
    assert (tmp_path / "spark").read_bytes() == (tmp_path / "duck").read_bytes()


def write_pivot(engine: Engine, path: Path, rows: int) -> bytes:
    pairs = random_pairs.language_pairs(["de", "fr", "es"], rows)
    save_table(engine, pivot(engine, pairs, OPTIONS), path)
    return path.read_bytes()


def test_pivot_tables_are_the_same_to_the_byte(spark: SparkEngine, tmp_path: Path) -> None:
    with Engine(threads=2) as duck:
        expected = write_pivot(duck, tmp_path / "duck.parquet", 3000)
    assert len(expected) > 10_000
    assert write_pivot(spark, tmp_path / "spark.parquet", 3000) == expected


def test_counts_and_alignments_are_the_same(spark: SparkEngine) -> None:
    extraction = extract_pairs(*random_pairs.bitext(600, words=4))
    codes = np.arange(len(extraction), dtype=np.int64) % 5
    results: list[list[Any]] = []
    with Engine(threads=1) as duck:
        for engine in (duck, spark):
            counted = count_pairs(engine, extraction, min_count=2, kinds=True)
            assert counted.kinds is not None
            results.append(
                [
                    counted.source,
                    counted.target,
                    counted.count,
                    counted.first,
                    counted.kinds.occurrences,
                    counted.kinds.pairs,
                    counted.kinds.source,
                    counted.kinds.target,
                    commonest_alignments(engine, extraction, counted, codes),
                ]
            )
    assert len(results[0][0]) > 100
    for expected, found in zip(*results, strict=True):
        assert expected.dtype == found.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("default_interrupt")
def test_an_interrupt_cancels_the_job_and_leaves_the_engine_whole(spark: SparkEngine) -> None:
    def interrupt() -> None:
        while not (spark.session.tasks() or (0, 0, 0))[1]:
            time.sleep(0.05)
        # Python drops an interrupt that falls into a finaliser: send it again, long after any clean-up.
        while not stopped.is_set():
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            stopped.wait(30)

    stopped = threading.Event()
    assert spark.map(abs, [-1, 2, -3]) == [1, 2, 3]
    before = signal.getsignal(signal.SIGINT)
    killer = threading.Thread(target=interrupt)
    killer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            spark.map(time.sleep, [600, 600])
    finally:
        stopped.set()
        killer.join()
    assert signal.getsignal(signal.SIGINT) is before
    assert spark.map(abs, [-4]) == [4]


def test_an_error_in_a_worker_is_told(spark: SparkEngine) -> None:
    with pytest.raises(ParaphrastError, match="invalid literal"):
        spark.map(int, ["no number"])
    assert spark.map(abs, []) == []


def test_a_worker_may_die(
    cluster: Any, spark: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two workers is killed, with all it runs, while the mixture is computed: the table is the same."""
    with Engine(threads=2) as duck:
        expected = write_pivot(duck, tmp_path / "duck.parquet", 12_000)
    times: dict[str, float] = {}
    execute = SparkEngine._execute

    def kill() -> None:
        while not (spark.session.tasks() or (0, 0, 0))[1]:
            time.sleep(0.01)
        victims = [number for number, worker in enumerate(cluster.workers) if cluster.executors(number)]
        ended = cluster.kill_worker(victims[0])
        times["killed"] = time.monotonic()
        times["processes"] = len(ended)

    def watched(self: SparkEngine, statement: Statement, query: str) -> Path:
        if statement.makes != "mixed":
            return execute(self, statement, query)
        killer = threading.Thread(target=kill)
        killer.start()
        place = execute(self, statement, query)
        times["ended"] = time.monotonic()
        killer.join()
        return place

    monkeypatch.setattr(SparkEngine, "_execute", watched)
    found = write_pivot(spark, tmp_path / "spark.parquet", 12_000)
    assert times["processes"] >= 2, "the worker and at least one executor"
    assert times["killed"] < times["ended"], "the worker died while the job ran"
    assert found == expected


@pytest.mark.parametrize(
    "name", ["mysql", "spark://host", "local[x]", "local-cluster[2,1]", "", "spark:7077"]
)
def test_a_name_that_is_no_engine_is_told(name: str) -> None:
    with pytest.raises(InputError, match="expected an engine"):
        check_engine(name)


def test_a_master_that_does_not_answer_is_told_at_once() -> None:
    pytest.importorskip("pyspark", reason="the extra [spark] is not installed")
    with pytest.raises(InputError, match="no Spark master answers"):
        open_engine("spark://127.0.0.1:9")


def test_without_java_or_the_extra_the_way_out_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sys

    pytest.importorskip("pyspark", reason="the extra [spark] is not installed")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingJava, match="openjdk-17"):
        check_engine("local[1]")
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingExtra, match=r"pip install 'paraphrast\[spark\]'"):
        check_engine("local[1]")
    check_engine("duckdb")


def test_nothing_starts_before_it_is_needed(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="the extra [spark] is not installed")
    if os.environ.get("JAVA_HOME") is None:
        pytest.importorskip("sqlglot")
    with open_engine("local[1]", spill=tmp_path / "spill") as engine:
        assert isinstance(engine, SparkEngine)
        engine.table("words", {"word": np.array(["a"], dtype=object)})
        engine.write_parquet("SELECT word FROM words", tmp_path / "words.parquet")
        assert engine._session is None
    assert not (tmp_path / "spill").exists()
    assert isinstance(open_engine(), Engine)
