"""Barzilay and Lee's templates: groups, backbones, slots, pairs that mean the same, rewriting."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.msa.barzilay import _distances, _generic, group_sentences, learn_templates, make_template
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.options import BarzilayOptions
from paraphrast.msa.templates import (
    SLOT,
    Template,
    TemplatePair,
    arguments_of,
    match_templates,
    rewrite,
    spelled,
)
from paraphrast.text.languages.registry import get_language

ENGLISH = get_language("en")
FIRST = [
    "A bomber killed 3 people in Basra .",
    "A bomber killed 5 people in Mosul .",
    "A bomber killed 9 people in Kirkuk .",
    "A bomber killed 7 people in Tikrit .",
    "The weather was mild all week long .",
]
SECOND = [
    "In Basra a bombing claimed 3 lives on Monday .",
    "In Mosul a bombing claimed 5 lives on Monday .",
    "In Kirkuk a bombing claimed 9 lives on Monday .",
    "In Tikrit a bombing claimed 7 lives on Monday .",
]
DAYS = ["1", "2", "3", "4", "5"]
LOOSE = BarzilayOptions(similarity=0.2)


def template(sentences: list[str], options: BarzilayOptions = LOOSE) -> Template:
    cluster = make_cluster(sentences, ENGLISH, pretokenized=True)
    (group,) = group_sentences(cluster, options)
    found = make_template(cluster, group, options)
    assert found is not None
    return found


def test_sentences_of_one_structure_are_one_group() -> None:
    cluster = make_cluster(FIRST, ENGLISH, pretokenized=True)
    assert group_sentences(cluster, LOOSE) == [[0, 1, 2, 3]]
    assert group_sentences(make_cluster(FIRST[:1], ENGLISH), LOOSE) == []


def test_distances_equal_those_of_counted_ngrams() -> None:
    random = np.random.default_rng(3)
    lines = [
        " ".join(random.choice(["a", "b", "mill", "7"], random.integers(1, 6)).tolist()) for _ in range(30)
    ]
    cluster = make_cluster(lines, ENGLISH, pretokenized=True)
    counts = []
    for sentence in range(len(cluster)):
        words = _generic(cluster, sentence)
        spans = [(at, end) for at in range(len(words)) for end in range(at + 1, min(at + 3, len(words)) + 1)]
        counts.append(Counter(tuple(words[at:end]) for at, end in spans))

    def cosine(one: Counter[Any], two: Counter[Any]) -> float:
        dot = sum(count * two[key] for key, count in one.items())
        norms = [sum(count * count for count in own.values()) ** 0.5 for own in (one, two)]
        return float(dot / (norms[0] * norms[1]))

    expected = [
        1 - cosine(counts[first], counts[second])
        for first in range(len(counts))
        for second in range(first + 1, len(counts))
    ]
    assert _distances(cluster, 3).tolist() == pytest.approx(expected, abs=1e-12)


def test_backbone_and_slots() -> None:
    found = template(FIRST)
    words = [part[0][0].lower() if part else "□" for part in found.parts]
    assert words == ["a", "bomber", "killed", "□", "people", "in", "□", "."]
    assert found.values[1] == (("5",), ("Mosul",))
    assert "[2]" in found.text()
    with pytest.raises(InputError, match="arguments"):
        next(found.filled([("x",)]))


def test_wording_that_is_frequent_is_kept_and_need_not_be_in_every_sentence() -> None:
    sentences = [
        "Today a bomber killed 3 people in Basra .",
        "Today a bomber killed 5 people in Mosul .",
        "A bomber injured 9 people in Kirkuk .",
        "A bomber injured 7 people in Tikrit .",
        "A man killed 8 people in Samarra .",
    ]
    found = template(sentences, BarzilayOptions(similarity=0.1, synonymy=0.4))
    assert [set(part) for part in found.parts if len(part) > 1] == [{(), ("Today",)}]
    assert len(found.values) == 5
    assert found.values[4] == (("8",), ("Samarra",))  # it lacks the bomber, and has both arguments
    words = ["today", "a", "bomber", "killed", "4", "people", "in", "Najaf", "."]
    assert arguments_of(words, found) == [("4",), ("Najaf",)]
    assert arguments_of(words[1:], found) == [("4",), ("Najaf",)]
    assert arguments_of(words[:-1], found) is None
    assert make_template(make_cluster(sentences, ENGLISH), range(5), BarzilayOptions(content=9)) is None


def test_templates_of_two_corpora_meet_by_their_values_and_rewrite() -> None:
    first, second = template(FIRST), template(SECOND)
    same_day = {number: {number} for number in range(4)}
    (pair,) = match_templates([first], [second], same_day, ENGLISH)
    assert pair.order == (1, 0)  # the number is the second slot of the other, the town its first
    texts = [text for text, _ in rewrite("A bomber killed 12 people in Samarra.", [pair], ENGLISH)]
    assert [text.lower() for text in texts] == ["in samarra a bombing claimed 12 lives on monday."]
    back = rewrite("In Samarra a bombing claimed 12 lives on Monday.", [pair], ENGLISH)
    assert [text for text, _ in back] == ["A bomber killed 12 people in Samarra."]
    assert rewrite("Nothing happened at all .", [pair], ENGLISH) == []
    assert match_templates([first], [second], {}, ENGLISH) == []
    (again,) = learn_templates(FIRST, SECOND, (DAYS, DAYS[:4]), ENGLISH, LOOSE)
    assert again.order == pair.order
    (alone,) = learn_templates(FIRST + SECOND, None, (DAYS + DAYS[:4], None), ENGLISH)
    assert alone.order == pair.order
    assert not learn_templates(FIRST, SECOND, ([""] * 5, [""] * 4), ENGLISH, LOOSE)


def test_arguments_are_found_or_not() -> None:
    made = Template(((("a",),), SLOT, (("b",), ("c", "d")), SLOT))
    assert arguments_of(["a", "x", "y", "b", "z"], made) == [("x", "y"), ("z",)]
    assert arguments_of(["A", "x", "c", "d", "z"], made) == [("x",), ("z",)]
    assert arguments_of(["a", "b", "z"], made) is None


def test_frequent_wordings_come_first() -> None:
    made = Template(((("a",), ("b",)), SLOT, (("c",), ())))
    found = [" ".join(words) for words in made.filled([("x",)])]
    assert found[0] == "a x c"
    assert sorted(found) == ["a x", "a x c", "b x", "b x c"]


def test_as_text_and_back() -> None:
    pair = TemplatePair(
        Template(((("a",), ()), SLOT, SLOT)), Template((SLOT, (("b", "c"),), SLOT)), (1, 0), 0.5
    )
    assert TemplatePair.from_dict(pair.to_dict()) == pair
    for wrong in (
        {},
        {**pair.to_dict(), "order": [0, 0]},
        {**pair.to_dict(), "order": [0]},
        {**pair.to_dict(), "first": {"parts": 3}},
    ):
        with pytest.raises(InputError, match="expected"):
            TemplatePair.from_dict(wrong)
    assert (
        spelled(["it", "did", "n't", "fall", ",", "(", "he", ")", "said", "."])
        == "It didn't fall, (he) said."
    )
    assert spelled(["it", "."], pretokenized=True) == "It ."
    assert spelled([]) == ""


@pytest.mark.parametrize("wish", [{"similarity": 2.0}, {"backbone": 0.4}, {"smallest": 1}, {"ngrams": 0}])
def test_bad_wishes(wish: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        BarzilayOptions(**wish)
