"""Shortened sentences: a sentence of the cluster without what follows its last comma.

For a cluster none of whose sentences can be joined. Only a phrase or clause that the rest does not need is left out: an
apposition, a relative clause, a participle or a prepositional phrase, with nothing else depending on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.msa.graph import WordGraph
from paraphrast.msa.joins import children
from paraphrast.msa.wellformed import has_finite_root
from paraphrast.text.syntax.parser import Dependencies

_OPTIONAL = frozenset({"appos", "relcl", "acl", "advcl", "prep", "npadvmod"})
_FINAL = frozenset({".", "!"})


def shortened_paths(graph: WordGraph, trees: Sequence[Dependencies]) -> list[tuple[int, ...]]:
    """The paths of the sentences that can be shortened, each without its last part."""
    paths = []
    for tree, path in zip(trees, graph.paths, strict=True):
        cut = _optional_part(tree)
        if cut is not None:
            mark = path[-1:] if tree.words[-1] in _FINAL else ()
            paths.append((*path[:cut], *mark))
    return paths


def _optional_part(tree: Dependencies) -> int | None:
    """The place of the last comma, if what follows it can be left out."""
    commas = [place for place, word in enumerate(tree.words) if word == ","]
    if not commas or not has_finite_root(tree):
        return None
    cut = commas[-1]
    if any(head > cut and tree.labels[place] != "punct" for place, head in enumerate(tree.heads[:cut])):
        return None
    tops = [
        place
        for place in range(cut + 1, len(tree.words))
        if tree.heads[place] <= cut and tree.labels[place] != "punct"
    ]
    # A clause with a conjunction ("if it rains") may be a condition.
    if len(tops) != 1 or tree.labels[tops[0]] not in _OPTIONAL:
        return None
    return None if any(tree.labels[child] == "mark" for child in children(tree, tops[0])) else cut
