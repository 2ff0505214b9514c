"""The HTTP interface: its own examples, every option, errors and limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from paraphrast._options import options_of
from paraphrast.model import load
from paraphrast.model.control import Control
from paraphrast.web.schemas import SENTENCE, BatchRequest, Options, ParaphraseRequest
from paraphrast.web.security import HEADERS


def _examples(client: TestClient) -> list[tuple[str, dict[str, Any]]]:
    description = client.get("/openapi.json").json()
    schemas = description["components"]["schemas"]
    examples = []
    for path, methods in description["paths"].items():
        body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None:
            schema = schemas[body["schema"]["$ref"].rsplit("/", 1)[1]]
            examples += [(path, example) for example in schema["examples"]]
    return examples


def test_every_example_of_the_description_runs(client: TestClient) -> None:
    examples = _examples(client)
    assert {path for path, _ in examples} == {
        "/v1/paraphrase", "/v1/paraphrase/batch", "/v1/explain", "/v1/align", "/v1/identify", "/v1/fuse",
        "/v1/references",
    }  # fmt: skip
    for path, example in examples:
        response = client.post(path, json=example)
        assert response.status_code == 200, (path, response.text)
        assert response.json()


def test_every_option_is_a_field() -> None:
    names = {entry.name for entry in options_of(Control)}
    for body in (ParaphraseRequest, BatchRequest, Options):
        assert names <= set(body.model_fields)


def test_answers_are_those_of_the_library(client: TestClient) -> None:
    body = {"text": SENTENCE, "n": 3, "protect": ["committee", [19, 26]], "avoid": ["should"]}
    answer = client.post("/v1/paraphrase", json=body).json()
    expected = load().paraphrase(SENTENCE, n=3, protect=["committee", (19, 26)], avoid=["should"])
    assert answer["text"] == SENTENCE
    assert answer["paraphrases"] == json.loads(json.dumps([result.to_dict() for result in expected]))
    texts = [SENTENCE, "He began to speak.", ""] * 4
    batch = client.post("/v1/paraphrase/batch", json={"texts": texts, "n": 1}).json()["results"]
    assert [results[0]["source"] if results else None for results in batch[:2]] == texts[:2]
    assert batch[:3] * 4 == batch


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        ({}, 422, "text"),
        ({"text": 5}, 422, "text"),
        ({"text": "a", "n": 0}, 422, "n"),
        ({"text": "a", "n": "5"}, 422, "n"),
        ({"text": "a", "n": 21}, 422, "n"),
        ({"text": "a", "n": True}, 422, "n"),
        ({"text": "a", "strength": 1.5}, 422, "strength"),
        ({"text": "a", "identity": 0}, 422, "identity"),
        ({"text": "a", "preset": "none"}, 422, "preset"),
        ({"text": "a", "precise": True}, 422, "precise"),
        ({"text": "a", "beam": 0}, 422, "beam"),
        ({"text": "a", "protect": [[0, 9]]}, 422, "protect"),
        ({"text": "a", "unknown": 1}, 422, "unknown"),
        ({"text": "a" * 2001}, 413, "texts"),
    ],
)
def test_wrong_requests_are_refused(
    client: TestClient, body: dict[str, Any], status: int, where: str
) -> None:
    response = client.post("/v1/paraphrase", json=body)
    error = response.json()["error"]
    assert (response.status_code, error["status"], error["where"]) == (status, status, where)
    assert error["message"]


def test_an_error_says_what_was_expected_what_came_and_what_to_do(client: TestClient) -> None:
    error = client.post("/v1/paraphrase", json={"text": "a", "strength": 7.5}).json()["error"]
    assert error["expected"] == "a number from 0 to 1"
    assert error["got"] == "7.5"
    assert error["remedy"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"text": "a"}', "text/plain", 415),
        (b'{"text": "\\ud800"}', "application/json", 422),
        (b"[" * 100_000, "application/json", 400),
        (b'{"text": "a", "seed": ' + b"9" * 5000 + b"}", "application/json", 400),
        (b'{"text": "a", "strength": NaN}', "application/json", 422),
        (b"x" * 1_000_001, "application/json", 413),
    ],
)
def test_bodies_that_cannot_be_read(client: TestClient, content: bytes, kind: str, status: int) -> None:
    response = client.post("/v1/paraphrase", content=content, headers={"Content-Type": kind})
    assert response.status_code == status
    assert response.json()["error"]["message"]


def test_unknown_addresses_phrases_and_methods(client: TestClient) -> None:
    assert client.get("/v1/none").status_code == 404
    assert client.get("/v1/paraphrase").status_code == 405
    assert client.post("/v1/explain", json={"phrase": "zzqxy"}).status_code == 404
    assert client.post("/v1/paraphrase/batch", json={"texts": ["a"] * 21}).status_code == 413


def test_a_stream_keeps_order_and_fields(client: TestClient) -> None:
    lines = [
        '{"n": 1}',
        *(json.dumps({"text": f"He began to speak {at} times.", "id": at}) for at in range(20)),
    ]
    response = client.post("/v1/paraphrase/stream", content="\n".join(lines))
    records = [json.loads(line) for line in response.text.splitlines()]
    assert [record["id"] for record in records] == list(range(20))
    assert all(record["paraphrases"][0]["source"] == record["text"] for record in records)


def test_a_stream_ends_with_its_error(client: TestClient) -> None:
    response = client.post("/v1/paraphrase/stream", content='"He began to speak."\n5\n"Never read."\n')
    first, last = (json.loads(line) for line in response.text.splitlines())
    assert first["paraphrases"]
    assert last["error"]["message"].startswith("line 2: expected a text")
    assert client.post("/v1/paraphrase/stream", content='{"n": 0}\n').status_code == 422


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a\x00b\x1b[31m", "x" * 2000, "\u202eevil", "👩‍👩‍👧 é", " \n\t"]
)
def test_odd_texts_are_answered(client: TestClient, text: str) -> None:
    assert client.post("/v1/paraphrase", json={"text": text}).json()["text"] == text


def test_service_routes(client: TestClient) -> None:
    assert client.get("/v1/health").json()["status"] == "ok"
    assert client.get("/v1/ready").json()["workers"] == 1
    (model,) = client.get("/v1/models").json()["models"]
    assert model["language"] == "en"
    assert {table["name"] for table in model["tables"]} >= {"pivot", "wordnet"}
    assert all(source["licence"] for source in model["sources"])
    assert all(figure["value"] and figure["page"] for figure in model["quality"])
    text = client.get("/v1/metrics").text
    assert 'paraphrast_requests_total{path="/v1/health",status="200"}' in text
    assert "paraphrast_workers 1.0" in text


@pytest.mark.parametrize("path", ["/rewrite", "/v1/health", "/v1/none", "/static/page.css", "/openapi.json"])
def test_every_answer_has_security_headers(client: TestClient, path: str) -> None:
    response = client.get(path)
    for name, value in HEADERS.items():
        assert response.headers[name] == value
    assert "unsafe" not in response.headers["Content-Security-Policy"]
