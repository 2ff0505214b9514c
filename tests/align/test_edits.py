from __future__ import annotations

import random

import pytest

from paraphrast.align.edits import Span, changed_spans, is_inside_word, units

LIGHT = frozenset(["the", "a", "to", "of", "in", "it", "is", "that", "he", "do", "n't", "not", "on"])


def plain_units(length: int, new_length: int, links: list[tuple[int, int]]) -> list[Span]:
    """Cuts (i, j) that no link crosses, by trying all; of those at one place of the second side, words join gaps."""

    def sound(place: int, new_place: int) -> bool:
        return all((one < place) == (two < new_place) for one, two in links)

    found: list[Span] = []
    begin, new_begin = 0, 0
    blocks: list[Span] = []
    while begin < length or new_begin < new_length:
        ends = [
            (end, new_end)
            for end in range(begin, length + 1)
            for new_end in range(new_begin, new_length + 1)
            if (end, new_end) != (begin, new_begin) and sound(end, new_end)
        ]
        end, new_end = min(ends, key=lambda cut: (sum(cut), cut))
        blocks.append(Span(begin, end, new_begin, new_end))
        begin, new_begin = end, new_end
    for block in blocks:
        linked = any(block.start <= one < block.end for one, _ in links)
        gap = found and not linked and not any(found[-1].start <= one < found[-1].end for one, _ in links)
        if gap:
            found[-1] = Span(found[-1].start, block.end, found[-1].new_start, block.new_end)
        else:
            found.append(block)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_units_are_those_of_the_plain_search(seed: int) -> None:
    rng = random.Random(seed)
    length, new_length = rng.randint(1, 7), rng.randint(1, 7)
    links = sorted({(rng.randrange(length), rng.randrange(new_length)) for _ in range(rng.randint(0, 6))})
    found = units(length, new_length, links)
    assert found == plain_units(length, new_length, links)
    assert found[0][::2] == (0, 0)
    assert found[-1][1::2] == (length, new_length)


def edits(first: str, second: str, links: str, longest: int = 7) -> set[tuple[str, str]]:
    words, new_words = first.split(), second.split()
    pairs = [(int(one), int(two)) for one, two in (link.split("-") for link in links.split())]
    return {
        (" ".join(words[span.start : span.end]), " ".join(new_words[span.new_start : span.new_end]))
        for span, _ in changed_spans(words, new_words, pairs, longest, LIGHT)
    }


def test_a_changed_word_is_an_edit() -> None:
    assert edits("he bought bread", "he purchased bread", "0-0 1-1 2-2") == {("bought", "purchased")}
    # Words without a link that stand between the same units.
    assert edits("he bought bread", "he purchased bread", "0-0 2-2") == {("bought", "purchased")}


def test_function_words_take_in_what_stands_beside_them() -> None:
    found = edits("they do n't know", "they do not know", "0-0 1-1 2-2 3-3")
    assert found == {("do n't", "do not"), ("n't know", "not know"), ("do n't know", "do not know")}


def test_words_that_went_belong_to_the_change_beside_them() -> None:
    assert edits("we go on working", "we continue working", "0-0 1-1 3-2") == {("go on", "continue")}
    assert edits("he said that she left", "he said she left", "0-0 1-1 3-2 4-3") == {
        ("said that", "said"),
        ("that she", "she"),
        ("said that she", "said she"),
    }


def test_what_was_moved_is_one_edit() -> None:
    found = edits("today I saw Tom", "I saw Tom today", "0-3 1-0 2-1 3-2")
    assert found == {("today I saw Tom", "I saw Tom today")}
    assert not edits("today I saw Tom", "I saw Tom today", "0-3 1-0 2-1 3-2", longest=3)


def test_changes_that_touch_are_edits_together_and_apart() -> None:
    words, new_words = ["big", "cars", "sold"], ["large", "vehicles", "sold"]
    found = list(changed_spans(words, new_words, [(0, 0), (1, 1), (2, 2)], 7, LIGHT))
    assert found == [(Span(0, 1, 0, 1), False), (Span(1, 2, 1, 2), False), (Span(0, 2, 0, 2), True)]


def test_marks_and_case_are_no_edits() -> None:
    assert not edits("However , it rained", "however it rained", "0-0 2-1 3-2")


def test_places_inside_written_words() -> None:
    words, spaces = ["I", "do", "n't", "(", "know", ")"], [0, 1, 0, 1, 0, 0]
    assert [is_inside_word(words, spaces, place) for place in range(7)] == [
        False, False, True, False, False, False, False,
    ]  # fmt: skip
