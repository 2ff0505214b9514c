"""Over real connections: files in pieces, and clients that go away."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx

from paraphrast.web.schemas import SENTENCE


def _pieces(lines: int) -> Iterator[bytes]:
    """A body that comes in pieces that end in the middle of lines."""
    text = '{"n": 1}\n' + "".join(
        json.dumps({"text": f"He began to speak {at}.", "id": at}) + "\n" for at in range(lines)
    )
    data = text.encode()
    for start in range(0, len(data), 50):
        yield data[start : start + 50]
        time.sleep(0.001)


def test_a_file_in_pieces_is_rewritten_whole(address: str) -> None:
    with httpx.stream("POST", f"{address}/v1/paraphrase/stream", content=_pieces(60), timeout=600) as answer:
        records = [json.loads(line) for line in answer.iter_lines()]
    assert [record["id"] for record in records] == list(range(60))


def _running(address: str) -> float:
    text = httpx.get(f"{address}/v1/metrics", timeout=60).text
    counts = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return float(counts["paraphrast_running"]) + float(counts["paraphrast_waiting"])


def test_a_client_that_goes_away_stops_its_work(address: str) -> None:
    body = json.dumps(
        {"texts": [f"{SENTENCE} {SENTENCE} {at}" for at in range(20)], "n": 20, "beam": 900}
    ).encode()
    head = f"POST /v1/paraphrase/batch HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "", parts.port or 0)) as connection:
        connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
        while not _running(address):
            time.sleep(0.01)
    end = time.monotonic() + 120
    while _running(address) and time.monotonic() < end:
        time.sleep(0.05)
    assert _running(address) == 0
    answer = httpx.post(f"{address}/v1/paraphrase", json={"text": "He began to speak.", "n": 1}, timeout=600)
    assert answer.json()["paraphrases"]
