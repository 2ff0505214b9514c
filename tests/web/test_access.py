"""Tokens: who is let in, and how a browser signs in."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from paraphrast.errors import InputError
from paraphrast.web.access import COOKIE, Gate
from paraphrast.web.app import create_app
from paraphrast.web.settings import Settings

TOKEN = "a-token-of-more-than-sixteen-characters"
PAGE = {"Accept": "text/html"}


@pytest.fixture
def guarded(tmp_path: Path) -> TestClient:
    """A service with a token; its workers do not run."""
    file = tmp_path / "tokens"
    file.write_text(f"{TOKEN}\nanother-token-of-the-service\n", encoding="utf-8")
    return TestClient(create_app(Settings(token_file=str(file))), follow_redirects=False)


def test_programs_need_a_token(guarded: TestClient) -> None:
    assert guarded.get("/openapi.json").status_code == 401
    for header in (f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer", "Bearer \xe9"):
        sent = {"Authorization": header.encode("latin-1")}
        assert guarded.get("/openapi.json", headers=sent).status_code == 401  # type: ignore[arg-type]
    assert guarded.get("/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert guarded.get("/v1/health").status_code == 200


def test_a_browser_signs_in(guarded: TestClient) -> None:
    response = guarded.get("/models", headers=PAGE)
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in")
    assert guarded.post("/sign-in", data={"token": "wrong"}).status_code == 401
    response = guarded.post("/sign-in", data={"token": TOKEN})
    assert response.headers["location"] == "/rewrite"
    cookie = response.headers["set-cookie"]
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert guarded.get("/openapi.json").status_code == 200
    guarded.cookies.set(COOKIE, "0" * 64)
    guarded.cookies.clear()
    assert guarded.get("/openapi.json").status_code == 401


def test_all_tokens_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return one == other

    monkeypatch.setattr("paraphrast.web.access.hmac.compare_digest", compare)
    assert Gate(["first", "second", "third"]).admits("first")
    assert len(compared) == 3


@pytest.mark.parametrize("content", ["", "short\n", "\n\n"])
def test_weak_token_files_are_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="at least 16 characters"):
        Settings(token_file=str(file)).tokens()
    with pytest.raises(InputError, match="cannot read"):
        Settings(token_file=str(tmp_path / "none")).tokens()
