"""`paraphrast table graph` and `paraphrast graph near` as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import toy
from paraphrast.cli import run
from paraphrast.formats.table_file import read_table_file
from paraphrast.types import LooseTable


def texts(table: LooseTable) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, target in zip(table.table.source, table.table.target, strict=True):
        found.setdefault(" ".join(table.phrase(source)), []).append(" ".join(table.phrase(target)))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of our own bitext, its index, pictures and sequences, from a phrase table with counts."""
    folder = tmp_path_factory.mktemp("graph")
    lines = [f"{english}\t{german}" for english, german, _ in toy.rows(1500, 1)]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    place = str(folder)
    assert run(["align", f"{place}/pairs.tsv", "-o", f"{place}/links", "--threads", "1"]) == 0
    assert run(["extract", f"{place}/pairs.tsv", f"{place}/links", "-o", f"{place}/moses.gz"]) == 0
    arguments = ["table", "graph", f"{place}/moses.gz", "--phrase-table", "--target-language", "de"]
    arguments += ["--min-count", "2"]
    assert run([*arguments, "-o", f"{place}/graph.parquet", "--index", f"{place}/index"]) == 0
    more = ["--plots", f"{place}/plots", "--sequences", f"{place}/over.parquet", "--method", "paper"]
    assert run([*arguments, "-o", f"{place}/paper.parquet", "--index", f"{place}/paper", *more]) == 0
    return folder


@pytest.mark.parametrize(
    ("name", "features"), [("graph", {"walk", "agreement"}), ("paper", {"phrase", "stem"})]
)
def test_synonyms_that_share_translations_are_found(folder: Path, name: str, features: set[str]) -> None:
    table = read_table_file(folder / f"{name}.parquet")
    found = texts(table)
    assert "plan" in found["proposal"]
    assert "significant" in found["important"]
    assert "apple" not in found.get("house", [])
    assert table.table.info.kind == "graph"
    assert features <= set(table.table.features)


def test_bitext_gives_the_same_table_as_its_phrase_table(folder: Path) -> None:
    place = str(folder)
    arguments = [
        "table",
        "graph",
        f"{place}/pairs.tsv",
        "--links",
        f"{place}/links",
        "--target-language",
        "de",
    ]
    assert run([*arguments, "-o", f"{place}/direct.parquet", "--min-count", "2"]) == 0
    assert (
        texts(read_table_file(folder / "direct.parquet")).keys()
        == texts(read_table_file(folder / "graph.parquet")).keys()
    )


def test_the_target_side_has_paraphrases_of_its_own(folder: Path) -> None:
    place = str(folder)
    arguments = ["table", "graph", f"{place}/moses.gz", "--phrase-table", "--target-language", "de"]
    assert run([*arguments, "-o", f"{place}/german.parquet", "--side", "target"]) == 0
    assert read_table_file(folder / "german.parquet").table.info.language == "de"


@pytest.mark.parametrize("index", ["index", "paper"])
def test_one_phrase_is_asked_for(folder: Path, index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "near", "Proposal", "-i", str(folder / index), "--format", "json", "-n", "3"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["paraphrase"] == "plan"
    assert 0 < rows[0]["probability"] <= 1
    assert run(["graph", "near", "proposal", "-i", str(folder / index)]) == 0
    assert capsys.readouterr().out.startswith("plan\t")


def test_pictures_and_sequences_are_written(folder: Path) -> None:
    assert {path.name for path in (folder / "plots").iterdir()} == {
        "components.svg",
        "sub-tables.svg",
        "counts.svg",
    }
    assert len(read_table_file(folder / "over-stem.parquet"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["graph", "near", "zebra crossing", "-i", "{}/index"], "expected a phrase of the index"),
        (["graph", "near", "plan", "-i", "{}"], "expected an index"),
        (["table", "graph", "{}/moses.gz", "--phrase-table", "-o", "{}/no/x"], "does not exist"),
        (
            ["table", "graph", "{}/moses.gz", "--phrase-table", "-o", "{}/x", "--index", "{}/index"],
            "not exist",
        ),
        (
            ["table", "graph", "{}/moses.gz", "--phrase-table", "-o", "{}/x", "--large", "keep"],
            "drop or split",
        ),
        (
            ["table", "graph", "{}/moses.gz", "--phrase-table", "-o", "{}/x", "--method", "x"],
            "walks or paper",
        ),
        (
            ["table", "graph", "{}/moses.gz", "--phrase-table", "-o", "{}/x", "--plots", "{}/y"],
            "--method paper",
        ),
        (["table", "graph", "{}/bare", "--phrase-table", "-o", "{}/x"], "expected counts"),
    ],
)
def test_what_is_wrong_is_told(
    folder: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bare").write_text("a ||| b ||| 0.5\n", encoding="utf-8")
    assert run([argument.replace("{}", str(folder)) for argument in arguments]) == 2
    assert told in capsys.readouterr().err
