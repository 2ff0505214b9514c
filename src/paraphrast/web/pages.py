"""The pages."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from paraphrast.web.render import render

router = APIRouter(include_in_schema=False)


@router.get("/")
def home() -> RedirectResponse:
    """The first page is Rewrite."""
    return RedirectResponse("/rewrite")


@router.get("/rewrite")
def rewrite(request: Request) -> HTMLResponse:
    """Rewrite a text."""
    return render(request, "rewrite.html")
