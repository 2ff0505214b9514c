from __future__ import annotations

import pytest

from acquire.pages_of_ours import STORY, page
from paraphrast.acquire.labels import label_lines, shingle_counts, shingle_score
from paraphrast.acquire.lines import lines_of, parse


def test_the_lines_of_the_story_are_labelled() -> None:
    lines = lines_of(parse(page())).lines
    labels = label_lines(lines, "\n\n".join(STORY))
    assert [line.text for line, label in zip(lines, labels, strict=True) if label] == STORY


def test_shingles_are_counted_with_repetition() -> None:
    # a b c d e: two shingles; found: a b c d twice, b c d e never.
    assert shingle_counts("a b c d e", "a b c d x a b c d") == pytest.approx((1 / 7, 5 / 7, 1 / 7))


def test_a_text_shorter_than_a_shingle_is_one() -> None:
    assert shingle_counts("a b", "a b") == (1.0, 0.0, 0.0)
    assert shingle_counts("", "") == (0.0, 0.0, 0.0)


def test_score_is_of_means_over_pages() -> None:
    score = shingle_score([(0.5, 0.5, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
    # The last page found nothing: it has no precision, and a recall of 0.
    assert score["precision"] == pytest.approx(0.75)
    assert score["recall"] == pytest.approx(2 / 3)
    assert score["f1"] == pytest.approx(2 * 0.75 * (2 / 3) / (0.75 + 2 / 3))
