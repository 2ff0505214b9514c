"""Templates of one's own: read from TOML, written as TOML, faults named."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.judge import own_templates
from paraphrast.judge.own_templates import plain, read_template, template_from, to_toml
from paraphrast.judge.templates import TEMPLATES, get_template


def test_the_example_of_the_module(tmp_path: Path) -> None:
    text = (own_templates.__doc__ or "").split("::\n", 1)[1].replace("\n    ", "\n")
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    template = get_template(str(path))
    assert [question.name for question in template.questions] == ["usable", "reason"]
    assert template.question("usable").values == (0, 1, 2)
    assert template.question("reason").only_if == ("usable", 0)
    assert template.shown == ("headline", "rewrite")


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_survives(name: str, tmp_path: Path) -> None:
    template = TEMPLATES[name]
    assert template_from(name, plain(template)) == template
    path = tmp_path / "own.toml"
    path.write_text(to_toml(template), encoding="utf-8")
    assert read_template(path).questions == template.questions


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "at least one"),
        ("question = 3", "at least one"),
        ("colour = 1", "unknown key 'colour'"),
        ("[[question]]\nname = 'a'", "a name .* and a text"),
        ("[[question]]\nname = 'a'\ntext = 'A?'\nanswers = { 0 = 'no' }", "at least two"),
        ("[[question]]\nname = 'a'\ntext = 'A?'\nanswers = { no = 'no', yes = 'yes' }", "values 0 to 9"),
        ("[[question]]\nname = 'a'\ntext = 'A?'\nonly_if = { b = 1 }", "a question before it"),
        ("[[question]]\nname = 'a'\ntext = 'A?'\n" * 2, "used twice"),
        ("shown = ['a']\n[[question]]\nname = 'a'\ntext = 'A?'", "two names"),
        ("[[question", "expected TOML"),
    ],
)
def test_faults_are_named(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        read_template(path)


def test_a_missing_file_is_reported() -> None:
    with pytest.raises(InputError, match="cannot read the template"):
        get_template("none.toml")
