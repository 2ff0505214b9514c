"""Who may use the service: requests with one of its tokens, or everybody if it has none.

Programs send ``Authorization: Bearer TOKEN``. A browser signs in once, on a page, and gets a cookie that holds no
token: a keyed hash that is valid until the service restarts. Tokens are compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from paraphrast.web.problems import Problem, answer, is_page

COOKIE = "paraphrast"
#: Addresses that need no token: whether the service is alive, the sign-in page and what it needs, and campaigns, whose
#: links have secrets of their own.
OPEN = ("/v1/health", "/v1/ready", "/sign-in", "/static/", "/palette.css", "/campaigns", "/campaigns/")


class Gate:
    """The tokens of a service."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._hashes = [hashlib.sha256(token.encode()).digest() for token in tokens]
        self._key = secrets.token_bytes(32)
        #: What a browser that has signed in shows.
        self.pass_value = hmac.new(self._key, b"signed in", "sha256").hexdigest()

    @property
    def is_open(self) -> bool:
        """Whether everybody has access."""
        return not self._hashes

    def admits(self, token: str) -> bool:
        """Whether a token is one of ours. Every token is compared, each in constant time."""
        given = hashlib.sha256(token.encode("utf-8", errors="replace")).digest()
        return sum([hmac.compare_digest(given, known) for known in self._hashes]) > 0

    def has_signed_in(self, headers: Headers) -> bool:
        """Whether a browser shows the cookie of the sign-in page."""
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        shown = cookies[COOKIE].value if COOKIE in cookies else ""
        return hmac.compare_digest(shown.encode(), self.pass_value.encode())


class Guarded:
    """Lets requests through that have access."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 401; a browser is led to the sign-in page."""
        if scope["type"] != "http" or self.gate.is_open or self._may_enter(scope):
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        if is_page(request) and request.method == "GET":
            await RedirectResponse("/sign-in", status_code=303)(scope, receive, send)
            return
        problem = Problem(
            401,
            "expected an access token, got none or a wrong one",
            where="Authorization",
            remedy="send the header Authorization: Bearer TOKEN",
            headers={"WWW-Authenticate": "Bearer"},
        )
        response = await answer(request, problem)
        await response(scope, receive, send)

    def _may_enter(self, scope: Scope) -> bool:
        path = scope["path"]
        if any(path == address or (address.endswith("/") and path.startswith(address)) for address in OPEN):
            return True
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.gate.admits(token.strip()):
            return True
        return self.gate.has_signed_in(headers)
