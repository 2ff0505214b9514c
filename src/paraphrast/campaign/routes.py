"""The pages of campaigns: the entrance here, those of raters and of owners in their own modules.

A link leads to ``/campaigns/open/SECRET``, which sets a cookie for one rater or one campaign and goes on to an address
without the secret. Pages work without scripts; all state is in the database.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from paraphrast.campaign import owner_pages, rater_pages, schema
from paraphrast.campaign.access import LONGEST, code_of, hash_of, hide_secrets_in_logs
from paraphrast.campaign.database import Database
from paraphrast.campaign.pages import Pages, Refused, Render, set_cookie


def make_router(database: str, render: Render) -> APIRouter:
    """The routes of campaigns in a database. render: request, template and values → a page."""
    hide_secrets_in_logs()
    pages = Pages(Database(database), render)
    router = APIRouter(include_in_schema=False, route_class=pages.route_class(), prefix="/campaigns")

    @router.get("")
    def entrance(request: Request) -> Response:
        """What to do with a link, for people who come without one."""
        return render(request, "campaign/entrance.html")

    @router.get("/open/{secret}")
    def open_link(request: Request, secret: str) -> Response:
        """Follow a link."""
        return _enter(pages, request, secret)

    @router.post("/enter")
    async def enter(request: Request) -> Response:
        """Follow a link, or a code, that was pasted into the page."""
        form = await request.form(max_files=0, max_fields=10)
        return await run_in_threadpool(_enter, pages, request, code_of(str(form.get("code", ""))))

    rater_pages.add(router, pages)
    owner_pages.add(router, pages)
    return router


def _enter(pages: Pages, request: Request, secret: str) -> Response:
    given = hash_of(secret[: LONGEST + 1])
    raters, campaigns = schema.raters, schema.campaigns
    with pages.database.read() as connection:
        rater = connection.scalar(select(raters.c.id).where(raters.c.secret_hash == given, raters.c.active))
        campaign = connection.scalar(select(campaigns.c.id).where(campaigns.c.owner_hash == given))
    if rater is None and campaign is None:
        raise Refused(
            "this link does not open a campaign", remedy="check that you have all of it, or ask for a new one"
        )
    target: tuple[str, Any] = ("rate", rater) if rater is not None else ("own", campaign)
    path = f"/campaigns/{target[0]}/{target[1]}"
    response = RedirectResponse(path, status_code=303)
    set_cookie(response, request, target[0], path, secret)
    return response
