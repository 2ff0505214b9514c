"""What ratings of rewritten sentences say of single phrases and pairs, beyond what their features say.

A logistic model with one random intercept per source phrase, per substitute and per pair (a crossed-effects model, as
in Baayen et al. 2008), fitted to ratings by ``bench/fast_acceptability.py``. The sum of the three is a feature of the
pair: above 0, raters accept it more often than its other features suggest; 0 if nobody rated either phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError
from paraphrast.formats.files import atomic_write

#: The language whose rewrites were rated.
RATED_LANGUAGE = "en"
RATED_FILE = Path(__file__).with_name("rated.tsv")
#: Stands for any phrase in a row of :data:`RATED_FILE`.
ANY = "*"


@dataclass(frozen=True)
class RatedPhrases:
    """Intercepts in log-odds by (source phrase, substitute); :data:`ANY` instead of one of them is an effect of the
    other alone. Phrases are lower-case words separated by spaces."""

    effects: Mapping[tuple[str, str], float]

    def of(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float32]:
        """float32[pairs]: the sum of the effects of each pair."""
        effects = self.effects
        return np.array(
            [
                effects.get((source, ANY), 0.0)
                + effects.get((ANY, target), 0.0)
                + effects.get((source, target), 0.0)
                for source, target in zip(map(str.lower, sources), map(str.lower, targets), strict=True)
            ],
            dtype=np.float32,
        )

    def save(self, path: Path) -> None:
        """Write one effect per line: source, substitute, value."""
        with atomic_write(path) as writer:
            writer.writelines(
                f"{one}\t{two}\t{value:.2f}\n" for (one, two), value in sorted(self.effects.items())
            )

    @classmethod
    def from_lines(cls, lines: Iterable[str], where: Path | None = None) -> RatedPhrases:
        """Read what :meth:`save` wrote."""
        effects: dict[tuple[str, str], float] = {}
        for number, line in enumerate(lines, 1):
            try:
                source, target, value = line.rstrip("\n").split("\t")
                effects[source, target] = float(value)
            except ValueError as error:
                raise FormatError(
                    f"line {number}: expected source, substitute and a number, separated by tabs, got {line[:60]!r}",
                    where=where,
                ) from error
        return cls(effects)


@cache
def rated_phrases() -> RatedPhrases:
    """The effects that ship with the package."""
    return RatedPhrases.from_lines(RATED_FILE.read_text(encoding="utf-8").splitlines(), RATED_FILE)
