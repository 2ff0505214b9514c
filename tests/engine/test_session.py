"""What a Spark application is started with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import paraphrast
from paraphrast.engine.session import (
    Session,
    _environment,
    _settings,
    _Shared,
    application,
    is_spark,
    worker_environment,
)


def test_memory_goes_where_the_work_is(tmp_path: Path) -> None:
    cluster = _settings("spark://host:7077", tmp_path, 4 << 30, 2)
    assert (cluster["spark.driver.memory"], cluster["spark.executor.memory"]) == ("1024m", "4096m")
    assert "spark.executor.memory" not in _settings("spark://host:7077", tmp_path, None, 2), "the site's own"
    assert _settings("local-cluster[2,1,700]", tmp_path, 4 << 30, 2)["spark.executor.memory"] == "700m"
    assert _settings("local[2]", tmp_path, 4 << 30, 2)["spark.driver.memory"] == "4096m"
    assert _settings("local", tmp_path, None, 3)["spark.master"] == "local[3]"


def test_only_a_cluster_is_seen_from_outside(tmp_path: Path) -> None:
    for master in ("local[1]", "local-cluster[1,1,600]", "spark://127.0.0.1:7077", "spark://localhost:7077"):
        assert _settings(master, tmp_path, None, 1)["spark.driver.host"] == "127.0.0.1"
    assert "spark.driver.host" not in _settings("spark://node1:7077", tmp_path, None, 1)
    assert _settings("spark://node1:7077", tmp_path, None, 1)["spark.sql.ansi.enabled"] == "true"


def test_workers_find_this_very_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    found = worker_environment()
    above = str(Path(paraphrast.__file__).resolve().parents[1])
    assert found["PYTHONPATH"].split(os.pathsep) == [above, str(tmp_path)]
    assert found["PARAPHRAST_CACHE"] == str(tmp_path / "cache")
    with _environment():
        assert os.environ["PYTHONPATH"].startswith(above)
        assert "PYSPARK_PYTHON" in os.environ
    assert os.environ["PYTHONPATH"] == str(tmp_path)
    assert "PYSPARK_PYTHON" not in os.environ


def test_names_of_spark() -> None:
    assert is_spark("spark://a:1")
    assert is_spark("local[2]")
    assert not is_spark("duckdb")


def test_engines_share_an_application_that_ends_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    monkeypatch.setattr(Session, "_end", lambda session: ended.append(session))
    session = Session.__new__(Session)
    session._gateway = object()
    with application(tmp_path / "spark"):
        with application(tmp_path / "inner"):
            assert _Shared.folder == tmp_path / "spark"
        (tmp_path / "spark").mkdir()
        _Shared.starter = session
        session.close()
        assert ended == [], "the engines of later stages use it"
    assert ended == [session]
    assert (_Shared.folder, _Shared.starter) == (None, None)
    assert not (tmp_path / "spark").exists()
