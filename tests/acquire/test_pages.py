from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from paraphrast.acquire.pages import decode, read_pages
from paraphrast.errors import FormatError, InputError


def test_a_folder_gives_its_pages_by_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.html").write_text("two")
    (tmp_path / "one.htm.gz").write_bytes(gzip.compress(b"one"))
    (tmp_path / "notes.md").write_text("no page")
    pages = list(read_pages(tmp_path))
    assert [(page.name, page.data, page.folder) for page in pages] == [
        ("b/two.html", b"two", "b"),
        ("one.htm", b"one", ""),
    ]


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages"):
        list(read_pages(tmp_path))
    with pytest.raises(InputError, match="no such"):
        list(read_pages(tmp_path / "missing.html"))


def test_a_long_page_is_cut_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_bytes(b"x" * 5000)
    (page,) = read_pages(tmp_path / "long.html", max_bytes=1000)
    assert (len(page.data), page.note) == (1000, "cut after 1000 bytes")


def test_a_compression_bomb_is_read_no_further_than_allowed(tmp_path: Path) -> None:
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(b"\0" * 50_000_000))
    (page,) = read_pages(tmp_path / "bomb.html.gz", max_bytes=100_000)
    assert len(page.data) == 100_000


def test_a_damaged_page_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "bad.html.gz").write_bytes(gzip.compress(b"x" * 100_000)[:50])
    (page,) = read_pages(tmp_path)
    assert page.data == b""
    assert page.note.startswith("cannot be read")


def test_a_list_names_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("a")
    (tmp_path / "list.txt").write_text("a.html\n\nmissing.html\n")
    pages = list(read_pages(tmp_path / "list.txt"))
    assert [page.name for page in pages] == ["a.html", "missing.html"]
    assert "no such file" in pages[1].note


def test_json_lines_carry_pages(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(
        json.dumps({"page": "p", "html": "<p>é", "url": "http://x/", "date": "2004-01-02"}) + "\n"
    )
    (page,) = read_pages(path)
    assert (page.name, page.url, page.date, decode(page.data, page.charset)[0]) == (
        "p", "http://x/", "2004-01-02", "<p>é",
    )  # fmt: skip
    with path.open("ab") as stream:
        stream.write(b'{"page": 2}\n\xff\n{"page": "q", "html": "<p>"}\n')
    broken = [(page.name, page.note) for page in read_pages(path)]
    told = "expected a JSON object with 'html'"
    assert broken == [("p", ""), ("pages.jsonl:2", told), ("pages.jsonl:3", told), ("q", "")]
    path.write_text('{"page": 1}\n')
    with pytest.raises(FormatError, match="'html'"):
        list(read_pages(path))


def write_warc(path: Path, damaged: bool = False) -> None:
    """Three responses, as a crawler stores them: each record compressed by itself."""
    data = b""
    for number, kind in enumerate(("text/html; charset=latin-1", "image/png", "text/html")):
        http = f"HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + b"caf\xe9 " * 400
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x/{number}\r\n"
            f"WARC-Date: 2004-05-31T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n"
        )
        data += gzip.compress(head.encode() + http + b"\r\n\r\n")
    path.write_bytes(data[: len(data) - 60] if damaged else data)


def test_a_warc_file_gives_its_html_responses(tmp_path: Path) -> None:
    pytest.importorskip("warcio")
    write_warc(tmp_path / "crawl.warc.gz")
    pages = list(read_pages(tmp_path / "crawl.warc.gz"))
    assert [(page.url, page.charset, page.date) for page in pages] == [
        ("http://x/0", "latin-1", "2004-05-31"),
        ("http://x/2", "", "2004-05-31"),
    ]
    assert decode(pages[0].data, pages[0].charset)[0].startswith("café")


def test_a_damaged_warc_file_ends_where_it_is_damaged(tmp_path: Path) -> None:
    pytest.importorskip("warcio")
    write_warc(tmp_path / "crawl.warc.gz", damaged=True)
    pages = list(read_pages(tmp_path / "crawl.warc.gz"))
    assert pages[0].url == "http://x/0"


@pytest.mark.parametrize(
    "change", [(b"WARC-Target-URI", b"WARC-Target"), (b"Content-Length: ", b"Content-Length: " + b"3" * 50)]
)
def test_a_warc_record_without_address_or_with_an_absurd_length_is_damage(
    tmp_path: Path, change: tuple[bytes, bytes]
) -> None:
    pytest.importorskip("warcio")
    write_warc(tmp_path / "crawl.warc.gz")
    content = gzip.decompress((tmp_path / "crawl.warc.gz").read_bytes())
    (tmp_path / "crawl.warc").write_bytes(content.replace(*change))
    (page,) = read_pages(tmp_path / "crawl.warc")
    assert page.data == b""
    assert "damaged" in page.note


@pytest.mark.parametrize(
    ("data", "charset", "text", "name"),
    [
        ("naïve".encode(), "", "naïve", "utf-8"),
        ("naïve".encode(), "iso-8859-1", "naïve", "utf-8"),
        ("naïve".encode("utf-8-sig"), "", "naïve", "utf-8"),
        ("naïve".encode("utf-16"), "", "naïve", "utf-16-le"),
        ("naïve text".encode("utf-16-be"), "", "naïve text", "utf-16-be"),
        ("naïve “x”".encode("cp1252"), "", "naïve “x”", "windows-1252"),
        ("naïve “x”".encode("cp1252"), "iso-8859-1", "naïve “x”", "cp1252"),
        ('<meta charset="koi8-r">мир'.encode("koi8-r"), "", '<meta charset="koi8-r">мир', "koi8-r"),
        ("мир".encode("cp1251"), "windows-1251", "мир", "cp1251"),
        ("naïve".encode("cp1252"), "no-such-thing", "naïve", "windows-1252"),
        ("naïve".encode("cp1252"), "rot13", "naïve", "windows-1252"),
        (b"", "", "", "utf-8"),
        ("é".encode()[:1], "", "", "utf-8"),
    ],
)
def test_encodings_are_found(data: bytes, charset: str, text: str, name: str) -> None:
    assert decode(data, charset) == (text, name)


def test_an_unreadable_folder_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "inner":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match=r"inner: cannot be read: Permission denied"):
        list(read_pages(tmp_path))
