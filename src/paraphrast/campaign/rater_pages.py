"""The pages of a rater: instructions, one item after the other, the end."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from paraphrast.campaign.access import matches
from paraphrast.campaign.pages import Pages, Refused, cookie_of, form_of, whole
from paraphrast.campaign.rating import (
    Incomplete,
    Place,
    Rater,
    count_places,
    get_place,
    get_rater,
    next_place,
    save,
)

Form = Annotated[dict[str, str], Depends(form_of)]
#: Places have at most this many digits.
MOST = 10**8


def add(router: APIRouter, pages: Pages) -> None:
    """Add the routes of raters."""

    @router.get("/rate/{rater_id}")
    def start(request: Request, rater_id: int) -> Response:
        """Instructions, and where the rater is."""
        rater = admitted(pages, request, rater_id)
        with pages.database.read() as connection:
            done, total = count_places(connection, rater)
        return pages.render(request, "campaign/start.html", rater=rater, done=done, total=total)

    @router.get("/rate/{rater_id}/next")
    def go_on(request: Request, rater_id: int) -> Response:
        """Go to the next item."""
        return _next(pages, admitted(pages, request, rater_id))

    @router.get("/rate/{rater_id}/end")
    def end(request: Request, rater_id: int) -> Response:
        """Everything is answered."""
        rater = admitted(pages, request, rater_id)
        with pages.database.read() as connection:
            done, total = count_places(connection, rater)
        return pages.render(request, "campaign/end.html", rater=rater, done=done, total=total)

    @router.get("/rate/{rater_id}/{round}/{place}")
    def show(request: Request, rater_id: int, round: int, place: int) -> Response:
        """One item."""
        rater = admitted(pages, request, rater_id)
        with pages.database.read() as connection:
            shown = get_place(connection, rater, min(round, MOST), min(place, MOST))
        return _page(pages, request, rater, shown, dict(shown.answers))

    @router.post("/rate/{rater_id}/{round}/{place}")
    def answer(request: Request, rater_id: int, round: int, place: int, form: Form) -> Response:
        """Save the answers to one item; the redirect that acknowledges them follows the commit."""
        rater = admitted(pages, request, rater_id)
        round, place = min(round, MOST), min(place, MOST)
        given = {
            question.name: value
            for question in rater.template.questions
            if (value := whole(form, question.name)) is not None
        }
        try:
            with pages.database.write() as connection:
                save(connection, rater, round, place, given)
        except Incomplete as error:
            with pages.database.read() as connection:
                shown = get_place(connection, rater, round, place)
            return _page(pages, request, rater, shown, given, error)
        return RedirectResponse(f"/campaigns/rate/{rater.id}/next", status_code=303)


def admitted(pages: Pages, request: Request, rater_id: int) -> Rater:
    """The rater whose secret the browser holds."""
    with pages.database.read() as connection:
        rater, stored = get_rater(connection, min(rater_id, MOST))
    if not matches(cookie_of(request, "rate"), stored):
        raise Refused("this page opens with a rater's link", remedy="open your link again")
    return rater


def _next(pages: Pages, rater: Rater) -> Response:
    with pages.database.write() as connection:
        place = next_place(connection, rater)
    target = "end" if place is None else f"{place[0]}/{place[1]}"
    return RedirectResponse(f"/campaigns/rate/{rater.id}/{target}", status_code=303)


def _page(
    pages: Pages,
    request: Request,
    rater: Rater,
    shown: Place,
    answers: dict[str, int],
    error: Incomplete | None = None,
) -> Response:
    with pages.database.read() as connection:
        done, total = count_places(connection, rater)
    return pages.render(
        request,
        "campaign/item.html",
        status=422 if error is not None else 200,
        rater=rater,
        shown=shown,
        labels=rater.template.shown,
        questions=rater.template.questions,
        answers=answers,
        error=error,
        done=done,
        total=total,
    )
