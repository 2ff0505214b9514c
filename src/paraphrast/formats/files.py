"""Plain and compressed text files: reading of strict UTF-8, and writing of complete files.

Reading: ``.gz``, ``.xz``, ``.zst`` and plain files (``-`` is standard input) as lines that end only at ``\\n`` or
``\\r\\n``. Python's ``splitlines`` would also break at U+2028 or a form feed, and the sides of a bitext would get out
of step. Invalid UTF-8 and truncated archives are errors that name file and line.

Writing: to a temporary name beside the target, renamed when complete, so a reader never sees a partial file. A ``.gz``
has no time and no name: the same text gives the same bytes.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import lzma
import os
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, TextIO, cast

from paraphrast._extras import require
from paraphrast.errors import At, FormatError, InputError, ParaphrastError
from paraphrast.formats.leftovers import held, remove_leftovers, temporary_name
from paraphrast.formats.storage import Place, open_raw, place_of

_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
_SUFFIXES = {".gz", ".xz", ".zst"}
#: What readers of damaged archives raise; zstandard's own error becomes an EOFError here.
_BROKEN = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)
_CHUNK = 1 << 16
_REFUSED = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ENOTDIR),
    *(errno.EFBIG, errno.EIO, errno.EISDIR),
}
#: In messages.
STANDARD_OUTPUT = Path("standard output")
#: How files begin that are UTF-16, as some editors and spreadsheets save text.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: Represents a line with invalid UTF-8 if the reader should not stop there. No text contains a NUL.
BAD_LINE = "\x00"


class TextReader:
    """Lines of a file, without their line ends; iterate once. ``line``: number of the last line read."""

    def __init__(self, stream: BinaryIO, name: str, *, mark_bad: bool = False) -> None:
        self._stream = stream
        self._mark_bad = mark_bad
        self.name = name
        self.line = 0

    def __enter__(self) -> TextReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._stream is not sys.stdin.buffer:
            self._stream.close()

    def __iter__(self) -> Iterator[str]:
        try:
            for raw in self._stream:
                self.line += 1
                yield self._decode(raw)
        except _BROKEN as error:
            raise FormatError(
                f"the compressed file is incomplete or damaged ({error})",
                where=At(self.name, self.line + 1),
                remedy="fetch or write it again",
            ) from error

    def blocks(self, size: int = 1 << 23) -> Iterator[bytes]:
        """Complete lines as bytes, including line ends, about ``size`` at a time, for readers that work on bytes.

        Checked to be valid UTF-8. A missing line feed at the end is added. Use this or iterate, not both.
        """
        rest = b""
        try:
            while chunk := self._stream.read(size):
                cut = chunk.rfind(b"\n") + 1
                if cut == 0:
                    rest += chunk
                    continue
                yield self._checked(rest + chunk[:cut])
                rest = chunk[cut:]
        except _BROKEN as error:
            raise FormatError(
                f"the compressed file is incomplete or damaged ({error})",
                where=At(self.name, self.line + 1),
                remedy="fetch or write it again",
            ) from error
        if rest:
            yield self._checked(rest + b"\n")

    def _checked(self, block: bytes) -> bytes:
        if self.line == 0:
            self._check_encoding(block[:1000])
        try:
            block.decode("utf-8")
        except UnicodeDecodeError as error:
            self.line += block.count(b"\n", 0, error.start)
            for raw in block[block.rfind(b"\n", 0, error.start) + 1 :].split(b"\n")[:1]:
                self.line += 1
                self._decode(raw)
        if self.line == 0:
            block = block.removeprefix(b"\xef\xbb\xbf")
        self.line += block.count(b"\n")
        return block

    def _check_encoding(self, head: bytes) -> None:
        """Refuse a file of UTF-16: by its first two bytes, or because every second byte is zero."""
        sides = (head[0::2], head[1::2])
        halves = len(head) >= 8 and any(side.count(0) > 0.9 * len(side) for side in sides)
        if head.startswith(_UTF16) or (halves and any(side.count(0) == 0 for side in sides)):
            raise FormatError(
                "expected UTF-8, got UTF-16",
                where=At(self.name, max(self.line, 1)),
                remedy="convert it, for example with: iconv -f UTF-16 -t UTF-8",
            )

    def _decode(self, raw: bytes) -> str:
        if self.line == 1:
            self._check_encoding(raw)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            if self._mark_bad:
                return BAD_LINE
            raise FormatError(
                f"expected UTF-8, got byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line",
                where=At(self.name, self.line),
                remedy="convert it, for example with: iconv -f LATIN1 -t UTF-8",
            ) from error
        if self.line == 1:
            text = text.removeprefix("\ufeff")
        if text.endswith("\r\n"):
            return text[:-2]
        return text.removesuffix("\n")


def open_text(path: str | Path, *, mark_bad: bool = False) -> TextReader:
    """Open a plain, gz, xz or zst file of UTF-8 text for reading by line. ``-`` is standard input.

    mark_bad: return a line with invalid UTF-8 as :data:`BAD_LINE` instead of raising an error.
    """
    if str(path) == "-":
        return TextReader(decompressed(sys.stdin.buffer, ""), "standard input", mark_bad=mark_bad)
    stream = decompressed(open_raw(Path(path)), Path(path).suffix.lower())
    return TextReader(stream, str(path), mark_bad=mark_bad)


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a text file, one at a time, without line ends; see :func:`open_text`."""
    with open_text(path) as reader:
        yield from reader


def sample_lines(path: str | Place, most: int) -> tuple[list[str], float]:
    """The first ``most`` lines of a text file, and their share of the (compressed) file; 1.0 if there are no others."""
    place = place_of(path)
    raw = open_raw(place)
    size = raw.seek(0, os.SEEK_END)
    raw.seek(0)
    stream = decompressed(raw, place.suffix.lower())
    with TextReader(stream, str(path), mark_bad=True) as reader:
        lines = list(islice(reader, most))
        if next(iter(reader), None) is None:
            return lines, 1.0
        # A decompressor reads ahead; a plain file knows where the lines end.
        end = raw.tell() if stream is not raw else sum(len(line.encode()) + 1 for line in lines)
    return lines, min(max(end / max(size, 1), 1e-12), 0.999999)


def open_bytes(path: str | Path) -> BinaryIO:
    """Open a plain, gz, xz or zst file for reading its bytes, uncompressed."""
    return decompressed(open_raw(Path(path)), Path(path).suffix.lower())


def decompressed(raw: BinaryIO, suffix: str) -> BinaryIO:
    """Decompress according to the suffix or, without a known suffix, to the first bytes."""
    if suffix not in _SUFFIXES and hasattr(raw, "peek"):
        head: bytes = raw.peek(6)
        suffix = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")
    if suffix == ".gz":
        return _Owning(gzip.GzipFile(fileobj=raw), raw)
    if suffix == ".xz":
        return _Owning(lzma.LZMAFile(raw), raw)
    if suffix == ".zst":
        return _Owning(_ZstdRaw(raw), raw)
    return raw


class _Owning(io.BufferedReader):
    """A buffered decompressor that closes the underlying file too."""

    def __init__(self, stream: object, beneath: BinaryIO) -> None:
        super().__init__(cast(io.RawIOBase, stream), _CHUNK)
        self._beneath = beneath

    def close(self) -> None:
        super().close()
        if self._beneath is not sys.stdin.buffer:
            self._beneath.close()


def _zstandard() -> Any:
    """The package that reads and writes ``.zst`` files."""
    require(".zst files", "train")
    import zstandard

    return zstandard


def decompress_zst(content: bytes) -> bytes:
    """All frames of a zst file that is in memory; EOFError if it is damaged."""
    package = _zstandard()
    try:
        reader = package.ZstdDecompressor().stream_reader(io.BytesIO(content), read_across_frames=True)
        return bytes(reader.read())
    except package.ZstdError as error:
        raise EOFError(str(error)) from error


class _ZstdRaw(io.RawIOBase):
    """All frames of a zst file. zstandard's reader treats a truncated file as complete."""

    def __init__(self, beneath: BinaryIO) -> None:
        self._beneath = beneath
        self._zstandard = _zstandard()
        self._frame: Any = None
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        while not self._ready:
            left_over = self._frame.unused_data if self._frame is not None and self._frame.eof else b""
            chunk = left_over or self._beneath.read(_CHUNK)
            if not chunk:
                if self._frame is not None and not self._frame.eof:
                    raise EOFError("the last frame has no end")
                return 0
            if self._frame is None or self._frame.eof:
                self._frame = self._zstandard.ZstdDecompressor().decompressobj()
            try:
                self._ready = self._frame.decompress(chunk)
            except self._zstandard.ZstdError as error:
                raise EOFError(str(error)) from error
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[TextIO]:
    """Write UTF-8 text to ``path``, compressed according to its suffix. The file appears when it is complete.

    Leaving the block with an error leaves no trace. ``-`` is standard output; devices and pipes are written directly,
    because they cannot be replaced by a rename.
    """
    if str(path) == "-":
        use_utf8_output()
        with write_errors(STANDARD_OUTPUT):
            yield sys.stdout
            sys.stdout.flush()
        return
    with atomic_write_bytes(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=False)
        try:
            yield text
            text.flush()
        except UnicodeEncodeError as error:
            raise InputError(
                f"text that UTF-8 cannot represent: {error.object[error.start : error.end]!r}",
                where=Path(path),
            ) from error
        finally:
            with contextlib.suppress(OSError, UnicodeEncodeError, ValueError):
                text.detach()


def use_utf8_output() -> None:
    """Write UTF-8 to standard output: files and JSON are UTF-8, whatever encoding the locale or terminal has.

    Other encodings would turn characters that they lack into ``\\U0001f600``, which is not valid JSON.
    """
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@contextlib.contextmanager
def atomic_write_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Like :func:`atomic_write`, for bytes."""
    given_path = Path(path)
    # Before links are followed: /dev/stdout is a link to a pipe without a name.
    if given_path.exists() and not given_path.is_file():
        if given_path.is_dir():
            raise InputError("expected a file to write, got a folder", where=given_path)
        with (
            write_errors(given_path),
            given_path.open("wb") as stream,
            _compressed(stream, given_path) as outer,
        ):
            yield outer
        return
    target = Path(os.path.realpath(given_path))
    with write_errors(target):
        remove_leftovers(target)
        temporary = temporary_name(target)
        try:
            with temporary.open("xb") as stream, held(temporary):
                with _compressed(stream, target) as outer:
                    yield outer
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(target: Path, *, checked: bool = False) -> Iterator[Path]:
    """A folder to fill, which is renamed to ``target`` when the block ends. An error leaves no trace.

    checked: whether an existing folder may be replaced in any case; see :func:`put_folder`.
    """
    temporary = temporary_name(target)
    with write_errors(target):
        remove_leftovers(target)
        try:
            temporary.mkdir(parents=True)
            with held(temporary):
                yield temporary
                put_folder(temporary, target, checked=checked)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def check_output(path: str | Path) -> None:
    """Raise an error for a file that cannot be written, before any work is done. ``-`` is standard output."""
    if str(path) == "-":
        return
    given_path = Path(path)
    with write_errors(given_path):
        if given_path.is_dir():
            raise InputError("expected a file to write, got a folder", where=given_path)
        if not given_path.parent.is_dir():
            raise InputError(f"the folder {given_path.parent} does not exist", where=given_path)
        special = given_path.exists() and not given_path.is_file()
        if not os.access(given_path if special else given_path.parent, os.W_OK):
            raise InputError(
                "cannot be written: permission denied", where=given_path, remedy="write to another place"
            )


def put_folder(built: Path, target: Path, *, checked: bool = False) -> None:
    """Rename a finished folder to ``target``. A folder cannot be renamed over another, so an existing one is moved
    aside, and moved back if renaming fails.

    checked: the caller knows that the existing folder may go. Otherwise it may if it has no file or folder that the
    new one does not have.
    """
    with write_errors(target):
        if not os.path.lexists(target):
            built.rename(target)
            return
        if not target.is_dir():
            raise InputError("expected a folder to write, got a file", where=target)
        unknown = [] if checked else sorted({*os.listdir(target)} - {*os.listdir(built)})
        if unknown:
            raise InputError(
                f"this folder is not replaced: it contains {unknown[0]}, which the new one does not have",
                where=target,
                remedy="choose another name, or move its contents",
            )
        aside = temporary_name(target, "old")
        target.rename(aside)
        try:
            built.rename(target)
        except OSError:
            aside.rename(target)
            raise
    shutil.rmtree(aside, ignore_errors=True)


def write_lines(path: str | Path, lines: Iterable[str]) -> int:
    """Write lines (without line ends) through :func:`atomic_write`. Returns their number."""
    count = 0
    with atomic_write(path) as stream:
        for line in lines:
            stream.write(line)
            stream.write("\n")
            count += 1
    return count


@contextlib.contextmanager
def write_errors(target: Path) -> Iterator[None]:
    """Report the operating system's write errors with path and remedy.

    numpy reports a full disk as an ``OSError`` without a number: "problem writing element 1609728 to file".
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) or _is_short_write(error):
            removed = "" if target == STANDARD_OUTPUT else ": the incomplete file was removed"
            raise ParaphrastError(
                f"the disk is full{removed}",
                where=target,
                remedy="free some space, or write to another place",
            ) from error
        if error.errno == errno.ENOENT and not target.parent.is_dir():
            raise InputError(f"the folder {target.parent} does not exist", where=target) from error
        if error.errno in _REFUSED:
            raise InputError(
                f"cannot be written: {error.strerror}", where=error.filename or target
            ) from error
        raise


def _is_short_write(error: OSError) -> bool:
    """Whether numpy could write only a part of an array."""
    text = str(error)
    return error.errno is None and ("problem writing element" in text or "requested and" in text)


@contextlib.contextmanager
def _compressed(stream: BinaryIO, target: Path) -> Iterator[BinaryIO]:
    """A stream that compresses into ``stream`` according to the suffix of ``target``, with fixed settings."""
    suffix = target.suffix.lower()
    if suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif suffix == ".xz":
        with lzma.LZMAFile(stream, "wb", preset=6) as packed_xz:
            yield cast(BinaryIO, packed_xz)
    elif suffix == ".zst":
        compressor = _zstandard().ZstdCompressor(level=9, threads=0)
        with compressor.stream_writer(stream, closefd=False) as packed_zst:
            yield cast(BinaryIO, packed_zst)
    else:
        yield stream
