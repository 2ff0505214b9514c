"""Settled ratings: the last answer of each rater in each pass, the differences, and the systems of the outputs.

Quirk et al. (2004, §4) found 84 % agreement at first, "asked the raters to make a second pass of judgments on those
where they disagreed", and then found 96.9 %. So a rating belongs to a pass. The figures after pass 2 use its ratings
where they exist, and those of pass 1 elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paraphrast.errors import InputError
from paraphrast.formats.outputs import SystemOutput
from paraphrast.formats.ratings import Item, Rating, Sealed
from paraphrast.judge.agreement import Agreement, Votes, measure_agreement
from paraphrast.judge.questions import Template
from paraphrast.judge.templates import get_template


@dataclass(frozen=True)
class PassAgreement:
    """Agreement on one question after one pass; ``agreement`` is None if no item has two ratings."""

    question: str
    round: int
    agreement: Agreement | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        agreement = self.agreement.to_dict() if self.agreement is not None else None
        return {"question": self.question, "pass": self.round, "agreement": agreement}


@dataclass(frozen=True)
class Progress:
    """How many items a rater has answered completely: of all, and of those to review."""

    rater: str
    done: int
    items: int


def template_of(items: Sequence[Item]) -> Template:
    """The common template of a campaign's items."""
    names = sorted({item.template for item in items})
    if len(names) != 1:
        raise InputError(f"expected the items of one campaign, got templates {', '.join(names) or 'of none'}")
    return get_template(names[0])


def settle(
    ratings: Iterable[Rating], question: str, *, up_to: int | None = None
) -> dict[str, dict[str, int]]:
    """Item → rater → value: the last answer of each rater in the latest pass, up to pass ``up_to``."""
    last: dict[tuple[str, str], tuple[int, int]] = {}
    for rating in ratings:
        if rating.question != question or (up_to is not None and rating.round > up_to):
            continue
        place = (rating.item, rating.rater)
        if place not in last or rating.round >= last[place][0]:
            last[place] = (rating.round, rating.value)
    votes: dict[str, dict[str, int]] = {}
    for (item, rater), (_, value) in last.items():
        votes.setdefault(item, {})[rater] = value
    return votes


def check_ratings(items: Sequence[Item], ratings: Sequence[Rating]) -> None:
    """Raise an error for ratings of other items or questions, and for values outside the scale."""
    template = template_of(items)
    known = {item.item for item in items}
    for number, rating in enumerate(ratings, 1):
        if rating.item not in known:
            raise InputError(f"rating {number} is for item {rating.item!r}, which is not in this campaign")
        question = template.question(rating.question)
        if rating.value not in question.values:
            raise InputError(
                f"rating {number}: expected {rating.question} to be one of "
                f"{', '.join(map(str, question.values))}, got {rating.value}"
            )
        if rating.round < 1:
            raise InputError(f"rating {number}: expected a pass from 1, got {rating.round}")


def agreements(
    items: Sequence[Item], ratings: Sequence[Rating], template: Template | None = None
) -> list[PassAgreement]:
    """Agreement on every question after every pass. ``template``: default: that of the items."""
    template = template or template_of(items)
    by_pass = []
    for question in template.questions:
        rounds = sorted({rating.round for rating in ratings if rating.question == question.name})
        for number in rounds:
            votes = settle(ratings, question.name, up_to=number)
            by_pass.append(
                PassAgreement(question.name, number, measure_agreement(votes, graded=question.graded))
            )
    return by_pass


def disagreements(
    items: Sequence[Item], ratings: Sequence[Rating], template: Template | None = None
) -> list[tuple[Item, str, Mapping[str, int]]]:
    """Items whose ratings still differ, with the question and the answer of each rater, in the order of the items."""
    template = template or template_of(items)
    votes: dict[str, Votes] = {
        question.name: settle(ratings, question.name) for question in template.questions
    }
    return [
        (item, name, dict(sorted(item_votes.items())))
        for item in items
        for name, by_item in votes.items()
        if len(set((item_votes := by_item.get(item.item, {})).values())) > 1
    ]


def labelled(
    items: Sequence[Item],
    key: Sequence[Sealed],
    ratings: Sequence[Rating],
    *,
    up_to: int | None = None,
    template: Template | None = None,
) -> list[SystemOutput]:
    """The outputs of every system with all ratings, resolved with the key, in the order of the key."""
    shown = {item.item: item for item in items}
    template = template or template_of(items)
    votes = {question.name: settle(ratings, question.name, up_to=up_to) for question in template.questions}
    missing = sorted(set(shown) - {seal.item for seal in key})
    strange = sorted({seal.item for seal in key} - set(shown))
    if missing or strange:
        raise InputError(
            f"the key belongs to another campaign: item {(missing or strange)[0]!r} is in one file only"
        )
    outputs = []
    for seal in key:
        item = shown[seal.item]
        labels = {
            name: item_votes for name, by_item in votes.items() if (item_votes := by_item.get(seal.item))
        }
        outputs.append(
            SystemOutput(item.before, item.after, seal.system, seal.rank, seal.genre, item.context, labels)
        )
    return outputs


def progress(items: Sequence[Item], ratings: Sequence[Rating]) -> list[Progress]:
    """The progress of every rater."""
    raters = sorted({rating.rater for rating in ratings})
    return [Progress(rater, len(items) - len(pending(items, ratings, rater)), len(items)) for rater in raters]


def pending(
    items: Sequence[Item],
    ratings: Sequence[Rating],
    rater: str,
    *,
    round: int = 1,
    only: frozenset[str] | None = None,
) -> list[Item]:
    """Items that a rater has not yet answered completely in a pass, in order. ``only``: restrict to these items."""
    template = template_of(items)
    answers: dict[str, dict[str, int]] = {}
    for rating in ratings:
        if rating.rater == rater and rating.round == round:
            answers.setdefault(rating.item, {})[rating.question] = rating.value
    return [
        item
        for item in items
        if (only is None or item.item in only)
        and any(
            question.name not in answers.get(item.item, {}) and question.asked(answers.get(item.item, {}))
            for question in template.questions
        )
    ]
