"""Parts merged over their bridges, against a plain reading of the rule."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.graph.components import group, with_entries
from paraphrast.graph.merge import choose, merge_parts
from paraphrast.graph.phrase_graph import adjacency
from phrase_graphs import make_graph

#: All entries between four and four phrases, so that any set of vertices of both sides is a part.
GRAPH = make_graph([(s, t) for s in range(4) for t in range(4)])
PARTS = st.lists(
    st.tuples(st.sets(st.integers(0, 3), min_size=1), st.sets(st.integers(4, 7), min_size=1)).map(
        lambda sides: sides[0] | sides[1]
    ),
    min_size=1,
    max_size=6,
)


def plain_choice(sets: list[set[int]], up_to: int) -> list[int]:
    """The part each goes to, by the book."""
    chosen = []
    for own, part in enumerate(sets):
        times = {v: sum(v in other for other in sets) for v in part}
        bridges = [v for v in sorted(part, key=lambda v: (times[v], v)) if times[v] > 1]
        if len(part) > up_to or not bridges:
            chosen.append(-1)
            continue
        others = [k for k, other in enumerate(sets) if k != own and bridges[0] in other]
        chosen.append(min(others, key=lambda k: (-len(sets[k]), k)))
    return chosen


@settings(max_examples=200, deadline=None)
@given(PARTS, st.integers(0, 8))
def test_merging_follows_the_rule(sets: list[set[int]], up_to: int) -> None:
    links = adjacency(GRAPH)
    part = np.concatenate([np.full(len(some), number) for number, some in enumerate(sets)])
    start, members = group(part, np.concatenate([list(some) for some in sets]).astype(np.int32), len(sets))
    parts = with_entries(links, start, members, GRAPH.source_size)
    chosen = plain_choice(sets, up_to)
    assert choose(parts, links, up_to).tolist() == chosen
    expected = []
    for own, some in enumerate(sets):
        movers = [sets[k] for k, to in enumerate(chosen) if to == own]
        if movers or chosen[own] < 0:
            grown = sorted(some.union(*movers))
            if not movers or grown not in expected:
                expected.append(grown)
    merged, count = merge_parts(links, parts, GRAPH.source_size, up_to)
    found = [piece.tolist() for piece in np.split(merged.vertices, merged.vertex_start[1:-1])]
    assert sorted(found) == sorted(expected)
    assert [len(piece) for piece in found] == sorted(map(len, found), reverse=True)
    assert count == sum(to >= 0 for to in chosen)
    for piece, rows in zip(found, np.split(merged.edges, merged.edge_start[1:-1]), strict=True):
        assert len(rows) == sum(v < 4 for v in piece) * sum(v >= 4 for v in piece)
