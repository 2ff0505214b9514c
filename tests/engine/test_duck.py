"""The engine: columns in, columns out, files whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraphrast.engine import Engine
from paraphrast.errors import FormatError, InputError, ParaphrastError


def test_columns_come_back_counted() -> None:
    with Engine(threads=2) as engine:
        engine.table("t", {"a": np.array([1, 2, 1, 1], np.int32), "b": np.array([5, 6, 5, 7], np.int32)})
        rows = engine.fetch("SELECT a, b, count(*) AS n FROM t GROUP BY a, b ORDER BY a, b")
    assert rows["a"].tolist() == [1, 1, 2]
    assert rows["b"].tolist() == [5, 7, 6]
    assert rows["n"].tolist() == [2, 1, 1]


def test_a_file_has_the_same_bytes_whatever_the_threads(tmp_path: Path) -> None:
    values = np.arange(400_000, dtype=np.int64) * 7919 % 100_003
    for threads in (1, 2, 4):
        with Engine(threads=threads) as engine:
            engine.table("t", {"v": values})
            engine.write_parquet(
                "SELECT v, v // 3 AS w FROM t ORDER BY v, w", tmp_path / f"{threads}", {"k": [1, "é"]}
            )
            assert engine.parquet_metadata(tmp_path / f"{threads}") == {"k": [1, "é"]}
            assert engine.read_parquet(tmp_path / f"{threads}")["v"].tolist() == sorted(values.tolist())
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() == (tmp_path / "4").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2", "4"]


def test_a_null_is_told_rather_than_made_up() -> None:
    with Engine(threads=1) as engine, pytest.raises(ParaphrastError, match="NULL"):
        engine.fetch("SELECT NULL::INTEGER AS x UNION ALL SELECT 5")


def test_a_failed_write_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.parquet"
    with Engine(threads=1) as engine:
        engine.write_parquet("SELECT 1 AS x", path)
        before = path.read_bytes()
        with pytest.raises(Exception, match="nowhere"):
            engine.write_parquet("SELECT x FROM nowhere", path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_wrong_files_and_options_are_told(tmp_path: Path) -> None:
    junk = tmp_path / "junk.parquet"
    junk.write_bytes(b"no parquet")
    with Engine(threads=1) as engine, pytest.raises(FormatError, match="Parquet"):
        engine.read_parquet(junk)
    with Engine(threads=1) as engine, pytest.raises(ParaphrastError, match="cannot read or write"):
        engine.write_parquet("SELECT 1 AS x", tmp_path / "no" / "such" / "folder.parquet")
    with pytest.raises(InputError, match="memory"):
        Engine(memory="a lot")


def test_damaged_parquet_files_are_told_in_any_query(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    with Engine() as engine:
        engine.table("numbers", {"n": np.arange(5000, dtype=np.int64)})
        engine.write_parquet("SELECT n FROM numbers", path)
        content = path.read_bytes()
        told = 0
        for place in range(0, len(content), max(len(content) // 60, 1)):
            damaged = bytearray(content)
            damaged[place] ^= 0xFF
            path.write_bytes(bytes(damaged))
            try:
                engine.fetch(f"SELECT sum(n) AS total FROM {engine.parquet(path)}")
            except ParaphrastError as error:
                told += "rows.parquet" in str(error)
        assert told > 5
        with pytest.raises(ParaphrastError, match="rows"):
            engine.fetch(f"SELECT missing FROM {engine.parquet(path)}")


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    values = np.arange(1000, dtype=np.int64)[::-1]
    with Engine(threads=2) as engine:
        engine.table("t", {"v": values, "w": values * 2})
        engine.write_parquet("SELECT v, w FROM t ORDER BY v DESC", tmp_path / "t")
        pieces = [piece["v"].tolist() for piece in engine.read_pieces(tmp_path / "t", "v", 300)]
        engine.write_parquet("SELECT v FROM t WHERE v < 0", tmp_path / "none")
        assert list(engine.read_pieces(tmp_path / "none", "v")) == []
    assert [len(piece) for piece in pieces] == [300, 300, 300, 100]
    assert [value for piece in pieces for value in piece] == values.tolist()
