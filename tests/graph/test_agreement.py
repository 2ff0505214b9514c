"""Agreement of two phrases by tags and categories, against plain sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paraphrast.graph.agreement import LOWEST_SHARE, make_agreement
from paraphrast.graph.features import make_features, no_features, tag_features, word_class_codes
from paraphrast.text.syntax.category import CATEGORIES, replaceable_masks

#: Tag sequences of four phrases, one an occurrence.
OCCURRENCES = [(0, (1, 2)), (0, (1, 3)), (1, (1, 2)), (2, (4,)), (3, (1,)), (3, (1,)), (3, (2,))]


def tag_lists() -> tuple[np.ndarray, ...]:
    words = np.full((len(OCCURRENCES), 7), -1, np.int32)
    for row, (_, tags) in enumerate(OCCURRENCES):
        words[row, : len(tags)] = tags
    codes = word_class_codes(words, np.arange(10, dtype=np.int32))
    return tag_features(np.array([phrase for phrase, _ in OCCURRENCES], np.int32), codes, 4)


def plain_ends(one: int, two: int) -> float:
    product = 1.0
    for end in (0, -1):
        shares = []
        for phrase in (one, two):
            tags = [tags[end] for number, tags in OCCURRENCES if number == phrase]
            shares.append({tag: tags.count(tag) / len(tags) for tag in tags})
        product *= sum(math.sqrt(share * shares[1].get(tag, 0)) for tag, share in shares[0].items())
    return math.sqrt(product)


def test_tags_at_both_ends() -> None:
    agreement = make_agreement(make_features(4, tag_lists()))  # type: ignore[arg-type]
    one, two = (grid.ravel().astype(np.int32) for grid in np.meshgrid(np.arange(4), np.arange(4)))
    expected = [plain_ends(int(a), int(b)) for a, b in zip(one, two, strict=True)]
    assert agreement(one, two) == pytest.approx(expected)
    assert agreement(one, one) == pytest.approx(1)


def test_categories_in_both_directions() -> None:
    masks = np.array([0b10, 0b110, 0, 0b1000], np.uint32)
    assert len(CATEGORIES) > 4
    agreement = make_agreement(no_features(4), masks)
    wide = replaceable_masks(masks)

    def share(one: int, two: int) -> float:
        if not masks[one] or not masks[two]:
            return LOWEST_SHARE
        if not wide[two]:
            return 1.0
        both = int(masks[one] & wide[two]).bit_count() / int(masks[one]).bit_count()
        return max(both, LOWEST_SHARE)

    for one in range(4):
        for two in range(4):
            found = agreement(np.array([one], np.int32), np.array([two], np.int32))[0]
            assert found == pytest.approx(math.sqrt(share(one, two) * share(two, one)))


def test_both_parts_count_alike() -> None:
    masks = np.full(4, 0b10, np.uint32)
    both = make_agreement(make_features(4, tag_lists()), masks)  # type: ignore[arg-type]
    tags = make_agreement(make_features(4, tag_lists()))  # type: ignore[arg-type]
    one, two = np.array([0, 0], np.int32), np.array([1, 2], np.int32)
    assert both(one, two) == pytest.approx((tags(one, two) + 1) / 2)


def test_nothing_known_is_no_obstacle() -> None:
    agreement = make_agreement(no_features(3), np.zeros(3, np.uint32))
    assert agreement(np.array([0], np.int32), np.array([1], np.int32)).tolist() == [1.0]
