"""The errors of the package, with one root class.

A message says what was expected, what came, where, and what to do:
``InputError("expected two columns, got 1", where=At(path, 17), remedy="…")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class At:
    """A place in a file: path and, if known, the line from 1."""

    path: str | Path
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line is not None else str(self.path)


class ParaphrastError(Exception):
    """Root class of the package's errors. ``str()`` is the complete message for the user."""

    def __init__(
        self, message: str, *, where: At | str | Path | None = None, remedy: str | None = None
    ) -> None:
        self.message = message
        self.where = where
        self.remedy = remedy
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where is not None else ""
        remedy = f"\n  {self.remedy}" if self.remedy else ""
        return f"{place}{self.message}{remedy}"


class InputError(ParaphrastError):
    """An argument or the content of a file that cannot be used."""


class FormatError(InputError):
    """A file that does not follow its format."""


class DataError(ParaphrastError):
    """A named corpus or lexicon that is not available: unknown, offline, wrong hash, full disk."""


class ModelError(ParaphrastError):
    """A model folder that is missing, damaged, incomplete or of a newer format."""


class MissingExtra(ParaphrastError):
    """A feature whose optional dependency is not installed.

    extra: the extra of the installation that brings it; packages: what is missing, if that is known; data: names of
    data that the feature needs as well.
    """

    def __init__(
        self, feature: str, extra: str, packages: Sequence[str] = (), data: Sequence[str] = ()
    ) -> None:
        names = f": {', '.join(packages)}" if packages else ""
        needs = "optional dependencies that are" if len(packages) > 1 else "an optional dependency that is"
        super().__init__(
            f"{feature} needs {needs} not installed{names} (extra {extra!r})",
            remedy=f"pip install 'paraphrast[{extra}]'"
            + (f" && paraphrast data get {' '.join(data)}" if data else ""),
        )
        self.extra = extra


class ConvergenceWarning(UserWarning):
    """An iterative method stopped at its limit before it converged."""
