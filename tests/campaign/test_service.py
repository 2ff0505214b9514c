"""The service as real processes on real databases: PostgreSQL and SQLite agree, nothing is lost or repeated."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from campaign_examples import make
from campaign_service import ServiceProcess, Visitor
from paraphrast.campaign import schema
from paraphrast.campaign.create import Opened
from paraphrast.campaign.database import Database
from paraphrast.campaign.export import FILES
from paraphrast.campaign.state import State, load_state
from postgres_server import PostgresServer, free_port


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    postgres = PostgresServer()
    try:
        postgres.start()
        yield postgres
    finally:
        postgres.remove()


def open_one(url: str, **options: object) -> Opened:
    with Database(url) as database:
        return make(database, **options)[1]  # type: ignore[arg-type]


def state_of(url: str) -> State:
    with Database(url) as database, database.read() as connection:
        return load_state(connection, 1)


def by_length(text: str) -> dict[str, str]:
    """An answer that depends on the text alone."""
    return {"paraphrase": str(sum(map(ord, text)) % 2)}


def first_system(text: str) -> dict[str, str]:
    return {"paraphrase": str(int("of 0" in text))}


def whole_campaign(url: str, port: int) -> dict[str, str]:
    """Two raters, a second round, a settled disagreement, by HTTP; returns the files."""
    opened = open_one(url)
    with ServiceProcess(url, port) as service:
        people: list[tuple[str, Callable[[str], dict[str, str]]]] = [
            ("anna", by_length),
            ("ben", first_system),
        ]
        visitors = [(Visitor(opened.raters[name], [service.address]), answer) for name, answer in people]
        for visitor, answer in visitors:
            visitor.rate(answer)
        owner = Visitor(opened.owner, [service.address])
        assert owner.send("POST", f"{owner.home}/round").status_code == 303
        visitors[0][0].rate(lambda text: {"paraphrase": str(int("Output 1" in text))})
        visitors[1][0].rate(first_system)
        state = state_of(url)
        item = next(rating.item for rating in state.ratings if rating.round == 2)
        form = {f"{item}/paraphrase": "1"}
        assert owner.send("POST", f"{owner.home}/disagreements", form).status_code == 303
        return {name: owner.send("GET", f"{owner.home}/files/{name}").text for name in FILES}


def test_both_databases_give_the_same_files(server: PostgresServer, tmp_path: Path) -> None:
    files = [whole_campaign(url, free_port()) for url in (str(tmp_path / "a.db"), server.create("same"))]
    assert files[0] == files[1]
    assert files[0]["ratings.jsonl"].count("\n") > 24


def test_two_processes_show_every_item_once_and_lose_none(server: PostgresServer) -> None:
    url = server.create("two")
    opened = open_one(url, inputs=12, raters=("a", "b", "c"), per_item=2)
    acknowledged: dict[str, list[tuple[str, str]]] = {name: [] for name in opened.raters}
    faults: list[BaseException] = []

    def rate(name: str, addresses: list[str]) -> None:
        try:
            acknowledged[name] += Visitor(opened.raters[name], addresses).rate(by_length)
        except BaseException as error:
            faults.append(error)

    with ServiceProcess(url, free_port()) as first, ServiceProcess(url, free_port()) as second:
        addresses = [first.address, second.address]
        # Every rater has two windows, which talk to the two processes in opposite order, at the same time.
        threads = [
            threading.Thread(target=rate, args=(name, order))
            for name in opened.raters
            for order in (addresses, addresses[::-1])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
    assert not faults
    with Database(url) as database, database.read() as connection:
        assignments = schema.assignments
        rows = connection.execute(
            select(assignments.c.rater_id, assignments.c.item_id, assignments.c.place, assignments.c.revision)
        ).all()
    assert len({(row.rater_id, row.item_id) for row in rows}) == len(rows)
    assert set(Counter(row.item_id for row in rows).values()) == {2}
    assert len(rows) == 48
    # Both windows may have had one item open at a time; they gave the same answer, so it was stored once.
    assert all(row.revision == 1 for row in rows)
    for number, name in enumerate(opened.raters, 1):
        places = sorted(row.place for row in rows if row.rater_id == number)
        assert places == list(range(1, len(places) + 1))
        assert {item for item, _ in acknowledged[name]} == {
            f"/campaigns/rate/{number}/1/{place}" for place in places
        }


def test_kills_lose_no_acknowledged_answer(tmp_path: Path) -> None:
    url = str(tmp_path / "a.db")
    opened = open_one(url, inputs=15)
    log = tmp_path / "log"
    generator = random.Random(1)
    with ServiceProcess(url, free_port(), log) as service:
        visitors = {
            name: Visitor(secret, [service.address], retry=True) for name, secret in opened.raters.items()
        }
        acknowledged: dict[str, list[tuple[str, str]]] = {}
        threads = [
            threading.Thread(
                target=lambda name=name: acknowledged.update({name: visitors[name].rate(by_length)})
            )
            for name in visitors
        ]
        for thread in threads:
            thread.start()
        kills = 0
        while kills < 3:
            time.sleep(generator.uniform(0.05, 0.3))
            service.kill()
            kills += 1
            service.wait()
        for thread in threads:
            thread.join(300)
    state = state_of(url)
    texts = {item.item: item.after for item in state.items}
    assert set(acknowledged) == {"anna", "ben"}
    for name, answered in acknowledged.items():
        assert sorted(text for _, text in answered) == sorted(texts.values())
        stored = {texts[one.item]: one.value for one in state.ratings if one.rater == name}
        assert stored == {text: int(by_length(text)["paraphrase"]) for _, text in answered}
    # The log of the server names the pages, but no secret.
    written = log.read_text(encoding="utf-8")
    assert "GET /campaigns/open/…" in written
    assert not any(secret in written for secret in opened.raters.values())


def test_a_stopped_database_gives_503_and_then_goes_on(server: PostgresServer) -> None:
    url = server.create("stopped")
    opened = open_one(url)
    with ServiceProcess(url, free_port()) as service:
        visitor = Visitor(opened.raters["anna"], [service.address])
        assert len(visitor.rate(by_length, most=3)) == 3
        item = visitor.item()
        assert item is not None
        server.stop()
        try:
            refused = visitor.send("POST", item[0], {"paraphrase": "1"})
            assert refused.status_code == 503
            assert "retry-after" in refused.headers
            assert "What you just sent was not saved" in refused.text
            assert '<input type="hidden" name="paraphrase" value="1">' in refused.text
            assert "Traceback" not in refused.text
            assert visitor.send("GET", visitor.home).status_code == 503
            # The rest of the service does not need the database.
            assert visitor.send("GET", "/campaigns").status_code == 200
        finally:
            server.start()
        assert visitor.send("POST", item[0], {"paraphrase": "1"}).status_code == 303
        visitor.rate(by_length)
    assert len(state_of(url).ratings) == 12
