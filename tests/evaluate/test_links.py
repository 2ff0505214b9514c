"""Sets of links as integers do what sets do."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.evaluate.links import keys_of
from paraphrast.types import Links

rows = st.lists(
    st.tuples(
        st.sets(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=7),
        st.sets(st.tuples(st.integers(0, 9), st.integers(0, 30)), max_size=7),
    ),
    max_size=5,
)


@settings(max_examples=100)
@given(rows)
def test_algebra_equals_that_of_sets(pairs: list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]) -> None:
    one, two = keys_of(Links.from_lists(a for a, _ in pairs), Links.from_lists(b for _, b in pairs))
    cases = [
        (one.both(two), [a & b for a, b in pairs]),
        (one.either(two), [a | b for a, b in pairs]),
        (one.without(two), [a - b for a, b in pairs]),
        (one, [a for a, _ in pairs]),
    ]
    for keys, expected in cases:
        back = keys.to_links()
        assert [back.pair(n) for n in range(len(pairs))] == [sorted(row) for row in expected]
        assert keys.per_pair().tolist() == [len(row) for row in expected]
        assert back.source.dtype == back.target.dtype == "int32"
