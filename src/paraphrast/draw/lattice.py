"""A lattice as a picture: states from left to right, kept words on the line between them, everything else in arcs.

Drawn like figure 2 of Quirk et al. (2004): short arcs are inside long ones, alternately above and below, more probable
ones closer to the line, each with its words and probability.
"""

from __future__ import annotations

import math

from paraphrast.draw.svg import Canvas, fit, text_width
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import KEPT, SWAP

#: Default number of edges in a picture, besides the kept words.
EDGES = 30
_MARGIN = 24
_LANE = 30
_PAD = 22
_SLOPE = 16
_SIZE = 13
_SMALL = 11
_WIDEST = 220


def draw_lattice(
    lattice: Lattice, *, edges: int = EDGES, title: str = "Lattice", by: str = "probability"
) -> str:
    """The ``edges`` best edges besides the kept words, as SVG. The caption says how many there are in all.

    by: how edges are ranked, ``probability`` or ``marginal`` (see :meth:`~paraphrast.types.Lattice.top`).
    """
    shown = lattice.top(edges, by=by)
    spine, arcs = _split(shown)
    places = _places(shown.states, spine, arcs)
    lanes = _lanes(arcs)
    above = max((lane for lane in lanes if lane > 0), default=0)
    below = max((-lane for lane in lanes if lane < 0), default=0)
    total = int((lattice.kind != KEPT).sum())
    count = int((shown.kind != KEPT).sum())
    caption = f"showing {count} of {total} edges" + (" beside the kept words" if len(spine) and total else "")
    line = _MARGIN + 48 + above * _LANE + 12
    longest = max(text_width(title, _SIZE) * 1.12, text_width(caption, _SMALL))  # bold letters are wider
    width = max(places[-1] + _MARGIN, 2 * _MARGIN + min(longest, 600), 240)
    sheet = Canvas(width, line + 24 + below * _LANE + _MARGIN, title=title, description=caption)
    heading = fit(title, (width - 2 * _MARGIN) / 1.12, _SIZE)
    sheet.text(_MARGIN, _MARGIN, heading, size=_SIZE, bold=True, kind="title", tip=title)
    sheet.text(_MARGIN, _MARGIN + 18, caption, size=_SMALL, fill="muted", kind="caption")
    for edge in spine:
        _draw_kept(sheet, edge, places, line)
    for edge, lane in sorted(zip(arcs, lanes, strict=True), key=lambda pair: -abs(pair[1])):
        _draw_arc(sheet, edge, lane, places, line)
    used = {0, *shown.tail.tolist(), *shown.head.tolist()}
    finals = set(shown.finals.tolist())
    for state in sorted(used):
        fill = "ink" if state in finals or state == shown.start else "paper"
        sheet.circle(places[state], line, 4, fill=fill, stroke="ink", kind="state", tip=f"state {state}")
    return sheet.to_svg()


def _split(lattice: Lattice) -> tuple[list[LatticeEdge], list[LatticeEdge]]:
    """Edges on the line (kept words, or the first edge to the next state if nothing is kept) and arcs."""
    edges = list(lattice.edges())
    line_states = {edge.tail for edge in edges if edge.kind == KEPT and edge.head == edge.tail + 1}
    spine: list[LatticeEdge] = []
    arcs: list[LatticeEdge] = []
    for edge in edges:
        first = edge.kind != KEPT and edge.head == edge.tail + 1 and edge.tail not in line_states
        if first:
            line_states.add(edge.tail)
        straight = edge.kind == KEPT and edge.head == edge.tail + 1
        (spine if first or straight else arcs).append(edge)
    order = {id(edge): index for index, edge in enumerate(arcs)}
    arcs.sort(key=lambda e: (e.head - e.tail, -_known(e.probability), -e.weight, order[id(e)]))
    return spine, arcs


def _known(probability: float) -> float:
    return -1.0 if math.isnan(probability) else probability


def _label(edge: LatticeEdge) -> tuple[str, str]:
    """The words, and the probability beside them."""
    words = fit(" ".join(edge.words) or "ε", _WIDEST, _SIZE)
    if math.isnan(edge.probability):
        return words, ""
    return words, f"{edge.probability:.2g}".removeprefix("0")


def _label_width(edge: LatticeEdge) -> float:
    words, probability = _label(edge)
    return text_width(words, _SIZE) + (5 + text_width(probability, _SMALL) if probability else 0)


def _places(states: int, spine: list[LatticeEdge], arcs: list[LatticeEdge]) -> list[float]:
    """The position of each state, with enough distance for the widest label between two neighbours."""
    gap = [26.0] * max(states - 1, 0)
    for edge in spine:
        gap[edge.tail] = max(gap[edge.tail], text_width(" ".join(edge.words), _SIZE) + _PAD)
    for edge in arcs:
        between = range(edge.tail, edge.head)
        lacking = _label_width(edge) + _PAD + _SLOPE - sum(gap[at] for at in between)
        for at in between:
            gap[at] += max(lacking, 0) / len(between)
    places = [float(_MARGIN)]
    for width in gap:
        places.append(places[-1] + width)
    return places


def _lanes(arcs: list[LatticeEdge]) -> list[int]:
    """The lane of each arc, 1, 2 … above the line and −1, −2 … below: the nearest lane that is free over its span."""
    used: dict[int, list[tuple[int, int]]] = {}
    lanes = []
    for edge in arcs:
        step = 1
        while True:
            free = [
                lane
                for lane in (step, -step)
                if all(edge.head <= left or right <= edge.tail for left, right in used.get(lane, []))
            ]
            if free:
                break
            step += 1
        used.setdefault(free[0], []).append((edge.tail, edge.head))
        lanes.append(free[0])
    return lanes


def _tip(edge: LatticeEdge) -> str:
    parts = [" ".join(edge.words) or "ε"]
    if not math.isnan(edge.probability):
        parts.append(f"p = {edge.probability:.4g}")
    parts.append(f"weight {edge.weight:.4g}")
    return " · ".join([*parts, edge.name] if edge.name else parts)


def _draw_kept(sheet: Canvas, edge: LatticeEdge, places: list[float], line: float) -> None:
    left, right = places[edge.tail], places[edge.head]
    sheet.line(left, line, right, line, stroke="line", width=1.2, kind="kept", tip=_tip(edge))
    words = fit(" ".join(edge.words) or "ε", right - left, _SIZE)
    sheet.text((left + right) / 2, line - 6, words, size=_SIZE, anchor="middle", halo=True, kind="word")


def _draw_arc(sheet: Canvas, edge: LatticeEdge, lane: int, places: list[float], line: float) -> None:
    """Up at the start of the edge, along its lane, down at its end: labels never cross another arc of their span."""
    colour = "purple" if edge.kind == SWAP else "blue"
    left, right = places[edge.tail], places[edge.head]
    level = line - lane * _LANE - (10 if lane > 0 else -10)
    inset = min(7 + abs(lane) * 2.0, (right - left) / 4)
    width = 0.8 + 1.6 * math.sqrt(max(_known(edge.probability), 0.0))
    sheet.polyline(
        [(left, line), (left + inset, level), (right - inset, level), (right, line)],
        stroke=colour,
        width=width,
        kind="edit",
        tip=_tip(edge),
    )
    words, probability = _label(edge)
    begin = (left + right) / 2 - _label_width(edge) / 2
    room = _label_width(edge)
    sheet.rect(
        begin - 3, level - 8, room + 6, 16, fill="paper", kind="gap"
    )  # the arc does not run through words
    sheet.text(begin, level + 4.5, words, size=_SIZE, fill=colour, kind="label", tip=_tip(edge))
    if probability:
        at = begin + text_width(words, _SIZE) + 5
        sheet.text(at, level + 4.5, probability, size=_SMALL, fill="muted", kind="probability")
