"""TER's kernel against sacreBLEU's own count of edits."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from paraphrast.references._kernels_ter import ter_edits

ROW = st.lists(st.sampled_from("abcde"), max_size=9)


def edits(output: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    ids = {word: number for number, word in enumerate(dict.fromkeys(output))}
    begin = np.cumsum([0, *(len(row) for row in references)]).astype(np.int64)
    flat = np.array([ids.get(word, -1) for row in references for word in row], dtype=np.int32)
    return ter_edits(np.array([ids[word] for word in output], dtype=np.int32), begin, flat)


def theirs(output: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    return min(translation_edit_rate(list(output), list(row))[0] for row in references)


@settings(max_examples=200, deadline=None)
@given(ROW, st.lists(ROW, min_size=1, max_size=4))
def test_short_rows(output: list[str], references: list[list[str]]) -> None:
    assert edits(output, references) == theirs(output, references)


def shuffled(draw: random.Random, row: Sequence[str], times: int) -> list[str]:
    """Blocks moved, and words changed."""
    made = list(row)
    for _ in range(times):
        at, size = draw.randrange(len(made)), draw.randint(1, 6)
        block = made[at : at + size]
        del made[at : at + size]
        goal = draw.randint(0, len(made))
        made[goal:goal] = block
        if draw.random() < 0.5:
            made[draw.randrange(len(made))] = str(draw.randrange(40))
    return made


@pytest.mark.parametrize("seed", range(60))
def test_rows_with_blocks_moved(seed: int) -> None:
    draw = random.Random(seed)
    output = [str(draw.randrange(30)) for _ in range(draw.randint(5, 28))]
    references = [shuffled(draw, output, draw.randint(0, 5)) for _ in range(3)]
    assert edits(output, references) == theirs(output, references)


def test_the_band_about_the_diagonal_and_the_limit_on_shifts() -> None:
    draw = random.Random(1)
    # Sixty words moved from one end to the other are beyond the band and beyond the farthest shift.
    output = [str(number) for number in range(70)]
    reference = [*output[60:], *output[:60]]
    assert edits(output, [reference]) == theirs(output, [reference])
    # Few words, many times: more shifts to try than are tried.
    output, reference = ([draw.choice("abc") for _ in range(30)] for _ in range(2))
    assert edits(output, [reference]) == theirs(output, [reference])
    # An output far shorter than the reference, for which the band is wider.
    assert edits(["a", "b"], [["x"] * 150]) == theirs(["a", "b"], [["x"] * 150])


def test_empty_sides() -> None:
    assert edits([], [["a", "b"]]) == 2
    assert edits(["a", "b"], [[]]) == 2
    assert edits([], [[]]) == 0
