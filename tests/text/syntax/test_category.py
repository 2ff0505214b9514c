"""Categories of phrases: what they are, who agrees with whom, and twins of the kernels."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.text.syntax.category import (
    CATEGORIES,
    CATEGORY_NOTES,
    COMPATIBLE,
    agrees,
    categories_of_occurrences,
    category_names,
    phrase_category,
    replaceable_masks,
    span_categories,
)
from paraphrast.text.syntax.tag import TAG_IDS, TAGS

IDS = {name: number for number, name in enumerate(CATEGORIES)}


def numbers(tags: str) -> np.ndarray:
    return np.array([TAG_IDS[tag] for tag in tags.split()], dtype=np.uint8)


def category(tags: str) -> str:
    row = numbers(tags)
    return CATEGORIES[phrase_category(row, 0, len(row))]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("NN", "NOUN_SG"),
        ("JJ NN IN NNS", "NOUN_SG"),
        ("NNS", "NOUN_PL"),
        ("VBN NNS", "NOUN_PL"),
        ("NNP CC NNP", "NOUN_PL"),
        ("NNP NNP", "NAME"),
        ("DT JJ NN", "NP_SG"),
        ("POS NN", "NP_SG"),
        ("PRP$ NNS IN NN", "NP_PL"),
        ("PRP", "PRONOUN"),
        ("DT NN IN", "NOUN_PREP"),
        ("NN IN DT", "NOUN_PREP"),
        ("CD IN", "NOUN_PREP"),
        ("VB", "VERB_BASE"),
        ("VB IN", "VERB_BASE"),
        ("RB VB", "VERB_BASE"),
        ("VBZ VBG TO", "VERB_S"),
        ("VBP", "VERB_P"),
        ("VBD RP", "VERB_PAST"),
        ("VBG NNS", "VERB_ING"),
        ("VBN IN", "VERB_PP"),
        ("MD RB VB", "MODAL"),
        ("TO VB", "TO_VERB"),
        ("TO", "TO_VERB"),
        ("VB IN DT", "VERB_DET"),
        ("RB JJ", "ADJ"),
        ("NEG JJ", "ADJ"),
        ("JJR", "ADJ_COMP"),
        ("RBR JJ", "ADJ_COMP"),
        ("RBS JJ", "ADJ_SUP"),
        ("JJ TO", "ADJ_PREP"),
        ("RB RB", "ADV"),
        ("RP", "ADV"),
        ("IN", "PREP"),
        ("IN NN IN", "PREP"),
        ("RP IN", "PREP"),
        ("IN NN", "PP"),
        ("IN VBG PRP", "PP"),
        ("TO NN", "PP"),
        ("IN DT", "PREP_DET"),
        ("IN DT JJ", "PREP_DET"),
        ("CC RB", "CONJ"),
        ("PDT DT", "DET"),
        ("DT JJ", "DET"),
        ("CD CD", "NUMBER"),
        ("WDT VBZ", "WH"),
        ("PRP VBZ", "CLAUSE"),
        ("DT NN VBD", "CLAUSE"),
        ("IN PRP VBP", "CLAUSE"),
        ("EX MD VB", "CLAUSE"),
        ("UH", "OTHER"),
        ("PUNCT NN PUNCT", "NOUN_SG"),
        ("PUNCT PUNCT", "UNKNOWN"),
        ("", "UNKNOWN"),
    ],
)
def test_category(tags: str, expected: str) -> None:
    assert category(tags) == expected


def test_categories_fit_a_mask_and_each_is_explained() -> None:
    assert len(CATEGORIES) <= 32
    assert CATEGORIES[0] == "UNKNOWN"
    assert all(CATEGORY_NOTES.values())


@pytest.mark.parametrize(
    ("source", "targets", "expected"),
    [
        ("NOUN_SG", ["NOUN_SG"], True),
        ("NOUN_SG", ["NOUN_PL"], False),
        ("VERB_BASE", ["VERB_P"], True),
        ("VERB_P", ["VERB_BASE"], True),
        ("VERB_S", ["VERB_P"], False),
        ("VERB_PAST", ["VERB_PP"], False),
        ("VERB_PAST", ["VERB_PP", "VERB_PAST"], True),
        ("ADV", ["PP"], True),
        ("NP_PL", ["NOUN_PL"], True),
        ("NOUN_PL", ["NP_PL"], False),
        ("NP_SG", ["NAME"], True),
        ("NAME", ["NP_SG"], False),
        ("UNKNOWN", ["VERB_S"], True),
        ("VERB_S", [], True),
        ("VERB_S", ["UNKNOWN", "NAME"], True),
    ],
)
def test_agrees(source: str, targets: list[str], expected: bool) -> None:
    mask = sum(1 << IDS[target] for target in targets)
    assert agrees(IDS[source], mask) is expected


@given(st.lists(st.integers(0, 2 ** len(CATEGORIES) - 1), min_size=1, max_size=5))
def test_replaceable_masks_make_agreement_one_bit(masks: list[int]) -> None:
    wide = replaceable_masks(np.array(masks, dtype=np.uint32))
    for mask, replaceable in zip(masks, wide.tolist(), strict=True):
        for source in range(len(CATEGORIES)):
            one_bit = source == 0 or replaceable == 0 or bool(replaceable >> source & 1)
            assert one_bit == agrees(source, mask)


def test_every_category_agrees_with_itself() -> None:
    assert all(int(mask) >> number & 1 for number, mask in enumerate(COMPATIBLE))


# Plain twins.

NOUNS = {"NN", "NNS", "NNP", "NNPS"}
DETERMINERS = {"DT", "PDT", "PRP$", "POS"}
FORMS = {
    "VB": "VERB_BASE",
    "VBZ": "VERB_S",
    "VBP": "VERB_P",
    "VBD": "VERB_PAST",
    "VBG": "VERB_ING",
    "VBN": "VERB_PP",
}


def plain_category(tags: list[str]) -> str:
    """The rules in strings and lists."""
    text = " ".join(tags).split()
    while text and text[0] == "PUNCT":
        text = text[1:]
    while text and text[-1] == "PUNCT":
        text = text[:-1]
    if not text:
        return "UNKNOWN"
    adverbs = []
    while text and text[0] in {"RB", "RBR", "RBS", "NEG"}:
        adverbs.append(text.pop(0))
    if not text:
        return "ADV"
    degrees = [tag for tag in adverbs if tag in ("RBR", "RBS")]
    first, last, rest = text[0], text[-1], text[1:]
    finite = bool({"VBD", "VBP", "VBZ", "MD"} & set(rest))
    if first in FORMS and not (first == "VBN" and rest and rest[0] in NOUNS):
        return "VERB_DET" if last in DETERMINERS else FORMS[first]
    for starts, answer in (
        ({"MD"}, "MODAL"),
        ({"CC"}, "CONJ"),
        ({"WDT", "WP", "WP$", "WRB"}, "WH"),
        ({"UH", "SYM", "FW"}, "OTHER"),
        ({"PRP", "EX"}, "CLAUSE" if finite else "PRONOUN"),
        ({"RP"}, "PREP" if last == "IN" else "ADV"),
    ):
        if first in starts:
            return answer
    if first == "TO" and (not rest or set(rest) & set(FORMS)):
        return "TO_VERB"
    if finite:
        return "CLAUSE"
    if first in ("IN", "TO"):
        if last in ("IN", "TO"):
            return "PREP"
        return "PREP_DET" if last in DETERMINERS | {"JJ", "JJR", "JJS"} else "PP"
    stop = next((place for place, tag in enumerate(text) if tag in ("IN", "TO")), len(text))
    region = text[:stop]
    awaits = stop < len(text) and last in DETERMINERS | {"IN", "TO"}
    determined = first in DETERMINERS
    places = [place for place, tag in enumerate(region) if tag in NOUNS]
    if places:
        if awaits:
            return "NOUN_PREP"
        if stop == len(text) and set(region) <= {"NNP", "NNPS"}:
            return "NAME"
        several = "CC" in region[places[0] : places[-1]] or ("CC" in region[: places[0]] and len(places) > 1)
        plural = several or region[places[-1]] in ("NNS", "NNPS")
        return ("NP_" if determined else "NOUN_") + ("PL" if plural else "SG")
    if set(region) == {"CD"}:
        return "NOUN_PREP" if awaits else "NUMBER"
    if determined:
        return "NOUN_PREP" if awaits else "DET"
    if awaits:
        return "ADJ_PREP"
    degrees += [tag for tag in region if tag in ("JJR", "JJS")]
    if not degrees:
        return "ADJ"
    return "ADJ_COMP" if degrees[-1] in ("JJR", "RBR") else "ADJ_SUP"


tag_lists = st.lists(st.sampled_from(TAGS), max_size=7)


@settings(max_examples=1500, deadline=None)
@given(tag_lists)
def test_category_matches_its_twin(tags: list[str]) -> None:
    assert category(" ".join(tags)) == plain_category(tags)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(TAGS), min_size=8, max_size=12),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4)), max_size=40),
    st.integers(1, 100),
)
def test_occurrences_match_their_twin(
    tags: list[str], occurrences: list[tuple[int, int, int]], percent: int
) -> None:
    columns = np.array(occurrences, dtype=np.int32).reshape(-1, 3).T
    best, masks = categories_of_occurrences(
        numbers(" ".join(tags)), columns[0], columns[1].astype(np.int64), columns[2], 5, percent=percent
    )
    for phrase in range(5):
        seen = Counter(
            IDS[plain_category(tags[start : start + length])]
            for other, start, length in occurrences
            if other == phrase
        )
        total = sum(seen.values())
        assert best[phrase] == (min(seen, key=lambda name: (-seen[name], name)) if seen else 0)
        assert masks[phrase] == sum(
            1 << name for name, count in seen.items() if count * 100 >= percent * total
        )


@settings(max_examples=40, deadline=None)
@given(st.lists(tag_lists, max_size=4))
def test_spans_match_their_twin(sentences: list[list[str]]) -> None:
    tags = [tag for sentence in sentences for tag in sentence]
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    expected = [
        [
            IDS[plain_category(sentence[start : start + extra + 1])] if start + extra < len(sentence) else 0
            for extra in range(7)
        ]
        for sentence in sentences
        for start in range(len(sentence))
    ]
    assert span_categories(numbers(" ".join(tags)), starts).tolist() == expected


def test_ten_percent_is_the_default() -> None:
    tags = numbers("NN VB")
    position = np.array([0] * 9 + [1] + [0] * 10 + [1], dtype=np.int64)
    phrase = np.array([0] * 10 + [1] * 11, dtype=np.int32)
    best, masks = categories_of_occurrences(tags, phrase, position, np.ones(21, np.int32), 2)
    assert [CATEGORIES[number] for number in best] == ["NOUN_SG", "NOUN_SG"]
    assert [category_names(mask) for mask in masks] == [["NOUN_SG", "VERB_BASE"], ["NOUN_SG"]]


def test_bad_occurrences_and_starts_are_refused() -> None:
    tags, one = numbers("NN VB"), np.array([1], np.int32)
    with pytest.raises(InputError, match="one length"):
        categories_of_occurrences(tags, one, np.zeros(2, np.int64), one, 2)
    with pytest.raises(InputError, match="below 1"):
        categories_of_occurrences(tags, one, np.zeros(1, np.int64), one, 1)
    with pytest.raises(InputError, match="within 2 tokens"):
        categories_of_occurrences(tags, one, np.array([2], np.int64), one, 2)
    with pytest.raises(InputError, match="ascend from 0 to 2"):
        span_categories(tags, np.array([0, 1], np.int64))
