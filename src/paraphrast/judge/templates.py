"""The questions for raters with their possible answers, by the name of a template.

Each is a scale from the literature: yes or no (Quirk et al. 2004, §4; Zhao et al. 2008, §6.2 with its three kinds of
error), grammaticality and fidelity from 1 to 4 (Shen et al. 2006), accuracy and fluency from 0 to 5 (Owczarzak et al.
2006), 0, 1 or 2 for a phrase (Martzoukos and Monz 2012, §4.2), and the four qualities of Quirk et al.'s table 3.
"""

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
    """The questions about every item of a campaign. ``shown``: labels of the two texts."""

    name: str
    questions: tuple[Question, ...]
    shown: tuple[str, str] = ("input", "output")

    def question(self, name: str) -> Question:
        """A question by name."""
        for question in self.questions:
            if question.name == name:
                return question
        raise InputError(
            f"unknown question {name!r} for template {self.name!r}",
            remedy=f"known: {', '.join(question.name for question in self.questions)}",
        )


def _scale(*labels: str, first: int) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(labels, first))


_ALL = (
    Template("paraphrase", (Question("paraphrase", "Is the output a paraphrase of the input?"),)),
    Template(
        "acceptable",
        (
            Question("acceptable", "Is the output understandable, and its meaning not evidently changed?"),
            Question(
                "error",
                "What is wrong with it?",
                _scale("syntactic", "semantic", "non-paraphrase", first=1),
                least=4,
                only_if=("acceptable", 0),
            ),
        ),
    ),
    Template(
        "grammar-fidelity",
        (
            Question(
                "grammaticality",
                "How grammatical is the output?",
                _scale("not at all", "mostly not", "mostly", "perfectly", first=1),
                graded=True,
                least=3,
            ),
            Question(
                "fidelity",
                "How faithful is it to what the input says?",
                _scale("nonsense", "with unfaithful pieces", "quite faithful", "perfectly faithful", first=1),
                graded=True,
                least=3,
            ),
        ),
    ),
    Template(
        "accuracy-fluency",
        (
            Question(
                "accuracy",
                "How much of the meaning is there?",
                _scale("none", "very little", "little", "much", "most", "all", first=0),
                graded=True,
                least=4,
            ),
            Question(
                "fluency",
                "How good is the language?",
                _scale(
                    "no language", "incomprehensible", "disfluent", "non-native", "good", "flawless", first=0
                ),
                graded=True,
                least=4,
            ),
        ),
    ),
    Template(
        "phrase",
        (
            Question(
                "phrase",
                "Does the paraphrase mean the same as the phrase?",
                _scale("different", "same, but ungrammatical here or an inflection", "same", first=0),
                graded=True,
            ),
        ),
        ("phrase", "paraphrase"),
    ),
    Template(
        "substitution",
        (
            Question(
                "correct", "Does it mean the same in this sentence, and does the sentence stay grammatical?"
            ),
        ),
        ("phrase", "substitute"),
    ),
    Template(
        "qualities",
        (
            Question("rearrangement", "Are parts significantly reordered?"),
            Question("alternation", "Is there a phrasal alternation?"),
            Question("added", "Is information added?"),
            Question("lost", "Is information lost?"),
        ),
    ),
)
TEMPLATES: dict[str, Template] = {template.name: template for template in _ALL}


def get_template(name: str) -> Template:
    """A template by name."""
    try:
        return TEMPLATES[name]
    except KeyError:
        raise InputError(f"unknown template {name!r}", remedy=f"known: {', '.join(TEMPLATES)}") from None
