"""Which queries mean the same on every engine; every query in use is among them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import random_pairs
from paraphrast.engine import Engine, portable
from paraphrast.engine.duck import Columns
from paraphrast.errors import ParaphrastError
from paraphrast.extract import count_pairs, extract_pairs
from paraphrast.extract.count import commonest_alignments
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.join import pivot

pytest.importorskip("sqlglot", reason="the extra [spark] is not installed")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT a / b AS r FROM t", "fractions"),
        ("SELECT avg(a) AS r FROM t", "fraction"),
        ("SELECT ln(a) AS r FROM t", "numpy"),
        ("SELECT CAST(a AS DOUBLE) AS r FROM t", "only integers are cast to"),
        ("SELECT TRY_CAST(a AS BIGINT) AS r FROM t", "may differ"),
        ("SELECT a * 0.5 AS r FROM t", "the number 0.5"),
        ("SELECT a FROM t WHERE a < 9223372036854775808", "below 2"),
        ("SELECT a FROM t WHERE w = 'word'", "words are ids"),
        ("SELECT lower(w) AS r FROM t", "words are ids"),
        ("SELECT w FROM t WHERE w LIKE w", "words are ids"),
        ("SELECT sum(a) AS r FROM t", "write CAST"),
        ("SELECT CAST(sum(a) AS INTEGER) AS r FROM t", "write CAST"),
        ("SELECT a << b AS r FROM t", "fixed number"),
        ("SELECT row_number() OVER (PARTITION BY a) AS r FROM t", "without ORDER BY"),
        ("SELECT a FROM t LIMIT 3", "by chance"),
        ("SELECT first(a) AS r FROM t", "depends on the engine"),
        ("SELECT random() AS r FROM t", "may differ"),
        ("SELECT hash(a) AS r FROM t", "may differ"),
        ("SELECT list(a) AS r FROM t", "may differ"),
        ("SELECT * FROM read_parquet('x.parquet')", "not mixed"),
        ("CREATE TABLE t (a INTEGER)", "may differ|AS SELECT"),
        ("CREATE VIEW v AS SELECT a FROM t", "AS SELECT"),
        ("UPDATE t SET a = 1", "may differ"),
        ("DELETE FROM t", "may differ"),
        ("SELECT FROM WHERE", "cannot be read"),
    ],
)
def test_what_engines_may_see_differently_is_refused(query: str, why: str) -> None:
    with pytest.raises(ParaphrastError, match=why):
        portable(query)


def test_what_is_written_for_spark() -> None:
    found = portable(
        'CREATE OR REPLACE TEMP TABLE t AS SELECT (c << 30) // te AS "count" FROM a b, d ORDER BY c'
    )
    assert (found.kind, found.makes, found.reads) == ("create", "t", ("a", "d"))
    assert "CAST(`c` AS BIGINT) * 1073741824" in found.spark
    assert " DIV `te`" in found.spark
    assert found.spark.endswith("ORDER BY `c` NULLS LAST")
    assert portable("WITH x AS (SELECT a FROM t) SELECT a FROM x").reads == ("t",)
    assert portable('DROP TABLE IF EXISTS "t"').kind == "drop"


class Listening(Engine):
    """An engine that remembers its queries."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.heard: list[str] = []

    def run(self, query: str) -> None:
        self.heard.append(query)
        super().run(query)

    def fetch(self, query: str) -> Columns:
        self.heard.append(query)
        return super().fetch(query)


def test_every_query_of_counting_and_pivoting_is_portable() -> None:
    with Listening() as engine:
        pivot(engine, random_pairs.language_pairs(["de", "fr"], 300), PivotOptions())
        bitext = random_pairs.bitext(40)
        extraction = extract_pairs(*bitext)
        counted = count_pairs(engine, extraction, kinds=True)
        commonest_alignments(engine, extraction, counted, np.zeros(len(extraction), np.int64))
    assert len(engine.heard) >= 10
    for query in engine.heard:
        portable(query)


def test_every_query_of_comparable_news_is_portable() -> None:
    from paraphrast.acquire import candidates, duplicates, neighbours

    portable(duplicates.QUERY)
    portable(neighbours.QUERY.format(window=3, shared=2))
    portable(
        candidates.QUERY.format(
            count=9, articles="a.article <> b.article", numerator=1, denominator=2, lengths="a.entry <> -1"
        )
    )


def test_every_query_of_training_is_portable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import toy
    from paraphrast.training import stages as training

    heard: list[str] = []
    inner = Engine._here

    def listen(self: Engine, query: str) -> None:
        heard.append(query)
        inner(self, query)

    fetch = Engine.fetch

    def fetched(self: Engine, query: str) -> Columns:
        heard.append(query)
        return fetch(self, query)

    monkeypatch.setattr(Engine, "_here", listen)
    monkeypatch.setattr(Engine, "fetch", fetched)
    training.train(toy.write_config(tmp_path), tmp_path / "model", threads=1)
    own = [query for query in heard if not query.startswith(("COPY", "SET ", "DROP"))]
    tables = [query for query in own if "read_parquet" not in query]
    assert any("row_number" in query for query in tables)
    for query in tables:
        portable(query)
