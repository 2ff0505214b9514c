from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench_module import BENCH, bench_module
from paraphrast.read import columns
from paraphrast.read.acceptability import Acceptability

pytest.importorskip("sklearn")
pytest.importorskip("ctranslate2")
bench_module("fitting")
acceptability = bench_module("acceptability")


def write_ratings(folder: Path) -> tuple[Path, Path]:
    """240 rewrites in the layout of the rated ones, and 60 more; those with a long new word are wrong."""
    (folder / "rated-rewrites").mkdir()
    rows = []
    for number in range(300):
        right = number % 3 > 0
        rewrite = f"Sentence {number // 4} is {'fine' if right else 'unfathomable'} {number}."
        rows.append((f"Sentence {number // 4} is good.", rewrite, right))
    with lzma.open(folder / "rated-rewrites" / "rated.jsonl.xz", "wt", encoding="utf-8") as stream:
        for source, rewrite, right in rows[:240]:
            ratings = [{"meaning": int(right), "fluent": 1}]
            systems = ["roundtrip-1" if right else "fast"]
            print(json.dumps(
                {"source": source, "rewrite": rewrite, "ratings": ratings, "systems": systems}
            ), file=stream)  # fmt: skip
    extra = folder / "extra.jsonl"
    lines = [
        json.dumps({"source": source, "rewrite": rewrite, "accepted": float(right)})
        for source, rewrite, right in rows[240:]
    ]
    extra.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder, extra


def test_fitting_again_is_one_command(tmp_path: Path) -> None:
    folder, extra = write_ratings(tmp_path)
    rows = acceptability.load(folder / "rated-rewrites" / "rated.jsonl.xz") + acceptability.load(extra)
    assert len(rows) == 300
    assert {row.accepted for row in rows} == {0.0, 1.0}
    names = columns()
    draw = np.random.default_rng(0)
    known = {}
    for row in rows:
        features = draw.normal(size=(2, len(names)))
        features[:, 0] += 3 * row.accepted
        known[row.source, row.rewrite] = features
    acceptability.save(tmp_path / "features.npz", known, list(names))
    out = tmp_path / "weights.json"
    run = subprocess.run(
        [sys.executable, str(BENCH / "acceptability.py"), "--data", str(folder), "--extra", str(extra),
         "--features", str(tmp_path / "features.npz"), "--brief", "--fit", str(out)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "300, 140, 160 rewrites" in run.stdout
    content = json.loads(out.read_text(encoding="utf-8"))
    assert "240 rated rewrites and 60 more" in content["full"]["note"]
    full = Acceptability.from_dict(content["full"])
    features = np.array([known[row.source, row.rewrite][0] for row in rows])
    likely = full.probability(names, features)
    right = np.array([row.accepted for row in rows])
    assert likely[right == 1].mean() > 0.8
    assert likely[right == 0].mean() < 0.4
    first = Acceptability.from_dict(content["first"])
    assert {name.partition("_")[0] for name in first.columns} == {"back", "fluency", "shape"}


def test_sentences_are_drawn_by_seed(tmp_path: Path) -> None:
    folder, _ = write_ratings(tmp_path)
    draw_sentences = bench_module("draw_sentences")
    (folder / "sentence-pairs").mkdir()
    (folder / "europarl").mkdir()
    files = {
        "sentence-pairs/mrpc-train.tsv.xz": ["Quality\tid\tid\tone\ttwo"]
        + [f"1\t2\t3\tThe news of day {n} is here.\tToo short." for n in range(40)],
        "sentence-pairs/quora-duplicates.tsv.xz": [
            f"Is this a question, number {n}?\tShort?" for n in range(40)
        ],
        "sentence-pairs/tatoeba-en-en.tsv.xz": [
            f"Tom has {n} apples at home. \tSentence 1 is good." for n in range(2000)
        ],
        "europarl/en-de-fr-es.tsv.xz": [f"Mr President, this is speech {n}.\tx\tx\tx" for n in range(2100)],
    }
    for name, lines in files.items():
        with lzma.open(folder / name, "wt", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
    drawn = draw_sentences.draw(folder, 3, 4, "fit")
    assert drawn == draw_sentences.draw(folder, 3, 4, "fit") != draw_sentences.draw(folder, 4, 4, "fit")
    final = draw_sentences.draw(folder, 3, 4, "final")
    assert not any(row in drawn for row in final)
    assert all(map(draw_sentences.is_final, (row["source"] for row in final)))
    assert [row["domain"] for row in drawn] == [
        domain for domain in ("news", "europarl", "questions", "everyday") for _ in range(4)
    ]
    assert all(5 <= len(row["source"].split()) <= 40 for row in drawn)
    speeches = [int(row["source"].split()[-1].rstrip(".")) for row in drawn if row["domain"] == "europarl"]
    assert min(speeches) >= 100


def test_what_was_not_read_before_is_read_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Fake:
        columns = columns()

        def readable(self, text: str) -> bool:
            return text != "no"

        def features(self, source: str, rewrites: list[str]) -> np.ndarray:
            asked.extend(rewrites)
            return np.full((len(rewrites), len(self.columns)), 2.0)

        def read(self, source: str, rewrites: list[str], groups: object, *, translations: int) -> np.ndarray:
            return np.full((len(rewrites), len(self.columns)), float(translations))

    monkeypatch.setattr(acceptability, "open_reader", lambda *_, **__: Fake())
    rated = [acceptability.Rated("a", text, 1.0, False) for text in ("b", "c", "no")]
    kept = tmp_path / "features.npz"
    features, first, names = acceptability.read(rated[:1], kept, 1)
    assert (features.shape, first.shape) == ((1, len(columns())),) * 2
    features, first, names = acceptability.read(rated, kept, 1)
    assert names == list(columns())
    assert [row.rewrite for row in rated] == ["b", "c"]
    assert (features == 2).all()
    assert (first == 1).all()
    assert asked == ["b", "c"]
