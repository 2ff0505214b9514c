"""Small aligned corpora for the tests of this room."""

from __future__ import annotations

from hypothesis import strategies as st

from paraphrast.types import Links, Sentences

Link = tuple[int, int]
Pair = tuple[list[int], list[int], set[Link]]


@st.composite
def aligned_pairs(draw: st.DrawFn, words: int = 4, most: int = 6) -> Pair:
    """Two sentences of word ids below ``words`` and their links."""
    source = draw(st.lists(st.integers(0, words - 1), max_size=most))
    target = draw(st.lists(st.integers(0, words - 1), max_size=most))
    links: set[Link] = set()
    if source and target:
        place = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links = draw(st.sets(place, max_size=most))
    return source, target, links


def corpus_of(pairs: list[Pair]) -> tuple[Sentences, Sentences, Links]:
    """The records that functions take."""
    return (
        Sentences.from_lists(pair[0] for pair in pairs),
        Sentences.from_lists(pair[1] for pair in pairs),
        Links.from_lists(pair[2] for pair in pairs),
    )
