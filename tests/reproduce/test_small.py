"""All papers with --small: no table can break unnoticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.reproduce.papers import MAKERS, read_paper


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one run of everything."""
    folder = tmp_path_factory.mktemp("reproduced")
    assert run(["reproduce", "all", "--small", "-o", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", MAKERS)
def test_every_item_is_made(results: Path, name: str) -> None:
    items = json.loads((results / f"{name}.json").read_text(encoding="utf-8"))["items"]
    assert list(items) == [item.id for item in read_paper(name).items]
    for key, record in items.items():
        assert record["rows"] or record["pictures"], key
        assert all(len(row) == len(record["header"]) for row in record["rows"]), key
        for picture in record["pictures"]:
            assert (results / picture).read_text(encoding="utf-8").startswith("<svg")
    assert f"### {read_paper(name).items[0].name}" in (results / f"{name}.md").read_text(encoding="utf-8")


def test_what_the_papers_print_of_their_own_examples_is_found(results: Path) -> None:
    """Graphs, automata and constants that a paper prints in full are the same here."""
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for name in ("martzoukos-monz-2012", "shen-2006"):
        items = json.loads((results / f"{name}.json").read_text(encoding="utf-8"))["items"]
        rows |= {(name, key): {row[0]: row[1] for row in record["rows"]} for key, record in items.items()}
    for name, number in (
        *(("martzoukos-monz-2012", n) for n in (1, 2, 3, 4)),
        ("shen-2006", 3),
        ("shen-2006", 4),
    ):
        printed = next(item for item in read_paper(name).items if item.id == f"figure-{number}")
        ours = rows[name, printed.id]
        assert {row[0]: ours.get(str(row[0])) for row in printed.rows} == {
            row[0]: row[1] for row in printed.rows
        }
    figure_7 = next(item for item in read_paper("martzoukos-monz-2012").items if item.id == "figure-7")
    for label, value in figure_7.rows:
        assert rows["martzoukos-monz-2012", "figure-7"][str(label)] == pytest.approx(value, abs=0.04)


def test_a_second_run_makes_nothing_again(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "shen-2006", "--small", "-o", str(results)]) == 0
    assert capsys.readouterr().err.count("finished before") == len(read_paper("shen-2006").items)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "nobody-1999", "--small"], "unknown paper"),
        (["reproduce", "zhao-2008", "--table", "9", "--small"], "has no item"),
        (["reproduce", "zhao-2008", "--data", "nowhere"], "expected a folder with data"),
    ],
)
def test_wrong_names_are_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "-o", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err


def test_a_full_run_without_data_skips_what_needs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PARAPHRAST_BENCH_DATA", raising=False)
    assert run(["reproduce", "martzoukos-monz-2012", "--table", "1", "-o", str(tmp_path)]) == 0
    assert "not made: needs graph_labels.tsv" in capsys.readouterr().err
