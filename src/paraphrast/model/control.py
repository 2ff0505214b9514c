"""What a person may ask of a rewrite, and what it means to the decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass

from paraphrast.decode.batch import MAX_WINDOW
from paraphrast.decode.weights import PRESETS
from paraphrast.errors import InputError


@dataclass(frozen=True)
class Control:
    """How to rewrite.

    n: how many paraphrases at most.
    strength: 0 returns the input, 1 rewrites most. It sets the probability of keeping a word (``identity``,
        the paper's u), the least probability of a substitution, and how much worse than the input a rewrite
        may score. The default prefers few sure edits: fewer than n results, or none, rather than bad ones.
    identity: the probability u of keeping a word, instead of the one that strength implies.
    protect: phrases (every occurrence) or (start, end) character spans that no edit touches.
    avoid: words or phrases that no edit inserts.
    must_use: phrases that some edit of every result inserts.
    distinct: 0 to 1, how much results must differ: the least share of edits not in common.
    max_edits: most edits in a result; 0 is no limit.
    tables: names of the tables to use; empty is all.
    vetoes: names of the vetoes that hold; None is all of them.
    beam: hypotheses kept a position, with three times as many extensions tried; 0 searches exactly.
    reorder: how many words two adjacent phrases may have together to change places; 0 keeps the order.
    explain: give every result the values of the features its score is made of.
    precise: read every sentence with each substitute by a sentence encoder; slower by far, right more often. For models
        with a model of substitutions.
    preset: weights by name instead of the model's: "quirk" (p(source | target) times the language model, all
        weights 1) or "uniform" (p(target | source) instead).
    """

    n: int = 10
    strength: float = 0.5
    identity: float | None = None
    protect: tuple[str | tuple[int, int], ...] = ()
    avoid: tuple[str, ...] = ()
    must_use: tuple[str, ...] = ()
    distinct: float = 0.0
    max_edits: int = 0
    tables: tuple[str, ...] = ()
    vetoes: tuple[str, ...] | None = None
    beam: int = 32
    reorder: int = 0
    explain: bool = False
    precise: bool = False
    preset: str | None = None

    def __post_init__(self) -> None:
        for name, least, most in (
            ("n", 1, 10_000),
            ("max_edits", 0, 1000),
            ("beam", 0, 100_000),
            ("reorder", 0, MAX_WINDOW),
        ):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise InputError(f"{name}: expected a whole number from {least} to {most}, got {value!r}")
        for name in ("explain", "precise"):
            if type(getattr(self, name)) is not bool:
                raise InputError(f"{name}: expected true or false, got {getattr(self, name)!r}")
        for name in ("strength", "distinct"):
            value = getattr(self, name)
            if not _is_number(value) or not 0.0 <= value <= 1.0:
                raise InputError(f"{name}: expected a number from 0 to 1, got {value!r}")
        if self.identity is not None and not (_is_number(self.identity) and 0.0 < self.identity <= 1.0):
            raise InputError(f"identity: expected a probability above 0, up to 1, got {self.identity!r}")
        for name in ("avoid", "must_use", "tables"):
            _strings(name, getattr(self, name))
        if self.vetoes is not None:
            _strings("vetoes", self.vetoes)
        if not isinstance(self.protect, tuple) or not all(map(_is_protection, self.protect)):
            raise InputError(
                f"protect: expected a list of phrases or of (start, end) pairs, got {self.protect!r}"
            )
        if self.preset is not None and self.preset not in PRESETS:
            raise InputError(f"preset: unknown {self.preset!r}", remedy=f"known: {', '.join(PRESETS)}")
        if self.strength == 0 and self.must_use:
            raise InputError("must_use: strength 0 makes no edit", remedy="raise the strength")

    @property
    def log_identity(self) -> float:
        """Natural log of u, the probability of keeping a word: 1 near strength 0, e⁻¹ at strength 1."""
        if self.identity is not None:
            return math.log(self.identity)
        return -(self.strength**3)

    @property
    def min_log_prob(self) -> float:
        """Least log-probability of a substitution: log .2 near strength 0, .02 at one half, none at 1."""
        if self.strength >= 1.0:
            return -math.inf
        return math.log(0.2) - self.strength * math.log(100.0)

    @property
    def min_log_odds(self) -> float:
        """Least log-odds of a substitution by the substitution model: p ≥ .9 near strength 0, .5 at one half, any at
        1."""
        if self.strength >= 1.0:
            return -math.inf
        least = 0.9 - 0.8 * self.strength
        return math.log(least / (1.0 - least))

    @property
    def trust(self) -> float:
        """How much the substitution model's log-odds count beside the log-linear model's score."""
        return 1.0

    @property
    def min_score(self) -> float:
        """How far below the unchanged input a result may score: three times the strength, no limit at 1."""
        if self.strength >= 1.0:
            return -math.inf
        return -3.0 * self.strength


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_protection(wish: object) -> bool:
    if isinstance(wish, str):
        return True
    return isinstance(wish, tuple) and len(wish) == 2 and all(type(place) is int for place in wish)


def _strings(name: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{name}: expected a list of texts, got {value!r}")
