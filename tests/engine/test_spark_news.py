"""Copies, clusters and pairs of news on a cluster: the same bytes as with DuckDB."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acquire.pages_of_ours import STORY, events, page
from bench_module import bench_module
from paraphrast.acquire.clusters import comparable_documents
from paraphrast.build.news import sentence_pairs
from paraphrast.build.options import NewsOptions
from paraphrast.cli import run
from paraphrast.engine import Engine
from paraphrast.engine.spark import SparkEngine
from paraphrast.formats.articles import read_articles, write_articles

Standalone = bench_module("standalone").Standalone

pytest.importorskip("datasketch")


@pytest.fixture(autouse=True)
def running(request: pytest.FixtureRequest) -> None:
    """The application of the session runs before a command asks for one: it is used, and not started again."""
    if "spark" in request.fixturenames:
        assert request.getfixturevalue("spark").session


def test_pairs_are_the_same_bytes(
    cluster: Any, spark: SparkEngine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = [replace(article, cluster="") for article in events()]
    copied = replace(bare[0], page="copy", text=f"{bare[0].text} Again.", date=bare[1].date)
    write_articles(str(tmp_path / "articles.jsonl"), [*bare, copied])
    made: dict[tuple[str, str], list[bytes]] = {}
    for engine in ("duckdb", cluster.url):
        for method in ("distance", "classifier"):
            files = [tmp_path / f"{engine[:5]}-{method}.{kind}" for kind in ("tsv", "jsonl", "json", "held")]
            names = [str(file) for file in files]
            arguments = ["pairs", str(tmp_path / "articles.jsonl"), "-o", names[0], "--method", method]
            others = ["--clustered", names[1], "--report", names[2]]
            if method == "distance":
                others += ["--hold-out", names[3], "--hold-out-share", "0.5"]
            loose = ["--probability", "0.2", "--threads", "1", "--engine", engine]
            assert run([*arguments, *others, *loose]) == 0, capsys.readouterr().err
            made[engine[:5], method] = [file.read_bytes() for file in files if file.exists()]
    for method in ("distance", "classifier"):
        assert made["spark", method] == made["duckd", method]
        assert made["duckd", method][0].count(b"\n") > 1
    assert b'"duplicate_of": "bridge-0"' in made["spark", "classifier"][1]


def test_documents_two_by_two_are_the_same(spark: SparkEngine) -> None:
    with Engine(threads=1) as duck:
        expected = comparable_documents(events(), duck, threshold=0.2)
    assert comparable_documents(events(), spark, threshold=0.2) == expected != []
    options = NewsOptions(clusters="documents", similarity=0.2)
    assert sentence_pairs(events(), options, engine=spark) == sentence_pairs(events(), options)


def test_copies_of_pages_are_the_same(cluster: Any, spark: SparkEngine, tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    (tmp_path / "pages").mkdir()
    for number, story in enumerate([STORY, STORY[:2], STORY]):
        (tmp_path / "pages" / f"{number}.html").write_text(page(story), encoding="utf-8")
    for engine in ("duckdb", cluster.url):
        arguments = ["acquire", str(tmp_path / "pages"), "-o", str(tmp_path / engine[:5]), "--threads", "1"]
        assert run([*arguments, "--engine", engine]) == 0
    assert (tmp_path / "spark").read_bytes() == (tmp_path / "duckd").read_bytes()
    assert [article.duplicate_of for article in read_articles(str(tmp_path / "spark"))] == ["", "", "0.html"]


def test_an_engine_that_is_none_is_told_before_any_work(tmp_path: Path) -> None:
    assert run(["pairs", str(tmp_path / "missing.jsonl"), "--engine", "sparc"]) == 2
    assert run(["acquire", str(tmp_path / "missing"), "--engine", "local[x]"]) == 2
