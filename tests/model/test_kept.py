"""Tests of ``paraphrast.model.kept``."""

from __future__ import annotations

import pytest

from paraphrast.model.kept import keeps, says_as_much
from paraphrast.text import get_language


@pytest.mark.parametrize(
    ("text", "rewrite", "kept"),
    [
        ("Ann met 3 friends.", "Ann saw 3 friends.", True),
        ("Ann met 3 friends.", "Ann saw 4 friends.", False),
        ("Then Ann met Bob.", "Then Ann met him.", False),
        ("Ann came.", "Ann did not come.", False),
        ("Ann came.", "I came with Ann.", False),
        ("On the other hand, Ann came.", "In addition, Ann came.", False),
        ("On the other hand, Ann came.", "However, Ann came.", True),
        ("Ann came, while Bob left.", "Ann came, whereas Bob left.", True),
        ("They know each other.", "They know.", False),
        ("They help each other.", "They help themselves.", True),
        ("The only one was Ann.", "The sole one was Ann.", True),
    ],
)
def test_what_a_rewrite_must_keep(text: str, rewrite: str, kept: bool) -> None:
    assert keeps(text, rewrite, get_language("en")) is kept


def test_phrases_are_compared_as_whole_words() -> None:
    english = get_language("en")
    assert says_as_much("an evening", "a night", english)  # not "even"
    assert not says_as_much("even now", "now", english)
    assert says_as_much("mais oui", "oui", get_language("fr"))  # a language without such lists
