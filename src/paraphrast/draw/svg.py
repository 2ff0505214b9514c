"""A canvas that is written as SVG.

A :class:`Canvas` collects shapes and becomes a string. The same calls give the same bytes: there are no times, ids or
scripts, and only generic font families. Colours are names of a small palette. Each is written twice: as an attribute,
which every viewer understands, and as a class, which gives viewers in dark mode the dark colours.

``x`` runs to the right, ``y`` downwards, from the top left corner, in pixels. Text is placed by its baseline.

>>> sheet = Canvas(80, 30, title="A word")
>>> sheet.text(40, 20, "a < b", anchor="middle")
>>> print(sheet.to_svg().splitlines()[-2])
<text x="40" y="20" font-size="13" text-anchor="middle" fill="#1f2933" class="f-ink">a &lt; b</text>
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

from paraphrast.errors import InputError

#: name → (on light background, on dark background). Both contrast with ``paper``.
PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#161b22"),
    "panel": ("#f5f7fa", "#1f2630"),
    "grid": ("#e4e7eb", "#2c3541"),
    "line": ("#9aa5b1", "#66727f"),
    "muted": ("#52606d", "#a3afbc"),
    "ink": ("#1f2933", "#e6ebf1"),
    "blue": ("#1f5fa8", "#6aa9f0"),
    "orange": ("#c2570c", "#f0944a"),
    "green": ("#05603a", "#4cc08a"),
    "red": ("#b42318", "#f47067"),
    "purple": ("#6b3fa0", "#b794f0"),
    "teal": ("#0e7490", "#4fc3d9"),
}
#: Colours of series, in the order of use.
SERIES = ("blue", "orange", "green", "purple", "red", "teal")

SANS = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
MONO = "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace"

Point = tuple[float, float]

#: Characters that XML 1.0 cannot contain, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("ijltfrI.,;:'!|()[]{}`/\\ -\"")
_WIDE = frozenset("mwMWQOGD@%&—…→↔")


def escape(text: str) -> str:
    """Text as XML content or attribute value. Characters that XML cannot contain become U+FFFD."""
    text = _FORBIDDEN.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def number(value: float) -> str:
    """A coordinate with at most two decimals, and no sign on zero."""
    if not math.isfinite(value):
        raise InputError(f"expected a finite coordinate to draw at, got {value}")
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def text_width(text: str, size: float = 13, *, mono: bool = False, bold: bool = False) -> float:
    """About how wide a text will be, a little on the safe side: viewers bring their own fonts."""
    total = 0.0
    for char in text:
        total += _char_width(char, mono=mono)
    return total * size * (1.12 if bold and not mono else 1)


def _char_width(char: str, *, mono: bool) -> float:
    """About how wide a character is, as a share of the size of the text."""
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if mono:
        return 0.61
    if char in _NARROW:
        return 0.38
    if char in _WIDE:
        return 0.95
    return 0.72 if char.isupper() else 0.62


def fit(text: str, width: float, size: float = 13, *, mono: bool = False) -> str:
    """The text, or as much of its beginning as fits into ``width`` with an ellipsis."""
    ellipsis = _char_width("…", mono=mono)
    total, fits = 0.0, 0
    for place, char in enumerate(text, 1):  # a text may be very long: what does not fit is not measured
        total += _char_width(char, mono=mono)
        if total * size > width:
            return text[:fits] + "…"
        if (total + ellipsis) * size <= width:
            fits = place
    return text


class Canvas:
    """A sheet of ``width`` × ``height`` pixels with a title (read aloud by screen readers).

    Every shape takes ``kind``, a word that is kept as its class, so that tests count what was drawn and a web
    page can style it, and ``tip``, a text shown when the pointer rests on it. Colours are names of
    :data:`PALETTE`; ``None`` is no fill or no stroke.
    """

    def __init__(
        self, width: float, height: float, *, title: str, description: str = "", paper: str | None = "paper"
    ) -> None:
        self.width = width
        self.height = height
        self.title = title
        self.description = description
        self._shapes: list[str] = []
        self._used: set[str] = set()
        if paper is not None:
            self.rect(0, 0, width, height, fill=paper, stroke=None, kind="paper")

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = "panel",
        stroke: str | None = None,
        stroke_width: float = 1,
        radius: float = 0,
        dash: str | None = None,
        kind: str | None = None,
        tip: str | None = None,
    ) -> None:
        """A rectangle from its top left corner, with rounded corners of ``radius``."""
        place = {"x": x, "y": y, "width": width, "height": height} | ({"rx": radius} if radius else {})
        self._shape("rect", place, self._paint(fill, stroke, stroke_width, dash, kind), tip)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str | None = "ink",
        stroke: str | None = None,
        stroke_width: float = 1,
        kind: str | None = None,
        tip: str | None = None,
    ) -> None:
        """A circle around (x, y)."""
        place = {"cx": x, "cy": y, "r": radius}
        self._shape("circle", place, self._paint(fill, stroke, stroke_width, None, kind), tip)

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        stroke: str = "line",
        width: float = 1,
        dash: str | None = None,
        arrow: bool = False,
        kind: str | None = None,
        tip: str | None = None,
    ) -> None:
        """A straight line, with ``arrow`` with a head at its end."""
        place = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        self._shape("line", place, self._paint(None, stroke, width, dash, kind, hollow=False), tip)
        if arrow:
            self._head((x2 - x1, y2 - y1), (x2, y2), stroke, width)

    def polyline(
        self,
        points: Sequence[Point],
        *,
        stroke: str = "line",
        width: float = 1,
        dash: str | None = None,
        fill: str | None = None,
        close: bool = False,
        kind: str | None = None,
        tip: str | None = None,
    ) -> None:
        """Straight lines from point to point; a polygon with ``close``."""
        places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        paint = f'points="{places}" stroke-linejoin="round"' + self._paint(fill, stroke, width, dash, kind)
        self._shape("polygon" if close else "polyline", {}, paint, tip)

    def curve(
        self,
        start: Point,
        end: Point,
        bend: float = 0,
        *,
        stroke: str = "line",
        width: float = 1.2,
        dash: str | None = None,
        arrow: bool = True,
        kind: str | None = None,
        tip: str | None = None,
    ) -> Point:
        """An arc whose middle is ``bend`` pixels to the left of the straight line (above it, if it runs to the right).
        Returns its middle, as the place for a label."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dy) or 1.0
        # The middle of a quadratic curve is half way between the middle of the chord and the control point.
        control = (
            (start[0] + end[0]) / 2 + dy / length * 2 * bend,
            (start[1] + end[1]) / 2 - dx / length * 2 * bend,
        )
        way = " ".join(f"{number(x)} {number(y)}" for x, y in (control, end))
        paint = f'd="M{number(start[0])} {number(start[1])} Q{way}"'
        self._shape("path", {}, paint + self._paint(None, stroke, width, dash, kind), tip)
        if arrow:
            self._head((end[0] - control[0], end[1] - control[1]), end, stroke, width)
        return (
            (start[0] + end[0]) / 4 + control[0] / 2,
            (start[1] + end[1]) / 4 + control[1] / 2,
        )

    def text(
        self,
        x: float,
        y: float,
        content: str,
        *,
        size: float = 13,
        fill: str = "ink",
        anchor: str = "start",
        bold: bool = False,
        italic: bool = False,
        mono: bool = False,
        rotate: float = 0,
        halo: bool = False,
        kind: str | None = None,
        tip: str | None = None,
    ) -> None:
        """A line of text: ``anchor`` start, middle or end at (x, y); ``rotate`` degrees clockwise around it; ``halo``
        paints the background colour around the letters, for labels on lines."""
        paint = f'font-size="{number(size)}"'
        if anchor != "start":
            paint += f' text-anchor="{anchor}"'
        if bold:
            paint += ' font-weight="600"'
        if italic:
            paint += ' font-style="italic"'
        if mono:
            paint += f' font-family="{MONO}"'
        if rotate:
            paint += f' transform="rotate({number(rotate)} {number(x)} {number(y)})"'
        if content != content.strip() or "  " in content:
            paint += ' xml:space="preserve"'
        if halo:
            paint += ' paint-order="stroke" stroke-linejoin="round"'
            paint += self._paint(fill, "paper", 4, None, kind)
        else:
            paint += self._paint(fill, None, 0, None, kind)
        self._shape("text", {"x": x, "y": y}, paint, tip, content)

    def to_svg(self) -> str:
        """The whole file, with a line end at its end."""
        width, height = number(math.ceil(self.width)), number(math.ceil(self.height))
        about = f"<desc>{escape(self.description)}</desc>\n" if self.description else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="{SANS}">\n'
            f"<title>{escape(self.title)}</title>\n{about}{self._style()}"
            + "\n".join(self._shapes)
            + "\n</svg>\n"
        )

    def _head(self, direction: Point, tip: Point, colour: str, width: float) -> None:
        """The head of an arrow that ends at ``tip``."""
        length = math.hypot(*direction)
        if not length:
            return
        ux, uy = direction[0] / length, direction[1] / length
        size = 4 + 2 * width
        wings = [
            (tip[0] - size * ux - side * size * 0.45 * uy, tip[1] - size * uy + side * size * 0.45 * ux)
            for side in (1, -1)
        ]
        self.polyline([tip, *wings], stroke=colour, fill=colour, width=0.5, close=True, kind="head")

    def _paint(
        self,
        fill: str | None,
        stroke: str | None,
        width: float,
        dash: str | None,
        kind: str | None,
        *,
        hollow: bool = True,
    ) -> str:
        """Colour attributes. ``hollow`` means no fill (SVG's default is black)."""
        text = ""
        classes = [escape(kind)] if kind else []
        if fill is not None:
            text += f' fill="{self._colour(fill)}"'
            classes.append(f"f-{fill}")
        elif hollow:
            text += ' fill="none"'
        if stroke is not None:
            text += f' stroke="{self._colour(stroke)}" stroke-width="{number(width)}"'
            classes.append(f"s-{stroke}")
        if dash is not None:
            text += f' stroke-dasharray="{escape(dash)}"'
        return text + f' class="{" ".join(classes)}"'

    def _colour(self, name: str) -> str:
        if name not in PALETTE:
            raise InputError(f"unknown colour {name!r}", remedy=f"known: {', '.join(PALETTE)}")
        self._used.add(name)
        return PALETTE[name][0]

    def _shape(
        self, element: str, place: dict[str, float], paint: str, tip: str | None, content: str | None = None
    ) -> None:
        where = "".join(f' {name}="{number(value)}"' for name, value in place.items())
        inner = (escape(content) if content is not None else "") + (
            f"<title>{escape(tip)}</title>" if tip else ""
        )
        paint = paint if paint.startswith(" ") else f" {paint}"
        self._shapes.append(
            f"<{element}{where}{paint}>{inner}</{element}>" if inner else f"<{element}{where}{paint}/>"
        )

    def _style(self) -> str:
        rules = "".join(
            f".f-{name}{{fill:{PALETTE[name][1]}}}.s-{name}{{stroke:{PALETTE[name][1]}}}"
            for name in PALETTE
            if name in self._used
        )
        return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>\n" if rules else ""
