"""Results as Markdown: the paper's numbers beside ours, in the paper's own form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paraphrast.errors import FormatError
from paraphrast.reproduce.records import Cell, Paper, Printed

#: What a page has before and after the part that is made from JSON.
BEGIN = (
    "<!-- Made from JSON by scripts/docs.py (`make docs`). Change the JSON or the code, not this part. -->"
)
END = "<!-- End of what is made from JSON. -->"
#: How an item was made → what a reader is told.
RUNS = {
    "small": "a small run on data written for it: it shows that the code works, and says nothing about quality",
    "full": "a full run",
    "carried": "carried over from an earlier measurement",
}


def cell_text(cell: Cell, digits: int) -> str:
    """A number with its digits, its interval in parentheses, or a text; a dash for nothing."""
    if cell is None or cell == "":
        return "–" if cell is None else ""
    if isinstance(cell, list):
        value, low, high = (cell_text(float(number), digits) for number in cell)
        return f"{value} ({low} to {high})"
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.{digits}f}".replace("-", "−")
    return str(cell).replace("|", "\\|")


def table_lines(header: Sequence[str], rows: Iterable[Sequence[Cell]], digits: int) -> list[str]:
    """A table; short rows are filled."""
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    for row in rows:
        cells = [cell_text(cell, digits) for cell in row] + ["–"] * (len(header) - len(row))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def joined(item: Printed, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """The paper's table and ours: side by side if they have rows in common, else one after the other."""
    ours = {str(row[0]): list(row[1:]) for row in rows}
    if not item.rows:
        return [table_lines(header, rows, item.digits)] if rows else []
    if not rows:
        return [table_lines(item.header, item.rows, item.digits)]
    labels = [str(row[0]) for row in item.rows]
    if len(set(labels)) < len(labels) or not set(labels) & set(ours):
        return [
            table_lines((f"paper: {item.header[0]}".strip(": "), *item.header[1:]), item.rows, item.digits),
            table_lines((f"ours: {header[0]}".strip(": "), *header[1:]), rows, item.digits),
        ]
    width = len(header) - 1
    both: list[list[Cell]] = [[*row, *ours.get(str(row[0]), [None] * width)] for row in item.rows]
    both += [
        [row[0], *[None] * (len(item.header) - 1), *row[1:]] for row in rows if str(row[0]) not in labels
    ]
    return [table_lines((*item.header, *header[1:]), both, item.digits)]


def item_lines(item: Printed, record: Mapping[str, Any] | None, pictures: str) -> list[str]:
    """One table or figure, with what is needed to read it. pictures: folder of the pictures, as links have it."""
    lines = [f"### {item.name}: {item.title}", ""]
    if record is None:
        for table in joined(item, (), ()):
            lines += [*table, ""]
        return [*lines, "- **Ours**: not made yet.", *_verdict(item), ""]
    for table in joined(item, record["header"], record["rows"]):
        lines += [*table, ""]
    for name in record.get("pictures", ()):
        lines += [f"![{item.title}]({pictures}{name})", ""]
    lines += [f"- {note}" for note in record.get("notes", ())]
    if record.get("data"):
        lines.append(f"- **Data**: {record['data']}")
    if item.differs and record["run"] != "small":
        lines.append(f"- **Differs from the paper**: {item.differs}")
    lines.append(f"- **Measured by**: {record['measured_by']}")
    lines.append(f"- **Cost**: {cost(record)}")
    if record["run"] != "full":
        lines.append(f"- **Run**: {RUNS[record['run']]}")
    return [*lines, *(_verdict(item) if record["run"] != "small" else []), ""]


def _verdict(item: Printed) -> list[str]:
    return [f"- **Verdict**: {item.verdict}. {item.why}".rstrip()] if item.verdict else []


def cost(record: Mapping[str, Any]) -> str:
    """CPU seconds and memory, as far as they are known."""
    seconds, megabytes = record.get("cpu_seconds"), record.get("peak_megabytes")
    if seconds is None:
        return "not recorded; see the page named above"
    time = f"{seconds:.1f} CPU seconds" if seconds < 120 else f"{seconds / 60:.1f} CPU minutes"
    return time + (f", peak memory of the process {megabytes:,} MB" if megabytes else "")


def overview(paper: Paper, records: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """One line per item: a row of the paper, the same of ours, how ours was made, the verdict."""
    rows: list[tuple[Cell, ...]] = []
    for item in paper.items:
        record = records.get(item.id)
        ours = "" if record is None else _headline(record["rows"], item.headline[1], item.digits)
        run = "not made" if record is None else record["run"]
        printed = _headline(item.rows, item.headline[0], item.digits)
        rows.append((f"{item.name}: {item.title}", printed or None, ours or None, run, item.verdict or None))
    return table_lines(("item", "paper", "ours", "run", "verdict"), rows, 2)


def _headline(rows: Sequence[Sequence[Cell]], label: str, digits: int) -> str:
    """``label: cells`` of one row; nothing if there is no such row."""
    if not rows or not label:
        return ""
    by_place = re.fullmatch(r"first (\d+)", label)
    if by_place or label == "last":
        row: Sequence[Cell] | None = rows[int(by_place[1]) - 1 if by_place else -1]
    else:
        row = next((one for one in rows if str(one[0]) == label), None)
    if row is None:
        return ""
    cells = [cell_text(cell[0] if isinstance(cell, list) else cell, digits) for cell in row[1:]]
    return f"{row[0]}: {'; '.join(cells)}"


def paper_lines(paper: Paper, records: Mapping[str, Mapping[str, Any]], pictures: str = "") -> list[str]:
    """All items of a paper."""
    lines = [*overview(paper, records), ""]
    for item in paper.items:
        lines += item_lines(item, records.get(item.id), pictures)
    return lines[:-1]


def filled_page(page: str, lines: Sequence[str], where: str) -> str:
    """A page with new lines between its two marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise FormatError(f"expected the lines {BEGIN} and {END}", where=where, remedy="add both to the page")
    return "\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"])
