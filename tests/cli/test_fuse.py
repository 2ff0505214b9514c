"""`paraphrast fuse` and `paraphrast evaluate clusters` as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.formats.table_file import read_table_file

SENTENCES = """Police said the owner of the mill called help at 9:15.
Police said the owner of the old mill called help before dawn.
Firemen said the owner of the mill called them at once.
"""


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("paraphrast.text.syntax.parser.find_spacy", lambda *_: None)
    monkeypatch.setattr("paraphrast.fusion.resources.find_spacy", lambda *_: None)
    monkeypatch.setattr("paraphrast.fusion.resources.default_model", lambda _: None)
    monkeypatch.setattr("paraphrast.fusion.sentences.find_reader", lambda _: None)
    path = tmp_path / "mill.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


def test_sentences_with_their_sources(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuse", str(mill), "--alignment", "V3", "-n", "9"]) == 0
    told = capsys.readouterr()
    assert "Firemen said the owner of the old mill" in told.out
    assert "]2" in told.out
    assert "states" in told.err


def test_json_automaton_picture_and_back(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, drawn = tmp_path / "mill.fst.txt", tmp_path / "mill.svg"
    wishes = [
        "--alignment",
        "V3",
        "--random",
        "--automaton",
        str(made),
        "--draw",
        str(drawn),
        "--format",
        "json",
    ]
    assert run(["fuse", str(mill), *wishes]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["version"] == "V3"
    assert record["sentences"]
    assert "<svg" in drawn.read_text(encoding="utf-8")
    assert run(["fuse", str(made), "--read", "-n", "5"]) == 0
    assert "owner of the" in capsys.readouterr().out


def test_a_table(mill: Path, tmp_path: Path) -> None:
    many = tmp_path / "many.tsv"
    many.write_text("The mill burnt down yesterday.\tThe mill collapsed yesterday.\n", encoding="utf-8")
    table = tmp_path / "clusters.parquet"
    assert run(["table", "clusters", str(many), "--alignment", "V3", "-o", str(table)]) == 0
    assert len(read_table_file(table)) == 2


def test_judges_and_their_ratings(mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "judges"
    assert run(["fuse", str(mill), "--judge", str(folder), "-n", "4"]) == 0
    files = sorted(folder.glob("judge-*.jsonl"))
    assert len(files) == 3
    given = folder / "ratings.jsonl"
    lines = []
    for number, path in enumerate(files):
        for at, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            for question in ("grammaticality", "fidelity"):
                row = {"item": json.loads(line)["item"], "rater": path.stem, "question": question}
                lines.append(json.dumps({**row, "value": 1 + (at + number) % 4}))
    given.write_text("\n".join(lines) + "\n", encoding="utf-8")
    capsys.readouterr()
    campaign = [str(folder / "items.jsonl"), str(given), "--key", str(folder / "key.jsonl")]
    assert run(["evaluate", "clusters", *campaign, "--draw", str(tmp_path / "plot.svg")]) == 0
    told = capsys.readouterr().out
    assert "pooled" in told
    assert "without stop words" in told
    assert (tmp_path / "plot.fidelity.svg").exists()
    assert run(["evaluate", "clusters", *campaign, "--format", "json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["systems"]) == {"fidelity", "grammaticality"}
    assert run(["evaluate", "clusters", *campaign, "--draw", "plot.png"]) == 2
    # The files are those of every other campaign.
    assert run(["judge", "report", *campaign, "--samples", "0"]) == 0
    assert "grammaticality" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (["--alignment", "V8"], "unknown version"),
        (["--alignment", "V3", "--automaton", "x.txt"], "ends with .json or .fst.txt or .plf"),
        (["--alignment", "V3", "--draw", "x.png"], "ends with .svg"),
        (["--alignment", "V3", "--tune"], "development clusters"),
    ],
)
def test_bad_wishes(mill: Path, wishes: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuse", str(mill), *wishes]) == 2
    assert message in capsys.readouterr().err


def test_numbers_of_the_match_from_a_file(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = tmp_path / "match.json"
    numbers.write_text('{"match": {"position": 0.2}}', encoding="utf-8")
    assert run(["fuse", str(mill), "--alignment", "V3", "--match", str(numbers)]) == 0
    numbers.write_text('{"match": {"nothing": 1}}', encoding="utf-8")
    assert run(["fuse", str(mill), "--alignment", "V3", "--match", str(numbers)]) == 2
    assert "unknown match options" in capsys.readouterr().err


def _articles(path: Path) -> Path:
    texts = [
        "The Holm mill burnt down on Monday.",
        "Police said the Holm mill was insured.",
        "The owner of the Holm mill called help.",
        "Firemen found the Holm mill in ruins.",
    ]
    rows = [
        {"article": str(number), "cluster": "fire", "sentences": [text, "It rained all day."]}
        for number, text in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_articles_are_not_fused_one_by_one(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = _articles(tmp_path / "articles.jsonl")
    assert run(["fuse", str(articles)]) == 2
    told = capsys.readouterr().err
    assert "4 of cluster 'fire'" in told
    assert "--terms" in told


def test_with_terms_the_sentences_of_a_cluster_are_shown(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = _articles(tmp_path / "articles.jsonl")
    assert run(["fuse", str(articles), "--terms", "1"]) == 0
    assert "[2] Police said the Holm mill was insured." in capsys.readouterr().out
    assert run(["fuse", str(articles), "--terms", "1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"][1] == "Police said the Holm mill was insured."


def test_statistics_name_their_cluster(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = tmp_path / "many.jsonl"
    rows = [{"cluster": name, "sentences": SENTENCES.splitlines()} for name in ("north", "south")]
    many.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["fuse", str(many), "--alignment", "V3"]) == 0
    told = capsys.readouterr().err
    assert "north: V3: 3 sentences" in told
    assert "south: V3: 3 sentences" in told


def test_judges_are_told_which_versions_are_missing(
    mill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fuse", str(mill), "--judge", str(tmp_path / "judges"), "-n", "2"]) == 0
    assert "V4 and V5 are missing" in capsys.readouterr().err


def test_random_paths_load_no_language_model(mill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError("not needed")

    monkeypatch.setattr("paraphrast.fusion.resources.language_model", load)
    monkeypatch.setattr("paraphrast.fusion.resources.find_tagger", load)
    assert run(["fuse", str(mill), "--alignment", "V3", "--random"]) == 0
    with pytest.raises(AssertionError, match="not needed"):
        run(["fuse", str(mill), "--alignment", "V3"])
