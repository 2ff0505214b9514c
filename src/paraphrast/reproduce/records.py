"""What passes between the papers' modules and the runner: printed items, figures that were made, the job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

#: A value, ``[value, low, high]`` with its interval, a text, or nothing.
Cell = str | int | float | list[float] | None
Rows = tuple[tuple[Cell, ...], ...]
Value = TypeVar("Value")


class NotMadeError(Exception):
    """An item cannot be made in this run; the message says what is missing. Not an error of the whole run."""


@dataclass(frozen=True)
class Printed:
    """A table or figure as a paper prints it, and what a reader must know to compare ours with it.

    id: ``table-1``, ``figure-2``, or a word for figures of the running text. header, rows: the paper's numbers.
    needs: files below the data folder for a full run. minutes: of a full run. differs: from the paper's setting.
    verdict, why: of the full run. digits: decimals of numbers. label: name of an item without a number.
    headline: the rows of the paper and of ours that an overview shows; ``last``, or ``first 2`` for ours by place.
    """

    id: str
    title: str
    header: tuple[str, ...] = ("",)
    rows: Rows = ()
    needs: tuple[str, ...] = ()
    minutes: float = 0.1
    differs: str = ""
    verdict: str = ""
    why: str = ""
    digits: int = 2
    label: str = "In the text"
    headline: tuple[str, ...] = ("", "")

    @property
    def name(self) -> str:
        """``table-1`` → ``Table 1``."""
        kind, _, number = self.id.partition("-")
        return f"{kind.capitalize()} {number}" if number.isdigit() else self.label


@dataclass(frozen=True)
class Paper:
    """A paper: its short name, citation, and all its items in order."""

    name: str
    citation: str
    items: tuple[Printed, ...]


@dataclass(frozen=True)
class Made:
    """Our figures for one item. pictures: name → SVG. files: name → text, such as samples to label."""

    header: tuple[str, ...] = ("",)
    rows: Rows = ()
    data: str = ""
    notes: tuple[str, ...] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Job:
    """One run: with data written for it (``small``) or with a data folder.

    kept: what several items use, such as a loaded model.
    """

    small: bool
    data: Path | None = None
    threads: int = 1
    kept: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], Value]) -> Value:
        """The value of ``make``, computed once per run."""
        if name not in self.kept:
            self.kept[name] = make()
        value: Value = self.kept[name]
        return value

    def file(self, name: str) -> Path:
        """A file of the data folder."""
        if self.data is None:
            raise NotMadeError(f"needs {name}: name the folder that has it with --data")
        path = self.data / name
        if not path.exists():
            raise NotMadeError(f"needs {name}, which is not in {self.data}")
        return path

    def files(self, pattern: str) -> list[Path]:
        """The files of the data folder whose names fit, sorted; at least one."""
        if self.data is None:
            raise NotMadeError(f"needs {pattern}: name the folder that has it with --data")
        paths = sorted(self.data.glob(pattern))
        if not paths:
            raise NotMadeError(f"needs {pattern}, which is not in {self.data}")
        return paths


Maker = Callable[[Job], Made]
