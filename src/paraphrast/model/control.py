"""The options of a rewrite, and the thresholds that they mean for the decoder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from paraphrast._options import check, option
from paraphrast.decode.options import MAX_WINDOW, PRESETS
from paraphrast.errors import InputError


class ControlOptions(TypedDict, total=False):
    """The fields of :class:`Control` as keyword arguments, so that editors complete them."""

    n: int
    strength: float
    sure: float
    identity: float | None
    protect: Sequence[str | tuple[int, int]]
    avoid: Sequence[str]
    must_use: Sequence[str]
    distinct: float
    max_edits: int
    tables: Sequence[str]
    vetoes: Sequence[str] | None
    beam: int
    reorder: int
    sample: bool
    seed: int
    explain: bool
    precise: bool
    preset: str | None


@dataclass(frozen=True)
class Control:
    """How to rewrite a text.

    strength: how much to change. Up to .5, at least one word; above, at least a share of the words: 40 % at 1.
        Results are ranked by their probability of being acceptable, plus at most .36 for a larger change. In a model
        without a substitution model the strength sets thresholds instead: the probability of keeping a word
        (``identity``, the paper's u), the least probability of a substitution, and how much worse than the input a
        rewrite may score.
    sure: results with a lower probability are left out.
    protect: phrases (every occurrence) or (start, end) character spans that no edit touches.
    beam: hypotheses per position, with three times as many extensions tried.
    preset: "quirk" is p(source | target) times the language model, all weights 1; "uniform" is p(target | source)
        instead.
    """

    n: int = option(
        10, help="Maximum number of paraphrases per text.", minimum=1, maximum=10_000, flags=("-n",)
    )
    strength: float = option(
        0.5,
        help="How much to change: 0 returns the input, 0.5 changes a word or more, 1 changes 40 % of the words.",
        minimum=0,
        maximum=1,
    )
    sure: float = option(
        0.0,
        help="Hide paraphrases whose probability of being acceptable is below this.",
        minimum=0,
        maximum=1,
    )
    identity: float | None = option(
        None,
        help="Probability of keeping a word (u). By default it follows from the strength.",
        above=0,
        maximum=1,
    )
    protect: tuple[str | tuple[int, int], ...] = option(
        (), help="A phrase that no edit may change. Repeatable.", cli=False
    )
    avoid: tuple[str, ...] = option((), help="A phrase that no edit may insert. Repeatable.")
    must_use: tuple[str, ...] = option((), help="A phrase that every paraphrase must insert. Repeatable.")
    distinct: float = option(
        0.0,
        help="How different the paraphrases of a text must be, from 0 to 1: the share of edits that differ.",
        minimum=0,
        maximum=1,
    )
    max_edits: int = option(
        0, help="Maximum number of edits per paraphrase. 0 means no limit.", minimum=0, maximum=1000
    )
    tables: tuple[str, ...] = option((), help="Use only this table. Repeatable.", flags=("--table",))
    vetoes: tuple[str, ...] | None = option(
        None,
        help="Apply only this veto: number, name, negation, antonym, inflection, agreement, or none. Repeatable. "
        "By default all vetoes apply.",
        flags=("--veto",),
    )
    beam: int = option(
        32,
        help="Number of hypotheses per position. 0 searches exactly.",
        minimum=0,
        maximum=100_000,
    )
    reorder: int = option(
        0,
        help="Maximum number of words of two adjacent phrases that may change places. 0 keeps the order.",
        minimum=0,
        maximum=MAX_WINDOW,
    )
    sample: bool = option(
        False, help="Draw paraphrases at random by their scores, instead of listing the best ones."
    )
    seed: int = option(0, help="Random seed for --sample.", minimum=0)
    explain: bool = option(False, help="Show the feature values of each score.")
    precise: bool = option(
        False,
        help="Also make candidates by translating to French and back, and score all with neural models: more accurate, "
        "but hundreds of times slower. Requires paraphrast[precise] and its data.",
    )
    preset: str | None = option(None, help="Use these weights instead of the model's.", choices=PRESETS)

    def __post_init__(self) -> None:
        check(self)
        if self.strength == 0 and self.must_use:
            raise InputError(
                "must_use: expected a strength above 0, got 0, which makes no edit",
                remedy="raise the strength",
            )

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

    def least_changed(self, words: int) -> int:
        """Minimum number of changed words in a text of ``words`` words: 1, and above strength .5 up to 40 %."""
        return max(1, int(words * 0.8 * (self.strength - 0.5)))

    def most_changed(self, words: int) -> int:
        """Maximum number of changed words: below strength .5 a share of them, at least one; otherwise all."""
        return words if self.strength >= 0.5 else max(1, int(words * 0.8 * self.strength))

    @property
    def rewards(self) -> tuple[float, ...]:
        """The reward per changed word in each search, in nats. Several searches find rewrites of several sizes.

        Up to strength .5, none, and what a word is worth in the ranking (``model/change.py``); −log u if ``identity``
        is set (Quirk et al. 2004, §3.4).
        """
        if self.identity is not None:
            return (-math.log(self.identity),)
        if self.strength <= 0.5:
            return (0.0, 0.12 * self.strength)
        reward = 4.6 * (self.strength - 0.5)
        return (reward, reward / 2, reward / 4)

    @property
    def min_score(self) -> float:
        """Minimum score of a result, relative to the unchanged input: −3 · strength, no minimum at 1."""
        if self.strength >= 1.0:
            return -math.inf
        return -3.0 * self.strength
