"""The whole road, from bitext to model, at growing sizes: time of every stage, memory, and how they grow."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from common import COLUMNS, Context, apart, folder_megabytes, growth, usage

GROWING = ("lines", "minutes", "cpu_seconds", "peak_megabytes", "table_rows", "model_megabytes")
WARM_LINES = 200


class Stopwatch:
    """A progress that keeps the seconds of every stage, and the peak memory by its end."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.peaks: dict[str, float] = {}

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins."""

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""
        self.seconds[name] = seconds
        self.peaks[name] = usage()["peak_megabytes"]


def measure(context: Context) -> dict[str, Any]:
    """Figures of every size, each with its ratios to the size before."""
    if context.warm:
        apart(context, "road", "train_once", lines=min(WARM_LINES, context.sizes[0]), name="warm")
    sizes: list[dict[str, Any]] = []
    for lines in context.sizes:
        figures, used = apart(context, "road", "train_once", lines=lines, name=f"model-{lines}")
        figures = {"lines": lines, **figures, **used}
        figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
        sizes.append(figures)
    return {"pivots": list(COLUMNS[1:]), "threads": context.threads, "sizes": sizes}


def train_once(context: Context, lines: int, name: str) -> dict[str, Any]:
    """Train on the first ``lines`` lines into ``name`` of the work folder."""
    import paraphrast

    config = context.folder / f"{name}.toml"
    config.write_text(
        'language = "en"\n[[bitext]]\n'
        f"path = {json.dumps(str(context.corpus.resolve()))}\n"
        f"columns = {json.dumps(COLUMNS)}\nlines = [1, {lines}]\n",
        encoding="utf-8",
    )
    watch = Stopwatch()
    began = time.perf_counter()
    model = paraphrast.train(config, context.folder / name, threads=context.threads, progress=watch)
    seconds = time.perf_counter() - began
    return {
        "minutes": seconds / 60,
        "stage_seconds": watch.seconds,
        "peak_megabytes_by_stage_end": watch.peaks,
        "table_rows": table_rows(model),
        "model_megabytes": folder_megabytes(model),
    }


def table_rows(model: Path) -> int:
    """Rows of all tables of a model, as its manifest has them."""
    manifest = json.loads((model / "manifest.json").read_text(encoding="utf-8"))
    return sum(table["rows"] for table in manifest["tables"].values())
