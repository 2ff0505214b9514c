"""The pages of a campaign's owner: progress and agreement, disagreements, files, raters' links."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from paraphrast.campaign.access import link_of, matches
from paraphrast.campaign.create import add_rater, renew_link
from paraphrast.campaign.export import FILES, archive
from paraphrast.campaign.owner import (
    ROUNDS,
    agreements,
    disputes,
    open_second_round,
    owner_hash,
    settle_disputes,
)
from paraphrast.campaign.pages import Pages, Refused, cookie_of, form_of, whole
from paraphrast.campaign.rating import NotFound
from paraphrast.campaign.state import State, load_state

Form = Annotated[dict[str, str], Depends(form_of)]
ARCHIVE = "campaign.zip"
_TYPES = {
    ".jsonl": "application/x-ndjson",
    ".csv": "text/csv; charset=utf-8",
    ".toml": "application/toml",
    ".zip": "application/zip",
}
#: Ids are at most this large.
MOST = 10**8


def add(router: APIRouter, pages: Pages) -> None:
    """Add the routes of owners."""

    @router.get("/own/{campaign_id}")
    def overview(request: Request, campaign_id: int) -> Response:
        """Progress, agreement, and what there is to do."""
        return _overview(pages, request, _state(pages, request, campaign_id))

    @router.post("/own/{campaign_id}/raters")
    def new_rater(request: Request, campaign_id: int, form: Form) -> Response:
        """Add a rater, and show the link, once."""
        _check_owner(pages, request, campaign_id)
        with pages.database.write() as connection:
            _, secret = add_rater(connection, campaign_id, form.get("name", ""))
        state = _state(pages, request, campaign_id)
        name = form.get("name", "").strip()
        return _overview(pages, request, state, new_link=(name, link_of(str(request.base_url), secret)))

    @router.post("/own/{campaign_id}/raters/{rater_id}/link")
    def new_link(request: Request, campaign_id: int, rater_id: int) -> Response:
        """Replace the link of a rater, and show it, once."""
        _check_owner(pages, request, campaign_id)
        with pages.database.write() as connection:
            secret = renew_link(connection, campaign_id, min(rater_id, MOST))
        state = _state(pages, request, campaign_id)
        name = next(rater.name for rater in state.raters if rater.id == rater_id)
        return _overview(pages, request, state, new_link=(name, link_of(str(request.base_url), secret)))

    @router.post("/own/{campaign_id}/round")
    def second_round(request: Request, campaign_id: int) -> Response:
        """Open the second round."""
        _check_owner(pages, request, campaign_id)
        with pages.database.write() as connection:
            open_second_round(connection, campaign_id)
        return RedirectResponse(f"/campaigns/own/{campaign_id}", status_code=303)

    @router.get("/own/{campaign_id}/disagreements")
    def disagreements(request: Request, campaign_id: int) -> Response:
        """All items whose ratings differ, to settle."""
        state = _state(pages, request, campaign_id)
        return pages.render(
            request,
            "campaign/disagreements.html",
            state=state,
            disputes=disputes(state),
            labels=state.template.shown,
        )

    @router.post("/own/{campaign_id}/disagreements")
    def settle(request: Request, campaign_id: int, form: Form) -> Response:
        """Store every decision of the page, in one transaction."""
        decisions = {
            (dispute.item.item, dispute.question.name): value
            for dispute in disputes(_state(pages, request, campaign_id))
            if (value := whole(form, f"{dispute.item.item}/{dispute.question.name}")) is not None
            and value != dispute.settled
        }
        with pages.database.write() as connection:
            settle_disputes(connection, campaign_id, decisions)
        return RedirectResponse(f"/campaigns/own/{campaign_id}/disagreements", status_code=303)

    @router.get("/own/{campaign_id}/files/{name}")
    def file(request: Request, campaign_id: int, name: str) -> Response:
        """One of the files, or all of them in an archive."""
        state = _state(pages, request, campaign_id)
        if name != ARCHIVE and name not in FILES:
            raise NotFound(f"expected one of {', '.join((*FILES, ARCHIVE))}, got another name")
        content = archive(state) if name == ARCHIVE else FILES[name](state).encode()
        return Response(
            content,
            media_type=_TYPES["." + name.rsplit(".", 1)[-1]],
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


def _check_owner(pages: Pages, request: Request, campaign_id: int) -> None:
    with pages.database.read() as connection:
        stored = owner_hash(connection, min(campaign_id, MOST))
    if not matches(cookie_of(request, "own"), stored):
        raise Refused("this page opens with the owner's link", remedy="open your link again")


def _state(pages: Pages, request: Request, campaign_id: int) -> State:
    _check_owner(pages, request, campaign_id)
    with pages.database.read() as connection:
        return load_state(connection, campaign_id)


def _overview(
    pages: Pages, request: Request, state: State, *, new_link: tuple[str, str] | None = None
) -> Response:
    differing = disputes(state)
    return pages.render(
        request,
        "campaign/overview.html",
        state=state,
        measured=agreements(state),
        differing=len(differing),
        unsettled=sum(dispute.settled is None for dispute in differing),
        can_review=state.round < ROUNDS,
        files=(*FILES, ARCHIVE),
        new_link=new_link,
    )
