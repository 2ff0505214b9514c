from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, MissingExtra
from paraphrast.reproduce import runner
from paraphrast.reproduce.records import Job, Made, Maker, NotMadeError, Paper, Printed

PAPER = Paper(
    "some-2001",
    "Some 2001: A Paper",
    (
        Printed("table-1", "accuracy", ("", "paper"), (("all", 0.5),), needs=("gold/a.json",), minutes=2),
        Printed("figure-1", "a picture"),
    ),
)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The items that were made, in order; table-1 has a number, figure-1 a picture."""
    made: list[str] = []

    def table(job: Job) -> Made:
        made.append("table-1")
        return Made(("", "ours"), (("all", [0.6, 0.5, 0.7]),), "ours")

    def figure(job: Job) -> Made:
        made.append("figure-1")
        return Made(pictures={"figure-1": "<svg/>"})

    makers: dict[str, Maker] = {"table-1": table, "figure-1": figure}
    monkeypatch.setattr(runner, "makers_of", lambda name: makers)
    return made


def test_results_are_written_and_not_made_again(tmp_path: Path, calls: list[str]) -> None:
    records = runner.run_paper(PAPER, PAPER.items, Job(small=True), tmp_path)
    assert records["table-1"]["rows"] == [["all", [0.6, 0.5, 0.7]]]
    assert records["figure-1"]["pictures"] == ["some-2001-figure-1.svg"]
    assert (tmp_path / "some-2001-figure-1.svg").read_text() == "<svg/>"
    assert "| all | 0.50 | 0.60 (0.50 to 0.70) |" in (tmp_path / "some-2001.md").read_text()
    again = runner.run_paper(PAPER, PAPER.items, Job(small=True), tmp_path)
    assert again == records
    assert calls == ["table-1", "figure-1"]
    runner.run_paper(PAPER, PAPER.items[:1], Job(small=True), tmp_path, again=True)
    runner.run_paper(PAPER, PAPER.items[:1], Job(small=False), tmp_path)  # another kind of run
    assert calls == ["table-1", "figure-1", "table-1", "table-1"]


def test_an_interrupt_loses_no_finished_item(
    tmp_path: Path, calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(job: Job) -> Made:
        raise KeyboardInterrupt

    makers = runner.makers_of("some-2001")
    monkeypatch.setattr(runner, "makers_of", lambda name: {**makers, "figure-1": interrupted})
    with pytest.raises(KeyboardInterrupt):
        runner.run_paper(PAPER, PAPER.items, Job(small=True), tmp_path)
    monkeypatch.setattr(runner, "makers_of", lambda name: makers)
    records = runner.run_paper(PAPER, PAPER.items, Job(small=True), tmp_path)
    assert calls == ["table-1", "figure-1"]
    assert list(records) == ["table-1", "figure-1"]


@pytest.mark.parametrize("reason", [NotMadeError("needs gold"), MissingExtra("this", "mt")])
def test_what_cannot_be_made_keeps_its_earlier_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: Exception
) -> None:
    def make(job: Job) -> Made:
        raise reason

    monkeypatch.setattr(runner, "makers_of", lambda name: {"table-1": make})
    carried = {"run": "carried", "header": [""], "rows": [], "measured_by": "a page"}
    runner.write_results(runner.results_file(tmp_path, "some-2001"), "some-2001", {"table-1": carried})
    told: list[str] = []
    records = runner.run_paper(PAPER, PAPER.items[:1], Job(small=False), tmp_path, tell=told.append)
    assert records == {"table-1": carried}
    assert str(reason) in told[0]


@pytest.mark.parametrize("text", ["{", "[]", '{"items": []}', '{"items": {"table-1": {}}}'])
def test_damaged_results_are_refused(tmp_path: Path, text: str) -> None:
    path = runner.results_file(tmp_path, "some-2001")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match="delete the file"):
        runner.read_results(path)


def test_a_job_finds_its_data_and_keeps_values(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "a.json").write_text("{}", encoding="utf-8")
    job = Job(small=False, data=tmp_path)
    assert job.file("gold/a.json").exists()
    with pytest.raises(NotMadeError, match=r"gold/b\.json"):
        job.file("gold/b.json")
    with pytest.raises(NotMadeError, match="--data"):
        Job(small=False).file("gold/a.json")
    assert [job.once("n", lambda: 1), job.once("n", lambda: 2)] == [1, 1]


def test_needs_and_commands_are_told(tmp_path: Path) -> None:
    full = Job(small=False, data=tmp_path)
    assert runner.needed(PAPER.items, full) == "gold/a.json; about 2.1 CPU minutes"
    assert "no data" in runner.needed(PAPER.items, Job(small=True))
    commands = [runner.command(PAPER, item, full) for item in PAPER.items]
    assert commands == [
        "paraphrast reproduce some-2001 --table 1 --data FOLDER",
        "paraphrast reproduce some-2001 --table figure-1",
    ]


def test_results_are_json_without_sentences(tmp_path: Path, calls: list[str]) -> None:
    runner.run_paper(PAPER, PAPER.items, Job(small=True), tmp_path)
    content = json.loads((tmp_path / "some-2001.json").read_text(encoding="utf-8"))
    assert content["paper"] == "some-2001"
    assert content["items"]["table-1"]["measured_by"] == "`paraphrast reproduce some-2001 --table 1 --small`"
