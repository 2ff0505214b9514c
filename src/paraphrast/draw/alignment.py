"""The links of one sentence pair as a matrix: one row per source word, one column per target word.

A filled square is a sure link of the gold standard, an outlined one a possible link. A dot is a found link that the
gold standard has, a cross one that it lacks; a filled square without a dot is a missed link. Shapes distinguish them
without colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paraphrast.draw.svg import Canvas, fit, text_width
from paraphrast.errors import InputError

Link = tuple[int, int]
_MARGIN = 16.0
_LONGEST_LABEL = 150.0
_LEGEND = (
    ("sure", "sure"),
    ("possible", "possible"),
    ("right", "found, in the gold"),
    ("wrong", "found, not in the gold"),
)


def draw_alignment(
    source: Sequence[str],
    target: Sequence[str],
    *,
    sure: Iterable[Link] = (),
    possible: Iterable[Link] = (),
    found: Iterable[Link] | None = None,
    title: str = "Word alignment",
    note: str = "",
) -> Canvas:
    """Draw the links of a sentence pair, positions from 0. ``possible`` may include the sure links.

    Without any gold (no sure and no possible links), found links are neither right nor wrong, and drawn as dots. Cells
    shrink with the length of the longer sentence, from 26 pixels to 8. ``note`` is written below in small type.
    """
    sure_set, found_set = set(sure), set(found or ())
    possible_set = set(possible) | sure_set
    _check(sure_set | possible_set | found_set, len(source), len(target))
    cell = max(8.0, min(26.0, 1100.0 / max(len(source), len(target), 1)))
    size = max(6.0, min(13.0, cell * 0.72))
    rows = [fit(word, _LONGEST_LABEL, size) for word in source]
    columns = [fit(word, _LONGEST_LABEL, size) for word in target]
    left = _MARGIN + max((text_width(word, size) for word in rows), default=0) + 8
    head = _MARGIN + (22 if title else 0)
    # Labels are rotated by 55 degrees: their height is their length times the sine, their overhang times the cosine.
    top = head + max((text_width(word, size) for word in columns), default=0) * 0.82 + size
    width, height = cell * len(target), cell * len(source)
    overhang = max(
        ((index + 0.5) * cell + text_width(word, size) * 0.58 - width for index, word in enumerate(columns)),
        default=0,
    )
    legend = [entry for entry in _LEGEND if _in_use(entry[0], sure_set, possible_set, found_set)]
    lines = _legend_lines(legend, left + width + max(overhang, 0) - _MARGIN)
    sheet = Canvas(
        max(
            left + width + max(overhang, 0),
            _MARGIN + text_width(title, 14, bold=True),
            _MARGIN + text_width(note, 10),
        )
        + _MARGIN,
        top + height + 14 + 22 * len(lines) + (18 if note else 0) + _MARGIN / 2,
        title=title or "Word alignment",
        description=f"{' '.join(source)} / {' '.join(target)}",
    )
    if title:
        sheet.text(_MARGIN, _MARGIN + 12, title, size=14, bold=True)
    _grid(sheet, left, top, cell, len(source), len(target))
    for index, word in enumerate(rows):
        sheet.text(
            left - 6, top + (index + 0.5) * cell + size * 0.35, word, size=size, anchor="end", kind="source"
        )
    for index, word in enumerate(columns):
        place = left + (index + 0.5) * cell + size * 0.3, top - 5
        sheet.text(*place, word, size=size, rotate=-55, kind="target")
    for link in sorted(possible_set | found_set):
        kinds = _kinds(link, sure_set, possible_set, found_set)
        tip = f"{source[link[0]]} – {target[link[1]]}: {', '.join(kinds)}"
        for kind in kinds:
            _mark(sheet, kind, left + link[1] * cell, top + link[0] * cell, cell, tip)
    bottom = top + height + 14
    for number, line in enumerate(lines):
        _draw_legend(sheet, line, _MARGIN, bottom + 22 * number)
    if note:
        sheet.text(_MARGIN, bottom + 22 * len(lines) + 12, note, size=10, fill="muted")
    return sheet


def _check(links: set[Link], source_len: int, target_len: int) -> None:
    for source, target in sorted(links):
        if not (0 <= source < source_len and 0 <= target < target_len):
            raise InputError(
                f"expected links between {source_len} and {target_len} words, counted from 0, "
                f"got {source}-{target}"
            )


def _in_use(kind: str, sure: set[Link], possible: set[Link], found: set[Link]) -> bool:
    uses = {
        "sure": bool(sure),
        "possible": bool(possible - sure),
        "right": bool(found & possible) or (bool(found) and not possible),
        "wrong": bool(possible and found - possible),
    }
    return uses[kind]


def _kinds(link: Link, sure: set[Link], possible: set[Link], found: set[Link]) -> list[str]:
    kinds = ["sure"] if link in sure else ["possible"] if link in possible else []
    if link in found:
        kinds.append("right" if link in possible or not possible else "wrong")
    return kinds


def _grid(sheet: Canvas, left: float, top: float, cell: float, rows: int, columns: int) -> None:
    """Cells, with every fifth line stronger, to make it easier to follow rows and columns."""
    sheet.rect(left, top, cell * columns, cell * rows, fill="panel", kind="matrix")
    for index in range(rows + 1):
        y = top + index * cell
        sheet.line(left, y, left + cell * columns, y, stroke=_strength(index, rows), width=0.7)
    for index in range(columns + 1):
        x = left + index * cell
        sheet.line(x, top, x, top + cell * rows, stroke=_strength(index, columns), width=0.7)


def _strength(index: int, last: int) -> str:
    return "line" if index % 5 == 0 or index == last else "grid"


def _mark(sheet: Canvas, kind: str, x: float, y: float, cell: float, tip: str | None) -> None:
    """One mark in the cell whose top left corner is (x, y)."""
    inset, middle = cell * 0.12, cell / 2
    if kind == "sure":
        sheet.rect(
            x + inset,
            y + inset,
            cell - 2 * inset,
            cell - 2 * inset,
            fill="blue",
            radius=cell * 0.1,
            kind=kind,
            tip=tip,
        )
    elif kind == "possible":
        line = max(1.0, cell * 0.08)
        edge = inset + line / 2
        sheet.rect(
            x + edge,
            y + edge,
            cell - 2 * edge,
            cell - 2 * edge,
            fill="paper",
            stroke="blue",
            stroke_width=line,
            radius=cell * 0.1,
            kind=kind,
            tip=tip,
        )
    elif kind == "right":
        sheet.circle(
            x + middle,
            y + middle,
            cell * 0.2,
            fill="orange",
            stroke="paper",
            stroke_width=max(0.8, cell * 0.07),
            kind=kind,
            tip=tip,
        )
    else:
        arm = cell * 0.24
        points = [
            [(x + middle - arm, y + middle - arm), (x + middle + arm, y + middle + arm)],
            [(x + middle - arm, y + middle + arm), (x + middle + arm, y + middle - arm)],
        ]
        for number, stroke in enumerate(points):
            sheet.polyline(
                stroke,
                stroke="red",
                width=max(1.2, cell * 0.11),
                kind=kind if not number else "wrong-stroke",
                tip=tip,
            )


def _legend_lines(entries: Sequence[tuple[str, str]], width: float) -> list[list[tuple[str, str]]]:
    """The legend, broken into as many lines as the width needs."""
    lines: list[list[tuple[str, str]]] = []
    used = 0.0
    for entry in entries:
        need = 24 + text_width(entry[1], 12) + 16
        if not lines or used + need > width:
            lines.append([])
            used = 0.0
        lines[-1].append(entry)
        used += need
    return lines


def _draw_legend(sheet: Canvas, entries: Sequence[tuple[str, str]], x: float, y: float) -> None:
    for kind, label in entries:
        sheet.rect(x, y, 16, 16, fill="panel", stroke="grid", kind="legend")
        _mark(sheet, kind, x, y, 16, None)
        sheet.text(x + 22, y + 12.5, label, size=12, fill="muted")
        x += 24 + text_width(label, 12) + 16
