"""A question for raters with its possible answers, and the questions of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paraphrast.errors import InputError

_YES_NO = ((0, "no"), (1, "yes"))


@dataclass(frozen=True)
class Question:
    """One question about an item.

    answers: (value, meaning), ascending. graded: whether the distance between two values is meaningful. least: the
    smallest value that counts as accepted. only_if: (question, value) that must have been answered before.
    """

    name: str
    text: str
    answers: tuple[tuple[int, str], ...] = _YES_NO
    graded: bool = False
    least: int = 1
    only_if: tuple[str, int] | None = None

    @property
    def values(self) -> tuple[int, ...]:
        """The possible answers."""
        return tuple(value for value, _ in self.answers)

    def asked(self, said: Mapping[str, int]) -> bool:
        """Whether to ask it, given the earlier answers about the same item."""
        return self.only_if is None or said.get(self.only_if[0]) == self.only_if[1]


@dataclass(frozen=True)
class Template:
    """The questions about every item of a campaign.

    shown: labels of the two texts. instructions: what raters read before they begin.
    """

    name: str
    questions: tuple[Question, ...]
    shown: tuple[str, str] = ("input", "output")
    instructions: str = ""

    def question(self, name: str) -> Question:
        """A question by name."""
        for question in self.questions:
            if question.name == name:
                return question
        raise InputError(
            f"unknown question {name!r} for template {self.name!r}",
            remedy=f"known: {', '.join(question.name for question in self.questions)}",
        )
