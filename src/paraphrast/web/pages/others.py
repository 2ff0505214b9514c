"""Lattice, Models, and signing in."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from paraphrast.draw.svg import PALETTE
from paraphrast.errors import InputError
from paraphrast.web.access import COOKIE
from paraphrast.web.pages.state import State
from paraphrast.web.problems import Problem
from paraphrast.web.render import inline_svg, is_fragment, render
from paraphrast.web.service import service_of

router = APIRouter()
#: Edits of the picture.
EDGES = 40


@router.api_route("/lattice", methods=["GET", "POST"])
async def lattice(request: Request) -> Response:
    """All that a sentence could become."""
    values = await request.form() if request.method == "POST" else request.query_params
    state = State.read(values)
    found, problem = None, None
    if state.text.strip():
        service = service_of(request)
        service.check_text(state.text)
        options = {"strength": state.strength, "tables": list(state.tables)}
        try:
            payload = {"text": state.text, "options": options, "edges": EDGES}
            found = await service.value(request, "lattice", payload)
            found["svg"] = inline_svg(found["svg"])
            found["edges"].sort(key=lambda edge: (edge["start"], edge["end"], -(edge["probability"] or 0)))
        except (Problem, InputError) as error:
            if isinstance(error, Problem) and error.status not in (404, 422):
                raise
            problem = error
    address = state.address().replace("/rewrite", "/lattice", 1)
    return render(
        request,
        "lattice_live.html" if is_fragment(request) else "lattice.html",
        headers={"X-Address": address},
        state=state,
        found=found,
        problem=problem,
    )


@router.get("/models")
async def models(request: Request) -> Response:
    """What the model was made of."""
    model = await service_of(request).model(request)
    return render(request, "models.html", model=model)


@router.get("/sign-in")
async def sign_in(request: Request) -> Response:
    """Ask for a token."""
    return render(request, "sign_in.html", wrong=False)


@router.post("/sign-in")
async def signed_in(request: Request) -> Response:
    """Give a cookie for a token."""
    gate = request.app.state.gate
    form = await request.form()
    if not gate.admits(str(form.get("token", "")).strip()):
        return render(request, "sign_in.html", status=401, wrong=True)
    response = RedirectResponse("/rewrite", status_code=303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, gate.pass_value, httponly=True, samesite="strict", secure=secure)
    return response


@router.get("/palette.css")
async def palette() -> Response:
    """The colours of pictures, from their one definition: pictures in a page may not bring styles of their own."""
    rules = {0: "", 1: ""}
    for name, colours in PALETTE.items():
        for mode in rules:
            rules[mode] += f".f-{name}{{fill:{colours[mode]}}}.s-{name}{{stroke:{colours[mode]}}}\n"
    text = f"{rules[0]}@media (prefers-color-scheme: dark) {{\n{rules[1]}}}\n"
    return Response(text, media_type="text/css", headers={"Cache-Control": "no-cache"})
