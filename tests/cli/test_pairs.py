"""The window of days that articles are compared in is what was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.acquire.options import ClusterOptions
from paraphrast.build.options import NewsOptions
from paraphrast.cli import run
from paraphrast.formats.articles import Article, write_articles

TEXT = "The ship struck the old bridge in Baltimore. Six workers who repaired the bridge fell into the river."


def count(tmp_path: Path, *arguments: str) -> int:
    """Pairs of two reports of one event, three days apart."""
    articles = tmp_path / "articles.jsonl"
    reports = [
        Article(page="a", date="2024-03-01", text=TEXT),
        Article(
            page="b", date="2024-03-04", text=TEXT.replace("struck", "hit").replace("repaired", "mended")
        ),
    ]
    write_articles(str(articles), reports)
    output = tmp_path / "pairs.tsv"
    options = ["--clusters", "documents", "--similarity", "0.05", "--threads", "1"]
    assert run(["pairs", str(articles), "-o", str(output), *options, *arguments]) == 0
    return len(output.read_text(encoding="utf-8").splitlines())


def test_documents_are_compared_within_the_window(tmp_path: Path) -> None:
    assert count(tmp_path) == 0
    assert count(tmp_path, "--window", "4") > 0
    assert count(tmp_path, "--window", "3") == 0


def test_a_threshold_does_not_widen_the_window(tmp_path: Path) -> None:
    assert count(tmp_path, "--threshold", "0.2") == 0


@pytest.mark.parametrize(
    ("options", "clusters", "days"),
    [
        (NewsOptions(), "documents", 2),
        (NewsOptions(), "found", 4),
        (NewsOptions(window=4), "documents", 4),
        (NewsOptions(cluster=ClusterOptions(threshold=0.2)), "documents", 2),
        (NewsOptions(window=7), "found", 7),
    ],
)
def test_the_window_by_origin_of_clusters(options: NewsOptions, clusters: str, days: int) -> None:
    assert options.cluster_options(clusters).near.window == days
