"""`paraphrast data shard` and `paraphrast data manifest`."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.formats.shards import MANIFEST, shards_in


def test_a_file_is_divided_and_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, folder = tmp_path / "text.txt", tmp_path / "shards"
    source.write_text("a\nb\nc\n")
    assert run(["data", "shard", str(source), "-o", str(folder), "--lines", "2", "--suffix", ".txt"]) == 0
    assert capsys.readouterr().out == f"{folder}: 2 shards, 3 lines, 6 bytes\n"
    before = shards_in(folder)
    (folder / MANIFEST).unlink()
    assert run(["data", "manifest", str(folder)]) == 0
    assert shards_in(folder) == before


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "shard", "none", "-o", str(tmp_path / "shards"), "--suffix", ".zip"]) == 2
    assert "--suffix: expected .gz, .xz, .zst or .txt, got '.zip'" in capsys.readouterr().err
    assert run(["data", "shard", "none", "-o", str(tmp_path / "shards")]) == 2
    assert "none: no such file" in capsys.readouterr().err
