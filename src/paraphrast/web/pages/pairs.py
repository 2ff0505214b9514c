"""Fuse, Align and References: pages with several texts."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from paraphrast.draw.links import draw_links
from paraphrast.errors import InputError
from paraphrast.web.api import check_reports, check_segments, references_payload
from paraphrast.web.problems import Problem
from paraphrast.web.render import inline_svg, is_fragment, render
from paraphrast.web.service import service_of

router = APIRouter()
#: Colours that sources are shown with, before they repeat.
COLOURS = 6


@router.api_route("/fuse", methods=["GET", "POST"])
async def fuse(request: Request) -> Response:
    """Reports of one event and new sentences from them."""
    values = await _values(request)
    reports = [line.strip() for line in str(values.get("reports", "")).splitlines() if line.strip()]
    fusion, problem = None, None
    if reports:
        service = service_of(request)
        try:
            check_reports(service, reports)
            payload = {"sentences": reports, "n": 8, "version": "auto", "seed": 0, "draw": True}
            fusion = await service.value(request, "fuse", payload)
            fusion["svg"] = inline_svg(fusion["svg"])
        except (Problem, InputError) as error:
            problem = _shown(error)
    return _page(
        request, "fuse", reports=reports, text=values.get("reports", ""), fusion=fusion, problem=problem,
        colours=COLOURS,
    )  # fmt: skip


@router.api_route("/align", methods=["GET", "POST"])
async def align(request: Request) -> Response:
    """Two texts and the links between their words."""
    values = await _values(request)
    first, second = (" ".join(str(values.get(name, "")).split()) for name in ("first", "second"))
    pair, picture, probability, problem = None, "", None, None
    if first and second:
        service = service_of(request)
        try:
            service.check_texts([first, second], "texts")
            (pair,) = await service.value(request, "align", {"pairs": [[first, second]]})
            (probability,) = await service.value(request, "identify", {"pairs": [[first, second]]})
            links = [(link["source"], link["target"], link["probability"] or 0.0) for link in pair["links"]]
            words = [[token["text"] for token in pair[side]] for side in ("source", "target")]
            picture = inline_svg(draw_links(words[0], words[1], links).to_svg())
        except (Problem, InputError) as error:
            problem = _shown(error)
    return _page(
        request, "align", first=first, second=second, pair=pair, picture=picture, probability=probability,
        problem=problem,
    )  # fmt: skip


@router.api_route("/references", methods=["GET", "POST"])
async def references(request: Request) -> Response:
    """A reference and outputs; which words match, and through which paraphrase."""
    values = await _values(request)
    source, reference = (" ".join(str(values.get(name, "")).split()) for name in ("source", "reference"))
    outputs = [line.strip() for line in str(values.get("outputs", "")).splitlines() if line.strip()]
    compared, problem = None, None
    if reference and outputs:
        service = service_of(request)
        segments = [{"source": source, "reference": reference, "outputs": outputs}]
        try:
            service.check_texts([source, reference, *outputs], "texts")
            check_segments(segments)
            payload = {
                "segments": segments, "metric": "bleu-add-one", "threshold": 0.0,
                "inflections": bool(values.get("inflections")),
            }  # fmt: skip
            compared = await service.value(request, "references", references_payload(payload))
            for row in compared["outputs"]:
                row["pieces"] = _matched(row)
        except (Problem, InputError) as error:
            problem = _shown(error)
    return _page(
        request, "references", source=source, reference=reference, outputs="\n".join(outputs),
        inflections=bool(values.get("inflections")), compared=compared, problem=problem,
    )  # fmt: skip


async def _values(request: Request) -> dict[str, Any]:
    if request.method == "POST":
        return dict(await request.form())
    return dict(request.query_params)


def _shown(error: Problem | InputError) -> Problem | InputError:
    """An error that the page shows beside its form; others get a page of their own."""
    if isinstance(error, Problem) and error.status not in (404, 413, 422):
        raise error
    return error


def _page(request: Request, name: str, **values: Any) -> Response:
    return render(request, f"{name}_live.html" if is_fragment(request) else f"{name}.html", **values)


def _matched(row: dict[str, Any]) -> list[dict[str, Any]]:
    """An output in pieces: words with what they match, and what is between them."""
    pieces: list[dict[str, Any]] = []
    text, done = row["output"], 0
    for word in row["words"]:
        pieces.append({"text": text[done : word["start"]], "kind": "", "tip": ""})
        edit = row["closest"]["edits"][word["edit"]] if word["edit"] is not None else None
        tip = f"for {edit['before']}, {edit['probability']:.2f}, {', '.join(edit['tables'])}" if edit else ""
        pieces.append({"text": text[word["start"] : word["end"]], "kind": word["kind"], "tip": tip})
        done = word["end"]
    return [*pieces, {"text": text[done:], "kind": "", "tip": ""}]
