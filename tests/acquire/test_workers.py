from __future__ import annotations

import multiprocessing
import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from acquire.pages_of_ours import STORY, page
from paraphrast.acquire.extractors import EXTRACTORS
from paraphrast.acquire.options import ExtractOptions
from paraphrast.acquire.pages import Page, read_pages
from paraphrast.acquire.workers import _Pool, extract_pages
from paraphrast.errors import InputError, ParaphrastError


@pytest.fixture
def trap() -> None:
    EXTRACTORS.register("trap", "acquire.pages_of_ours:make_trap")


@pytest.mark.usefixtures("trap")
def test_hostile_pages_cost_a_note_and_the_run_goes_on() -> None:
    names = ("one", "HANG", "two", "DIE", "FILL", "FAIL", "three")
    pages = [Page(name, f"<p>{name}</p>".encode()) for name in names]
    found = list(extract_pages(pages, ExtractOptions("trap", seconds=3, megabytes=600)))
    assert [article.page for article in found] == list(names)
    notes = dict(zip(names, [article.note for article in found], strict=True))
    assert notes["one"] == notes["two"] == notes["three"] == ""
    assert notes["HANG"] == "given up after 3 s"
    assert notes["DIE"] == "its parser was stopped: too much memory, or a crash"
    assert "memory" in notes["FILL"]
    assert notes["FAIL"] == "cannot be parsed: ValueError"


@pytest.mark.usefixtures("trap")
def test_a_page_whose_worker_ended_is_tried_once_more(tmp_path: Path) -> None:
    contents = [f"ONCE {tmp_path / 'marker'}", "plain", "DIE", "plain"]
    pages = [Page(str(number), f"<p>{text}</p>".encode()) for number, text in enumerate(contents)]
    found = list(extract_pages(pages, ExtractOptions("trap", processes=2)))
    assert [article.page for article in found] == ["0", "1", "2", "3"]
    assert [bool(article.note) for article in found] == [False, False, True, False]


@pytest.mark.usefixtures("trap")
def test_in_this_process_faults_are_notes_too() -> None:
    pages = [Page("FAIL", b"<p>FAIL</p>"), Page("fine", b"<p>fine</p>")]
    found = list(extract_pages(pages, ExtractOptions("trap", processes=0)))
    assert [article.note for article in found] == ["cannot be parsed: ValueError", ""]
    with pytest.raises(InputError, match="unknown extractor"):
        list(extract_pages(pages, ExtractOptions("no such extractor")))


class FailingProcess:
    """A process that starts as often as ``starts`` says; the next start fails. As real ones, it closes once."""

    starts = 0

    def __init__(self, **_options: object) -> None:
        self.is_closed = False

    def start(self) -> None:
        if FailingProcess.starts == 0:
            raise BrokenPipeError(32, "Broken pipe")
        FailingProcess.starts -= 1

    def kill(self) -> None:
        if self.is_closed:
            raise ValueError("process object is closed")

    join = kill

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("starts", [0, 1, 2])
def test_workers_that_do_not_start_are_reported(starts: int) -> None:
    FailingProcess.starts = starts
    pool = _Pool(ExtractOptions("hmm", processes=2), "module:maker")
    pool.context = SimpleNamespace(Pipe=multiprocessing.Pipe, Process=FailingProcess)  # type: ignore[assignment]
    with pytest.raises(ParaphrastError, match=r"do not start: \[Errno 32\]"), pool:
        pool._replace(0)
    assert all(worker.process.is_closed for worker in pool.workers)  # type: ignore[attr-defined]
    assert len(pool.workers) == starts


def mutated(html: bytes, chance: random.Random) -> bytes:
    """The page with bytes changed, cut, doubled, or wrapped in deep nesting."""
    data = bytearray(html)
    for _ in range(chance.randrange(1, 60)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    cut = chance.randrange(len(data))
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(data[:cut])
    if kind == 1:
        return bytes(data[cut:] + data[:cut])
    if kind == 2:
        return b"<div><b>" * chance.randrange(2000) + bytes(data)
    return bytes(data)


def test_mutated_pages_never_raise() -> None:
    chance = random.Random(8)
    html = page().encode()
    pages = [Page(str(number), mutated(html, chance)) for number in range(150)]
    found = list(extract_pages(pages, ExtractOptions("hmm", processes=0)))
    assert [article.page for article in found] == [str(number) for number in range(150)]
    assert any(STORY[1] in article.text for article in found)


def test_a_page_far_beyond_the_bounds_costs_a_note(tmp_path: Path) -> None:
    """As a page of 50 MB would: read up to the bound, parsed within memory and time, its story found."""
    file = tmp_path / "large.html"
    file.write_text(page().replace("</body>", "<p><b>Filler</b></p>" * 200_000 + "</body>"), encoding="utf-8")
    assert file.stat().st_size > 3_000_000
    (read,) = read_pages(file, max_bytes=1 << 20)
    assert len(read.data) == 1 << 20
    (article,) = extract_pages([read], ExtractOptions("hmm", megabytes=400, seconds=60))
    assert article.note == "cut after 1 MB; cut after 20000 lines"
    assert STORY[0] in article.text


def test_processes_keep_the_order() -> None:
    pages = [Page(str(number), page(STORY[number % 2 :]).encode()) for number in range(12)]
    found = list(extract_pages(pages, ExtractOptions("hmm", processes=2)))
    assert [article.page for article in found] == [str(number) for number in range(12)]
    assert [article.text for article in found] == ["\n".join(STORY[number % 2 :]) for number in range(12)]


def test_options_are_checked() -> None:
    with pytest.raises(InputError):
        ExtractOptions(seconds=0)
