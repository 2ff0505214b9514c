"""Clitics in their places."""

from __future__ import annotations

import pytest

from paraphrast.model.clitics import clitic_fits, joins_clitics
from paraphrast.text import Draft, get_language


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
        ("That he'd just entered.", "he'd", "he would", True),
        ("That he'd gone.", "'d", "would", True),
        ("That he'd just entered.", "he'd", "he had", False),
        ("That he'd need it.", "he'd", "he would", False),
        ("That he'd never go.", "he'd", "he would", False),
    ],
)
def test_a_clitic_needs_a_word_without_one_before_it(text: str, before: str, after: str, loose: bool) -> None:
    start = text.index(before)
    draft = Draft(start, start + len(before), after, (0,))
    assert clitic_fits(text, draft, get_language("en")) != loose


def test_a_word_gets_one_clitic() -> None:
    """ "We are not" → "We're not" or "We aren't", not both."""
    text, english = "We are not here.", get_language("en")
    short, negated = Draft(0, 6, "We're", (0,)), Draft(7, 10, "n't", (1,))
    assert clitic_fits(text, short, english)
    assert clitic_fits(text, negated, english)
    assert not joins_clitics(text, [short], english)
    assert joins_clitics(text, [short, negated], english)
