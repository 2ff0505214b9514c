"""Each veto on examples made by hand, and the kernel against a plain twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.tables.checks.stems import stemmer
from paraphrast.tables.checks.vetoes import (
    VETOES,
    WordClasses,
    veto_bits,
    veto_mask,
    word_classes,
)
from paraphrast.text.languages.record import Language
from paraphrast.text.languages.registry import get_language
from paraphrast.types import MAX_PHRASE, Phrases, Vocabulary

TEXT = """
the of at in it they all and to I two three hundred not n't never no without do did does know ignore Paris
London EU Council council examine examined look looked review proposal proposals possible impossible happy
unhappy unhappily happily careful careless come income earnings it unit increase increased increasing decrease
decreased rise fall fell big small large is are was employer employee hot cold unlooked , .
"""
ENGLISH = get_language("en")
VOCABULARY = Vocabulary.from_counts((word, 1) for word in TEXT.split())
ANTONYMS = [
    ("increase", "decrease"),
    ("Big", "small"),
    ("fall", "rise"),
    ("employer", "employee"),
    ("hot", "freezing"),
    ("come to", "go away"),
]
CLASSES = word_classes(VOCABULARY, ENGLISH, ANTONYMS)


def phrases_of(texts: list[str], vocabulary: Vocabulary = VOCABULARY) -> Phrases:
    words = np.full((len(texts), MAX_PHRASE), -1, np.int32)
    for row, text in enumerate(texts):
        ids = [vocabulary.ids[word] for word in text.split()]
        words[row, : len(ids)] = ids
    return Phrases(words, np.zeros(len(texts), np.uint8))


def vetoes(
    source: str, target: str, classes: WordClasses = CLASSES, vocabulary: Vocabulary = VOCABULARY
) -> set[str]:
    phrases = phrases_of([source, target], vocabulary)
    ours, theirs = np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    forth, back = veto_bits(phrases, ours, theirs, classes).tolist()
    assert forth == back, "a veto holds in both directions"
    return {name for name, bit in VETOES.items() if forth & bit}


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("examine", "look at", set()),
        ("income", "earnings", set()),
        # number
        ("two", "three", {"number"}),
        ("two hundred", "hundred two", set()),
        ("<number> proposals", "the proposals", {"number"}),
        ("<number>", "<percent>", {"number"}),
        ("<number> of <number>", "<number> of the", {"number"}),
        ("<number> of the", "the <number>", set()),
        # name
        ("Paris", "London", {"name"}),
        ("in Paris", "in the", {"name"}),
        ("they examined", "I looked", {"name"}),
        ("they know", "they ignore", set()),
        ("Paris and London", "London and Paris", set()),
        ("the EU", "the council", {"name"}),
        ("I know", "they know", {"name"}),
        # negation
        ("do not know", "know", {"negation"}),
        ("do n't know", "do not know", set()),
        ("never", "without", set()),
        ("possible", "impossible", {"negation"}),
        ("not possible", "impossible", set()),
        ("not possible", "not impossible", {"negation"}),
        ("happily", "unhappily", {"negation"}),
        ("happy", "unhappy", {"negation"}),
        ("look", "unlooked", {"negation"}),
        ("careful", "careless", {"negation"}),
        ("it", "unit", {"name"}),
        ("possible and impossible", "impossible and possible", set()),
        # antonym
        ("increase", "decrease", {"antonym"}),
        ("increased", "decreased", {"antonym"}),
        ("increasing", "to decrease", {"antonym"}),
        ("rise", "fell", {"antonym"}),
        ("big", "small", {"antonym"}),
        ("big and small", "large and small", set()),
        ("big and small", "small and big", set()),
        ("employer", "employee", {"antonym"}),
        ("hot", "cold", set()),
        # inflection
        ("proposal", "proposals", {"inflection"}),
        ("is examined", "was examined", {"inflection"}),
        ("is", "are", {"inflection"}),
        ("look at", "looked at", {"inflection"}),
        ("the proposal", "proposals", set()),
        ("Council", "council", {"name", "inflection"}),
    ],
)
def test_vetoes(source: str, target: str, expected: set[str]) -> None:
    assert vetoes(source, target) == expected


def test_stems_of_a_language_without_a_stemmer_are_shared_beginnings() -> None:
    vocabulary = Vocabulary.from_counts((word, 1) for word in ["kalama", "kalami", "kasi", "kasa"])
    classes = word_classes(vocabulary, Language(code="tok", name="Toki Pona"))
    assert vetoes("kalama", "kalami", classes, vocabulary) == {"inflection"}
    assert vetoes("kasi", "kasa", classes, vocabulary) == set()


def test_german_has_its_own_prefixes_and_stems() -> None:
    vocabulary = Vocabulary.from_counts((word, 1) for word in ["möglich", "unmöglich", "möglichen"])
    classes = word_classes(vocabulary, get_language("de"))
    assert vetoes("möglich", "unmöglich", classes, vocabulary) == {"negation"}
    assert vetoes("möglich", "möglichen", classes, vocabulary) == {"inflection"}


def test_a_pair_with_one_stem_is_kept_as_words() -> None:
    vocabulary = Vocabulary.from_counts((word, 1) for word in ["connected", "connecting", "connects"])
    classes = word_classes(vocabulary, ENGLISH, [("connected", "connecting")])
    assert "antonym" in vetoes("connected", "connecting", classes, vocabulary)
    assert "antonym" not in vetoes("connected", "connects", classes, vocabulary)


def test_words_that_rule_each_other_out() -> None:
    vocabulary = Vocabulary.from_counts(
        (word, 1) for word in ["ten", "minutes", "days", "day", "week", "last", "north", "northern"]
    )
    classes = word_classes(vocabulary, ENGLISH)
    phrases = phrases_of(
        ["ten minutes", "ten days", "last day", "day", "week", "north", "northern"], vocabulary
    )
    pairs = {(0, 1): 1, (1, 0): 1, (3, 4): 1, (2, 3): 0, (5, 6): 0}
    source, target = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    bits = veto_bits(phrases, source, target, classes)
    assert ((bits & VETOES["antonym"]) != 0).tolist() == [bool(wanted) for wanted in pairs.values()]


def test_choosing() -> None:
    assert veto_mask() == 31
    assert veto_mask(["number", "antonym"]) == 9
    with pytest.raises(InputError, match="known: number"):
        veto_mask(["colour"])


def test_rows_that_point_nowhere_are_refused() -> None:
    phrases, one = phrases_of(["examine"]), np.array([0], np.int32)
    with pytest.raises(InputError, match="as many"):
        veto_bits(phrases, one, np.zeros(2, np.int32), CLASSES)
    with pytest.raises(InputError, match="target phrase ids"):
        veto_bits(phrases, one, np.array([1], np.int32), CLASSES)
    small = word_classes(Vocabulary.from_counts([]), ENGLISH)
    with pytest.raises(InputError, match="word ids below 11"):
        veto_bits(phrases, one, one, small)


def test_no_rows() -> None:
    none = np.zeros(0, np.int32)
    assert veto_bits(phrases_of([]), none, none, CLASSES).tolist() == []


# A plain twin.


def plain_bits(source: list[int], target: list[int], classes: WordClasses) -> int:
    def multiset(words: list[int], values: np.ndarray) -> Counter[int]:
        return Counter(int(values[word]) for word in words if values[word] >= 0)

    def stems(words: list[int]) -> list[int]:
        return [int(classes.stem[word]) for word in words]

    def denials(words: list[int], others: list[int]) -> int:
        prefixed = [int(classes.unprefixed[word]) for word in words]
        turned = [plain for plain in prefixed if plain in stems(others) and plain not in stems(words)]
        return sum(int(classes.negation[word]) for word in words) + len(turned)

    bits = 0
    bits |= VETOES["number"] * (multiset(source, classes.number) != multiset(target, classes.number))
    bits |= VETOES["name"] * (multiset(source, classes.name) != multiset(target, classes.name))
    bits |= VETOES["negation"] * (denials(source, target) != denials(target, source))
    for values, pairs in ((classes.folded, classes.word_pairs), (classes.stem, classes.stem_pairs)):
        ours, theirs = {int(values[word]) for word in source}, {int(values[word]) for word in target}
        listed = {(key >> 32, key & 0xFFFFFFFF) for key in pairs.tolist()}
        if any(
            ((first, second) in listed or (second, first) in listed)
            and second not in ours
            and first not in theirs
            for first in ours
            for second in theirs
        ):
            bits |= VETOES["antonym"]
    bits |= VETOES["inflection"] * (stems(source) == stems(target))
    return bits


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31))
def test_vetoes_match_their_twin(seed: int) -> None:
    generator = np.random.default_rng(seed)
    number = 40
    words = generator.integers(3, len(VOCABULARY), (number, MAX_PHRASE)).astype(np.int32)
    words[np.arange(MAX_PHRASE) >= generator.integers(1, MAX_PHRASE + 1, number)[:, None]] = -1
    phrases = Phrases(words, np.zeros(number, np.uint8))
    source, target = generator.integers(0, number, (2, 200)).astype(np.int32)
    expected = [
        plain_bits(phrases.ids_of(ours), phrases.ids_of(theirs), CLASSES)
        for ours, theirs in zip(source.tolist(), target.tolist(), strict=True)
    ]
    assert veto_bits(phrases, source, target, CLASSES).tolist() == expected


def test_a_capital_tells_no_name_where_every_noun_has_one() -> None:
    vocabulary = Vocabulary.from_counts(
        (word, 1) for word in ("Haus", "Gebäude", "Paris", "EU", "prüfen", "geprüft")
    )
    classes = word_classes(vocabulary, get_language("de"), names={"Paris"})
    names = {word for word in vocabulary.words if classes.name[vocabulary.ids[word]] >= 0}
    assert names == {"Paris", "EU"}
    english = word_classes(vocabulary, get_language("en"))
    assert {word for word in vocabulary.words if english.name[vocabulary.ids[word]] >= 0} == {
        "Haus",
        "Gebäude",
        "Paris",
        "EU",
    }


@pytest.mark.parametrize(
    "forms",
    [("prüfen", "prüft", "geprüft"), ("problem", "probleme", "problems"), ("unterstützen", "unterstützt")],
)
def test_german_inflections_have_one_stem(forms: tuple[str, ...]) -> None:
    stem = stemmer(get_language("de"))
    assert len({stem(form) for form in forms}) == 1
    assert stem("haus") != stem("gebäude")
