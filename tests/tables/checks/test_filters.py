"""Each filter on examples made by hand, and the kernel against a plain twin."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.tables.checks.filters import filter_classes, keep_mask, rule_bits
from paraphrast.tables.options import RULES, FilterOptions
from paraphrast.text.languages.registry import get_language
from paraphrast.types import MAX_PHRASE, Phrases, Vocabulary

TEXT = "the a of at in to and , . ; - examine look order help terrorism fight against war The A4 A5 Help 's helps"
VOCABULARY = Vocabulary.from_counts((word, 1) for word in TEXT.split())
CLASSES = filter_classes(VOCABULARY, get_language("en"))


def row(source: str, target: str) -> tuple[Phrases, np.ndarray, np.ndarray]:
    words = np.full((2, MAX_PHRASE), -1, np.int32)
    for side, text in enumerate((source, target)):
        ids = [VOCABULARY.ids[word] for word in text.split()]
        words[side, : len(ids)] = ids
    return Phrases(words, np.zeros(2, np.uint8)), np.array([0, 1], np.int32), np.array([1, 0], np.int32)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("examine", "look at", set()),
        ("fight against terrorism", "war", set()),
        ("in", "of", {"no_content"}),
        ("examine", "the", {"content_balance", "article_end"}),
        ("<number>", "the", {"content_balance", "article_end"}),
        ("examine the", "the examine", {"article_end"}),
        ("'s fight", "the war", {"clitic_edge"}),
        ("fight 's", "war", {"clitic_edge"}),
        ("fight 's", "the war 's", {"shared_edge"}),
        ("help", "to help", {"content_subset", "shared_edge"}),
        ("helps", "to help", {"content_subset"}),
        ("helps", "fight help", {"content_subset"}),
        ("in order to help", "help a", {"content_subset", "article_end"}),
        ("the terrorism", "terrorism ,", {"content_subset", "punctuation_edge"}),
        ("the terrorism", "terrorism of", set()),
        ("examine", "examine the", {"content_subset", "shared_edge", "article_end"}),
        ("fight - terrorism", "fight terrorism", {"trivial", "shared_edge"}),
        ("the", "The", {"trivial", "shared_edge", "no_content", "article_end"}),
        ("A4", "A5", {"trivial", "shared_edge"}),
        (", in", "of", {"punctuation_edge", "no_content"}),
        ("in", "of ;", {"punctuation_edge", "no_content"}),
        ("help fight", "help war", {"shared_edge"}),
        ("fight Help", "war help", {"shared_edge"}),
        ("in to", "in of to", {"shared_edge", "no_content"}),
    ],
)
def test_rules(source: str, target: str, expected: set[str]) -> None:
    forth, back = rule_bits(*row(source, target), CLASSES).tolist()
    assert {name for name, bit in RULES.items() if forth & bit and name != "substring"} == expected
    assert forth == back


def test_every_rule_can_be_turned_off() -> None:
    phrases, source, target = row("the terrorism", "terrorism ,")
    assert not keep_mask(phrases, source, target, CLASSES).any()
    assert not keep_mask(phrases, source, target, CLASSES, FilterOptions(content_subset=False)).any()
    off = FilterOptions(content_subset=False, punctuation_edge=False)
    assert keep_mask(phrases, source, target, CLASSES, off).all()
    assert FilterOptions(**dict.fromkeys(RULES, False)).bits == 0
    assert [field.name for field in fields(FilterOptions)] == list(RULES)


def test_an_empty_side_is_rejected() -> None:
    phrases, source, target = row("", "help")
    assert rule_bits(phrases, source, target, CLASSES).tolist() == [RULES["content_balance"]] * 2


def test_rows_that_point_nowhere_are_refused() -> None:
    phrases, source, _ = row("in", "of")
    with pytest.raises(InputError, match="source phrase ids"):
        rule_bits(phrases, source + 1, source, CLASSES)


# A plain twin.


def plain_bits(source: list[int], target: list[int]) -> int:
    def kind(word: int) -> int:
        return 2 if CLASSES.punctuation[word] else 1 if CLASSES.function_word[word] else 0

    def bag(words: list[int], wanted: int) -> Counter[int]:
        same = CLASSES.folded if wanted else CLASSES.stem
        return Counter(int(same[word]) for word in words if kind(word) == wanted)

    def plain(words: list[int]) -> list[int]:
        return [int(CLASSES.folded[word]) for word in words if kind(word) != 2]

    ours, theirs = bag(source, 0), bag(target, 0)
    bits = RULES["content_balance"] * (bool(ours) != bool(theirs))
    words = VOCABULARY.words
    ends = [words[side[-1]] == "'s" for side in (source, target)]
    bits |= RULES["clitic_edge"] * (
        any(words[side[0]] == "'s" for side in (source, target)) or ends[0] != ends[1]
    )
    bits |= RULES["article_end"] * any(words[side[-1]].lower() in ("the", "a") for side in (source, target))
    bits |= RULES["no_content"] * (not ours and not theirs)
    if ours == theirs:
        smaller, larger = bag(source, 1), bag(target, 1)
    else:
        smaller, larger = ours, theirs
    if ours and theirs and smaller != larger and (smaller <= larger or larger <= smaller):
        bits |= RULES["content_subset"]
    bits |= RULES["trivial"] * (plain(source) == plain(target))
    bits |= RULES["punctuation_edge"] * any(
        kind(word) == 2 for word in (source[0], source[-1], target[0], target[-1])
    )
    folded = CLASSES.folded
    bits |= RULES["shared_edge"] * bool(
        folded[source[0]] == folded[target[0]] or folded[source[-1]] == folded[target[-1]]
    )
    ours_plain, theirs_plain = ([int(folded[word]) for word in side] for side in (source, target))
    for inner, outer in ((ours_plain, theirs_plain), (theirs_plain, ours_plain)):
        if any(outer[place : place + len(inner)] == inner for place in range(len(outer))):
            bits |= RULES["substring"]
    return bits


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31))
def test_rules_match_their_twin(seed: int) -> None:
    generator = np.random.default_rng(seed)
    number = 40
    words = generator.integers(8, len(VOCABULARY), (number, MAX_PHRASE)).astype(np.int32)
    lengths = 1 + np.minimum(generator.geometric(0.5, number), MAX_PHRASE - 1)
    words[np.arange(MAX_PHRASE) >= lengths[:, None]] = -1
    phrases = Phrases(words, np.zeros(number, np.uint8))
    source, target = generator.integers(0, number, (2, 300)).astype(np.int32)
    expected = [
        plain_bits(phrases.ids_of(ours), phrases.ids_of(theirs))
        for ours, theirs in zip(source.tolist(), target.tolist(), strict=True)
    ]
    assert rule_bits(phrases, source, target, CLASSES).tolist() == expected


@pytest.mark.parametrize(
    ("source", "target", "inside"),
    [
        ("help", "in order to help", True),
        ("help at", "to Help at war", True),
        ("look at", "look to at", False),
        ("help", "war", False),
        ("at war", "war at", False),
        ("help", "Help", True),
    ],
)
def test_substrings_go_on_request_only(source: str, target: str, inside: bool) -> None:
    bits = rule_bits(*row(source, target), CLASSES)
    assert [bool(bit & RULES["substring"]) for bit in bits.tolist()] == [inside, inside]
    assert not FilterOptions().substring
    assert FilterOptions(substring=True).bits - FilterOptions().bits == RULES["substring"]
