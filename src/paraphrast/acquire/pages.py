"""Sources of pages: a folder, a list of files, a WARC file, JSON lines; and decoding of their text.

Nothing is fetched: pages are bytes on this machine.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError, InputError, MissingExtra
from paraphrast.formats.files import BAD_LINE, open_bytes, open_text

#: Suffixes of files that are pages.
SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
_PACKED = (".gz", ".xz", ".zst")
_WARC = (".warc", ".warc.gz")
_JSONL = (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst", ".ndjson.gz")
_LISTS = (".txt", ".list")
#: What warcio raises on damaged files, besides its own error: it does not check that a record has an address
#: (AttributeError), nor that its length is below 2⁶³ (OverflowError).
_WARC_DAMAGE = (EOFError, OSError, ValueError, AttributeError, OverflowError, LookupError, zlib.error)
#: Maximum number of bytes of a page; the rest is cut, with a note.
MAX_BYTES = 8 << 20

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.I)
_XML_CHARSET = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.I)
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.I)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as stored. name: its file, or its address; data: at most :data:`MAX_BYTES`; charset: from the server;
    folder: its folder, relative to the given one; note: a remark for the output."""

    name: str
    data: bytes
    url: str = ""
    charset: str = ""
    date: str = ""
    folder: str = ""
    note: str = ""


def read_pages(source: str | Path, *, max_bytes: int = MAX_BYTES) -> Iterator[Page]:
    """The pages of a folder, a page, a WARC file, JSON lines (``html``, ``url``, …) or a list of files (``.txt``)."""
    path = Path(source)
    name = path.name.lower()
    if path.is_dir():
        yield from _folder(path, max_bytes)
    elif name.endswith(_WARC):
        yield from _warc(path, max_bytes)
    elif name.endswith(_JSONL):
        yield from _json_lines(path, max_bytes)
    elif name.endswith(_LISTS):
        with open_text(path) as reader:
            for line in reader:
                if line.strip():
                    yield _file(path.parent / line.strip(), line.strip(), max_bytes)
    else:
        if not path.exists():
            raise InputError("no such file or folder", where=path)
        yield _file(path, path.name, max_bytes)


def page_files(source: str | Path) -> list[tuple[str, Path]]:
    """The files that :func:`read_pages` reads, with their names."""
    path = Path(source)
    if path.is_dir():
        return [(inner, file) for inner, file in _files_below(path)]
    files = [(path.name, path)]
    if path.name.lower().endswith(_LISTS):
        with open_text(path) as reader:
            names = [line.strip() for line in reader if line.strip()]
        files += [(name, path.parent / name) for name in names if (path.parent / name).is_file()]
    return files


def holds_articles(source: str | Path) -> bool:
    """Whether a source is JSON lines of articles, not of pages (which have ``html``)."""
    path = Path(source)
    if path.is_dir() or not path.name.lower().endswith(_JSONL):
        return False
    with open_text(path) as reader:
        first = next((line for line in reader if line.strip()), "")
    try:
        return "html" not in json.loads(first)
    except (ValueError, TypeError, RecursionError):
        return True  # the reader of articles reports what is wrong


def _is_page(path: Path) -> bool:
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name.endswith(SUFFIXES)


def _files_below(root: Path) -> Iterator[tuple[str, Path]]:
    """The pages and WARC files in a folder and its subfolders, with their relative names, sorted by name."""

    def refuse(error: OSError) -> None:
        raise InputError(f"cannot be read: {error.strerror}", where=error.filename or root) from error

    below = [Path(place) / name for place, _, names in os.walk(root, onerror=refuse) for name in names]
    for path in sorted(below, key=lambda path: path.relative_to(root).as_posix()):
        if path.is_file() and (_is_page(path) or path.name.lower().endswith(_WARC)):
            yield path.relative_to(root).as_posix(), path


def _folder(root: Path, max_bytes: int) -> Iterator[Page]:
    """The pages in a folder and its subfolders, by name. Links to folders elsewhere are not followed."""
    pages = 0
    for inner, path in _files_below(root):
        pages += 1
        if path.name.lower().endswith(_WARC):
            yield from _warc(path, max_bytes)
        else:
            folder = Path(inner).parent.as_posix()
            yield _file(path, inner, max_bytes, "" if folder == "." else folder)
    if not pages:
        raise InputError(f"no pages ({', '.join(SUFFIXES)}, .warc, each also .gz) in this folder", where=root)


def _file(path: Path, name: str, max_bytes: int, folder: str = "") -> Page:
    """A page from a file. A file that cannot be read gives a page without text, with a note."""
    for packed in _PACKED:
        name = name.removesuffix(packed)
    try:
        with open_bytes(path) as stream:
            data = stream.read(max_bytes + 1)
    except (InputError, OSError, EOFError, ValueError, zlib.error) as error:
        return Page(name, b"", folder=folder, note=f"cannot be read: {str(error).splitlines()[0]}")
    return _cut(Page(name, data, folder=folder), max_bytes)


def _cut(page: Page, max_bytes: int) -> Page:
    if len(page.data) <= max_bytes:
        return page
    note = f"cut after {max_bytes >> 20} MB" if max_bytes >= 1 << 20 else f"cut after {max_bytes} bytes"
    return Page(page.name, page.data[:max_bytes], page.url, page.charset, page.date, page.folder, note)


def _warc(path: Path, max_bytes: int) -> Iterator[Page]:
    """The HTML responses of a WARC file. Reading stops at damage."""
    try:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed
    except ImportError as error:
        raise MissingExtra("reading WARC files", "news") from error
    if not path.exists():
        raise InputError("no such file", where=path)
    with path.open("rb") as stream:
        records = iter(ArchiveIterator(stream))
        number = 0
        while True:
            try:
                record: Any = next(records)
                number += 1
                if record.rec_type not in ("response", "resource"):
                    continue
                headers = record.http_headers
                kind = (headers.get_header("Content-Type") if headers else record.content_type) or ""
                if "html" not in kind.lower():
                    continue
                data = record.content_stream().read(max_bytes + 1)
            except StopIteration:
                return
            except (ArchiveLoadFailed, *_WARC_DAMAGE) as error:
                yield Page(f"{path.name}#{number + 1}", b"", note=f"the WARC file is damaged here: {error}")
                return
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            charset = _HEADER_CHARSET.search(kind)
            date = (record.rec_headers.get_header("WARC-Date") or "")[:10]
            yield _cut(
                Page(url or f"{path.name}#{number}", data, url, charset[1] if charset else "", date),
                max_bytes,
            )


def _json_lines(path: Path, max_bytes: int) -> Iterator[Page]:
    """Pages from JSON lines. If the first line is not a page, the file is something else, which is an error; a later
    such line gives a page without text, with a note."""
    is_first = True
    with open_text(path, mark_bad=True) as reader:
        for number, line in enumerate(reader, 1):
            if not line.strip():
                continue
            try:
                if line == BAD_LINE:
                    raise ValueError("not UTF-8")
                record = json.loads(line)
                html = next(record[key] for key in ("html", "body", "content") if key in record)
                name = str(record.get("page") or record.get("id") or record.get("url") or number)
                data = html.encode("utf-8", "replace")[: max_bytes + 1]
            except (ValueError, TypeError, AttributeError, StopIteration, RecursionError) as error:
                if not is_first:
                    yield Page(f"{path.name}:{number}", b"", note="expected a JSON object with 'html'")
                    continue
                raise FormatError(
                    "expected a JSON object with 'html'",
                    where=At(path, number),
                    remedy='{"page": …, "html": …}',
                ) from error
            is_first = False
            page = Page(
                name, data, str(record.get("url") or ""), "utf-8", str(record.get("date") or ""),
                str(record.get("cluster") or ""),
            )  # fmt: skip
            yield _cut(page, max_bytes)


def decode(data: bytes, charset: str = "") -> tuple[str, str]:
    """The text of a page and the encoding that was used.

    A byte order mark decides. Otherwise UTF-8 if the bytes are valid, since other encodings rarely are; then the
    encoding that the page declares, then that of the server, then Windows-1252. Invalid bytes become U+FFFD.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    head = data[:4096]
    if head.count(b"\x00") > len(head) // 4:
        name = "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
        return data.decode(name, "replace"), name
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        # A page that was cut may end within a character.
        if error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8"), "utf-8"
    declared = _XML_CHARSET.search(head) or _META_CHARSET.search(head)
    for declared_name in (declared[1].decode("ascii", "replace") if declared else "", charset):
        name = _codec(declared_name)
        if name and name != "utf-8":
            try:
                return data.decode(name), name
            except (UnicodeError, LookupError):
                continue
    text = data.decode("utf-8", "replace")
    # Mostly UTF-8 with a few broken bytes, or another encoding?
    if text.count("\ufffd") * 20 < sum(byte >= 0x80 for byte in data[:200_000]):
        return text, "utf-8"
    return data.decode("cp1252", "replace"), "windows-1252"


def _codec(name: str) -> str:
    """Python's name of a text encoding. ISO-8859-1 is read as Windows-1252, as in browsers."""
    try:
        codec = codecs.lookup(name.strip())
        if not getattr(codec, "_is_text_encoding", True):
            return ""
    except (LookupError, ValueError):
        return ""
    return "cp1252" if codec.name in ("iso8859-1", "ascii") else codec.name
