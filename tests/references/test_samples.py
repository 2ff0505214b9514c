from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import FormatError
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.samples import SampleRow, accuracy, draw_samples, read_samples, write_samples

TABLE = Substitutions(
    {(f"w{n}",): (Substitute((f"x{n}",), 0.6, "toy"), Substitute((f"y{n}",), 0.3, "toy")) for n in range(80)}
)


def test_samples_are_best_and_all_of_fifty_phrases() -> None:
    rows = draw_samples(TABLE, "small")
    assert len([row for row in rows if row.sample == "best"]) == 50
    assert len([row for row in rows if row.sample == "all"]) == 100
    assert all(row.paraphrase.startswith("x") for row in rows if row.sample == "best")
    assert draw_samples(TABLE, "small") == rows
    assert draw_samples(TABLE, "small", seed=1) != rows


def test_written_labelled_and_read_back(tmp_path: Path) -> None:
    rows = [
        SampleRow("small", "best", "a", "b", 0.5, 1, 1),
        SampleRow("small", "best", "c", "d e", 0.25, 0, 1),
        SampleRow("small", "all", "c", "f", 0.125),
    ]
    assert write_samples(tmp_path / "s.tsv", rows) == 3
    assert read_samples(tmp_path / "s.tsv") == rows
    assert accuracy(rows) == {
        "same_category": {"small": {"best": 0.5, "all": None}},
        "same_meaning": {"small": {"best": 1.0, "all": None}},
    }


def test_bad_labels_name_their_line(tmp_path: Path) -> None:
    path = tmp_path / "s.tsv"
    write_samples(path, draw_samples(TABLE, "small", size=1))
    text = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([text[0], text[1] + "maybe"]), encoding="utf-8")
    with pytest.raises(FormatError, match=r"s\.tsv:2.*maybe"):
        read_samples(path)
    path.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(FormatError, match="7 columns"):
        read_samples(path)
