"""Errors as answers: JSON under ``/v1``, a page elsewhere. Both say what was expected, what came, and what to do."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paraphrast._options import expected, options_of
from paraphrast.errors import ParaphrastError
from paraphrast.model.control import Control

log = logging.getLogger(__name__)
#: Longest piece of a request that an error repeats.
LONGEST = 80
_MESSAGE = re.compile(r"^(?:(?P<where>\w+): )?expected (?P<expected>.+?), got (?P<got>.+)$", re.DOTALL)


class Problem(Exception):
    """An error with its status. message: ``expected …, got …``, where that is what went wrong."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        where: str | None = None,
        remedy: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.where = where
        self.remedy = remedy
        self.headers = dict(headers or {})

    def to_dict(self) -> dict[str, Any]:
        """The body of the answer."""
        match = _MESSAGE.match(self.message)
        return {
            "error": {
                "status": self.status,
                "message": clean(self.message),
                "where": self.where or (match["where"] if match else None),
                "expected": clean(match["expected"]) if match else None,
                "got": clean(match["got"]) if match else None,
                "remedy": clean(self.remedy) if self.remedy else None,
            }
        }


def clean(text: str) -> str:
    """Text that UTF-8 can encode."""
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def shown(value: Any) -> str:
    """A value of a request for a message, shortened."""
    text = repr(value if not isinstance(value, str) else value[: LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


_CONTROL = {entry.name: expected(entry) for entry in options_of(Control)}


def invalid(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """The problem of a request that does not follow its description: its first error."""
    error = errors[0]
    path = [part for part in error["loc"] if part not in ("body", "query", "path")]
    where = ".".join(map(str, path)) or "body"
    kind = error["type"]
    if kind == "json_invalid":
        return Problem(
            400, "expected JSON, got text that is not", where="body", remedy="check the body's syntax"
        )
    if isinstance(error.get("input"), bytes):
        return Problem(
            415,
            "expected a JSON body, got another type",
            where="Content-Type",
            remedy="send the header Content-Type: application/json",
        )
    if kind == "extra_forbidden":
        return Problem(422, f"unknown field {where!r}", where=where, remedy="/openapi.json lists the fields")
    if kind == "missing":
        return Problem(422, f"expected {where}, got nothing", where=where, remedy="add the field")
    name = next((part for part in path if part in _CONTROL), None)
    wanted = _CONTROL[name] if name is not None else _plain(str(error["msg"]))
    return Problem(
        422,
        f"{where}: expected {wanted}, got {shown(error.get('input'))}",
        where=where,
        remedy="/openapi.json describes the field",
    )


def _plain(message: str) -> str:
    return re.sub(r"^(?:Input should be|Value error,|String should have) ?", "", message) or message


def of_exception(error: Exception) -> Problem:
    """The problem that an exception means."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return invalid(error.errors())
    if isinstance(error, ParaphrastError):
        return Problem(422, error.message, remedy=error.remedy)
    if isinstance(error, HTTPException):
        remedies = {404: "/openapi.json lists the addresses", 405: "/openapi.json lists the methods"}
        message = "expected JSON, got text that is not" if error.status_code == 400 else str(error.detail)
        return Problem(
            error.status_code, message, remedy=remedies.get(error.status_code), headers=error.headers
        )
    log.exception("a request failed", exc_info=error)
    return Problem(500, "the service failed", remedy="report this with the request that caused it")


def is_page(request: Request) -> bool:
    """Whether a browser asked for a page."""
    return not request.url.path.startswith(("/v1", "/openapi")) and "text/html" in request.headers.get(
        "accept", ""
    )


async def answer(request: Request, error: Exception) -> Response:
    """The answer to a request that failed."""
    problem = of_exception(error)
    if is_page(request):
        from paraphrast.web.render import render

        known = problem.status in HTTPStatus._value2member_map_
        title = HTTPStatus(problem.status).phrase if known else "Closed"
        return render(
            request,
            "error.html",
            status=problem.status,
            headers=problem.headers,
            problem=problem,
            title=title,
        )
    return JSONResponse(problem.to_dict(), status_code=problem.status, headers=problem.headers)


def install(app: FastAPI) -> None:
    """Answer every error of an application in this way."""
    for kind in (Problem, RequestValidationError, ParaphrastError, HTTPException, Exception):
        app.add_exception_handler(kind, answer)
