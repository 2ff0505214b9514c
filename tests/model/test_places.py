"""Tests of ``paraphrast.model.places``."""

from __future__ import annotations

import pytest

from paraphrast.model.places import is_out_of_place
from paraphrast.text import get_language


@pytest.mark.parametrize(
    ("text", "before", "after", "out"),
    [
        ("What is a call centre?", "What", "Which", True),
        ("What colour is it?", "What", "Which", False),
        ("What causes colds?", "What", "Which", True),
        ('"What does it mean?"', '"What', '"Which', True),
        ("Which is the best?", "Which", "What", False),
        ("He left, which is sad.", "which", "what", True),
        ("Why doesn't he know?", "doesn't", "does not", True),
        ("Why doesn’t he know?", "doesn’t", "does not", True),
        ("He doesn't know.", "doesn't", "does not", False),
        ("Don't go.", "Don't", "Do not", False),
        ("What is the reason?", "What is", "Which's", True),
        ("What is the reason?", "What is", "What's", False),
        ("He hadn't seen it.", "He had", "He'd", True),
        ("He shouldn't go.", "should", "ought to", True),
        ("He shouldn't go.", "should", "could", False),
        ("She must've gone.", "must", "has to", True),
        ("You would've gone.", "would", "could", False),
        ("The company's plan.", "company", "firm", False),
        ("How can I go?", "can I", "is it possible for me to", True),
        ("Can I go?", "Can I", "Is it possible for me to", False),
        ("How long does it take?", "How long does", "For how long does", True),
        ("How long does he stay?", "How long does", "For how long does", False),
        ("He will go.", "will", "would", True),
        ("Will he go?", "Will", "Would", False),
        ("Sales fell this year.", "this", "that", True),
        ("It is over, said the official.", "said the", "said that the", True),
        ('"It is over," said he.', "said", "said that", True),
        ("He said the official left.", "said the", "said that the", False),
        ("At that time he left.", "that", "this", True),
        ("At that time he left.", "At that", "At this", True),
        ("He had seen it.", "He had", "He'd", False),
        ("Which's best?", "Which's best", "Which's greatest", False),
    ],
)
def test_words_around_a_substitution_forbid_it(text: str, before: str, after: str, out: bool) -> None:
    start = text.index(before)
    assert is_out_of_place(text, start, start + len(before), after, get_language("en")) == out


def test_a_language_without_rules_forbids_nothing() -> None:
    assert not is_out_of_place("what is it", 0, 4, "which", get_language("pl"))
