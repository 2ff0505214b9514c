"""Hypotheses as texts: what no text is made of."""

from __future__ import annotations

import pytest

from paraphrast.model.control import Control
from paraphrast.model.render import _is_loose, _ranked
from paraphrast.text import Draft, get_language
from paraphrast.types import Edit, Paraphrase


@pytest.mark.parametrize(
    ("text", "before", "after", "loose"),
    [
        ("It does not work.", "not", "n't", False),
        ("It does not work.", "not", "N’T", False),
        ("Not so.", "Not", "n't", True),
        ("I'm not here.", "not", "n't", True),
        ("I’m not here.", "not", "n't", True),
        ("Well, not here.", "not", "n't", True),
        ("Why or why not?", "not", "n't", True),
        ("What should I not do?", "not", "n't", True),
        ("It IS NOT so.", "NOT", "n't", False),
        ("You are here.", "are", "'re", False),
        ("The dogs are here.", "are", "'re", True),
        ("It is old.", "is", "'s", False),
        ("So he is.", "is", "'s", True),
        ("The company is old.", "is", "'s", True),
        ("It has a margin.", "has", "'s", True),
        ("It has racked up wins.", "has", "'s", False),
        ("He had gone.", "had", "'d", False),
        ("You had to start.", "had", "'d", True),
        ("They had to start.", "They had", "They'd", True),
        ("They had started.", "They had", "They'd", False),
        ("I have a plan.", "I have", "I’ve", True),
        ("So I have.", "I have", "I've", True),
        ("It is old.", "is", "'s very", False),
        ("Is it old?", "Is", "'s", True),
        ("So - is it old?", "is", "'s", True),
        ("Not so.", "Not", "never", False),
        ("I'm not here.", "not", "never", False),
        ("Dogs are old.", "Dogs", "'sblood", False),
    ],
)
def test_a_clitic_needs_a_word_without_one_before_it(text: str, before: str, after: str, loose: bool) -> None:
    start = text.index(before)
    draft = Draft(start, start + len(before), after, (0,))
    assert _is_loose(text, draft, get_language("en")) == loose


def test_results_of_spelling_alone_come_last() -> None:
    english = get_language("en")

    def result(before: str, after: str, probability: float) -> Paraphrase:
        edit = Edit(0, len(before), 0, len(after), before, after, probability, ("pivot",))
        return Paraphrase(before, after, 0.0, (edit,), probability)

    results = [
        result("in favour of", "in favor of", 0.98),
        result("e-mail", "email", 0.97),
        result("aid", "help", 0.6),
    ]
    ranked = _ranked(results, 3, Control(strength=0.5), english)
    assert [one.text for one in ranked] == ["help", "in favor of", "email"]
