"""Rewrite: a text and its paraphrases, every edit with its evidence and its alternatives."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData
from starlette.responses import Response

from paraphrast.errors import InputError
from paraphrast.web.pages.state import LONGEST_ADDRESS, Chosen, State
from paraphrast.web.problems import Problem
from paraphrast.web.render import is_fragment, render
from paraphrast.web.service import service_of

router = APIRouter()
#: Words that can be protected by a click; protecting is for sentences, not for books.
MAX_WORDS = 300
#: Alternatives that are offered for an edit.
ALTERNATIVES = 12
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")


@router.get("/")
async def home() -> Response:
    """The first page is Rewrite."""
    return RedirectResponse("/rewrite")


@router.get("/rewrite")
async def show(request: Request) -> Response:
    """The state of the address."""
    return await _page(request, State.read(request.query_params))


@router.post("/rewrite")
async def change(request: Request) -> Response:
    """The state of the form, after the button that was pressed. The browser is sent to its address if it is short."""
    form = await request.form(max_fields=2000)
    state = State.read(form).acted(_buttons(form))
    if not is_fragment(request) and len(state.address()) <= LONGEST_ADDRESS:
        return RedirectResponse(state.address(), status_code=303)
    return await _page(request, state)


@router.post("/rewrite/download")
async def download(request: Request) -> Response:
    """The paraphrases as a file."""
    form = await request.form(max_fields=2000)
    state = State.read(form)
    as_json = form.get("format") == "json"
    results = await _results(request, state)
    if as_json:
        body = json.dumps(results, ensure_ascii=False, indent=1)
    else:
        body = "".join(f"{result['text']}\n" for result in results)
    name = f"paraphrases.{'json' if as_json else 'txt'}"
    return Response(
        body.encode(),
        media_type="application/json" if as_json else "text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _buttons(form: FormData) -> dict[str, Any]:
    return {name: form[name] for name in ("toggle", "reject", "pick", "drop", "close") if name in form}


async def _results(request: Request, state: State) -> list[dict[str, Any]]:
    if not state.text.strip():
        return []
    (found,) = await service_of(request).paraphrase(request, [state.text], state.options())
    results: list[dict[str, Any]] = json.loads(found)
    return results


async def _page(request: Request, state: State) -> Response:
    """The page, or only its changing part."""
    problem: Problem | InputError | None = None
    results: list[dict[str, Any]] = []
    why = None
    try:
        results = await _results(request, state)
        if state.why is not None:
            why = await _why(request, state, state.why)
    except (Problem, InputError) as error:
        if isinstance(error, Problem) and error.status not in (404, 422):
            raise
        problem = error
    address = state.address()
    model = await service_of(request).model(request)
    return render(
        request,
        "rewrite_live.html" if is_fragment(request) else "rewrite.html",
        headers={"X-Address": address if len(address) <= LONGEST_ADDRESS else "/rewrite"},
        state=state,
        words=_words(state),
        results=[_pieces(result) for result in results],
        problem=problem,
        why=why,
        chosen=state.why,
        tables=[table["name"] for table in model["tables"]],
        has_precise=model["precise"],
    )


def _words(state: State) -> list[dict[str, Any]]:
    """The words of the text, and what is between them."""
    pieces: list[dict[str, Any]] = []
    done = 0
    for match in list(_WORD.finditer(state.text))[:MAX_WORDS]:
        pieces.append(
            {"gap": state.text[done : match.start()], "word": match[0], "on": match[0] in state.protect}
        )
        done = match.end()
    return pieces


def _pieces(result: dict[str, Any]) -> dict[str, Any]:
    """A paraphrase in pieces: plain text, and edits with the value of their button."""
    text, done = result["text"], 0
    pieces: list[dict[str, Any]] = []
    for edit in result["edits"]:
        pieces.append({"text": text[done : edit["out_start"]], "edit": None})
        chosen = Chosen(edit["start"], edit["end"], edit["before"], edit["after"])
        shown = text[edit["out_start"] : edit["out_end"]]
        pieces.append({"text": shown, "edit": edit, "value": chosen.text()})
        done = edit["out_end"]
    pieces.append({"text": text[done:], "edit": None})
    return {**result, "pieces": pieces}


async def _why(request: Request, state: State, chosen: Chosen) -> dict[str, Any]:
    """The evidence for an edit, and what else its words could become."""
    service = service_of(request)
    evidence: dict[str, Any] | None = None
    missing = ""
    try:
        evidence = await service.value(
            request, "explain", {"phrase": chosen.before, "paraphrase": chosen.after}
        )
    except Problem as problem:
        if problem.status not in (404, 422):
            raise
        missing = problem.message
    options = {"tables": list(state.tables)}
    payload = {
        "text": state.text, "start": chosen.start, "end": chosen.end, "options": options, "n": ALTERNATIVES
    }  # fmt: skip
    others = await service.value(request, "alternatives", payload)
    return {
        "evidence": evidence,
        "missing": missing,
        "others": [edit for edit in others if edit["after"] != chosen.after],
    }
