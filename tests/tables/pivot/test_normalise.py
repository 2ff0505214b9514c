"""Trimming and merging, against a plain twin that works on lists of words."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from paraphrast.tables.checks.filters import FilterClasses, filter_classes, is_punctuation
from paraphrast.tables.pivot.normalise import normalise, trim_rows
from paraphrast.text import get_language
from paraphrast.types import MAX_PHRASE, Phrases, Vocabulary

ENGLISH = get_language("en")
WORDS = ("the", "look", "Look", "at", "into", "examine", "plan", "proposal", ",", ".", "of")
VOCABULARY = Vocabulary.from_counts((word, 1) for word in WORDS)
CLASSES: FilterClasses = filter_classes(VOCABULARY, ENGLISH)


def store(texts: list[str], glue: dict[str, int] | None = None) -> Phrases:
    """Distinct phrases in the order given."""
    matrix = np.full((len(texts), MAX_PHRASE), -1, np.int32)
    for row, text in enumerate(texts):
        ids = [VOCABULARY.ids[word] for word in text.split()]
        matrix[row, : len(ids)] = ids
    return Phrases(matrix, np.array([(glue or {}).get(text, 0) for text in texts], np.uint8))


def plain_trim(source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    """What trim_rows does, a word at a time."""

    def content(words: list[str]) -> bool:
        return any(not is_punctuation(w) and w.lower() not in ENGLISH.function_words for w in words)

    def punctuation(words: list[str]) -> list[str]:
        while words and is_punctuation(words[0]):
            words = words[1:]
        while words and is_punctuation(words[-1]):
            words = words[:-1]
        return words

    outer = punctuation(source), punctuation(target)
    source, target = outer
    moved = True
    while moved:
        moved = False
        source, target = punctuation(source), punctuation(target)
        for place in (0, -1):
            if source and target and source[place].lower() == target[place].lower():
                source, target = (s[1:] if place == 0 else s[:-1] for s in (source, target))
                moved = True
    if source and target:
        for before, after in zip(outer, (source, target), strict=True):
            if content(before) and not content(after):
                return outer
    return source, target


def cut(text: str, begin: NDArray[np.int8], end: NDArray[np.int8], row: int) -> list[str]:
    return text.split()[int(begin[row]) : int(end[row])]


phrase = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(phrase, phrase), min_size=1, max_size=20))
def test_rows_are_trimmed_as_by_hand(pairs: list[tuple[str, str]]) -> None:
    texts = sorted({side for pair in pairs for side in pair})
    source = np.array([texts.index(pair[0]) for pair in pairs], np.int32)
    target = np.array([texts.index(pair[1]) for pair in pairs], np.int32)
    trimmed = trim_rows(store(texts), source, target, CLASSES)
    for row, pair in enumerate(pairs):
        expected = plain_trim(pair[0].split(), pair[1].split())
        if all(expected):
            assert cut(pair[0], trimmed.source_begin, trimmed.source_end, row) == expected[0]
            assert cut(pair[1], trimmed.target_begin, trimmed.target_end, row) == expected[1]
        assert bool(trimmed.empty[row]) == (not all(expected))


def texts_of(phrases: Phrases) -> list[str]:
    return [" ".join(VOCABULARY.words[w] for w in phrases.ids_of(i)) for i in range(len(phrases))]


def test_rows_of_one_pair_are_merged_and_the_best_stands_for_all() -> None:
    texts = [
        "examine",
        "examine the plan",
        "examine the proposal ,",
        "look at",
        "look at the plan",
        "the plan",
    ]
    texts += ["look at the proposal"]
    phrases = store(texts, {"look at the plan": 0b101, "look at": 0b1})
    rows = [("examine", "look at"), ("examine the plan", "look at the plan")]
    rows += [("examine the proposal ,", "look at the proposal"), ("the plan", "examine the plan")]
    source = np.array([texts.index(row[0]) for row in rows], np.int32)
    target = np.array([texts.index(row[1]) for row in rows], np.int32)
    rank = np.array([-3.0, -1.0, -2.0, -0.5], np.float32)
    short = normalise(phrases, source, target, rank, CLASSES)
    assert texts_of(short.phrases) == sorted(
        ["examine", "look at"], key=lambda t: [VOCABULARY.ids[w] for w in t.split()]
    )
    assert short.row.tolist() == [1]
    assert (short.merged, short.emptied) == (2, 1)
    assert [texts_of(short.phrases)[i] for i in (*short.source, *short.target)] == ["examine", "look at"]
    known = {text: int(k) for text, k in zip(texts_of(short.phrases), short.known, strict=True)}
    assert known == {"examine": 0, "look at": 3}
    assert short.phrases.glue[texts_of(short.phrases).index("look at")] == 1, (
        "the whole phrase's own spelling"
    )


def test_a_piece_that_was_no_phrase_is_spelled_as_where_it_was_cut() -> None:
    texts = ["the plan of", "the proposal , of"]
    phrases = store(texts, {"the proposal , of": 0b010})
    short = normalise(
        phrases, np.array([0], np.int32), np.array([1], np.int32), np.zeros(1, np.float32), CLASSES
    )
    assert sorted(texts_of(short.phrases)) == ["plan", "proposal"]
    assert short.known.tolist() == [-1, -1]
    assert short.source_begin.tolist() == short.target_begin.tolist() == [1]
    two = normalise(
        store(["of look at", "examine"], {"of look at": 0b010}),
        np.array([0], np.int32),
        np.array([1], np.int32),
        np.zeros(1, np.float32),
        CLASSES,
    )
    assert two.phrases.glue[texts_of(two.phrases).index("of look at")] == 0b010


def test_nothing_comes_of_nothing() -> None:
    none = np.zeros(0, np.int32)
    short = normalise(store(["plan"]), none, none, np.zeros(0, np.float32), CLASSES)
    assert len(short.row) == len(short.phrases) == 0
