from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from paraphrast.data import _archives
from paraphrast.data._archives import deb_version, members, safe_name
from paraphrast.errors import DataError

FILES = {"a/one.txt": "1", "a/two.txt": "22", "b/three.txt": "333"}


def everything(path: Path) -> dict[str, bytes]:
    return dict(members(path, lambda name: True))


@pytest.mark.parametrize("kind", ["zip", "tgz", "deb"])
def test_members_of_every_kind(make_zip: Any, make_tgz: Any, make_deb: Any, kind: str) -> None:
    make = {"zip": make_zip, "tgz": make_tgz, "deb": make_deb}[kind]
    path = make(f"x.{kind}", FILES)
    assert everything(path) == {name: content.encode() for name, content in FILES.items()}
    assert dict(members(path, lambda name: name.startswith("b/"))) == {"b/three.txt": b"333"}


def test_deb_with_zstandard(tmp_path: Path, make_deb: Any) -> None:
    plain = make_deb("x.deb", FILES).read_bytes()
    data = _archives._deb_data(tmp_path / "x.deb").read()
    packed = zstandard.compress(data)
    at = plain.index(b"data.tar.xz")
    header = f"{'data.tar.zst':<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(packed):<10}".encode() + b"`\n"
    (tmp_path / "y.deb").write_bytes(plain[:at] + header + packed)
    assert everything(tmp_path / "y.deb") == everything(tmp_path / "x.deb")


def test_deb_version(make_deb: Any, make_zip: Any) -> None:
    assert deb_version(make_deb("x.deb", {}, "4:7.4-1+deb12")) == "4:7.4-1+deb12"
    with pytest.raises(DataError):
        deb_version(make_zip("x.zip", FILES))


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "C:/x", "a\\..\\x", "./../x"])
def test_names_that_leave_the_archive_are_refused(make_tgz: Any, make_zip: Any, name: str) -> None:
    with pytest.raises(DataError, match="a path outside"):
        everything(make_tgz("x.tgz", {name: "evil"}))
    with pytest.raises(DataError, match="a path outside"):
        safe_name(name, Path("x.zip"))


def test_odd_but_harmless_names(tmp_path: Path) -> None:
    assert safe_name("./a..b/..c", tmp_path) == "a..b/..c"


def test_a_file_without_a_name_is_left_out(make_zip: Any) -> None:
    """A name that begins with a zero byte is empty, which ``ZipInfo.is_dir`` cannot take: found by fuzzing."""
    path = make_zip("x.zip", {"a.txt": "1", "b.txt": "2"})
    path.write_bytes(path.read_bytes().replace(b"a.txt", b"\0.txt"))
    assert everything(path) == {"b.txt": b"2"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    (tmp_path / "x.tar").write_bytes(buffer.getvalue())
    assert everything(tmp_path / "x.tar") == {}


@pytest.mark.parametrize("kind", ["zip", "tgz", "deb"])
def test_damaged_archives(make_zip: Any, make_tgz: Any, make_deb: Any, kind: str) -> None:
    path = {"zip": make_zip, "tgz": make_tgz, "deb": make_deb}[kind](f"x.{kind}", FILES)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DataError, match="damaged"):
        everything(path)


def test_a_member_too_large_is_refused(make_zip: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_archives, "MAX_MEMBER", 2)
    with pytest.raises(DataError, match="limit is 2"):
        everything(make_zip("x.zip", FILES))
