"""Work that ends without a result says so, and its exit code does too."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import toy
from paraphrast.cli import run
from paraphrast.model.folder import read_manifest, write_manifest


def test_a_model_without_substitutions_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"word{number} here\tWort{number} hier" for number in range(40)]
    (tmp_path / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = tmp_path / "config.toml"
    config.write_text(
        'language = "en"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de"]\n[lm]\norder = 2\n',
        encoding="utf-8",
    )
    assert run(["train", str(config), "-o", str(tmp_path / "model")]) == 1
    captured = capsys.readouterr()
    assert "has no substitutions, so it cannot rewrite anything" in captured.err
    assert "Next:" not in captured.out


@pytest.mark.parametrize("kind", ["dictionary", "lexicon", "comparable", "self"])
def test_a_table_of_an_empty_file_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = tmp_path / "empty.tsv"
    path.touch()
    assert run(["table", kind, str(path), "-o", str(tmp_path / "out.parquet")]) == 2
    assert "empty.tsv" in capsys.readouterr().err
    assert not (tmp_path / "out.parquet").exists()


def test_a_model_in_place_of_a_table(
    toy_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["table", "export", str(toy_model), "-o", str(tmp_path / "a")]) == 0
    assert run(["table", "export", "pivot", "-m", str(toy_model), "-o", str(tmp_path / "b")]) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    model = tmp_path / "model"
    shutil.copytree(toy_model, model)
    manifest = read_manifest(model)
    manifest["tables"]["graph"] = manifest["tables"]["pivot"]
    write_manifest(model, manifest)
    capsys.readouterr()
    assert run(["table", "export", str(model)]) == 2
    assert f"name one of its tables (graph, pivot), for example: graph -m {model}" in capsys.readouterr().err


@pytest.mark.parametrize(("package", "extractor"), [("lxml", "hmm"), ("trafilatura", "both")])
def test_a_missing_extra_is_reported_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    package: str,
    extractor: str,
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "page.html").write_text("<p>A page.</p>", encoding="utf-8")
    assert run(["acquire", str(tmp_path), "--extractor", extractor]) == 2
    captured = capsys.readouterr()
    assert captured.err == (
        "paraphrast: reading web pages needs an optional dependency that is not installed (extra 'news')\n"
        "  pip install 'paraphrast[news]'\n"
    )
    assert captured.out == ""


def test_surplus_columns_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join("\t".join(row) for row in toy.rows(50)) + "\n", encoding="utf-8")
    assert run(["align", str(path), "-o", str(tmp_path / "links")]) == 0
    assert "only the first 2" in capsys.readouterr().err
