"""The largest body of a request. A stream of lines has no such limit: it is read line by line."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paraphrast.web.problems import Problem, answer

STREAMS = ("/v1/paraphrase/stream",)


class TooLarge(Exception):
    """More bytes came than are allowed."""


class LimitedBody:
    """Refuses a body above ``most`` bytes, by its announced length or as it comes."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its bytes counted."""
        if scope["type"] != "http" or scope["path"] in STREAMS:
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if length.isdigit() and int(length) > self.most:
            await self._refuse(scope, receive, send, int(length))
            return
        count = 0
        started = False

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > self.most:
                raise TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except TooLarge:
            if not started:
                await self._refuse(scope, receive, send, count)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, count: int) -> None:
        problem = Problem(
            413,
            f"expected a body of at most {self.most:,} bytes, got {count:,} or more",
            where="body",
            remedy="send fewer texts per request, or stream lines to /v1/paraphrase/stream",
            headers={"Connection": "close"},
        )
        response = await answer(Request(scope, receive), problem)
        await response(scope, receive, send)
