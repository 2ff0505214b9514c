"""Every rater sees every item once, in an order of their own, and every beginning of it is balanced over systems."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from paraphrast.campaign.order import is_gold_place, rater_order

strata = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=60)


@given(strata, st.integers(0, 2**32), st.integers(1, 20))
def test_every_beginning_is_balanced(systems: list[str], seed: int, rater: int) -> None:
    order = rater_order(systems, seed, rater)
    assert sorted(order) == list(range(len(systems)))
    totals = Counter(systems)
    seen: Counter[str] = Counter()
    for size, position in enumerate(order, 1):
        seen[systems[position]] += 1
        for system, total in totals.items():
            assert abs(seen[system] - size * total / len(systems)) <= len(totals)


def test_orders_differ_by_rater_and_stay_the_same() -> None:
    systems = ["a", "b"] * 20
    orders = [tuple(rater_order(systems, 1, rater)) for rater in range(1, 6)]
    assert len(set(orders)) == 5
    assert orders == [tuple(rater_order(systems, 1, rater)) for rater in range(1, 6)]


@given(st.integers(2, 20), st.integers(0, 1000), st.integers(1, 9))
def test_each_block_has_one_gold_place(every: int, seed: int, rater: int) -> None:
    for block in range(5):
        places = range(block * every + 1, (block + 1) * every + 1)
        assert sum(is_gold_place(place, every, seed, rater) for place in places) == 1
    assert not any(is_gold_place(place, 0, seed, rater) for place in range(1, 50))
