"""Hypotheses as texts: what no text is made of."""

from __future__ import annotations

import pytest

from paraphrast.model.render import _is_loose
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
