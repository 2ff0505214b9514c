"""Packed models: the same model on another machine, and nothing but a model from a hostile archive."""

from __future__ import annotations

import json
import shutil
import stat
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import paraphrast
from paraphrast.errors import ModelError, ParaphrastError
from paraphrast.model.folder import MANIFEST
from paraphrast.model.pack import MAX_FILES, opened, pack_model, unpack_model
from paraphrast.model.verify import verify


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, with the compiled kernels of the usual one not needed here."""
    monkeypatch.setattr("paraphrast.model.pack.cache_root", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "models"


@pytest.fixture
def packed(toy_model: Path, tmp_path: Path) -> Path:
    return pack_model(toy_model, tmp_path / "model.zip")


def test_a_packed_model_is_unpacked_once_with_the_same_bytes(
    toy_model: Path, packed: Path, cache: Path
) -> None:
    folder = opened(packed)
    assert folder.parent == cache
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert opened(packed) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    for path in toy_model.rglob("*"):
        if path.is_file():
            assert (folder / path.relative_to(toy_model)).read_bytes() == path.read_bytes()
    assert [path.name for path in cache.iterdir()] == [folder.name]
    assert verify(packed).problems == ()
    assert packed.read_bytes() == pack_model(toy_model, packed.with_name("again.zip")).read_bytes()


def test_a_small_file_has_the_same_model(toy_model: Path, packed: Path, tmp_path: Path) -> None:
    small = pack_model(toy_model, tmp_path / "small.zip", small=True)
    assert small.stat().st_size < packed.stat().st_size
    with zipfile.ZipFile(small) as archive:
        methods = {info.compress_type for info in archive.infolist()}
    assert methods == {zipfile.ZIP_LZMA, zipfile.ZIP_STORED}
    assert opened(small) == opened(packed)  # named after the same manifest
    assert verify(small).problems == ()
    assert small.read_bytes() == pack_model(toy_model, tmp_path / "again.zip", small=True).read_bytes()


def test_a_damaged_cache_heals(packed: Path) -> None:
    folder = opened(packed)
    damaged = folder / "decoder" / "log_prob.npy"
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-1])
    assert opened(packed) == folder
    assert damaged.read_bytes() == whole
    (folder / MANIFEST).write_text("{")
    assert paraphrast.load(packed).path == folder
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_changed_models_are_not_packed_but_new_weights_are(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(toy_model, copy)
    weights = json.loads((copy / "weights.json").read_text())
    (copy / "weights.json").write_text(json.dumps({**weights, "lm": 0.5}))
    packed = pack_model(copy, tmp_path / "new.zip")
    assert paraphrast.load(packed).decoder.weights.lm == 0.5
    assert verify(packed).problems == ()
    (problem,) = verify(copy).problems
    assert problem.startswith("weights.json: ")
    monkeypatch.setattr("paraphrast.model.integrity.SMALL", 0)  # large files are not read at loading
    flip(copy / "vocab.parquet")
    with pytest.raises(ModelError, match=r"vocab\.parquet.*not packed"):
        pack_model(copy, tmp_path / "damaged.zip")
    assert not (tmp_path / "damaged.zip").exists()


def flip(path: Path, place: int = -1) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))


def rewritten(packed: Path, change: Callable[[dict[str, bytes], list[zipfile.ZipInfo]], None]) -> None:
    """Write a packed model again after changing its files (by name) and adding entries."""
    with zipfile.ZipFile(packed) as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    extra: list[zipfile.ZipInfo] = []
    change(files, extra)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for info in extra:
            archive.writestr(info, b"../../target")


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("decoder/link.npy")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def list_also(files: dict[str, bytes], name: str, content: bytes) -> None:
    """Add a file, listed in the manifest."""
    import hashlib

    manifest = json.loads(files[MANIFEST])
    manifest["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    files[MANIFEST] = json.dumps(manifest).encode()
    files[name] = content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files, extra: files.update({"../evil": b"x"}), "outside of its folder"),
        (lambda files, extra: files.update({"/evil": b"x"}), "outside of its folder"),
        (lambda files, extra: files.update({"a\\..\\evil": b"x"}), "outside of its folder"),
        (lambda files, extra: files.update({"C:evil": b"x"}), "outside of its folder"),
        (lambda files, extra: list_also(files, "../evil", b"x"), "outside of its folder|SHA-256"),
        (lambda files, extra: extra.append(link()), "link or device"),
        (lambda files, extra: files.update({"Weights.json": b"x"}), "twice"),
        (lambda files, extra: files.update({"notes.txt": b"x"}), "does not list"),
        (lambda files, extra: files.update({"casing.tsv": b""}), "expected .* bytes, got 0"),
        (
            lambda files, extra: files.update({"casing.tsv": b"x" * len(files["casing.tsv"])}),
            "casing.tsv is not",
        ),
        (lambda files, extra: list_also(files, "zeros.npy", bytes(200 << 20)), "times its size"),
        (lambda files, extra: files.update({f"f{n}": b"" for n in range(MAX_FILES)}), "at most 10,000 files"),
        (lambda files, extra: files.pop(MANIFEST), "another archive"),
        (lambda files, extra: files.update({MANIFEST: b"[" * 100_000}), "nested too deeply"),
        (lambda files, extra: files.update({MANIFEST: b"[1]"}), "JSON object"),
        (lambda files, extra: files.update({MANIFEST: b" " * (1 << 24) + b"{}"}), "larger than"),
    ],
)
def test_hostile_archives_are_refused(
    packed: Path, cache: Path, tmp_path: Path, change: Callable[..., None], message: str
) -> None:
    rewritten(packed, change)
    with pytest.raises(ModelError, match=message):
        opened(packed)
    assert not cache.exists() or not list(cache.iterdir())
    assert not (tmp_path / "evil").exists()


def directory_entry(content: bytes | bytearray) -> int:
    """Where the central directory begins."""
    return content.index(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [(8, 0x1, "encrypted"), (10, 99, "method 99"), (10, 12, "method 12")],
)
def test_encrypted_and_unknown_methods_are_told(packed: Path, offset: int, value: int, message: str) -> None:
    content = bytearray(packed.read_bytes())
    struct.pack_into("<H", content, directory_entry(content) + offset, value)
    packed.write_bytes(bytes(content))
    with pytest.raises(ModelError, match=message):
        opened(packed)


def test_no_damaged_archive_gives_a_traceback_or_another_model(packed: Path, cache: Path) -> None:
    """Bytes changed and archives cut at regular places: refused, or the very same model."""
    content = packed.read_bytes()
    expected = opened(packed)
    shutil.rmtree(expected)
    refused = 0
    tries = [content[: len(content) * n // 20] for n in range(20)]
    for n in range(60):
        damaged = bytearray(content)
        damaged[len(content) * n // 60] ^= 0x5A
        tries.append(bytes(damaged))
    for n in range(40):
        damaged = bytearray(content)
        start = directory_entry(content)
        damaged[start + (len(content) - start) * n // 40] ^= 0xFF
        tries.append(bytes(damaged))
    for damaged_content in tries:
        packed.write_bytes(damaged_content)
        try:
            folder = opened(packed)
        except ParaphrastError:
            refused += 1
            assert not cache.exists() or not list(cache.iterdir())
        else:
            assert folder == expected
            shutil.rmtree(folder)
    assert refused > 80


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX systems")
def test_a_cache_that_cannot_be_written_is_told(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(ParaphrastError, match="Permission denied"):
        opened(packed)


def test_an_archive_that_points_before_its_beginning_is_refused(tmp_path: Path) -> None:
    """zipfile lets the operating system report the negative offset: found by fuzzing."""
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, "{}")
    content = bytearray(path.read_bytes())
    end = content.rindex(b"PK\x05\x06")
    offset = int.from_bytes(content[end + 16 : end + 20], "little")
    content[end + 16 : end + 20] = (offset + 20).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(ModelError):
        unpack_model(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
