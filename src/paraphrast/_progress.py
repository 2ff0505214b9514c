"""A counter or a bar on standard error for work on many items."""

from __future__ import annotations

import sys
import time

_WIDTH = 24


class Tally:
    """A counter with its rate; a bar and the time left, if the total is known. Removed at the end.

    shown: whether to show it; None shows it only on a terminal.
    """

    def __init__(self, unit: str, *, shown: bool | None = None) -> None:
        self._unit = unit
        self._live = sys.stderr.isatty() if shown is None else shown
        self._began = self._last = time.monotonic()
        self._first: int | None = None

    def __enter__(self) -> Tally:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def reached(self, done: int, total: int | None = None) -> None:
        """Update the counter, at most five times per second."""
        now = time.monotonic()
        if self._first is None:
            self._first = done - 1  # items of an earlier run do not count for the rate
        if not self._live or now - self._last < 0.2:
            return
        self._last = now
        rate = (done - self._first) / max(now - self._began, 1e-9)
        text = f"{done:,} {self._unit}, {rate:,.0f}/s "
        if total:
            full = min(_WIDTH, _WIDTH * done // total)
            left = _time((total - done) / rate) if rate > 0 else "?"
            text = f"{'█' * full}{'·' * (_WIDTH - full)} {done:,}/{total:,} {self._unit}, {rate:,.0f}/s, {left} left "
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _time(seconds: float) -> str:
    minutes = int(max(seconds, 0.0)) // 60
    if minutes < 2:
        return f"{max(seconds, 0.0):.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
