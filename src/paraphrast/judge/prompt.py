"""The terminal prompt: one item at a time, one answer per line, each saved immediately.

Reading and writing are parameters, so that a web page can ask the same questions later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from paraphrast.formats.numbers import whole_number
from paraphrast.formats.ratings import Item, Rating
from paraphrast.judge.questions import Question, Template
from paraphrast.judge.report import pending, template_of

#: Letters that also answer yes and no.
_WORDS = {"y": 1, "yes": 1, "n": 0, "no": 0}
HELP = "answer with a number; b: back to the item before; s: skip; q: stop (what you answered is kept)"


class Stop(Exception):
    """The rater wants to stop."""


class Back(Exception):
    """The rater wants to see the previous item again."""


class Skip(Exception):
    """The rater skips this item for now."""


@dataclass
class Session:
    """The rater, the pass, and the number of items that were answered completely."""

    rater: str
    round: int = 1
    answered: int = 0


def rate(
    items: Sequence[Item],
    ratings: Sequence[Rating],
    session: Session,
    *,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    keep: Callable[[Rating], None],
    only: frozenset[str] | None = None,
) -> int:
    """Ask all unanswered questions. Returns the number of answered items. ``ask`` may raise EOFError to stop.

    Every answer is saved before the next question, so that Ctrl-C loses none.
    ask: shows a prompt and returns a line. tell: shows a line. keep: stores a rating before it returns.
    """
    template = template_of(items)
    todo = pending(items, ratings, session.rater, round=session.round, only=only)
    total = len(items) if only is None else sum(item.item in only for item in items)
    done = total - len(todo)
    tell(f"{len(todo)} to rate, {done} done; {HELP}")
    answers_so_far: dict[str, dict[str, int]] = {}
    for rating in ratings:
        if rating.rater == session.rater and rating.round == session.round:
            answers_so_far.setdefault(rating.item, {})[rating.question] = rating.value
    place = 0
    again = False
    while place < len(todo):
        item = todo[place]
        # Answers from before an interruption are not asked again, but a rater who goes back answers anew.
        answers = {} if again else answers_so_far.setdefault(item.item, {})
        again = False
        for line in _shown(item, template, done + place + 1, total):
            tell(line)
        try:
            for question in template.questions:
                if question.name not in answers and question.asked(answers):
                    value = _answer(question, ask, tell)
                    keep(Rating(item.item, "", session.rater, question.name, value, session.round))
                    answers[question.name] = value
            session.answered += 1
        except Back:
            place = max(place - 1, 0)
            again = True
            continue
        except Skip:
            pass
        except (Stop, EOFError):
            break
        place += 1
    return session.answered


def _shown(item: Item, template: Template, number: int, total: int) -> Iterable[str]:
    width = max(map(len, template.shown))
    yield ""
    yield f"— {number} of {total} —"
    if item.context:
        yield f"{'context'.ljust(width)}  {item.context}"
    for name, text in zip(template.shown, (item.before, item.after), strict=True):
        yield f"{name.ljust(width)}  {text}"


def _answer(question: Question, ask: Callable[[str], str], tell: Callable[[str], None]) -> int:
    """One answer. Asks again until it is on the scale."""
    choices = ", ".join(f"{value} {label}" for value, label in question.answers)
    binary = question.values == (0, 1)
    while True:
        answer = ask(f"{question.text} ({choices}) ").strip().lower()
        if answer == "q":
            raise Stop
        if answer == "b":
            raise Back
        if answer == "s":
            raise Skip
        value = _WORDS.get(answer) if binary else None
        if value is None:
            value = whole_number(answer)
        if value is not None and value in question.values:
            return value
        tell(f"expected one of {', '.join(map(str, question.values))}; {HELP}")
