"""Sentences without what follows their last comma, with trees written by hand."""

from __future__ import annotations

import pytest

from dependency_trees import graph_of, tree
from paraphrast.msa.shorten import shortened_paths

BEGIN = "Ann/NNP/1/nsubj met/VBD/1/ROOT Bob/NNP/1/dobj ,/,/1/punct "


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("a/DT/5/det pilot/NN/2/appos ././1/punct", ["Ann met Bob ."]),
        ("killing/VBG/1/advcl time/NN/4/dobj", ["Ann met Bob"]),
        # A condition, a second clause, and a second part of a list are kept.
        ("if/IN/6/mark it/PRP/6/nsubj rains/VBZ/1/advcl ././1/punct", []),
        ("he/PRP/5/nsubj said/VBD/1/parataxis ././1/punct", []),
        ("Eve/NNP/2/conj ././1/punct", []),
    ],
)
def test_what_is_left_out(rest: str, expected: list[str]) -> None:
    made = tree(BEGIN + rest)
    graph = graph_of(made)
    texts = [" ".join(graph.words[node] for node in path) for path in shortened_paths(graph, [made])]
    assert texts == expected


def test_what_waits_for_a_head_after_the_comma_is_kept() -> None:
    made = tree("Late/RB/5/advmod ,/,/5/punct on/IN/5/prep Monday/NNP/2/pobj ,/,/5/punct came/VBD/5/ROOT")
    assert shortened_paths(graph_of(made), [made]) == []
