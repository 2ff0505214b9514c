from __future__ import annotations

import sys

import pytest

from acquire.pages_of_ours import STORY, page
from paraphrast.acquire import extractors, lines
from paraphrast.acquire.extractors import EXTRACTORS, extract_article
from paraphrast.acquire.pages import Page
from paraphrast.errors import InputError


@pytest.mark.parametrize("name", ["trafilatura", "hmm", "both"])
def test_every_extractor_finds_the_story(name: str) -> None:
    if name != "hmm":
        pytest.importorskip("trafilatura")
    article = extract_article(Page("p.html", page().encode()), EXTRACTORS.get(name)(None))
    assert all(sentence in article.text for sentence in STORY)
    assert "Copyright" not in article.text
    assert "Weather" not in article.text
    assert (article.title, article.date, article.language) == (
        "Ship strikes harbour bridge",
        "2004-05-31",
        "en",
    )
    assert article.note == ""


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"", "empty page"),
        (b"  \n", "empty page"),
        (b"<html><frameset><frame src='x'></frameset></html>", "no story found"),
        (b"<script>document.write('x')</script>", "no story found"),
        (b"\x00\x01\x02", "no story found"),
        (b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b;</p>", "no story found"),
    ],
)
def test_pages_without_a_story_have_a_note(data: bytes, note: str) -> None:
    article = extract_article(Page("p", data), EXTRACTORS.get("hmm")(None))
    assert note in article.note


def test_a_page_of_too_many_lines_is_tagged_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows is cut, the story that stands before it is found, and the report says so."""
    monkeypatch.setattr(lines, "MAX_LINES", 60)
    monkeypatch.setattr(extractors, "trafilatura_text", lambda html: pytest.fail("it would take seconds"))
    more = "<ul>" + '<li><a href="/x">Another link of the page</a></li>' * 500 + "</ul></body>"
    article = extract_article(
        Page("p", page().replace("</body>", more).encode()), EXTRACTORS.get("both")(None)
    )
    assert all(sentence in article.text for sentence in STORY)
    assert "Another link" not in article.text
    assert article.note == "cut after 60 lines; too long for trafilatura"


def test_no_file_is_read_for_an_entity() -> None:
    data = b"<!DOCTYPE p [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><body><p>Words &f; and more words here.</p></body>"
    article = extract_article(Page("p", data), EXTRACTORS.get("hmm")(None))
    assert "root:" not in article.text


def test_nothing_is_fetched_and_nothing_is_run() -> None:
    """Whatever a page names, no connection is opened, no name is looked up and no process is started."""
    pytest.importorskip("trafilatura")
    asked: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event.startswith(
            ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")
        ):
            asked.append(event)

    watching = False
    sys.addaudithook(watch)
    head = (
        '<!DOCTYPE html SYSTEM "http://nowhere.invalid/x.dtd" [<!ENTITY e SYSTEM "http://nowhere.invalid/e">'
        '<!ENTITY % p SYSTEM "http://nowhere.invalid/p"> %p;]>'
    )
    names = (
        '<base href="http://nowhere.invalid/"><meta http-equiv="refresh" content="0; url=http://nowhere.invalid/r">'
        '<link rel="stylesheet" href="/s.css"><script src="/s.js"></script><script>require("child_process")</script>'
        '<iframe src="/i"></iframe><img src="/i.png"><object data="/o"></object>&e;'
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="http://nowhere.invalid/x"/>'
    )
    html = head + page().replace("<article", names + "<article").replace("<!DOCTYPE html>", "")
    makers = {name: EXTRACTORS.get(name)(None) for name in ("trafilatura", "hmm", "both")}
    for name, extractor in makers.items():
        extract_article(Page("p", page().encode()), extractor)  # what is loaded on first use is loaded now
        watching = True
        article = extract_article(Page("p", html.encode(), url="http://nowhere.invalid/"), extractor)
        watching = False
        assert STORY[1] in article.text, name
    assert asked == []


def test_an_unknown_extractor_is_told() -> None:
    with pytest.raises(InputError, match="unknown extractor"):
        EXTRACTORS.get("magic")
