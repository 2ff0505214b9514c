"""Progress of long work on standard error: one line per stage, and a bar on a terminal."""

from __future__ import annotations

import sys
import time

from paraphrast._progress import Tally

__all__ = ["StageProgress", "Steps", "Tally"]


class StageProgress:
    """Prints ``=== 3/7 extract …`` and, on a terminal, a bar with the rate and the time left."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._live = self._stream.isatty()
        self._began = time.monotonic()
        self._shown = 0.0

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        """A stage begins, or its result of an earlier run is reused."""
        self._began = time.monotonic()
        self._clear()
        print(
            f"=== {number}/{total} {name}: {title}{' (reused)' if reused else ' …'}",
            file=self._stream,
        )

    def step(self, done: float, total: float, unit: str) -> None:
        """Work within the stage."""
        now = time.monotonic()
        if not self._live or now - self._shown < 0.2:
            return
        self._shown = now
        seconds = now - self._began
        share = done / total if total else 0.0
        left = f", {seconds / share - seconds:.0f} s left" if share > 0.02 else ""
        bar = "█" * int(share * 24) + "·" * (24 - int(share * 24))
        rate = f" {done / seconds:,.0f}/s" if seconds > 1 and done > 100 else ""
        self._stream.write(f"\r    {bar} {done:,.0f}/{total:,.0f} {unit}{rate}{left}   ")
        self._stream.flush()

    def ended(self, name: str, seconds: float, note: str) -> None:
        """A stage ended."""
        self._clear()
        print(f"    {note} [{seconds:.1f} s]", file=self._stream)

    def _clear(self) -> None:
        if self._live:
            self._stream.write("\r\x1b[K")


class Steps:
    """A bar for the steps of named stages; only on a terminal, and removed at the end."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._began = time.monotonic()

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")

    def reached(self, stage: str, done: int, total: int) -> None:
        """Step ``done`` of ``total`` has ended; may be called from any thread."""
        if not self._live:
            return
        full = 24 * done // max(total, 1)
        bar = "█" * full + "·" * (24 - full)
        sys.stderr.write(f"\r\x1b[K{bar} {stage} {done}/{total}, {time.monotonic() - self._began:.0f} s ")
        sys.stderr.flush()
