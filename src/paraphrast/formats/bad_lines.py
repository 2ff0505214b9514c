"""Malformed lines, handled the same by every reader: stop at the first, or skip them and record their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paraphrast.errors import At, FormatError

#: Remedy for a malformed line.
REMEDY = "correct the line, or skip malformed lines with --skip-bad"


@dataclass
class BadLines:
    """skip: whether malformed lines are skipped. places: the places of skipped lines."""

    skip: bool = False
    places: list[At] = field(default_factory=list)

    def add(self, problem: str, where: At, *, cause: Exception | None = None) -> None:
        """Report a malformed line: raise an error, or record it if lines are skipped."""
        if not self.skip:
            raise FormatError(problem, where=where, remedy=REMEDY) from cause
        self.places.append(where)


def skipped_note(places: Sequence[At]) -> str:
    """A sentence about skipped lines for the user; empty if there are none."""
    if not places:
        return ""
    lines = "line" if len(places) == 1 else "lines"
    return f"{len(places):,} malformed {lines} skipped, the first at {places[0]}"
