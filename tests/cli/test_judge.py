"""`paraphrast judge` as people use it: new, rate, report, a second pass."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.formats.outputs import read_outputs
from paraphrast.formats.ratings import read_items, read_key, read_ratings


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    for system in ("ours", "theirs"):
        lines = [f"input {number}\t{system} {number}\n" for number in range(4)]
        (tmp_path / f"{system}.tsv").write_text("".join(lines), encoding="utf-8")
    files = [f"{name}={tmp_path / name}.tsv" for name in ("ours", "theirs")]
    assert run(["judge", "new", *files, "-o", str(tmp_path / "items"), "--key", str(tmp_path / "key")]) == 0
    return tmp_path


def rate(folder: Path, rater: str, monkeypatch: pytest.MonkeyPatch, accept: str, *more: str) -> None:
    """Rate everything in the terminal: yes for outputs of one system."""
    shown: list[str] = []
    monkeypatch.setattr("typer.echo", lambda text="", **_: shown.append(str(text)))

    def answer(_prompt: str) -> str:
        return "y" if shown[-1].split()[1] == accept else "n"

    monkeypatch.setattr("builtins.input", answer)
    assert (
        run(["judge", "rate", str(folder / "items"), str(folder / "ratings"), "--rater", rater, *more]) == 0
    )
    monkeypatch.undo()


def test_a_campaign_from_end_to_end(
    campaign: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (campaign / "items").read_text(encoding="utf-8")
    assert "system" not in text
    assert len(read_items(campaign / "items")) == len(read_key(campaign / "key")) == 8
    rate(campaign, "anna", monkeypatch, "ours")
    rate(campaign, "ben", monkeypatch, "nobody")
    assert {rating.system for rating in read_ratings(campaign / "ratings")} == {""}
    files = [str(campaign / name) for name in ("items", "ratings")]
    again = str(campaign / "again")
    capsys.readouterr()
    options = ["--disagreements", again, "--samples", "50", "--format", "json"]
    assert run(["judge", "report", *files, "--key", str(campaign / "key"), *options]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["agreement"][0]["agreement"]["agreement"] == 0.5
    assert {row["system"]: row["share"] for row in record["systems"]} == {"ours": 0.5, "theirs": 0.0}
    rate(campaign, "ben", monkeypatch, "ours", "--again", again)
    assert (
        run(["judge", "report", *files, "--key", str(campaign / "key"), "-o", str(campaign / "labelled")])
        == 0
    )
    out = capsys.readouterr().out
    assert "100.0%" in out
    assert "50.0%" in out
    assert "remaining disagreements: 0" in out
    labelled = read_outputs(campaign / "labelled")
    assert {one.system for one in labelled} == {"ours", "theirs"}
    assert all(set(one.labels["paraphrase"]) == {"anna", "ben"} for one in labelled)


def test_templates_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", "templates"]) == 0
    assert "grammar-fidelity" in capsys.readouterr().out
    assert run(["judge", "templates", "--format", "json"]) == 0
    assert "phrase" in json.loads(capsys.readouterr().out)


def test_faults_are_told(campaign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = str(campaign / "items")
    assert run(["judge", "new", f"a={campaign / 'ours.tsv'}", "-o", one, "--key", one]) == 2
    assert run(["judge", "new", "a=", "-o", one, "--key", f"{one}2"]) == 2
    (campaign / "ratings").write_text("", encoding="utf-8")
    assert run(["judge", "report", one, str(campaign / "ratings"), "-o", "x"]) == 2
    assert "--key" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.usefixtures("default_interrupt")
def test_ctrl_c_loses_nothing(campaign: Path) -> None:
    files = [str(campaign / name) for name in ("items", "ratings")]
    command = [sys.executable, "-m", "paraphrast", "judge", "rate", *files, "--rater", "anna"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"y\nn\n")
    process.stdin.flush()
    until = time.monotonic() + 60
    ratings = campaign / "ratings"
    while time.monotonic() < until and not (ratings.exists() and ratings.read_bytes().count(b"\n") == 2):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert [rating.value for rating in read_ratings(ratings)] == [1, 0]
    assert b"all ratings are saved in" in errors
