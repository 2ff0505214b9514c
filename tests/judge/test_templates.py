"""Templates are consistent: scales ascend, conditions name questions asked before."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.judge.templates import TEMPLATES, get_template


@pytest.mark.parametrize("name", TEMPLATES)
def test_scales_ascend_and_conditions_hold(name: str) -> None:
    template = get_template(name)
    before: set[str] = set()
    for question in template.questions:
        assert list(question.values) == sorted(set(question.values))
        if question.only_if is not None:
            asked, value = question.only_if
            assert asked in before
            assert value in template.question(asked).values
        before.add(question.name)
    assert len(before) == len(template.questions)


def test_the_papers_scales() -> None:
    values = {
        question.name: question.values for template in TEMPLATES.values() for question in template.questions
    }
    assert values["paraphrase"] == (0, 1)
    assert values["grammaticality"] == values["fidelity"] == (1, 2, 3, 4)
    assert values["accuracy"] == values["fluency"] == (0, 1, 2, 3, 4, 5)
    assert values["phrase"] == (0, 1, 2)


def test_unknown_names_are_errors() -> None:
    with pytest.raises(InputError, match="unknown template"):
        get_template("taste")
    with pytest.raises(InputError, match="unknown question"):
        get_template("phrase").question("taste")
