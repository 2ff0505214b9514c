"""Draws by score: by seed, without replacement, whatever else is rewritten."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

import paraphrast
import toy
from paraphrast.model.sampling import draw, pool_size, uniform_of
from paraphrast.types import Paraphrase

SENTENCE = "The committee will examine a big proposal tomorrow."


def results_of(*probabilities: float) -> list[Paraphrase]:
    return [
        Paraphrase("in", f"out {number}", math.log(value), ()) for number, value in enumerate(probabilities)
    ]


def test_the_first_draw_follows_the_scores() -> None:
    listed = results_of(0.6, 0.3, 0.1)
    firsts = Counter(draw(listed, 1, seed)[0].text for seed in range(3000))
    for number, share in enumerate((0.6, 0.3, 0.1)):
        assert abs(firsts[f"out {number}"] / 3000 - share) < 0.04


def test_draws_follow_the_probabilities_where_they_are_known() -> None:
    listed = [
        Paraphrase("in", f"out {number}", 0.0, (), probability)
        for number, probability in enumerate((0.9, 0.1))
    ]
    firsts = Counter(draw(listed, 1, seed)[0].text for seed in range(2000))
    assert abs(firsts["out 0"] / 2000 - 0.9) < 0.03


def test_draws_have_no_repeats_and_do_not_depend_on_the_order() -> None:
    listed = results_of(0.4, 0.3, 0.2, 0.1)
    for seed in range(20):
        drawn = draw(listed, 3, seed)
        assert len({result.text for result in drawn}) == 3
        assert drawn == draw(listed[::-1], 3, seed)
        assert draw(listed, 2, seed) == drawn[:2]
    assert len(draw(listed, 9, 0)) == 4
    assert draw([], 3, 0) == []


def test_numbers_lie_between_0_and_1_and_differ() -> None:
    numbers = [uniform_of(seed, "a", "b") for seed in range(1000)]
    assert 0 < min(numbers) < 0.01
    assert 0.99 < max(numbers) < 1
    assert uniform_of(0, "ab", "c") != uniform_of(0, "a", "bc")
    assert pool_size(1) >= 50
    assert pool_size(10_000) == 10_000


def test_samples_depend_on_the_seed_alone(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    texts = [row[0] for row in toy.rows(40, seed=3)]
    options = {"n": 3, "strength": 1.0, "sample": True}
    alone = [model.paraphrase(text, seed=5, **options) for text in texts]  # type: ignore[arg-type]
    for threads in (1, 3):
        many = model.paraphrase_many(texts, seed=5, threads=threads, **options)  # type: ignore[arg-type]
        assert list(many) == alone
    assert list(model.paraphrase_many(texts, seed=6, **options)) != alone  # type: ignore[arg-type]
    wide = {result.text for result in model.paraphrase(SENTENCE, n=50, strength=1.0)}
    seen = {
        result.text
        for seed in range(10)
        for result in model.paraphrase(SENTENCE, n=2, strength=1.0, sample=True, seed=seed)
    }
    assert len(seen) > 4
    assert seen <= wide


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(paraphrast.InputError, match="seed"):
        paraphrast.Control(seed=-1)
