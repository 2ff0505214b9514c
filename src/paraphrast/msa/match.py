"""Which tokens may be aligned: the versions V1–V5 and the parameters of figures 3 and 4 (Shen and others 2006)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from paraphrast.errors import InputError

#: Relative positions are compared as whole numbers of this many parts, so that no rounding decides.
POSITION_PARTS = 10_000


@dataclass(frozen=True)
class MatchOptions:
    """Figure 4: when two equal words with equal tags match. The defaults are the paper's.

    exact, partial, none: the IOB score of equal chunk tags, of the same constituent at another position (B-PP and
        I-PP), and of all others.
    trace_weight: factor of the IOB score per element of the traces, which are compared from the end, without the first
        and the last element.
    length_discount: subtracted for every element by which one trace is longer.
    floor: minimum sum of both scores.
    position: maximum difference of relative positions (1-based position / length of the sentence). The paper's text
        says "larger than 0.4 … unmatched", its figure says the opposite for exactly 0.4. Here the text is followed:
        exactly 0.4 matches, unless ``inclusive`` is False.
    """

    exact: float = 1.0
    partial: float = 0.0
    none: float = -1.0
    trace_weight: float = 0.5
    length_discount: float = 0.5
    floor: float = 0.0
    position: float = 0.4
    inclusive: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.position <= 1:
            raise InputError(f"expected a position threshold from 0 to 1, got {self.position}")
        if not self.exact >= self.partial >= self.none:
            raise InputError(
                f"expected IOB scores with exact ≥ partial ≥ none, got "
                f"{self.exact}, {self.partial}, {self.none}"
            )
        if self.trace_weight < 0 or self.length_discount < 0:
            raise InputError("expected a trace weight and a length discount from 0")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MatchOptions:
        """The options whose :meth:`to_dict` gave ``values``; missing ones have their defaults."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise InputError(f"unknown match options {unknown}", remedy=f"known: {', '.join(sorted(known))}")
        try:
            numbers = {name: float(value) for name, value in values.items() if name != "inclusive"}
            return cls(**numbers, inclusive=bool(values.get("inclusive", True)))
        except (TypeError, ValueError) as error:
            raise InputError(f"expected numbers for match options: {error}") from error


@dataclass(frozen=True)
class AlignOptions:
    """Figure 3: the scores of a matching pair, a pair that does not match, and a gap.

    free_borders: leading gaps cost nothing, as in the paper; for Barzilay and Lee they cost as much as other gaps.
    """

    match: float = 2.0
    mismatch: float = -1.0
    gap: float = -1.0
    free_borders: bool = True


@dataclass(frozen=True)
class Version:
    """Which tokens never match, and whether syntax decides."""

    name: str
    syntactic: bool
    commas: bool
    stop_words: bool

    @property
    def without_syntax(self) -> Version:
        """The version with the same tokens that needs no parser."""
        return next(
            version
            for version in VERSIONS.values()
            if not version.syntactic
            and (version.commas, version.stop_words) == (self.commas, self.stop_words)
        )


VERSIONS = {
    version.name: version
    for version in (
        Version("V1", syntactic=False, commas=True, stop_words=True),
        Version("V2", syntactic=False, commas=False, stop_words=True),
        Version("V3", syntactic=False, commas=False, stop_words=False),
        Version("V4", syntactic=True, commas=False, stop_words=False),
        Version("V5", syntactic=True, commas=False, stop_words=True),
    )
}


def get_version(name: str) -> Version:
    """The version with a name, in any case."""
    version = VERSIONS.get(name.upper())
    if version is None:
        raise InputError(f"unknown version {name!r}", remedy=f"known: {', '.join(VERSIONS)}")
    return version
