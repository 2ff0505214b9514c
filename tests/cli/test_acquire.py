from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from acquire.pages_of_ours import STORY, events, page
from paraphrast.cli import run
from paraphrast.formats.articles import read_articles, write_articles

pytest.importorskip("trafilatura")


def test_pages_become_articles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for cluster in ("x", "y"):
        (tmp_path / "pages" / cluster).mkdir(parents=True)
        (tmp_path / "pages" / cluster / "1.html").write_text(page(), encoding="utf-8")
    (tmp_path / "pages" / "empty.html").write_text("")
    output = tmp_path / "articles.jsonl"
    arguments = [
        "acquire",
        str(tmp_path / "pages"),
        "-o",
        str(output),
        "--threads",
        "1",
        "--folders-are-clusters",
    ]
    assert run(arguments) == 0
    articles = list(read_articles(str(output)))
    assert [(article.page, article.cluster, article.duplicate_of) for article in articles] == [
        ("empty.html", "", ""),
        ("x/1.html", "x", ""),
        ("y/1.html", "y", "x/1.html"),
    ]
    assert articles[0].note == "empty page"
    assert all(sentence in articles[1].text for sentence in STORY)
    said = capsys.readouterr().err
    assert "3 pages, 2 with an article" in said
    assert "1 × empty page" in said


def test_a_tagger_is_trained_on_pages_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(3):
        (tmp_path / "pages" / f"{number}.html").write_text(page(STORY[number:]), encoding="utf-8")
    labels = {str(number): {"articleBody": "\n".join(STORY[number:])} for number in range(3)}
    (tmp_path / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    learn = [
        "--learn",
        str(tmp_path / "labels.json"),
        "--save",
        str(tmp_path / "tagger"),
        "--extractor",
        "hmm",
    ]
    assert run(["acquire", str(tmp_path / "pages"), *learn]) == 0
    output = tmp_path / "a.jsonl"
    use = ["--extractor", "hmm", "-m", str(tmp_path / "tagger"), "--threads", "1", "--duplicates", "0"]
    assert run(["acquire", str(tmp_path / "pages"), "-o", str(output), *use]) == 0
    assert next(read_articles(str(output))).text == "\n".join(STORY)
    assert run(["acquire", str(tmp_path / "pages"), "--learn", "x"]) == 2


def test_articles_become_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    articles = tmp_path / "articles.jsonl"
    write_articles(str(articles), events())
    arguments = ["pairs", str(articles), "-o", str(tmp_path / "pairs.tsv"), "--threads", "1"]
    extra = ["--report", str(tmp_path / "r.json"), "--histogram", str(tmp_path / "h.svg")]
    clustered = ["--clusters", "found", "--clustered", str(tmp_path / "c.jsonl")]
    assert run([*arguments, *extra, *clustered]) == 0
    rows = [line.split("\t") for line in (tmp_path / "pairs.tsv").read_text(encoding="utf-8").splitlines()]
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["pairs"] == len(rows) > 0
    assert all(len(row) == 6 for row in rows)
    assert ET.parse(tmp_path / "h.svg").getroot().tag.endswith("svg")
    assert [article.cluster for article in read_articles(str(tmp_path / "c.jsonl"))] == ["0"] * 3 + ["1"] * 3
    assert "sentence pairs" in capsys.readouterr().err


def test_clusters_are_held_out(tmp_path: Path) -> None:
    articles = tmp_path / "articles.jsonl"
    write_articles(str(articles), events())
    held = tmp_path / "held.tsv"
    arguments = ["pairs", str(articles), "-o", str(tmp_path / "p.tsv"), "--hold-out", str(held)]
    assert run([*arguments, "--hold-out-share", "0.5"]) == 0
    pages = {row.split("\t")[4].split("-")[0] for row in held.read_text(encoding="utf-8").splitlines()}
    kept = {
        row.split("\t")[4].split("-")[0]
        for row in (tmp_path / "p.tsv").read_text(encoding="utf-8").splitlines()
    }
    assert len(pages) == len(kept) == 1
    assert pages != kept


def test_identify(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["identify", "The ship hit the bridge on Monday.", "On Monday the ship struck the bridge."]) == 0
    )
    assert capsys.readouterr().out.startswith("paraphrase\t0.")
    assert run(["identify", "The ship hit the bridge.", "Apples are sweet in June.", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["paraphrase"] is False
    assert 0 <= answer["probability"] < 0.5
    assert run(["identify", "alone"]) == 2


def test_faults_end_with_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["acquire", str(tmp_path / "missing"), "--threads", "1"]) == 2
    assert run(["pairs", str(tmp_path / "missing.jsonl")]) == 2
    (tmp_path / "bad.jsonl").write_text("nonsense\n")
    assert run(["pairs", str(tmp_path / "bad.jsonl")]) == 2
    assert "bad.jsonl:1" in capsys.readouterr().err
