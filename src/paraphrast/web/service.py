"""The service behind routes and pages: checks limits, hands work to the pool, stops it when a client goes away."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from typing import Any, TypeVar

from fastapi import Request

from paraphrast.model.paraphraser import make_control
from paraphrast.web.engine import Setup
from paraphrast.web.pool import Pool
from paraphrast.web.problems import Problem
from paraphrast.web.settings import Settings

T = TypeVar("T")
#: Texts of a batch that one worker gets at a time: small, so that others are not kept waiting.
CHUNK = 8
#: Seconds until a chunk of a stream asks again for a place in a full queue.
PATIENCE = 0.1
#: Operations that may take seconds.
SLOW = frozenset({"fuse", "align", "references"})
#: Characters of a piece of work from which it counts as slow: a fiftieth of a second and more.
LONG = 5_000


class Service:
    """What routes and pages share: settings, limits, workers."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._model: dict[str, Any] | None = None
        self.workers = settings.workers or os.cpu_count() or 1
        self.pool = Pool(
            Setup(settings.model, settings.precise, settings.compiled),
            workers=self.workers,
            max_waiting=settings.max_waiting,
        )

    async def run(self, request: Request, operation: str, payload: dict[str, Any]) -> bytes:
        """The result of one operation as JSON."""
        slow = is_slow(operation, payload)
        work = self.pool.run(operation, payload, seconds=self.settings.max_seconds, slow=slow)
        return await until_gone(request, work)

    async def value(self, request: Request, operation: str, payload: dict[str, Any]) -> Any:
        """As :meth:`run`, as a value."""
        return json.loads(await self.run(request, operation, payload))

    async def model(self, request: Request) -> dict[str, Any]:
        """What the model is made of; asked once."""
        if self._model is None:
            self._model = await self.value(request, "describe", {})
        return self._model

    async def paraphrase(
        self, request: Request, texts: Sequence[str], options: dict[str, Any]
    ) -> list[bytes]:
        """The JSON list of paraphrases of each text."""
        self.check_texts(texts)
        self.check_options(options)
        if len(texts) <= CHUNK:
            return _split(await self.run(request, "paraphrase", {"texts": list(texts), "options": options}))

        async def all_chunks() -> list[bytes]:
            return [line async for line in self.in_order(_chunks(texts), options)]

        return await until_gone(request, asyncio.wait_for(all_chunks(), self.settings.max_seconds))

    async def in_order(
        self, chunks: AsyncIterator[list[str]], options: dict[str, Any]
    ) -> AsyncIterator[bytes]:
        """The results of a stream of chunks, in order; at most two chunks per worker are under way.

        Nothing is read ahead of that: a client that does not take results is not read from.
        """
        tasks: list[asyncio.Task[bytes]] = []
        failure: Problem | None = None
        try:
            while True:
                try:
                    chunk = await anext(chunks, None)
                except Problem as problem:
                    chunk, failure = None, problem
                if chunk is None:
                    break
                tasks.append(asyncio.create_task(self._patient({"texts": chunk, "options": options})))
                if len(tasks) >= 2 * self.workers:
                    for line in _split(await tasks.pop(0)):
                        yield line
            while tasks:
                for line in _split(await tasks.pop(0)):
                    yield line
            if failure is not None:  # after the results of what came before it
                raise failure
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _patient(self, payload: dict[str, Any]) -> bytes:
        """Rewrite a chunk. What was begun is not refused halfway: it waits for a place in the queue."""
        seconds = self.settings.max_seconds
        slow = is_slow("paraphrase", payload)
        while True:
            try:
                return await self.pool.run(
                    "paraphrase", payload, seconds=self.settings.max_seconds, slow=slow
                )
            except Problem as problem:
                if problem.status != 429 or seconds <= 0:
                    raise
            seconds -= PATIENCE
            await asyncio.sleep(PATIENCE)

    def check_text(self, text: str, name: str = "text") -> None:
        """Refuse a text that is too long."""
        if len(text) > self.settings.max_chars:
            raise Problem(
                413,
                f"{name}: expected at most {self.settings.max_chars:,} characters, got {len(text):,}",
                where=name,
                remedy="split the text, or start the service with a larger --max-chars",
            )

    def check_texts(self, texts: Iterable[str], name: str = "texts") -> None:
        """Refuse too many texts, texts that are too long, and more than the service reads at a time."""
        listed = list(texts)
        if len(listed) > self.settings.max_batch:
            raise Problem(
                413,
                f"{name}: expected at most {self.settings.max_batch:,} texts, got {len(listed):,}",
                where=name,
                remedy="send several requests, or stream lines to /v1/paraphrase/stream",
            )
        for number, text in enumerate(listed):
            self.check_text(text, name if len(listed) == 1 else f"{name}.{number}")

    def check_options(self, options: dict[str, Any]) -> None:
        """Refuse options that the model or this service does not take."""
        control = make_control(None, options)  # type: ignore[arg-type]
        if control.n > self.settings.max_results:
            raise Problem(
                422,
                f"n: expected a whole number from 1 to {self.settings.max_results}, got {control.n}",
                where="n",
                remedy="ask for fewer, or start the service with a larger --max-results",
            )
        if control.precise and not self.settings.precise:
            raise Problem(
                422,
                "precise: expected false, got true",
                where="precise",
                remedy="start the service with --precise",
            )
        if control.beam == 0 or control.beam > 1000:
            raise Problem(
                422,
                f"beam: expected a whole number from 1 to 1000 in a service, got {control.beam}",
                where="beam",
                remedy="use the command line for an exact search",
            )


def is_slow(operation: str, payload: dict[str, Any]) -> bool:
    """Whether work may keep a worker for long, so that it must not get all of them."""
    if operation in SLOW or payload.get("options", {}).get("precise"):
        return True
    return sum(map(len, payload.get("texts", ()))) > LONG


async def until_gone(request: Request, work: Awaitable[T]) -> T:
    """Await some work; cancel it when the client goes away."""
    task = asyncio.ensure_future(work)
    watch = asyncio.create_task(_disconnect(request))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem(499, "the client closed the connection")
        return task.result()
    except TimeoutError:
        raise Problem(
            503,
            "expected an answer within the time limit, got none",
            remedy="send fewer texts per request",
            headers={"Retry-After": "2"},
        ) from None
    finally:
        for each in (task, watch):
            each.cancel()
        await asyncio.gather(task, watch, return_exceptions=True)


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _chunks(texts: Sequence[str]) -> AsyncIterator[list[str]]:
    for start in range(0, len(texts), CHUNK):
        yield list(texts[start : start + CHUNK])


def _split(results: bytes) -> list[bytes]:
    """The JSON of each text's results; a worker separates them by line ends, which JSON does not contain."""
    return results.split(b"\n")


def service_of(request: Request) -> Service:
    """The service of the application that a request came to."""
    service: Service = request.app.state.service
    return service
