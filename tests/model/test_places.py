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
        ("This report is long.", "This", "That", True),
        ("We agree with these further steps.", "these", "those", True),
        ("We agree with these steps.", "these steps", "those further steps", True),
        ("This is long.", "This", "That", False),
        ("This would help.", "This", "That", False),
        ("He did this.", "this", "that", False),
        ("That's long.", "That", "This", True),
        ("What's it like?", "What", "Which", True),
        ("He said the plan failed.", "said", "stated", True),
        ("He said that the plan failed.", "said", "stated", False),
        ("The plan failed, he said.", "said", "stated", False),
        ("He claimed responsibility.", "claimed", "stated", True),
        ("He claimed that it was his.", "claimed", "stated", False),
        ("Should Spain join?", "Should", "Ought to", True),
        ("What should a cook know?", "should", "ought to", True),
        ("Spain should join.", "should", "ought to", False),
        ("Should I go?", "Should I", "Ought I to", True),
        ("I asked if he came.", "if", "whether", False),
        ("What if he came?", "if", "whether", True),
        ("It has failed.", "has", "needs", True),
        ("It has to stop.", "has", "needs", False),
        ("It fell about 3 metres.", "about", "of", True),
        ("I thought about you.", "about", "of", False),
        ("Rates rose 2 percent.", "percent", "per cent", False),
        ("Rates rose 2 percent, then 3 percent.", "percent", "per cent", True),
        ("It is very much alive.", "very", "really", True),
        ("We have already heard it.", "already", "both already", True),
        ("The two sides met.", "The two", "Both", False),
        ("He may have tried it.", "have tried", "have ever tried", True),
        ("Although it rained, we went.", "Although", "Even though", False),
        ("In addition, it rained.", "In addition", "On the other hand", True),
        ("But it rained.", "But", "However", False),
        ("You can no longer go.", "no longer", "not", True),
        ("Only two came.", "Only", "Just", False),
        ("They will know it.", "know", "am aware of", True),
        ("I know it.", "know", "am aware of", False),
        ("Ann and Bob didn't know it.", "didn't know", "wasn't aware of", True),
        ("Bob didn't know it.", "didn't know", "wasn't aware of", False),
        ("Ann and I went.", "I", "me", True),
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
