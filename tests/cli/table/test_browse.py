"""Tables of files are shown and written without the rows that a veto forbids, as those of models are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from paraphrast.cli import run
from paraphrast.formats.table_file import write_table_file
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.types import PhraseRow, TableInfo, loose_table


@pytest.fixture
def table(tmp_path: Path) -> str:
    """``big → large``, and ``big → small``, which the veto on antonyms forbids."""
    rows = [PhraseRow(("big",), ("large",), -0.5), PhraseRow(("big",), ("small",), -1.0)]
    made = loose_table(rows, TableInfo("test", "en", "test"), top=20)
    words = [made.phrase(int(target))[0] for target in made.table.target]
    veto = np.array([VETOES["antonym"] if word == "small" else 0 for word in words], dtype=np.uint8)
    path = tmp_path / "table.parquet"
    write_table_file(path, dataclasses.replace(made, table=dataclasses.replace(made.table, veto=veto)))
    return str(path)


@pytest.mark.parametrize("shape", ["tsv", "moses", "meteor", "ppdb"])
def test_export_leaves_out_forbidden_rows(table: str, shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "export", table, "--to", shape]) == 0
    written = capsys.readouterr().out
    assert "large" in written
    assert "small" not in written
    assert run(["table", "export", table, "--to", shape, "--vetoed"]) == 0
    assert "small" in capsys.readouterr().out


def test_show_marks_forbidden_rows_only_if_asked(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "show", table, "--phrase", "big"]) == 0
    assert "small" not in capsys.readouterr().out
    assert run(["table", "show", table, "--phrase", "big", "--vetoed"]) == 0
    assert "vetoed: antonym" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["show", "export"])
def test_a_model_is_told_from_a_table(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", command, "default"]) == 2
    assert "expected a table, got the model default" in capsys.readouterr().err
