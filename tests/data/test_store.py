from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paraphrast import data
from paraphrast.data import _convert, _store
from paraphrast.data._index import Source
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines, write_lines

PAIRS = ["The cat sleeps.\tDie Katze schläft.", "The dog barks loudly.\tDer Hund bellt laut."]
CONTENT = gzip.compress("".join(f"{line}\n" for line in PAIRS).encode(), mtime=0)
GOOD = hashlib.sha256(CONTENT).hexdigest()

Declare = Callable[..., None]


@pytest.fixture
def declare(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Write an index with one bitext called ``mine``."""

    def write(**source: str) -> None:
        rows = "\n".join(f"{key} = {json.dumps(value)}" for key, value in source.items())
        path = tmp_path / "mine.toml"
        path.write_text(
            '[mine]\nkind = "bitext"\nlanguages = ["en", "de"]\nlicence = "ours"\ndescription = "Pairs"\n'
            f'size_mb = 1\nversion = "1"\nconvert = "bitext-tsv"\n[[mine.source]]\n{rows}\n'
        )
        monkeypatch.setenv("PARAPHRAST_INDEX", str(path))

    return write


def folders(cache: Path) -> list[str]:
    return sorted(
        entry.name for entry in (cache / "data").iterdir() if entry.name.startswith(("mine", ".making"))
    )


def test_a_local_file_becomes_canonical(tmp_path: Path, cache: Path, declare: Declare) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")
    assert not data.is_cached("mine")
    assert data.available("mine")
    with pytest.raises(DataError, match="not cached") as caught:
        data.provenance("mine")
    assert "paraphrast data get mine" in str(caught.value)
    folder = data.get("mine")
    assert list(read_lines(folder / "bitext.tsv.gz")) == PAIRS
    assert folder.name.startswith("mine-1-")
    assert data.is_cached("mine")
    assert data.get("mine") == folder
    record = data.provenance("mine")
    assert record["licence"] == "ours"
    assert record["sources"] == [{"via": "file", "package": "pairs.tsv.gz", "version": "", "sha256": GOOD}]
    assert record["files"]["bitext.tsv.gz"]["lines"] == 2
    shown = data.show("mine")
    assert shown["path"] == str(folder)
    assert shown["files"] == record["files"]


def test_show_before_and_missing_file(cache: Path, declare: Declare) -> None:
    declare(via="file", path="absent.tsv")
    shown = data.show("mine")
    assert (shown["path"], shown["files"], shown["available"]) == (None, {}, False)
    with pytest.raises(DataError, match="does not exist"):
        data.get("mine")


def test_from_an_address(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256=GOOD)
    seen: list[str] = []
    folder = data.get("mine", progress=lambda what, done, total: seen.append(what))
    assert list(read_lines(folder / "bitext.tsv.gz")) == PAIRS
    assert seen[0] == f"{site.address}/p.tsv.gz"
    assert seen[-1] == "converting mine"


def test_downloads_are_kept_and_checked(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256=GOOD)
    source = data.index()["mine"].sources[0]
    first = _store.fetch(source)
    assert _store.fetch(source) == first
    assert len(site.asked) == 1
    first.path.write_bytes(b"bit rot")
    assert _store.fetch(source).path.read_bytes() == CONTENT
    assert len(site.asked) == 2


def test_a_wrong_hash_keeps_nothing(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256="0" * 64)
    with pytest.raises(DataError, match=f"wrong hash: expected {'0' * 64}, got {GOOD}"):
        data.get("mine")
    assert folders(cache) == []
    assert not list((cache / "data" / "downloads").glob("*p.tsv.gz"))


def test_a_damaged_part_of_an_earlier_run_is_fetched_again(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    url = f"{site.address}/p.tsv.gz"
    declare(via="http", url=url, sha256=GOOD)
    downloads = cache / "data" / "downloads"
    downloads.mkdir(parents=True)
    part = downloads / f"{_store._slug(Source('http', url=url))}.part"
    part.write_bytes(b"x" * 20)
    part.with_name(f"{part.name}.json").write_text(json.dumps({"url": url, "validator": '"one"'}))
    assert list(read_lines(data.get("mine") / "bitext.tsv.gz")) == PAIRS
    assert [wanted for _, wanted in site.asked] == ["bytes=20-", None]
    assert not part.exists()


def test_a_wrong_hash_of_a_local_file(tmp_path: Path, declare: Declare) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz", sha256="1" * 64)
    with pytest.raises(DataError, match="wrong hash"):
        data.get("mine")


def test_an_unknown_hash_is_trusted_once(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256="")
    with pytest.warns(data.UnpinnedWarning, match=GOOD):
        data.get("mine")
    assert data.provenance("mine")["sources"][0]["sha256"] == GOOD
    source = data.index()["mine"].sources[0]
    next((cache / "data" / "downloads").glob("*p.tsv.gz")).unlink()
    site.files["/p.tsv.gz"] = CONTENT + b"changed"
    with pytest.raises(DataError, match="wrong hash") as caught:
        _store.fetch(source)
    assert "changed since its first use" in str(caught.value)
    site.files["/p.tsv.gz"] = CONTENT
    assert _store.fetch(source).sha256 == GOOD


def test_the_licence_can_be_declined(site: Any, declare: Declare) -> None:
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256=GOOD)
    with pytest.raises(DataError, match="licence"):
        data.get("mine", accept=lambda resource: resource.licence != "ours")
    assert site.asked == []


def test_unknown_converter(
    tmp_path: Path, cache: Path, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")
    index = tmp_path / "mine.toml"
    index.write_text(index.read_text().replace("bitext-tsv", "bitext-magic"))
    with pytest.raises(Exception, match="unknown converter 'bitext-magic'"):
        data.get("mine")
    assert folders(cache) == []


def fail(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def convert(resource: object, parts: object, folder: Path) -> None:
        write_lines(folder / "bitext.tsv.gz", ["half"])
        raise error

    monkeypatch.setattr(_convert.CONVERTERS, "get", lambda name: convert)


@pytest.mark.parametrize(
    ("number", "message", "remedy"),
    [
        (errno.ENOSPC, "the disk is full", "another disk"),
        (errno.EROFS, "cannot be written", "PARAPHRAST_CACHE"),
    ],
)
def test_disk_errors(
    tmp_path: Path,
    cache: Path,
    declare: Declare,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    message: str,
    remedy: str,
) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")
    fail(monkeypatch, OSError(number, os.strerror(number)))
    with pytest.raises(DataError, match=message) as caught:
        data.get("mine")
    assert remedy in str(caught.value)
    assert folders(cache) == []


def test_a_full_disk_inside_a_writer(
    tmp_path: Path, cache: Path, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")

    def no_space(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(DataError, match="the disk is full"):
        data.get("mine")
    assert folders(cache) == []


def test_what_a_dead_process_left_is_cleared(tmp_path: Path, cache: Path, declare: Declare) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")
    dead = cache / "data" / ".making-mine~1-dead"
    dead.mkdir(parents=True)
    (dead / "bitext.tsv.gz").write_bytes(b"half")
    assert folders(cache) == [".making-mine~1-dead"]
    folder = data.get("mine")
    assert folders(cache) == [folder.name]


def test_a_folder_without_provenance_is_not_trusted(tmp_path: Path, cache: Path, declare: Declare) -> None:
    declare(via="file", path="pairs.tsv.gz")
    recipe = data.index()["mine"].recipe
    (cache / "data" / f"mine-1-{recipe}").mkdir(parents=True)
    assert not data.is_cached("mine")


def test_two_processes_fetch_once(site: Any, cache: Path, declare: Declare) -> None:
    site.files["/p.tsv.gz"] = CONTENT
    declare(via="http", url=f"{site.address}/p.tsv.gz", sha256=GOOD)
    code = "from paraphrast import data; print(data.get('mine'))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate(timeout=300)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(answers) == 1
    assert list(read_lines(Path(answers.pop()) / "bitext.tsv.gz")) == PAIRS
    assert len(site.asked) == 1
    assert len(folders(cache)) == 1


def test_same_source_same_bytes(
    tmp_path: Path, cache: Path, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.tsv.gz").write_bytes(CONTENT)
    declare(via="file", path="pairs.tsv.gz")
    first = {path.name: path.read_bytes() for path in data.get("mine").iterdir()}
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path / "other"))
    assert {path.name: path.read_bytes() for path in data.get("mine").iterdir()} == first
