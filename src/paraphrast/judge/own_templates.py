"""Templates of one's own, from TOML, and any template as plain values.

::

    shown = ["headline", "rewrite"]
    instructions = "Read both. Would an editor accept the rewrite?"

    [[question]]
    name = "usable"
    text = "Is the rewrite usable as it stands?"
    answers = { 0 = "no", 1 = "after a small change", 2 = "yes" }
    graded = true
    least = 2

    [[question]]
    name = "reason"
    text = "Why not?"
    answers = { 1 = "meaning", 2 = "language" }
    only_if = { usable = 0 }
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paraphrast.errors import FormatError, InputError
from paraphrast.judge.questions import Question, Template

_TEMPLATE = {"shown", "instructions", "question"}
_QUESTION = {"name", "text", "answers", "graded", "least", "only_if"}


def read_template(path: str | Path) -> Template:
    """The template of a TOML file. Its name is the name of the file."""
    try:
        record = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"cannot read the template: {error.strerror}",
            where=path,
            remedy="name a TOML file, or one of `judge templates`",
        ) from error
    except RecursionError as error:
        raise FormatError("expected TOML: nested too deeply", where=path) from error
    except ValueError as error:  # no TOML, no UTF-8, or a number with too many digits
        raise FormatError(f"expected TOML: {error}", where=path) from error
    return template_from(str(path), record, path)


def template_from(name: str, record: Mapping[str, Any], where: str | Path | None = None) -> Template:
    """A template from plain values, as :func:`plain` gives them."""
    _check_keys(record, _TEMPLATE, "the template", where)
    shown = record.get("shown", ["input", "output"])
    if not (
        isinstance(shown, list | tuple) and len(shown) == 2 and all(isinstance(one, str) for one in shown)
    ):
        raise FormatError(f"shown: expected two names, got {shown!r}", where=where)
    instructions = record.get("instructions", "")
    entries = record.get("question")
    if not isinstance(instructions, str):
        raise FormatError(f"instructions: expected text, got {instructions!r}", where=where)
    if not isinstance(entries, list) or not entries:
        raise FormatError("expected at least one [[question]]", where=where)
    questions: list[Question] = []
    for number, entry in enumerate(entries, 1):
        questions.append(_question(entry, questions, number, where))
    return Template(name, tuple(questions), (shown[0], shown[1]), instructions.strip())


def plain(template: Template) -> dict[str, Any]:
    """A template as plain values, for JSON."""
    return {
        "shown": list(template.shown),
        "instructions": template.instructions,
        "question": [
            {
                "name": question.name,
                "text": question.text,
                "answers": {str(value): label for value, label in question.answers},
                "graded": question.graded,
                "least": question.least,
                **({"only_if": {question.only_if[0]: question.only_if[1]}} if question.only_if else {}),
            }
            for question in template.questions
        ],
    }


def to_toml(template: Template) -> str:
    """A template as TOML that :func:`read_template` reads."""
    # A string of JSON is also one of TOML.
    lines = [
        f"shown = {json.dumps(list(template.shown))}",
        f"instructions = {json.dumps(template.instructions)}",
    ]
    for question in template.questions:
        answers = ", ".join(f"{value} = {json.dumps(label)}" for value, label in question.answers)
        lines += [
            "",
            "[[question]]",
            f"name = {json.dumps(question.name)}",
            f"text = {json.dumps(question.text)}",
            f"answers = {{ {answers} }}",
            f"graded = {str(question.graded).lower()}",
            f"least = {question.least}",
        ]
        if question.only_if is not None:
            lines.append(f"only_if = {{ {json.dumps(question.only_if[0])} = {question.only_if[1]} }}")
    return "\n".join(lines) + "\n"


def _question(entry: Any, before: list[Question], number: int, where: str | Path | None) -> Question:
    place = f"question {number}"
    if not isinstance(entry, Mapping):
        raise FormatError(f"{place}: expected a table, got {entry!r}", where=where)
    _check_keys(entry, _QUESTION, place, where)
    name, text = entry.get("name"), entry.get("text")
    if not (isinstance(name, str) and 0 < len(name) <= 100 and isinstance(text, str) and text):
        raise FormatError(f"{place}: expected a name of at most 100 characters and a text", where=where)
    if any(question.name == name for question in before):
        raise FormatError(f"{place}: the name {name!r} is used twice", where=where)
    answers = _answers(entry.get("answers", {"0": "no", "1": "yes"}), place, where)
    graded, least = entry.get("graded", False), entry.get("least", answers[-1][0])
    if not isinstance(graded, bool) or type(least) is not int:
        raise FormatError(
            f"{place}: expected graded as true or false, and least as a whole number", where=where
        )
    return Question(
        name, text, answers, graded, least, _condition(entry.get("only_if"), before, place, where)
    )


def _answers(given: Any, place: str, where: str | Path | None) -> tuple[tuple[int, str], ...]:
    if isinstance(given, Mapping) and len(given) > 1:
        try:
            answers = sorted((int(value), label) for value, label in given.items())
        except (TypeError, ValueError):
            answers = []
        if answers and all(isinstance(label, str) and 0 <= value <= 9 for value, label in answers):
            return tuple(answers)
    raise FormatError(
        f'{place}: expected answers as {{ 0 = "no", 1 = "yes" }}, at least two, values 0 to 9, got {given!r}',
        where=where,
    )


def _condition(
    given: Any, before: list[Question], place: str, where: str | Path | None
) -> tuple[str, int] | None:
    if given is None:
        return None
    if isinstance(given, Mapping) and len(given) == 1:
        name, value = next(iter(given.items()))
        if any(question.name == name and value in question.values for question in before):
            return name, int(value)
    raise FormatError(
        f"{place}: expected only_if as {{ QUESTION = VALUE }}, an answer to a question before it, got {given!r}",
        where=where,
    )


def _check_keys(record: Mapping[str, Any], known: set[str], place: str, where: str | Path | None) -> None:
    unknown = sorted(set(record) - known)
    if unknown:
        raise FormatError(
            f"{place}: unknown key {unknown[0]!r}", where=where, remedy=f"known: {', '.join(sorted(known))}"
        )
