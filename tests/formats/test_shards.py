"""Text in shards, with and without a manifest, on a disk and in a store."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.bitext import read_columns, read_files
from paraphrast.formats.files import write_lines
from paraphrast.formats.shards import (
    MANIFEST,
    open_source,
    shards_in,
    source_hash,
    split_text,
    write_manifest,
)
from paraphrast.formats.storage import Place, Url

ROWS = [f"e{n}\td{n}" for n in range(1, 8)]


@pytest.fixture(params=["disk", "store"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "disk":
        return tmp_path / "shards"
    pytest.importorskip("pyarrow")
    pytest.importorskip("fsspec")
    return Url(f"memory://{uuid.uuid4().hex}")


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst", ".txt"])
def test_shards_read_as_one_text(folder: Place, tmp_path: Path, suffix: str) -> None:
    write_lines(tmp_path / "all.tsv", ROWS)
    shards = split_text(tmp_path / "all.tsv", folder, 3, suffix=suffix)
    assert [shard.lines for shard in shards] == [3, 3, 1]
    assert shards_in(folder) == shards
    bitext = read_columns(folder, ["en", "de"], first=3, last=5)
    assert bitext.lines == {"en": ["e3", "e4", "e5"], "de": ["d3", "d4", "d5"]}
    assert bitext.numbers == [3, 4, 5]
    assert write_manifest(folder) == shards
    with pytest.raises(InputError, match="expected an empty folder"):
        split_text(tmp_path / "all.tsv", folder, 3)


def test_without_a_manifest_names_give_the_order(tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    for name, line in (("b.gz", "2"), ("a.xz", "1"), ("c", "3"), ("_SUCCESS", "x"), (".part.crc", "x")):
        write_lines(folder / name, [line])
    with open_source(folder) as reader:
        assert list(reader) == ["1", "2", "3"]
    before = source_hash(folder)
    write_manifest(folder)
    assert source_hash(folder) == before


def test_one_folder_per_language(tmp_path: Path) -> None:
    for language, size in (("en", 2), ("de", 3)):
        write_lines(tmp_path / f"{language}.txt", [f"{language}{n}" for n in range(5)])
        split_text(tmp_path / f"{language}.txt", tmp_path / language, size)
    paths = {language: tmp_path / language for language in ("en", "de")}
    assert read_files(paths, first=4).lines == {"en": ["en3", "en4"], "de": ["de3", "de4"]}


def test_errors_name_shard_and_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "all.tsv", [*ROWS[:4], "only one column", *ROWS[5:]])
    split_text(tmp_path / "all.tsv", tmp_path / "shards", 3, suffix=".txt")
    with pytest.raises(FormatError, match=r"part-000001\.txt:2: expected 2 columns"):
        read_columns(tmp_path / "shards", ["en", "de"])
    bitext = read_columns(tmp_path / "shards", ["en", "de"], skip_bad=True)
    assert bitext.numbers == [1, 2, 3, 4, 6, 7]
    assert str(bitext.bad[0]).endswith("part-000001.txt:2")


def test_a_shard_that_differs_from_the_manifest_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    write_lines(tmp_path / "all.tsv", ROWS)
    split_text(tmp_path / "all.tsv", folder, 3, suffix=".txt")
    part = folder / "part-000001.txt"
    part.write_text(part.read_text().replace("e4", "e9"))
    with pytest.raises(
        FormatError, match=r"part-000001\.txt: the shard is not the one of shards\.json: expected SHA"
    ):
        read_columns(folder, ["en", "de"])
    part.write_text("longer than before, by far, certainly")
    with pytest.raises(FormatError, match=r"expected 18 bytes, as shards\.json says, got 37"):
        read_columns(folder, ["en", "de"])
    part.unlink()
    with pytest.raises(InputError, match=r"the shard part-000001\.txt of shards\.json does not exist"):
        read_columns(folder, ["en", "de"])


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"format": 1}', '{"format": 1, "shards": []}', '{"format": 9, "shards": []}',
     '{"format": 1, "shards": [{"name": "../x", "lines": 1, "bytes": 1, "sha256": ""}]}',
     '{"format": 1, "shards": [{"name": "x", "lines": -1, "bytes": 1, "sha256": ""}]}'],
)  # fmt: skip
def test_malformed_manifests(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(InputError, match=MANIFEST):
        shards_in(tmp_path)


def test_empty_folders_and_texts(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="expected a folder with shards of text, got no file"):
        shards_in(tmp_path / "empty")
    (tmp_path / "nothing").write_text("")
    with pytest.raises(InputError, match="expected text, got an empty file"):
        split_text(tmp_path / "nothing", tmp_path / "shards", 3)


def test_the_manifest_is_plain_json(tmp_path: Path) -> None:
    write_lines(tmp_path / "all.tsv", ROWS)
    split_text(tmp_path / "all.tsv", tmp_path / "shards", 10)
    content = json.loads((tmp_path / "shards" / MANIFEST).read_text())
    assert content["shards"][0].keys() == {"name", "lines", "bytes", "sha256"}
