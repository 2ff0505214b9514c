"""A table that stands alone survives its file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError, ParaphrastError
from paraphrast.formats.table_file import read_table_file, table_file_info, write_table_file
from paraphrast.types import LooseTable, PhraseRow, TableInfo, loose_table

INFO = TableInfo("dictionary", "en", "dictionary|test", features={"rank": {"direction": "higher"}})
WORDS = st.sampled_from(["look", "at", "a-b", "a", "b", "<number>", "l'", "学"])
PHRASES = st.lists(WORDS, min_size=1, max_size=7).map(tuple)


def texts(table: LooseTable) -> list[tuple[tuple[str, ...], tuple[str, ...], float, int, float]]:
    """The rows as text."""
    rows = table.table
    return [
        (
            table.phrase(int(rows.source[i])),
            table.phrase(int(rows.target[i])),
            float(rows.score[i]),
            int(rows.count[i]),
            float(rows.features["rank"][i]),
        )
        for i in range(len(table))
    ]


@settings(max_examples=30, deadline=None)
@given(rows=st.lists(st.tuples(PHRASES, PHRASES, st.integers(0, 9), st.none() | st.floats(-3, 0, width=32))))
def test_read_back(
    rows: list[tuple[tuple[str, ...], tuple[str, ...], int, float | None]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("loose") / "t.parquet"
    made = loose_table(
        [
            PhraseRow(source, target, -float(n), n, {} if rank is None else {"rank": rank})
            for source, target, n, rank in rows
        ],
        INFO,
        ["rank"],
        glue={("a", "b"): 1},
    )
    assert write_table_file(path, made) == len(made)
    back = read_table_file(path)
    assert str(texts(back)) == str(texts(made))
    assert back.words == made.words
    assert np.array_equal(back.phrases.words, made.phrases.words)
    assert np.array_equal(back.phrases.glue, made.phrases.glue)
    assert back.table.info == INFO
    assert table_file_info(path) == INFO


def test_top_and_best_of_twins() -> None:
    table = loose_table(
        [
            PhraseRow(("a",), (word,), score)
            for word, score in (("b", -2.0), ("b", -1.0), ("c", -1.5), ("d", -3.0))
        ],
        INFO,
        top=2,
    )
    assert [
        (table.phrase(int(t))[0], float(s))
        for t, s in zip(table.table.target, table.table.score, strict=True)
    ] == [
        ("b", -1.0),
        ("c", -1.5),
    ]


def test_too_long() -> None:
    with pytest.raises(InputError, match="1 to 7 words"):
        loose_table([PhraseRow(("a",) * 8, ("b",), 0.0)], INFO)


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    duckdb.sql(f"COPY (SELECT 1 AS a) TO '{path}' (FORMAT parquet)")
    with pytest.raises(FormatError, match="standalone"):
        read_table_file(path)
    path.write_bytes(b"junk")
    with pytest.raises(FormatError):
        read_table_file(path)
    with pytest.raises(InputError, match="no such table"):
        read_table_file(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="no such folder"):
        write_table_file(tmp_path / "no" / "t.parquet", loose_table([], INFO))


def test_newer_format(tmp_path: Path) -> None:
    from dataclasses import replace

    path = tmp_path / "t.parquet"
    table = loose_table([PhraseRow(("a",), ("b",), math.log(0.5))], TableInfo("self", "en", "x"))
    newer = replace(table, table=replace(table.table, info=replace(table.table.info, format_version=9)))
    write_table_file(path, newer)
    with pytest.raises(FormatError, match="format 1 or older, got 9"):
        read_table_file(path)


def hostile(path: Path, rows: str = "range(1)", features: object = None, **columns: str) -> Path:
    """A table whose columns are expressions of SQL."""
    kinds = dict.fromkeys(("count", "veto", "source_glue", "target_glue", "source_categories"), "0")
    kinds.update({"source": "'a'", "target": "'b'", "score": "-1.0", "target_categories": "0", **columns})
    listed = ", ".join(f'{value} AS "{name}"' for name, value in kinds.items() if value)
    info = {"kind": "x", "language": "en", "signature": "s", "layout": "text", "format_version": 1}
    metadata = json.dumps({**info, "features": {} if features is None else features, "notes": {}})
    quoted = metadata.replace("'", "''")
    options = f"FORMAT parquet, ROW_GROUP_SIZE 10000000, KV_METADATA {{paraphrast_table: '{quoted}'}}"
    duckdb.execute(f"COPY (SELECT {listed} FROM {rows}) TO '{path}' ({options})")
    return path


def test_names_in_a_file_are_no_sql(tmp_path: Path) -> None:
    written = tmp_path / "written.txt"
    columns = "(SELECT 'a' source, 'b' target, 1 \"count\", 1 score, 0 veto, 1.0::FLOAT f)"
    name = f"f\", 0) AS x FROM {columns}; COPY (SELECT 1) TO '{written}' (FORMAT csv); --"
    with pytest.raises(FormatError):
        read_table_file(hostile(tmp_path / "t.parquet", features={name: {}}))
    assert not written.exists()


@pytest.mark.parametrize(
    "columns",
    [
        {"count": "'many'"},
        {"score": "'x'"},
        {"source": "''::BLOB || '\\xff'::BLOB", "target": "NULL"},
        {"source_glue": "300"},
        {"target_categories": "-1"},
        {"veto": ""},
        {"veto": "", "target_\u00e9": "0"},
        {"features": ["rank"]},
        {"features": {"rank": 1}},
        {"rows": "range(1000000)"},
        {"source": "repeat('a', 100000)", "rows": "range(2000)"},
    ],
)
def test_hostile_columns(tmp_path: Path, columns: dict[str, Any]) -> None:
    with pytest.raises(ParaphrastError):
        read_table_file(hostile(tmp_path / "t.parquet", **columns))


def test_a_sound_file_of_another_writer_is_read(tmp_path: Path) -> None:
    """The hostile files are refused for what is wrong with them."""
    assert len(read_table_file(hostile(tmp_path / "t.parquet", Source="'c'", source=""))) == 1
