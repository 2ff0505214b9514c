"""Constants of a table chosen by judged substitutes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from paraphrast.cli.app import make_app
from paraphrast.errors import InputError
from paraphrast.formats.substitutions import Target
from paraphrast.formats.table_file import read_table_file
from paraphrast.tune.tables import fit_table
from paraphrast.types import LooseTable, PhraseRow, TableInfo, loose_table

PAIRS = {"boat": ("ship", 0.9), "house": ("home", 0.8), "car": ("wheel", 0.3), "road": ("street", 0.6)}
GOLD = {"boat": {"ship": 1.0}, "house": {"home": 1.0}, "car": {"wheel": 0.0}, "road": {"street": 0.9}}


def build(options: Mapping[str, Any]) -> LooseTable:
    """A table whose threshold leaves rows out."""
    least = float(options.get("least", 0.0))
    rows = [
        PhraseRow((word,), (other,), math.log(score))
        for word, (other, score) in PAIRS.items()
        if score >= least
    ]
    return loose_table(rows, TableInfo("lexicon", "en", "x"))


def targets() -> list[Target]:
    return [
        Target(word, f"The {word} is old.", 4, 4 + len(word), accepted, closed=True)
        for word, accepted in GOLD.items()
    ]


def test_the_best_threshold_keeps_all_that_is_right() -> None:
    told: list[tuple[int, int]] = []
    found = fit_table(
        build, {"least": [0.5, 0.7, 0.95]}, targets(), folds=2, done=lambda *at: told.append(at)
    )
    assert told[-1] == (4, 4)
    assert found.best.options == {"least": 0.5}
    assert found.best.to_dict()["accuracy"] == 1.0
    # Accuracy 3/4 and coverage 3/4 with the defaults; 1 and 3/4 at the best.
    assert found.tried[0].worth() == pytest.approx(0.75)
    assert found.best.worth() == pytest.approx(1.25 * 0.75 / (0.25 + 0.75))
    assert found.tried[-1].worth() == 0.0
    assert found.held_out >= found.held_out_default


def test_defaults_win_where_nothing_is_better() -> None:
    assert fit_table(build, {"least": [0.0]}, targets(), folds=2).best.options == {}


def test_what_cannot_be_tried() -> None:
    with pytest.raises(InputError, match="targets with gold"):
        fit_table(build, {"least": [1]}, [])
    with pytest.raises(InputError, match="combinations"):
        fit_table(build, {}, targets())
    with pytest.raises(InputError, match="combinations"):
        fit_table(build, {"least": list(range(201))}, targets())


def test_the_command_writes_the_best_table(tmp_path: Path) -> None:
    pairs, gold = tmp_path / "pairs.tsv", tmp_path / "gold.jsonl"
    pairs.write_text("boat\tship\nship\tboat\ncar\twheel\nroad\tstreet\nstreet\troad\n", encoding="utf-8")
    rows = [
        {
            "sentence": f"The {word} is old.",
            "start": 4,
            "end": 4 + len(word),
            "before": word,
            "after": other,
            "correct": right,
        }
        for word, other, right in (("boat", "ship", True), ("car", "wheel", False), ("road", "street", True))
    ]
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = [
        "tune",
        "table",
        "lexicon",
        str(pairs),
        "--gold",
        str(gold),
        "--try",
        "mutual=true",
        "--try",
        "inflect=false",
    ]
    result = CliRunner().invoke(
        make_app(), [*command, "-o", str(tmp_path / "best.parquet")], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    assert "* " in result.output
    assert "held out" in result.output
    table = read_table_file(tmp_path / "best.parquet")
    assert {" ".join(table.phrase(index)) for index in range(len(table.phrases))} == {
        "boat",
        "ship",
        "road",
        "street",
    }
    with pytest.raises(InputError, match="NAME=VALUE"):
        CliRunner().invoke(make_app(), [*command, "--try", "top"], catch_exceptions=False)
