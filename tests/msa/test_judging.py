"""Files for judges: shuffled, unmarked, every cluster to enough of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import InputError
from paraphrast.msa.judging import JudgedCluster, write_judging


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_files(tmp_path: Path) -> None:
    clusters = [
        JudgedCluster(f"c{number}", ("One.", "Two."), {"V1": ["New one.", "Both."], "V4": ["New two.", "Both."]})
        for number in range(4)
    ]
    told = write_judging(tmp_path, clusters, judges=6, a_cluster=3, seed=1)
    assert told == {"clusters": 4, "items": 12, "judges": 6, "ratings": 4 * 3 * 3 * 2}
    key = lines(tmp_path / "key.jsonl")
    assert len(key) == 16
    both = [row["system"] for row in key if row["cluster"] == "c0" and row["text"] == "Both."]
    assert both == ["V1", "V4"]
    raters: dict[str, set[str]] = {}
    for judge in range(1, 7):
        rows = lines(tmp_path / f"judge-{judge}.jsonl")
        assert all("system" not in row and row["value"] is None for row in rows)
        assert {row["question"] for row in rows} == {"grammaticality", "fidelity"}
        for row in rows:
            raters.setdefault(row["cluster"], set()).add(row["rater"])
    assert all(len(found) == 3 for found in raters.values())
    assert lines(tmp_path / "originals.jsonl")[0] == {"cluster": "c0", "sentences": ["One.", "Two."]}


def test_bad_wishes(tmp_path: Path) -> None:
    one = JudgedCluster("c", ("One.",), {"V1": ["New."]})
    with pytest.raises(InputError, match="judges"):
        write_judging(tmp_path, [one], judges=2, a_cluster=3)
    with pytest.raises(InputError, match="names"):
        write_judging(tmp_path, [one, one])
