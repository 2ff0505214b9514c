"""The pages without a browser: who may see what, forms, texts shown as text, secrets that are not logged."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from campaign_examples import make
from paraphrast.campaign.access import HideSecrets, hash_of, hidden
from paraphrast.campaign.create import Opened, open_campaign
from paraphrast.campaign.database import Database
from paraphrast.campaign.options import OpenOptions
from paraphrast.formats.ratings import Item, Sealed
from paraphrast.judge.templates import get_template
from paraphrast.web.app import create_app
from paraphrast.web.settings import Settings


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(str(tmp_path / "a.db")) as opened:
        yield opened


@pytest.fixture
def client(database: Database, tmp_path: Path) -> TestClient:
    # Without `with`, the service runs no workers.
    return TestClient(create_app(Settings(database=str(tmp_path / "a.db"))), follow_redirects=False)


def enter(client: TestClient, secret: str) -> str:
    """Follow a link; returns the address it leads to."""
    response = client.get(f"/campaigns/open/{secret}")
    assert response.status_code == 303
    assert secret not in response.headers["location"]
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    return str(response.headers["location"])


def test_a_rater_rates_goes_back_and_changes(client: TestClient, database: Database) -> None:
    _, opened = make(database)
    home = enter(client, opened.raters["anna"])
    assert "Begin" in client.get(home).text
    first = client.get(f"{home}/next").headers["location"]
    assert first == f"{home}/1/1"
    page = client.get(first)
    assert page.status_code == 200
    assert "ours" not in page.text
    assert "theirs" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    missing = client.post(first, data={})
    assert missing.status_code == 422
    assert 'role="alert"' in missing.text
    assert client.post(first, data={"paraphrase": "1"}).status_code == 303
    second = client.get(f"{home}/next").headers["location"]
    assert second == f"{home}/1/2"
    assert f'href="{first}"' in client.get(second).text
    assert re.search(r'value="1" checked', client.get(first).text)
    assert client.post(first, data={"paraphrase": "0"}).status_code == 303
    assert re.search(r'value="0" checked', client.get(first).text)
    assert client.get(f"{home}/1/3").status_code == 404
    assert client.post(f"{home}/1/3", data={"paraphrase": "1"}).status_code == 404
    assert client.get(f"{home}/1/{10**30}").status_code == 404


def test_only_the_right_secret_opens_a_page(client: TestClient, database: Database) -> None:
    _, opened = make(database)
    for path in (
        "rate/1",
        "rate/1/next",
        "rate/1/end",
        "own/1",
        "own/1/disagreements",
        "own/1/files/key.jsonl",
    ):
        assert client.get(f"/campaigns/{path}").status_code == 403, path
    assert client.post("/campaigns/own/1/round").status_code == 403
    assert client.post("/campaigns/own/1/raters", data={"name": "x"}).status_code == 403
    assert client.post("/campaigns/rate/1/1/1", data={"paraphrase": "1"}).status_code == 403
    assert client.get("/campaigns/open/wrong").status_code == 403
    assert client.get("/campaigns/rate/99").status_code == 404
    enter(client, opened.raters["anna"])
    assert client.get("/campaigns/rate/1").status_code == 200
    assert client.get("/campaigns/rate/2").status_code == 403
    assert client.get("/campaigns/own/1").status_code == 403
    # A rater's cookie, sent by hand to another address, opens nothing there.
    for kind in ("rate", "own"):
        forged = {"cookie": f"paraphrast_{kind}={opened.raters['anna']}"}
        assert client.get("/campaigns/rate/2", headers=forged).status_code == 403
        assert client.get("/campaigns/own/1", headers=forged).status_code == 403


def test_a_code_can_be_pasted(client: TestClient, database: Database) -> None:
    _, opened = make(database)
    assert 'action="/campaigns/enter"' in client.get("/campaigns").text
    assert 'href="/campaigns"' in client.get("/campaigns").text
    link = f" http://host/campaigns/open/{opened.raters['ben']} "
    assert client.post("/campaigns/enter", data={"code": link}).headers["location"] == "/campaigns/rate/2"
    assert client.post("/campaigns/enter", data={"code": "x" * 5000}).status_code == 403
    assert client.post("/campaigns/enter", data={}).status_code == 403


def rate_all(client: TestClient, home: str, value: str) -> None:
    while not (place := client.get(f"{home}/next").headers["location"]).endswith("/end"):
        assert client.post(place, data={"paraphrase": value}).status_code == 303


def test_the_owner_follows_settles_and_exports(client: TestClient, database: Database) -> None:
    _, opened = make(database, inputs=2)
    rate_all(client, enter(client, opened.raters["anna"]), "1")
    own = enter(client, opened.owner)
    assert "No item has two ratings yet" in client.get(own).text
    rate_all(client, enter(client, opened.raters["ben"]), "0")
    page = client.get(own).text
    assert "4 of 4" in page
    assert "4 disagreements, 4 not settled" in page
    disagreements = client.get(f"{own}/disagreements").text
    names = re.findall(r'name="(\w+/paraphrase)" value="1"', disagreements)
    assert len(names) == 4
    assert client.post(f"{own}/disagreements", data={names[0]: "1", names[1]: "0"}).status_code == 303
    assert "4 disagreements, 2 not settled" in client.get(own).text
    assert client.post(f"{own}/round").status_code == 303
    assert client.post(f"{own}/round").status_code == 422
    # Two are left for the second round.
    place = client.get("/campaigns/rate/1/next").headers["location"]
    assert place.endswith("/2/1")
    assert client.post("/campaigns/rate/1/1/1", data={"paraphrase": "0"}).status_code == 409
    rate_all(client, "/campaigns/rate/1", "0")
    assert "2 disagreements, 0 not settled" in client.get(own).text
    added = client.post(f"{own}/raters", data={"name": "Ćy <b>"})
    secret = re.search(r'id="new-link">[^<]*/open/([\w-]+)<', added.text)
    assert secret is not None
    assert "Ćy &lt;b&gt;" in added.text
    assert client.get(enter(client, secret[1])).status_code == 200
    renewed = client.post(f"{own}/raters/3/link")
    assert renewed.status_code == 200
    assert client.get(f"/campaigns/open/{secret[1]}").status_code == 403
    assert client.post(f"{own}/raters", data={"name": "anna"}).status_code == 422
    ratings = client.get(f"{own}/files/ratings.jsonl")
    assert ratings.status_code == 200
    assert "attachment" in ratings.headers["content-disposition"]
    assert client.get(f"{own}/files/campaign.zip").content[:2] == b"PK"
    for name in ("..%2Fa.db", "a.db", "%2e%2e/a.db"):
        assert client.get(f"{own}/files/{name}").status_code == 404


def test_texts_are_shown_as_text(client: TestClient, database: Database) -> None:
    texts = [
        "<script>alert(1)</script>",
        "a\x00b\x1b[31m\u202e",
        "w" * 1_000_000,
        '"><img src=x onerror=alert(1)>',
    ]
    items = [Item(f"i{n}", "paraphrase", text, text, text + "!") for n, text in enumerate(texts)]
    key = [Sealed(item.item, '<b>"system"') for item in items]
    opened: Opened = open_campaign(
        database, items, key, get_template("paraphrase"), OpenOptions(raters=("<i>",))
    )
    home = enter(client, opened.raters["<i>"])
    for _ in texts:
        place = client.get(f"{home}/next").headers["location"]
        page = client.get(place)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
        assert "\x00" not in page.text
        client.post(place, data={"paraphrase": "1"})
    assert "<i>" not in client.get(home).text
    assert client.get(enter(client, opened.owner)).status_code == 200


def test_secrets_are_random_hashed_and_not_logged(database: Database, tmp_path: Path) -> None:
    _, opened = make(database)
    secrets = [opened.owner, *opened.raters.values()]
    assert len(set(secrets)) == 3
    assert all(len(secret) >= 43 for secret in secrets)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("a.db*"))
    assert not any(secret.encode() in stored for secret in secrets)
    assert all(hash_of(secret).encode() in stored for secret in secrets)
    line = 'x - "GET /campaigns/open/abc-DEF_1?x=1 HTTP/1.1" 303'
    assert hidden(line) == 'x - "GET /campaigns/open/… HTTP/1.1" 303'
    record = logging.LogRecord("uvicorn.access", 20, "", 0, '%s - "%s"', ("x", "/campaigns/open/abc"), None)
    assert HideSecrets().filter(record)
    assert "abc" not in record.getMessage()
