"""Clusters become a table as any other, and what they teach reaches the decoder."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

import paraphrast
from paraphrast.build.tables import build_table
from paraphrast.errors import InputError
from paraphrast.formats.table_file import write_table_file
from paraphrast.fusion.clusters import NamedCluster, prepare_all
from paraphrast.fusion.options import ClustersOptions
from paraphrast.fusion.table import table_of_clusters
from paraphrast.model import explain
from paraphrast.text.truecase import Truecaser
from paraphrast.types import LooseTable

CLUSTERS = [
    NamedCluster("a", ("The mill burnt down yesterday.", "The mill collapsed yesterday.")),
    NamedCluster("b", ("A mill burnt down overnight.", "A mill collapsed overnight.")),
]


@pytest.fixture(autouse=True)
def _no_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever spaCy pipeline the machine has, these tests do without."""
    monkeypatch.setattr("paraphrast.fusion.table.find_spacy", lambda *_: None)


def rows_of(table: LooseTable) -> dict[tuple[str, str], int]:
    return {
        (" ".join(table.phrase(int(s))), " ".join(table.phrase(int(t)))): int(count)
        for s, t, count in zip(table.table.source, table.table.target, table.table.count, strict=True)
    }


def test_rows_of_all_clusters() -> None:
    table = table_of_clusters(prepare_all(CLUSTERS))
    assert rows_of(table) == {("burnt down", "collapsed"): 2, ("collapsed", "burnt down"): 2}
    assert table.table.info.kind == "clusters"
    assert table.table.info.notes["clusters"] == 2
    assert "version:V4" in table.table.info.signature
    with pytest.raises(InputError, match="got none"):
        table_of_clusters([])
    with pytest.raises(InputError, match="version: expected V1"):
        ClustersOptions(version="V9")


def test_casing_is_that_of_the_model() -> None:
    shouted = [NamedCluster("a", ("The mill BURNT yesterday.", "The mill collapsed yesterday."))]
    truecaser = Truecaser({"burnt": "burnt"})
    assert ("burnt", "collapsed") in rows_of(table_of_clusters(prepare_all(shouted), truecaser=truecaser))
    assert ("BURNT", "collapsed") in rows_of(table_of_clusters(prepare_all(shouted)))


def test_the_kind_reads_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    many, one = tmp_path / "many.tsv", tmp_path / "one.txt"
    many.write_text("\n".join("\t".join(cluster.sentences) for cluster in CLUSTERS) + "\n")
    one.write_text("Our mill burnt down today.\nOur mill collapsed today.\n")
    with caplog.at_level(logging.WARNING):
        table = build_table("clusters", [many, one], {"widest": "3"})
    assert rows_of(table)["burnt down", "collapsed"] == 3
    assert "using V3 instead of V4" in caplog.text


def test_a_model_takes_the_table_in(toy_model: Path, tmp_path: Path) -> None:
    clusters = tmp_path / "clusters.tsv"
    clusters.write_text(
        "Members will discuss the proposal tomorrow.\tMembers will examine the proposal tomorrow.\n"
    )
    folder = tmp_path / "data"
    shutil.copytree(toy_model.parent, folder, ignore=shutil.ignore_patterns("model*"))
    write_table_file(folder / "clusters.parquet", build_table("clusters", [clusters], model=toy_model))
    config = folder / "config.toml"
    config.write_text(config.read_text() + '\n[[table]]\npath = "clusters.parquet"\n')
    paraphrast.train(config, tmp_path / "model", threads=1)
    model = paraphrast.load(tmp_path / "model")
    assert "clusters" in {row.table for row in explain(model, "examine", "discuss").tables}
    best = model.paraphrase("The committee will examine the proposal tomorrow.", n=10, strength=1.0)
    edits = [edit for result in best for edit in result.edits if "clusters" in edit.tables]
    assert {(edit.before, edit.after) for edit in edits} == {("examine", "discuss")}
