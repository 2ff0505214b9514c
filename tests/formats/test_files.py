from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError, ParaphrastError
from paraphrast.formats.files import (
    atomic_folder,
    atomic_write_bytes,
    check_output,
    open_bytes,
    open_text,
    put_folder,
    read_lines,
    write_lines,
)

SUFFIXES = ["", ".txt", ".gz", ".xz", ".zst"]
LINES = ["one line", "", "zwölf Füße\u2028still the same line", "tab\there\x0cform feed", "last"]


def left_behind(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_written_is_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text{suffix}"
    assert write_lines(path, LINES) == len(LINES)
    assert list(read_lines(path)) == LINES
    assert left_behind(tmp_path) == [path.name]
    with open_bytes(path) as stream:
        assert stream.read() == "".join(f"{line}\n" for line in LINES).encode()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff"))))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "x.gz"
    write_lines(path, lines)
    assert list(read_lines(path)) == lines


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_same_text_same_bytes(tmp_path: Path, suffix: str) -> None:
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    write_lines(one, LINES)
    os.utime(one, (1, 1))
    write_lines(two, LINES)
    assert one.read_bytes() == two.read_bytes()


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "dos.txt"
    path.write_bytes(b"\xef\xbb\xbffirst\r\nsecond\rstill second\r\nno end")
    assert list(read_lines(path)) == ["first", "second\rstill second", "no end"]


def test_several_frames_and_members(tmp_path: Path) -> None:
    zst, gz = tmp_path / "a.zst", tmp_path / "a.gz"
    zst.write_bytes(zstandard.compress(b"a\nb") + zstandard.compress(b"c\nd\n"))
    gz.write_bytes(gzip.compress(b"a\nb") + gzip.compress(b"c\nd\n"))
    assert list(read_lines(zst)) == list(read_lines(gz)) == ["a", "bc", "d"]


def test_compression_is_recognised_without_a_suffix(tmp_path: Path) -> None:
    for number, packed in enumerate(
        [gzip.compress(b"x\n"), lzma.compress(b"x\n"), zstandard.compress(b"x\n")]
    ):
        path = tmp_path / str(number)
        path.write_bytes(packed)
        assert list(read_lines(path)) == ["x"]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_bad_utf8_names_file_and_line(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"latin{suffix}"
    with atomic_write_bytes(path) as stream:
        stream.write(b"good\nna\xefve\n")
    with pytest.raises(FormatError, match="byte 0xef at byte 3") as caught:
        list(read_lines(path))
    assert str(caught.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_truncated_archive_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cut{suffix}"
    write_lines(path, [f"line {number} {number**7}" for number in range(5000)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="incomplete or damaged"):
        list(read_lines(path))


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_suffix_that_lies(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plain{suffix}"
    path.write_bytes(b"not compressed at all\n")
    with pytest.raises(FormatError, match="damaged"):
        list(read_lines(path))


def test_reader_counts_lines(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_lines(path, ["a", "b", "c"])
    with open_text(path) as reader:
        assert [(reader.line, line) for line in reader] == [(1, "a"), (2, "b"), (3, "c")]


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_lines(tmp_path / "absent.gz"))
    with pytest.raises(InputError, match="got a folder"):
        list(read_lines(tmp_path))
    with pytest.raises(InputError, match="does not exist"):
        write_lines(tmp_path / "no" / "folder.txt", [])
    with pytest.raises(InputError, match="got a folder"):
        write_lines(tmp_path, [])


def test_an_error_inside_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    write_lines(path, ["old"])

    def lines() -> Iterator[str]:
        yield "new\n" * 100_000
        raise KeyError

    with pytest.raises(KeyError):
        write_lines(path, lines())
    assert list(read_lines(path)) == ["old"]
    assert left_behind(tmp_path) == ["x.gz"]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_lone_surrogate_is_an_input_error(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="UTF-8 cannot represent"):
        write_lines(tmp_path / f"x{suffix}", ["\ud800"])
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    def no_space(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(ParaphrastError, match="the disk is full") as caught:
        write_lines(tmp_path / f"x{suffix}", LINES)
    assert "free some space" in str(caught.value)
    assert left_behind(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("lines", [["short"], ["long" * 100_000]])
def test_full_device_and_device_kept(lines: list[str]) -> None:
    with pytest.raises(ParaphrastError, match="the disk is full"):
        write_lines("/dev/full", lines)
    assert not Path("/dev/full").is_file()


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old\n")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_lines(tmp_path / "link.txt", ["new"])
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new\n"


def test_standard_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(gzip.compress(b"a\nb\n"))))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(read_lines("-")) == ["a", "b"]
    assert not stdin.buffer.closed
    write_lines("-", ["out"])
    assert capsys.readouterr().out == "out\n"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_pipes_by_name_are_written_straight() -> None:
    reading, writing = os.pipe()
    write_lines(f"/dev/fd/{writing}", ["one", "two"])
    os.close(writing)
    with os.fdopen(reading) as stream:
        assert stream.read() == "one\ntwo\n"


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "model"
    with atomic_folder(target) as folder:
        (folder / "a").write_text("first")
        assert not target.exists()
    with pytest.raises(FileNotFoundError), atomic_folder(target) as folder:
        (folder / "no such folder" / "a").write_text("second")
    assert (target / "a").read_text() == "first"
    with atomic_folder(target) as folder:
        (folder / "a").write_text("third")
    assert (target / "a").read_text() == "third"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_folder_comes_back_when_the_new_one_cannot_take_its_place(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "a").write_text("old")
    with pytest.raises(FileNotFoundError):
        put_folder(tmp_path / "never built" / "model", target)
    assert (target / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_what_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    check_output("-")
    check_output(tmp_path / "new")
    check_output("/dev/stdout")
    with pytest.raises(InputError, match="got a folder"):
        check_output(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        check_output(tmp_path / "no" / "file")


def test_a_folder_with_other_files_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "mine.txt").write_text("precious")
    with (
        pytest.raises(InputError, match=r"not replaced: it contains mine\.txt"),
        atomic_folder(target) as folder,
    ):
        (folder / "a").write_text("new")
    (tmp_path / "file").write_text("precious")
    with pytest.raises(InputError, match="got a file"), atomic_folder(tmp_path / "file") as folder:
        (folder / "a").write_text("new")
    assert (target / "mine.txt").read_text() == (tmp_path / "file").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "model"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError("problem writing element 1609728 to file"), "disk is full"),
        (OSError("1000 requested and 512 written"), "disk is full"),
        (OSError(28, "No space left on device"), "disk is full"),
        (OSError(27, "File too large"), "cannot be written: File too large"),
        (OSError(5, "Input/output error"), "cannot be written: Input/output error"),
        (PermissionError(13, "Permission denied"), "cannot be written: Permission denied"),
    ],
)
def test_write_errors_name_the_file_and_the_reason(tmp_path: Path, error: OSError, message: str) -> None:
    with pytest.raises(ParaphrastError, match=f"^{tmp_path}.*{message}"), atomic_folder(tmp_path / "model"):
        raise error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["A first line.\nA second one.\n", "Grüße aus Köln\n"])
def test_utf_16_is_recognised(tmp_path: Path, encoding: str, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(FormatError, match=r"expected UTF-8, got UTF-16\n  convert it.*UTF-16 -t UTF-8"):
        list(read_lines(path))
    with pytest.raises(FormatError, match="got UTF-16"), open_text(path) as reader:
        list(reader.blocks())
    with pytest.raises(FormatError, match="got UTF-16"), open_text(path, mark_bad=True) as reader:
        list(reader)


def test_other_bytes_are_not_taken_for_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"a\x00b\nc\n")
    assert list(read_lines(path)) == ["a\x00b", "c"]
