"""Sources in shards: the model of one file, whoever reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paraphrast
import toy
from paraphrast.errors import InputError
from paraphrast.formats.files import write_lines
from paraphrast.formats.shards import MANIFEST, split_text
from paraphrast.training.config import as_config
from paraphrast.training.plan.sources import size_of
from paraphrast.training.source_shards import shard_tasks, write_shard

ROWS = ["\t".join(row) for row in toy.rows(80)]
LANGUAGES = ("en", "de", "fr")


def config_of(path: Path, **more: Any) -> dict[str, Any]:
    bitext = {"path": str(path), "columns": list(LANGUAGES), "name": "toy", **more}
    return {"bitext": [bitext], "substitution": "no", "pivot": {"context": False}}


def content(model: Path) -> dict[str, bytes]:
    """The files of a model without its manifest, which has the hashes of the sources."""
    files = [path for path in model.rglob("*") if path.is_file() and path.name != "manifest.json"]
    return {str(path.relative_to(model)): path.read_bytes() for path in files}


def test_a_folder_of_shards_gives_the_model_of_one_file(tmp_path: Path) -> None:
    write_lines(tmp_path / "toy.tsv", ROWS)
    split_text(tmp_path / "toy.tsv", tmp_path / "shards", 7)
    one = paraphrast.train(config_of(tmp_path / "toy.tsv", lines=[5, 70]), tmp_path / "one", threads=1)
    # With a limit of memory, text is read and encoded shard by shard, as workers do.
    many = paraphrast.train(
        config_of(tmp_path / "shards", lines=[5, 70]), tmp_path / "many", threads=1, memory="1GB"
    )
    assert content(many) == content(one)


def tasks_of(tmp_path: Path, bitext: dict[str, Any], *, skip_bad: bool = False) -> list[Any]:
    source = as_config({"bitext": [bitext]}).bitext[0]
    return shard_tasks(source, ("en", "de"), "b0", tmp_path / "blocks", "en", skip_bad=skip_bad)


def test_lines_are_assigned_to_shards(tmp_path: Path) -> None:
    for language in ("en", "de"):
        write_lines(tmp_path / f"{language}.txt", [f"{language} {n}" for n in range(1, 11)])
        split_text(tmp_path / f"{language}.txt", tmp_path / language, 4)
    files = {language: str(tmp_path / language) for language in ("en", "de")}
    tasks = tasks_of(tmp_path, {"files": files, "lines": [3, 8]})
    assert [(task.number, task.first, task.last) for task in tasks] == [(0, 3, 8), (1, 1, 4)]
    read = []
    for task in tasks:
        blocks, bad = write_shard(task)
        assert not bad
        read += [Path(block.path).read_text() for block in blocks["de"]]
    assert read == ['["de 3", "de 4"]', '["de 5", "de 6", "de 7", "de 8"]']
    (tmp_path / "de" / MANIFEST).unlink()
    assert tasks_of(tmp_path, {"files": files}) == []


def test_malformed_lines_are_skipped_in_all_languages(tmp_path: Path) -> None:
    write_lines(tmp_path / "all.tsv", ["a\tb", "c", "d\te", "f\tg"])
    split_text(tmp_path / "all.tsv", tmp_path / "shards", 3)
    bitext = {"path": str(tmp_path / "shards"), "columns": ["en", "de"]}
    blocks, bad = write_shard(tasks_of(tmp_path, bitext, skip_bad=True)[0])
    assert [Path(block.path).read_text() for block in blocks["de"]] == ['["b", "e"]']
    assert [place.line for place in bad] == [2]


def test_the_plan_knows_the_lines_of_a_manifest(tmp_path: Path) -> None:
    write_lines(tmp_path / "toy.tsv", ROWS)
    split_text(tmp_path / "toy.tsv", tmp_path / "shards", 7)
    source = as_config(config_of(tmp_path / "shards")).bitext[0]
    size = size_of(source, 3)
    assert size is not None
    assert (size.lines, size.exact) == (80, True)
    (tmp_path / "shards" / MANIFEST).unlink()
    estimate = size_of(source, 3)
    assert estimate is not None
    assert not estimate.exact
    assert 60 < estimate.lines < 100


def test_only_bitext_and_text_may_be_elsewhere(tmp_path: Path) -> None:
    write_lines(tmp_path / "toy.tsv", ROWS)
    config = config_of(tmp_path / "toy.tsv")
    with pytest.raises(InputError, match=r"\[\[tagger\]\]: expected a file of this machine, got s3://b/k"):
        as_config({**config, "tagger": {"path": "s3://b/k"}})
    with pytest.raises(InputError, match="the file does not exist"):
        as_config({**config, "tagger": {"path": str(tmp_path)}})
