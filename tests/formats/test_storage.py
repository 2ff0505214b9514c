"""Places: paths, and URLs of stores (here fsspec's store in memory)."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.formats import storage
from paraphrast.formats.storage import (
    Url,
    files_in,
    hash_of,
    is_file,
    is_folder,
    open_raw,
    place_of,
    put_file,
)


@pytest.fixture
def store() -> Url:
    pytest.importorskip("pyarrow")
    pytest.importorskip("fsspec")
    return Url(f"memory://{uuid.uuid4().hex}")


def test_paths_and_urls_are_told_apart(tmp_path: Path) -> None:
    assert place_of("a/b.gz", tmp_path) == tmp_path / "a" / "b.gz"
    assert place_of("file:///a/b%20c") == Path("/a/b c")
    url = place_of("s3://bucket/folder/")
    assert url == Url("s3://bucket/folder/")
    assert str(url / "part.TSV.gz") == "s3://bucket/folder/part.TSV.gz"
    assert ((url / "x.gz").name, (url / "x.gz").suffix) == ("x.gz", ".gz")
    with pytest.raises(InputError, match=r"s3://b/k: expected a URL without"):
        place_of("s3://b/k?access_key=secret")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have_does_not_exist(name: str) -> None:
    assert not is_file(Path(name))
    assert not is_folder(Path(name))


def test_files_of_a_store(store: Url, tmp_path: Path) -> None:
    local = tmp_path / "local"
    for name in ("b", "a"):
        local.write_text(f"text of {name}")
        put_file(local, store / name)
    assert files_in(store) == [("a", 9), ("b", 9)]
    assert is_folder(store)
    assert not is_file(store)
    assert is_file(store / "a")
    assert not is_file(store / "c")
    with open_raw(store / "a") as stream:
        assert stream.peek(4)[:4] == b"text"  # type: ignore[attr-defined]
        assert stream.read() == b"text of a"
    assert hash_of(store / "a") == hashlib.sha256(b"text of a").hexdigest()


def test_errors_name_the_url(store: Url, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=rf"{store}/none: no such file"):
        open_raw(store / "none")
    with pytest.raises(InputError, match=r"nosuchscheme://x: cannot be reached"):
        is_file(Url("nosuchscheme://x"))
    monkeypatch.setattr(storage, "is_installed", lambda package: package != "pyarrow")
    with pytest.raises(Exception, match=r"needs an optional dependency.*pyarrow"):
        is_file(store / "a")
