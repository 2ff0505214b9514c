from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

Files = dict[str, bytes | str]


def tar_bytes(files: Files) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def ar_bytes(parts: dict[str, bytes]) -> bytes:
    out = b"!<arch>\n"
    for name, content in parts.items():
        out += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}".encode() + b"`\n" + content
        out += b"\n" * (len(content) % 2)
    return out


@pytest.fixture
def make_tgz(tmp_path: Path) -> Callable[[str, Files], Path]:
    def make(name: str, files: Files) -> Path:
        path = tmp_path / name
        path.write_bytes(gzip.compress(tar_bytes(files)))
        return path

    return make


@pytest.fixture
def make_zip(tmp_path: Path) -> Callable[[str, Files], Path]:
    def make(name: str, files: Files) -> Path:
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in files.items():
                archive.writestr(member, content)
        return path

    return make


@pytest.fixture
def make_deb(tmp_path: Path) -> Callable[[str, Files, str], Path]:
    def make(name: str, files: Files, version: str = "1:2.3-4") -> Path:
        control = tar_bytes({"./control": f"Package: x\nVersion: {version}\n"})
        data = tar_bytes({f"./{member}": content for member, content in files.items()})
        path = tmp_path / name
        parts = {
            "debian-binary": b"2.0\n",
            "control.tar.gz": gzip.compress(control),
            "data.tar.xz": lzma.compress(data),
        }
        path.write_bytes(ar_bytes(parts))
        return path

    return make


@dataclass
class Site:
    """A web site on loopback: what it serves, how it misbehaves, what it was asked."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    etag: str | None = '"one"'
    ranges: bool = True
    asked: list[tuple[str, str | None]] = field(default_factory=list)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """``cuts``: bytes after which the next answers break off; ``statuses``: errors given first."""
    monkeypatch.setenv("no_proxy", "*")
    state = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.asked.append((self.path, wanted))
            if state.statuses or self.path not in state.files:
                code = state.statuses.pop(0) if state.statuses else 404
                self.send_response(code)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            content, start = state.files[self.path], 0
            if wanted and state.ranges and self.headers.get("If-Range") == state.etag:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if start and start >= len(content):
                self.send_response(416)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            if state.etag is not None:
                self.send_header("ETag", state.etag)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            end = start + state.cuts.pop(0) if state.cuts else len(content)
            self.wfile.write(content[start:end])
            if end < len(content):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of its own for a test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PARAPHRAST_CACHE", str(folder))
    monkeypatch.delenv("PARAPHRAST_INDEX", raising=False)
    return folder
