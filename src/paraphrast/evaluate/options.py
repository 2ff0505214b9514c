"""Options of evaluations: bootstrap intervals, pairs to label."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option
from paraphrast.errors import InputError

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """How confidence intervals are computed."""

    samples: int = option(
        1000, help="Number of bootstrap samples. 0 computes no intervals.", minimum=0, maximum=MOST_SAMPLES
    )
    seed: int = option(12345, help="Random seed for sampling.", minimum=0)
    level: float = option(0.95, help="Confidence level of the intervals.", above=0, below=1, cli=False)

    def __post_init__(self) -> None:
        check(self)

    def fields(self) -> list[tuple[str, object]]:
        """The fields of a signature."""
        if not self.samples:
            return [("bootstrap", "none")]
        return [
            ("bootstrap", "percentile"),
            ("samples", self.samples),
            ("seed", self.seed),
            ("level", self.level),
        ]


@dataclass(frozen=True)
class BlankOptions:
    """Which phrase pairs are written for labelling."""

    phrases: int = option(
        50, help="Number of phrases of each length to sample for --blank.", minimum=1, name="size"
    )
    lengths: tuple[int, ...] = option((1, 2, 3), help="Lengths of the phrases, in words.", cli=False)
    top: int = option(10, help="Number of paraphrases per phrase and table.", minimum=1, cli=False)
    least: int = option(
        1, help="Sample only phrases that have at least this many paraphrases in every table.", minimum=1
    )
    seed: int = option(12345, help="Random seed for sampling.", minimum=0)

    def __post_init__(self) -> None:
        check(self)
        if not self.lengths or min(self.lengths) < 1:
            raise InputError(f"lengths: expected whole numbers from 1, got {self.lengths!r}")
