"""The package tools are stood in for by small programs on PATH: no registry is asked."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import _packages, _store
from paraphrast.data._index import Source
from paraphrast.errors import DataError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
Tool = Callable[[str, str], Path]


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    """Put a shell script on an otherwise almost empty PATH; it logs its arguments beside itself."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(name: str, body: str) -> Path:
        path = folder / name
        path.write_text(f'#!/bin/sh\nPATH=/usr/bin:/bin\necho "$@" >> "$0.log"\n{body}\n')
        path.chmod(0o755)
        return folder / f"{name}.log"

    return write


def fetch(source: Source, tmp_path: Path) -> Path:
    (tmp_path / "to").mkdir(exist_ok=True)
    return _packages.fetch_package(source, tmp_path / "to", tmp_path / "apt")


NPM = Source("npm", package="words", version="1.2.3", sha256="0" * 64)
APT = Source("apt", package="help-de")


def test_npm_packs_the_pinned_version_without_scripts(tool: Tool, tmp_path: Path) -> None:
    log = tool("npm", "printf x > words-1.2.3.tgz; echo words-1.2.3.tgz")
    assert fetch(NPM, tmp_path).name == "words-1.2.3.tgz"
    arguments = log.read_text().split()
    assert arguments[0] == "pack"
    assert "--ignore-scripts" in arguments
    assert arguments[-1] == "words@1.2.3"


def test_pip_takes_wheels_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], folder: Path, source: Source) -> str:
        commands.append(command)
        (folder / "words-1.0-py3-none-any.whl").write_bytes(b"x")
        return ""

    monkeypatch.setattr(_packages, "_run", run)
    source = Source("pip", package="words", version="1.0", sha256="0" * 64)
    assert fetch(source, tmp_path).suffix == ".whl"
    assert commands[0][-1] == "words==1.0"
    assert {"download", "--no-deps", "--only-binary=:all:"} <= set(commands[0])


@pytest.mark.parametrize("source", [NPM, APT])
def test_a_missing_tool_is_named_with_a_remedy(tool: Tool, tmp_path: Path, source: Source) -> None:
    name = {"npm": "npm", "apt": "apt-get"}[source.via]
    assert not _packages.has_tool(name)
    with pytest.raises(DataError, match=f"needs {name}, which is not installed") as caught:
        fetch(source, tmp_path)
    assert "data list" in str(caught.value)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("npm error code ENOTFOUND", "cannot be reached: ENOTFOUND"),
        ("npm error code ENOSPC", "the disk is full"),
        ("npm error 404 Not Found", "could not be fetched: npm error 404 Not Found"),
    ],
)
def test_what_the_tool_says_is_understood(tool: Tool, tmp_path: Path, said: str, message: str) -> None:
    tool("npm", f"echo '{said}' >&2; exit 1")
    with pytest.raises(DataError, match=message):
        fetch(NPM, tmp_path)


def test_a_tool_that_brings_nothing(tool: Tool, tmp_path: Path) -> None:
    tool("npm", "exit 0")
    with pytest.raises(DataError, match=r"expected one file .* got 0"):
        fetch(NPM, tmp_path)


def apt_script(package: Path, sha256: str, refuse: str = "") -> str:
    return f"""
{refuse}
case "$*" in
  *update*) mkdir -p "{package.parent}/updated" ;;
  *--print-uris*) echo "'address' help-de_1.deb 10 SHA256:{sha256}" ;;
  *) cp "{package}" help-de_1.deb ;;
esac
"""


def test_apt_is_checked_against_its_own_hash(tool: Tool, tmp_path: Path, make_deb: Any, cache: Path) -> None:
    package = make_deb("offered.deb", {"usr/share/x": "text"}, "4:7.4-1")
    good = hashlib.sha256(package.read_bytes()).hexdigest()
    tool("apt-get", apt_script(package, good))
    fetched = _store.fetch(APT)
    assert (fetched.version, fetched.sha256) == ("4:7.4-1", good)
    assert fetched.path.read_bytes() == package.read_bytes()
    assert not (tmp_path / "updated").exists()


def test_apt_with_a_wrong_hash(tool: Tool, tmp_path: Path, make_deb: Any) -> None:
    package = make_deb("offered.deb", {"usr/share/x": "text"})
    tool("apt-get", apt_script(package, "e" * 64))
    with pytest.raises(DataError, match="wrong hash"):
        fetch(APT, tmp_path)


def test_apt_without_lists_makes_its_own(tool: Tool, tmp_path: Path, make_deb: Any) -> None:
    package = make_deb("offered.deb", {"usr/share/x": "text"})
    good = hashlib.sha256(package.read_bytes()).hexdigest()
    refuse = (
        'case "$*" in *Dir::State::Lists*) ;; *) echo "E: Unable to locate package" >&2; exit 100 ;; esac'
    )
    tool("apt-get", apt_script(package, good, refuse))
    assert fetch(APT, tmp_path).read_bytes() == package.read_bytes()
    assert (tmp_path / "updated").is_dir()
    assert (tmp_path / "apt" / "lists" / "partial").is_dir()


def test_a_pinned_package_with_a_wrong_hash_is_not_kept(tool: Tool, cache: Path) -> None:
    tool("npm", "printf x > words-1.2.3.tgz")
    with pytest.raises(DataError, match="wrong hash"):
        _store.fetch(NPM)
    assert list((cache / "data" / "downloads").iterdir()) == []


def test_what_a_killed_fetch_left_is_removed(tool: Tool, cache: Path) -> None:
    tool("npm", "printf x > words-1.2.3.tgz")
    left = cache / "data" / "downloads" / ".npm-words-1.2.3~999-0a0b0c0d"
    left.mkdir(parents=True)
    (left / "words-1.2.3.tgz").write_bytes(b"half")
    source = Source("npm", package="words", version="1.2.3", sha256=hashlib.sha256(b"x").hexdigest())
    assert _store.fetch(source).path.read_bytes() == b"x"
    assert not left.exists()


def test_a_pinned_package_is_fetched_once(tool: Tool, cache: Path) -> None:
    log = tool("npm", "printf x > words-1.2.3.tgz")
    source = Source("npm", package="words", version="1.2.3", sha256=hashlib.sha256(b"x").hexdigest())
    first = _store.fetch(source)
    assert (first.version, first.path.name) == ("1.2.3", "npm-words-1.2.3.tgz")
    assert _store.fetch(source) == first
    assert len(log.read_text().splitlines()) == 1


def test_pip_is_found_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert _packages._tool("pip", NPM) == [sys.executable, "-m", "pip"]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert not _packages.has_tool("pip")
    with pytest.raises(DataError, match="needs pip"):
        _packages._tool("pip", NPM)
