"""The files of a campaign are those that `judge report` and `evaluate` read; settlements are the last pass."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaign_examples import make, rate
from paraphrast.campaign.create import open_campaign, read_more
from paraphrast.campaign.database import Database
from paraphrast.campaign.export import FILES, archive, write_folder
from paraphrast.campaign.options import OpenOptions
from paraphrast.campaign.owner import agreements, disputes, settle_disputes
from paraphrast.campaign.state import State, find_campaign, load_state
from paraphrast.cli import run
from paraphrast.errors import InputError, ParaphrastError
from paraphrast.formats.outputs import read_outputs
from paraphrast.formats.ratings import Item, Sealed, read_items, read_key, read_ratings
from paraphrast.judge.own_templates import read_template
from paraphrast.judge.templates import get_template


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(str(tmp_path / "a.db")) as opened:
        yield opened


def state_of(database: Database, name: str = "ratings") -> State:
    with database.read() as connection:
        return load_state(connection, find_campaign(connection, name))


@pytest.fixture
def rated(database: Database) -> Database:
    """Anna says yes to all, Ben only to one system's outputs."""
    make(database)
    rate(database, 1, lambda _: {"paraphrase": 1})
    rate(database, 2, lambda text: {"paraphrase": int("of 0" in text)})
    return database


def test_settled_disagreements_are_the_last_word(rated: Database, tmp_path: Path) -> None:
    state = state_of(rated)
    assert [(one.question, one.round, one.agreement.percent) for one in agreements(state)] == [
        ("paraphrase", 1, 0.5)
    ]
    differing = disputes(state)
    assert len(differing) == 6
    assert all(one.votes == {"anna": 1, "ben": 0} and one.settled is None for one in differing)
    with rated.write() as connection:
        settle_disputes(connection, 1, {(one.item.item, "paraphrase"): 1 for one in differing[:4]})
    with rated.write() as connection:
        settle_disputes(connection, 1, {(differing[0].item.item, "paraphrase"): 0})
    with rated.write() as connection, pytest.raises(InputError, match="expected one of 0, 1, got 5"):
        settle_disputes(connection, 1, {(differing[4].item.item, "paraphrase"): 5})
    state = state_of(rated)
    assert [one.settled for one in disputes(state)] == [0, 1, 1, 1, None, None]
    assert len(state.ratings) == 24
    assert len(state.all_ratings) == 32
    assert {one.round for one in state.all_ratings[24:]} == {2}
    write_folder(state, tmp_path / "out")
    labelled = read_outputs(tmp_path / "out" / "labelled.jsonl")
    settled = [one for one in labelled if len(set(one.labels["paraphrase"].values())) == 1]
    assert len(settled) == 10


def test_judge_report_and_evaluate_read_the_files(
    rated: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert run(["judge", "export", str(tmp_path / "a.db"), "-o", str(folder)]) == 0
    assert len(read_items(folder / "items.jsonl")) == len(read_key(folder / "key.jsonl")) == 12
    assert len(read_ratings(folder / "ratings.jsonl")) == 24
    capsys.readouterr()
    files = [str(folder / "items.jsonl"), str(folder / "ratings.jsonl"), "--key", str(folder / "key.jsonl")]
    assert run(["judge", "report", *files, "--samples", "20", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["system"]: row["share"] for row in report["systems"]} == {"ours": 1.0, "theirs": 0.5}
    assert report["agreement"][0]["agreement"]["alpha"] is not None
    assert run(["evaluate", "sentences", str(folder / "labelled.jsonl"), "--samples", "20"]) == 0
    assert "ours" in capsys.readouterr().out


def test_phrases_and_clusters_are_read(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phrases = [Item("p1", "phrase", "look at", "examine"), Item("p2", "phrase", "look at", "stare")]
    key = [Sealed(item.item, "tables") for item in phrases]
    people = OpenOptions(name="phrases", raters=("anna",))
    open_campaign(database, phrases, key, get_template("phrase"), people)
    rate(database, 1, lambda text: {"phrase": 2 if text == "examine" else 0})
    write_folder(state_of(database, "phrases"), tmp_path / "phrases")
    table = tmp_path / "table.tsv"
    table.write_text(
        "source\ttarget\tprobability\nlook at\texamine\t0.5\nlook at\tstare\t0.1\n", encoding="utf-8"
    )
    labels = str(tmp_path / "phrases" / "labelled.jsonl")
    assert run(["evaluate", "phrases", f"t={table}", "--labels", labels, "--samples", "20"]) == 0

    cluster = "1. A man was hurt.\n2. One man was injured."
    items = [
        Item(f"c{number}", "grammar-fidelity", cluster, f"A man was {number}.", "crash")
        for number in range(4)
    ]
    lines = [
        {"item": f"c{n}", "system": f"V{1 + n % 2}", "rank": 1, "genre": "crash", "lm": -n / 2}
        for n in range(4)
    ]
    (tmp_path / "key").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    open_campaign(
        database, items, read_key(tmp_path / "key"), get_template("grammar-fidelity"),
        OpenOptions(name="clusters", raters=("b", "c")), more=read_more(tmp_path / "key"),
    )  # fmt: skip
    for rater in (2, 3):
        rate(database, rater, lambda text: {"grammaticality": 1 + int(text[-2]) % 4, "fidelity": 4})
    folder = tmp_path / "clusters"
    write_folder(state_of(database, "clusters"), folder)
    files = [str(folder / name) for name in ("items.jsonl", "ratings.jsonl")]
    capsys.readouterr()
    assert run(["evaluate", "clusters", *files, "--key", str(folder / "key.jsonl")]) == 0
    assert "proxy lm" in capsys.readouterr().out


def test_the_table_and_the_archive(rated: Database) -> None:
    state = state_of(rated)
    rows = list(csv.DictReader(io.StringIO(FILES["ratings.csv"](state))))
    assert len(rows) == 24
    assert {row["systems"] for row in rows} == {"ours", "theirs"}
    with zipfile.ZipFile(io.BytesIO(archive(state))) as file:
        assert {name: file.read(name).decode() for name in file.namelist()} == {
            name: make_file(state) for name, make_file in FILES.items()
        }
    assert archive(state) == archive(state_of(rated))


def test_a_template_of_ones_own_goes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text("[[question]]\nname = 'usable'\ntext = 'Usable?'\n", encoding="utf-8")
    Path("ours.tsv").write_text("a\tb\nc\td\n", encoding="utf-8")
    command = ["judge", "new", "ours=ours.tsv", "--template", "own.toml", "--database", "own.db"]
    assert run([*command, "--rater", "anna", "--rater", "ben"]) == 0
    links = dict(line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert set(links) == {"owner", "anna", "ben"}
    Path("own.toml").unlink()
    with Database("own.db") as database:
        for rater in (1, 2):
            rate(database, rater, lambda text: {"usable": int(text == "b")})
        state = state_of(database)
    write_folder(state, tmp_path)
    assert read_template("template.toml").questions == state.template.questions
    assert (
        run(["judge", "report", "items.jsonl", "ratings.jsonl", "--key", "key.jsonl", "--samples", "20"]) == 0
    )


def test_wrong_uses_are_reported(tmp_path: Path, database: Database) -> None:
    make(database)
    with pytest.raises(InputError, match="already has a campaign"):
        make(database)
    with pytest.raises(InputError, match="different name"):
        make(database, name="x", raters=("a", "a"))
    with pytest.raises(InputError, match="at most the 2 raters"):
        make(database, name="x", per_item=3)
    with pytest.raises(InputError, match="printable"):
        make(database, name="x\ty")
    with pytest.raises(ParaphrastError, match="no campaign 'none'"):
        state_of(database, "none")
    (tmp_path / "o.tsv").write_text("a\tb\n", encoding="utf-8")
    assert run(["judge", "new", f"o={tmp_path / 'o.tsv'}"]) != 0
    assert run(["judge", "new", f"o={tmp_path / 'o.tsv'}", "-o", str(tmp_path / "i")]) != 0
