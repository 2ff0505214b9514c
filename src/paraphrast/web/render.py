"""Pages from Jinja2 templates. A page extends ``base.html``; every value is escaped."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

FOLDER = Path(__file__).parent
#: Address, name and description of each page, in the order of the navigation.
NAVIGATION = (
    ("/rewrite", "Rewrite"),
    ("/lattice", "Lattice"),
    ("/fuse", "Fuse"),
    ("/align", "Align"),
    ("/references", "References"),
    ("/models", "Models"),
)

environment = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
environment.filters["exp"] = math.exp


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """A template of ``templates/`` with values, as a response."""
    text = environment.get_template(template).render(
        path=request.url.path, navigation=navigation(request), **values
    )
    return HTMLResponse(text, status_code=status, headers=headers)


def navigation(request: Request) -> list[tuple[str, str]]:
    """The pages of the navigation; other rooms add theirs to ``app.state.navigation``."""
    return [*NAVIGATION, *getattr(request.app.state, "navigation", ())]


def is_fragment(request: Request) -> bool:
    """Whether a script asks for the changing part of a page only."""
    return request.headers.get("x-fragment") == "1"


_STYLE = re.compile(r"<style>.*?</style>\s*", re.DOTALL)


def inline_svg(svg: str) -> Markup:
    """A picture of :mod:`paraphrast.draw` for the inside of a page: without header and without styles of its own."""
    return Markup(_STYLE.sub("", svg[svg.index("<svg") :]))
