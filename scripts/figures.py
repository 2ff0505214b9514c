"""Measured figures: docs/figures/NAME.json → tables between markers of pages, and pictures (`make docs`).

A file has a title, the page and the command that the figures come from, the machine, and tables. A table has a caption,
columns and rows; formats says how numbers of a column are written, and chart which column, and which
rows, a picture shows as bars.
`<!-- figures NAME -->` … `<!-- end -->` on a page holds all of a file, `<!-- figures NAME 0 -->` its first table alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
#: Pages with markers.
MARKED = ("benchmarks.md", "models.md", "examples.md", "references.md", "scale.md")
_BLOCK = re.compile(r"(<!-- figures ([\w-]+)(?: (\d+))? -->\n).*?(<!-- end -->)", re.DOTALL)


def bench(name: str) -> dict[str, Any]:
    """The figures of one file."""
    found: dict[str, Any] = json.loads((DOCS / "figures" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def marked_page(name: str) -> str:
    """A page with its figures written anew."""
    text = (DOCS / name).read_text(encoding="utf-8")

    def replace(match: re.Match[str]) -> str:
        begin, figures, number, end = match.groups()
        content = bench(figures)
        body = whole(content) if number is None else table(content["tables"][int(number)])
        return f"{begin}{body}\n{end}"

    return _BLOCK.sub(replace, text)


def whole(content: dict[str, Any]) -> str:
    """Everything of a file: tables with captions and pictures, then where the figures come from."""
    parts = []
    for entry in content["tables"]:
        parts.append(entry["caption"])
        if "chart" in entry:
            chart = entry["chart"]
            parts.append(f"![{chart['title']}](images/{chart['file']})")
        parts.append(table(entry))
    if "note" in content:
        parts.append(content["note"])
    page = content["page"].partition("#")[0]
    parts.append(
        f"*Command:* `{content['command']}`. *Machine:* {content['machine']}. *Details:* [{page}]({content['page']})."
    )
    return "\n\n".join(parts)


def table(entry: dict[str, Any]) -> str:
    """A table as Markdown."""
    columns = entry["columns"]
    formats = entry.get("formats", ["text"] * len(columns))
    rows = [[written(cell, how) for cell, how in zip(row, formats, strict=True)] for row in entry["rows"]]
    rules = ["---" if how == "text" else "---:" for how in formats]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, rules, *rows))


def written(cell: Any, how: str) -> str:
    """A cell as text. A list of three numbers is a value with its interval."""
    if cell is None:
        return ""
    if isinstance(cell, list):
        value, low, high = cell
        return f"{written(value, how)} ({written(low, how + '2')} to {written(high, how + '2')})"
    if isinstance(cell, str):
        return cell
    if how == "integer":
        return f"{cell:,}"
    if how.startswith("share"):
        digits = int(how.removeprefix("share")[:1] or 3)
        return f"{cell:.{digits}f}".removeprefix("0")
    return f"{cell:.1f}"


def picture(content: dict[str, Any], number: int) -> str:
    """Bars of one column of a table, with intervals where there are some."""
    from paraphrast.draw.plot import Axis, Plot, Series, draw_plot

    entry = content["tables"][number]
    chart = entry["chart"]
    rows = [entry["rows"][row] for row in chart.get("rows", range(len(entry["rows"])))]
    cells = [row[chart["value"]] for row in rows]
    bounds = [cell if isinstance(cell, list) else [cell] * 3 for cell in cells]
    values, low, high = ([_number(bound[side]) for bound in bounds] for side in range(3))
    names = [re.sub(r"[`*]", "", row[chart["label"]]) for row in rows]
    has_intervals = any(isinstance(cell, list) for cell in cells)
    series = Series(
        list(range(len(values))),
        values,
        kind="bars",
        low=low if has_intervals else None,
        high=high if has_intervals else None,
    )
    columns = [re.sub(r"[`*]", "", entry["columns"][chart[key]]) for key in ("label", "value")]
    plot = Plot([series], Axis(columns[0], names=names), Axis(columns[1]), chart["title"])
    return draw_plot(plot, width=720, height=320).to_svg()


def _number(cell: Any) -> float:
    return float(re.sub(r"[*,]", "", cell)) if isinstance(cell, str) else float(cell)


def _pictures() -> dict[str, Callable[[], str]]:
    found: dict[str, Callable[[], str]] = {}
    for path in sorted((DOCS / "figures").glob("*.json")):
        content = bench(path.stem)
        for number, entry in enumerate(content["tables"]):
            if "chart" in entry:
                found[f"images/{entry['chart']['file']}"] = partial(picture, content, number)
    return found


PAGES: dict[str, Callable[[], str]] = {**{name: partial(marked_page, name) for name in MARKED}, **_pictures()}
