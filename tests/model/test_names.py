"""Words that are part of a name although they are known in lower case."""

from __future__ import annotations

import pytest

from paraphrast.model.control import Control
from paraphrast.model.names import lowered_names
from paraphrast.text import analyse, get_language


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He works for Newmarket Films in town.", ["Newmarket", "Films"]),
        ("Films are made by people here.", []),
        ('He said: "Films are made by people."', []),
        ("New Films Made By Young People", []),
        ("He left. Films stayed in town.", []),
        ("The news is from yahoo Answers today.", ["Answers"]),
    ],
)
def test_capitals_inside_a_sentence_are_names(text: str, names: list[str]) -> None:
    analysis = analyse(text, get_language("en"))
    known = [word.lower() for word in analysis.words]
    spans = lowered_names(analysis, known, Control())
    assert [text[start:end] for start, end in spans] == names
    assert lowered_names(analysis, known, Control(vetoes=("number",))) == []
    assert lowered_names(analysis, analysis.words, Control()) == []
