"""What the pages of raters and owners share: the database, the render function, cookies, forms and errors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from paraphrast.campaign.database import Database, Unavailable
from paraphrast.campaign.rating import Closed, NotFound
from paraphrast.errors import ParaphrastError

log = logging.getLogger(__name__)
#: Request, name of a template, status, headers and values → a page.
Render = Callable[..., Response]
COOKIE_SECONDS = 180 * 24 * 3600
#: Fields of a form at most: a page of disagreements has one for each.
MOST_FIELDS = 5000
STATUS: dict[type[ParaphrastError], int] = {NotFound: 404, Closed: 409, Unavailable: 503}
#: Seconds after which a browser may try again.
RETRY_SECONDS = 5


class Refused(ParaphrastError):
    """A visitor without the right secret."""


STATUS[Refused] = 403


class Pages:
    """The database and the way to show a page."""

    def __init__(self, database: Database, render: Render) -> None:
        self.database = database
        self.render = render

    def route_class(self) -> type[APIRoute]:
        """Routes that answer errors with a page that says what to do; forms can be sent again from it."""
        pages = self

        class CampaignRoute(APIRoute):
            """A route of a campaign."""

            def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
                """The handler, with errors shown as pages."""
                handler = super().get_route_handler()

                async def handle(request: Request) -> Response:
                    try:
                        return await handler(request)
                    except ParaphrastError as error:
                        return await pages.problem(request, error)
                    except SQLAlchemyError as error:
                        # The statement's values may be in the message: the log gets the kind alone.
                        log.error("a statement failed: %s", type(error).__name__)
                        return await pages.problem(request, Unavailable("a statement failed"))

                return handle

        return CampaignRoute

    async def problem(self, request: Request, error: ParaphrastError) -> Response:
        """A page about an error. What was sent by a form is kept in it, so that it can be sent again."""
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        fields: list[tuple[str, str]] = []
        if request.method == "POST" and status == 503 and request.url.path != "/campaigns/enter":
            form = await request.form(max_files=0, max_fields=MOST_FIELDS)
            fields = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
        return self.render(
            request,
            "campaign/problem.html",
            status=status,
            headers={"Retry-After": str(RETRY_SECONDS)} if status == 503 else {},
            problem=error,
            is_unavailable=status == 503,
            is_form=request.method == "POST",
            action=request.url.path,
            fields=fields,
        )


def cookie_of(request: Request, kind: str) -> str | None:
    """The secret of a visitor. The cookie belongs to one address, so a browser may hold several."""
    return request.cookies.get(f"paraphrast_{kind}")


def set_cookie(response: Response, request: Request, kind: str, path: str, secret: str) -> None:
    """Remember a secret in the browser, for one address and those below it."""
    response.set_cookie(
        f"paraphrast_{kind}",
        secret,
        max_age=COOKIE_SECONDS,
        path=path,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


async def form_of(request: Request) -> dict[str, str]:
    """The text fields of a form."""
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    return {name: value for name, value in form.items() if isinstance(value, str)}


def whole(values: Mapping[str, str], name: str) -> int | None:
    """A field as a whole number of one or more digits; None if it is missing or something else."""
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
