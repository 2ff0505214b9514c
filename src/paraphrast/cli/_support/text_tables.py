"""Text tables: aligned columns, figures with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraphrast.evaluate import Interval


def aligned(rows: list[list[str]], *, left: int = 1) -> list[str]:
    """Columns side by side, the first ``left`` to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def with_ends(value: float | None, interval: Interval | None, scale: float = 100, digits: int = 2) -> str:
    """A figure and its interval; a dash where there is none."""
    if value is None or value != value:
        return "–"
    ends = f" [{scale * interval.low:.{digits}f}, {scale * interval.high:.{digits}f}]" if interval else ""
    return f"{scale * value:.{digits}f}{ends}"
