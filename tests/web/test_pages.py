"""Pages without scripts: every action is a form, the state is the address, texts are shown as text."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from paraphrast.web.pages.state import Chosen, State
from paraphrast.web.schemas import SENTENCE

PAGE = {"Accept": "text/html"}


def test_the_address_holds_the_state() -> None:
    from starlette.datastructures import QueryParams

    state = State(
        "A text & more.", n=3, strength=0.7, sure=0.25, tables=("pivot",), protect=("text",), avoid=("a b",),
        must_use=("ü",), why=Chosen(2, 6, "text", "word"),
    )  # fmt: skip
    assert State.read(QueryParams(urlsplit(state.address()).query)) == state
    assert State().address() == "/rewrite"


def test_buttons_change_the_state() -> None:
    state = State("A text.").acted({"toggle": "text"})
    assert state.protect == ("text",)
    assert state.acted({"toggle": "text"}).protect == ()
    state = state.acted({"reject": "word"})
    assert state.avoid == ("word",)
    state = state.acted({"pick": "word"})
    assert (state.avoid, state.must_use) == ((), ("word",))
    assert state.acted({"drop": "must_use:word"}).must_use == ()
    assert state.acted({"drop": "text:x"}).text == "A text."


def test_rewriting_without_scripts(client: TestClient) -> None:
    response = client.post(
        "/rewrite", data={"text": SENTENCE, "n": "3", "toggle": "soon"}, follow_redirects=False
    )
    assert response.status_code == 303
    query = parse_qs(urlsplit(response.headers["location"]).query)
    assert (query["text"], query["protect"]) == ([SENTENCE], ["soon"])
    page = client.get(response.headers["location"], headers=PAGE).text
    assert page.count('class="edit') >= 3
    assert "quickly" not in page  # soon is protected
    assert 'aria-pressed="true">soon<' in page


def test_why_reject_and_pick_without_scripts(client: TestClient) -> None:
    start = SENTENCE.index("examine")
    why = Chosen(start, start + 7, "examine", "investigate").text()
    page = client.get("/rewrite", params={"text": SENTENCE, "why": why}, headers=PAGE).text
    assert "Why “examine” → “investigate”?" in page
    assert "licence:" in page
    other = re.search(r'name="pick" value="([^"]+)"', page)
    assert other is not None
    picked = client.post("/rewrite", data={"text": SENTENCE, "pick": other[1]}).text
    assert f"must use “{other[1]}”" in picked
    rejected = client.post("/rewrite", data={"text": SENTENCE, "reject": "investigate"}).text
    assert "avoid “investigate”" in rejected
    assert 'class="edit" name="why" value="[19,26,&#34;examine&#34;,&#34;investigate' not in rejected


def test_a_fragment_is_the_changing_part(client: TestClient) -> None:
    response = client.post("/rewrite", data={"text": SENTENCE}, headers={"X-Fragment": "1"})
    assert "<html" not in response.text
    assert response.headers["X-Address"].startswith("/rewrite?text=The+committee")


@pytest.mark.parametrize("kind", ["text", "json"])
def test_downloads(client: TestClient, kind: str) -> None:
    response = client.post("/rewrite/download", data={"text": SENTENCE, "n": "2", "format": kind})
    assert "attachment" in response.headers["Content-Disposition"]
    assert (len(response.json()) if kind == "json" else len(response.text.splitlines())) == 2


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> must <b>begin</b>",
        '"><img src=x onerror=alert(1)>',
        "a\x00\x1b\x07b",
        "x" * 1999,
    ],
)
def test_texts_are_shown_as_text(client: TestClient, text: str) -> None:
    for path in ("/rewrite", "/lattice"):
        page = client.post(path, data={"text": text}, headers={"X-Fragment": "1"}).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<b>" not in page
    page = client.get("/rewrite", params={"text": text, "avoid": text, "protect": text}, headers=PAGE).text
    assert "<script>alert" not in page
    assert "<img" not in page


def test_a_word_of_a_megabyte_is_shown_as_text(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    service = client.app.state.service  # type: ignore[attr-defined]
    monkeypatch.setattr(service, "settings", replace(service.settings, max_chars=1_000_000))
    word = "<b>" + "x" * 990_000
    answer = client.post("/v1/paraphrase", json={"text": word})
    assert (answer.status_code, answer.json()["text"]) == (200, word)
    for path, size in (("/rewrite", len(word)), ("/lattice", 50_000)):
        page = client.post(path, data={"text": word[:size]}, headers={"X-Fragment": "1"})
        assert page.status_code == 200
        assert "<b>" not in page.text
        assert len(page.text) < 20_000_000


def test_a_long_text_is_refused_on_a_page(client: TestClient) -> None:
    response = client.post("/rewrite", data={"text": "word " * 600}, headers=PAGE)
    assert response.status_code == 413
    assert "expected at most 2,000 characters" in response.text
    assert "<html" in response.text
    assert client.get("/nowhere", headers=PAGE).status_code == 404


def test_wrong_options_are_shown_on_the_page(client: TestClient) -> None:
    page = client.get("/rewrite", params={"text": SENTENCE, "tables": "none"}, headers=PAGE)
    assert page.status_code == 200
    assert "unknown table" in page.text
    assert client.get("/rewrite", params={"text": "a", "n": "x"}, headers=PAGE).status_code == 422


def test_lattice_and_models(client: TestClient) -> None:
    page = client.get("/lattice", params={"text": SENTENCE}, headers=PAGE).text
    assert "<svg" in page
    assert "<style" not in page
    assert 'name="pick" value="significant"' in page
    page = client.get("/models").text
    assert "Sources and licences" in page
    assert "europarl" in page
    assert "rated blindly" in page
    assert ".f-ink" in client.get("/palette.css").text
