from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import _http
from paraphrast.data._http import download
from paraphrast.errors import DataError

CONTENT = bytes(range(256)) * 2000


def test_a_file_comes_whole_with_progress(site: Any, tmp_path: Path) -> None:
    site.files["/x"] = CONTENT
    seen: list[tuple[str, int, int | None]] = []
    download(f"{site.address}/x", tmp_path / "x", progress=lambda *report: seen.append(report))
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert seen[-1] == (f"{site.address}/x", len(CONTENT), len(CONTENT))
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_a_cut_is_resumed_where_it_broke(site: Any, tmp_path: Path) -> None:
    site.files["/x"] = CONTENT
    site.cuts = [100_000, 50_000]
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert [asked for _, asked in site.asked] == [None, "bytes=100000-", "bytes=150000-"]


def test_the_next_run_resumes_too(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.files["/x"] = CONTENT
    site.cuts = [70_000] + [0] * 9
    with pytest.raises(DataError, match="without progress") as caught:
        download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert "resumes where it stopped" in str(caught.value)
    assert not (tmp_path / "x").exists()
    site.cuts, site.asked = [], []
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert site.asked == [("/x", "bytes=70000-")]
    assert (tmp_path / "x").read_bytes() == CONTENT


@pytest.mark.parametrize("change", ["etag", "no ranges", "no validator"])
def test_it_starts_over_when_the_rest_might_not_fit(site: Any, tmp_path: Path, change: str) -> None:
    site.files["/x"] = b"old" * 1000
    site.cuts = [1500] + [0] * 9
    if change == "no validator":
        site.etag = None
    with pytest.raises(DataError):
        download(f"{site.address}/x", tmp_path / "x", pause=0)
    site.cuts = []
    site.files["/x"] = CONTENT
    if change == "etag":
        site.etag = '"two"'
    elif change == "no ranges":
        site.ranges = False
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == CONTENT


def test_a_part_that_is_already_too_long_is_thrown_away(site: Any, tmp_path: Path) -> None:
    site.files["/x"] = b"short"
    (tmp_path / "x.part").write_bytes(b"much too long")
    notes = {"url": f"{site.address}/x", "validator": '"one"'}
    (tmp_path / "x.part.json").write_text(json.dumps(notes))
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == b"short"
    assert site.asked == [("/x", "bytes=13-"), ("/x", None)]


def test_killed_when_a_changed_file_begins_the_old_part_is_not_taken_for_it(
    site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old bytes are gone before the notes name the new file."""
    site.files["/x"], site.etag = CONTENT, '"two"'
    (tmp_path / "x.part").write_bytes(b"old bytes")
    (tmp_path / "x.part.json").write_text(json.dumps({"url": f"{site.address}/x", "validator": '"one"'}))
    written: list[int] = []

    def killed(*_: object, **__: object) -> None:
        written.append((tmp_path / "x.part").stat().st_size)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", killed)
        with pytest.raises(KeyboardInterrupt):
            download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert written == [0]
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == CONTENT


def test_a_part_of_another_address_is_not_continued(site: Any, tmp_path: Path) -> None:
    site.files["/x"] = CONTENT
    (tmp_path / "x.part").write_bytes(b"other")
    (tmp_path / "x.part.json").write_text(json.dumps({"url": "http://elsewhere/x", "validator": '"one"'}))
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert (tmp_path / "x").read_bytes() == CONTENT


def test_a_busy_server_is_asked_again(site: Any, tmp_path: Path) -> None:
    site.files["/x"] = CONTENT
    site.statuses = [503, 429]
    download(f"{site.address}/x", tmp_path / "x", pause=0)
    assert len(site.asked) == 3


def test_not_found(site: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="answered 404") as caught:
        download(f"{site.address}/absent", tmp_path / "x", pause=0)
    assert "may have moved" in str(caught.value)
    assert len(site.asked) == 1


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(DataError, match="cannot be reached") as caught:
        download(f"http://127.0.0.1:{port}/x", tmp_path / "x", pause=0)
    assert "check the network" in str(caught.value)


def test_content_range_is_read() -> None:
    assert _http._range_start("bytes 100-199/200") == 100
    assert _http._range_start("") is None
