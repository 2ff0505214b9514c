"""The options of a rewrite, and the thresholds that they mean for the decoder."""

from __future__ import annotations

import math
from dataclasses import dataclass

from paraphrast.decode.batch import MAX_WINDOW
from paraphrast.decode.weights import PRESETS
from paraphrast.errors import InputError


@dataclass(frozen=True)
class Control:
    """How to rewrite.

    n: maximum number of paraphrases.
    strength: 0 returns the input, 1 changes the most. It sets the probability of keeping a word (``identity``, the
        paper's u), the minimum probability of a substitution, and how much lower than the input a rewrite may score.
        The default prefers few edits that are likely right: fewer than n results, or none, rather than bad ones.
    identity: the probability u of keeping a word, instead of the one that strength implies.
    protect: phrases (all occurrences) or (start, end) character spans that no edit changes.
    avoid: words or phrases that no edit inserts.
    must_use: phrases that every result inserts.
    distinct: 0 to 1, minimum share of edits that two results do not have in common.
    max_edits: maximum number of edits per result; 0 for no limit.
    tables: names of the tables to use; empty for all.
    vetoes: names of the vetoes to apply; None for all.
    beam: hypotheses per position, with three times as many extensions tried; 0 for exact search.
    reorder: maximum number of words of two adjacent phrases that may swap; 0 keeps the order.
    explain: add to every result the values of the features of its score.
    precise: compare every substitute with the words it replaces by a sentence encoder; much slower, more often right.
        Needs a model with a substitution model.
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
            raise InputError("must_use: strength 0 makes no edit", remedy="set a strength above 0")

    @property
    def log_identity(self) -> float:
        """Natural log of u, the probability of keeping a word: u is 1 near strength 0, e⁻¹ at strength 1."""
        if self.identity is not None:
            return math.log(self.identity)
        return -(self.strength**3)

    @property
    def min_log_prob(self) -> float:
        """Minimum log-probability of a substitution: log .2 near strength 0, log .02 at .5, no minimum at 1."""
        if self.strength >= 1.0:
            return -math.inf
        return math.log(0.2) - self.strength * math.log(100.0)

    @property
    def min_log_odds(self) -> float:
        """Minimum log-odds of a substitution by the substitution model: p ≥ .9 near strength 0, .5 at .5, any at 1."""
        if self.strength >= 1.0:
            return -math.inf
        least = 0.9 - 0.8 * self.strength
        return math.log(least / (1.0 - least))

    @property
    def min_score(self) -> float:
        """Minimum score of a result, relative to the unchanged input: −3 · strength, no minimum at 1."""
        if self.strength >= 1.0:
            return -math.inf
        return -3.0 * self.strength


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_protection(value: object) -> bool:
    if isinstance(value, str):
        return True
    return isinstance(value, tuple) and len(value) == 2 and all(type(place) is int for place in value)


def _strings(name: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{name}: expected a list of texts, got {value!r}")
