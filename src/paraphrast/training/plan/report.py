"""A plan as text."""

from __future__ import annotations

from paraphrast.training.plan.estimate import Plan

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_COLUMNS = ("stage", "shards", "rows", "shuffle", "disk", "this process", "a worker", "core-hours", "hours")


def plan_text(plan: Plan) -> str:
    """A table with one line per stage, the totals, and what the estimate rests on."""
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for stage in plan.stages:
        if stage.seconds is None or stage.core_seconds is None:
            rows.append((stage.name, *[""] * (len(_COLUMNS) - 2), "unknown"))
            continue
        rows.append(
            (
                stage.name,
                f"{stage.shards:,}",
                _number(stage.rows or 0.0),
                *map(_bytes, (stage.shuffle_bytes, stage.disk_bytes, stage.driver_bytes, stage.worker_bytes)),
                _hours(stage.core_seconds / 3600),
                _hours(stage.seconds / 3600),
            )
        )
    rows.append(
        (
            "total",
            "",
            "",
            _bytes(sum(stage.shuffle_bytes or 0.0 for stage in plan.stages)),
            _bytes(sum(stage.disk_bytes or 0.0 for stage in plan.stages)),
            _bytes(max((stage.driver_bytes or 0.0 for stage in plan.stages), default=0.0)),
            _bytes(max((stage.worker_bytes or 0.0 for stage in plan.stages), default=0.0)),
            _hours(plan.core_hours),
            _hours(plan.hours),
        )
    )
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    about = "" if plan.counted else "about "
    sizes = " and ".join(f"{size:,}" for size in plan.measured_pairs)
    return "\n".join(
        [
            f"{about}{plan.pairs:,.0f} sentence pairs of {plan.words:.1f} words, {plan.engine}, {plan.cores:,} cores",
            *lines,
            f"Estimated from runs with {sizes} pairs. Memory is the peak of one process.",
            *([f"Not estimated: {', '.join(plan.unknown)}."] if plan.unknown else []),
        ]
    )


def _bytes(value: float | None) -> str:
    if not value:
        return "–"
    power = 0
    while value >= 999.5 and power < len(_UNITS) - 1:
        value, power = value / 1000, power + 1
    return f"{value:.2g} {_UNITS[power]}" if value < 99.5 else f"{value:.0f} {_UNITS[power]}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value < 1e7 else f"{value:.2g}"


def _hours(value: float) -> str:
    return f"{value:.2g}" if value < 99.5 else f"{value:,.0f}"
