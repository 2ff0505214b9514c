"""Dependency trees written by hand, and word graphs of their words."""

from __future__ import annotations

from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.graph import WordGraph, word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.parser import Dependencies

ENGLISH = get_language("en")


def tree(text: str) -> Dependencies:
    """A tree from "word/tag/head/label" items; heads are places."""
    rows = [item.rsplit("/", 3) for item in text.split()]
    return Dependencies(
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(int(row[2]) for row in rows),
        tuple(row[3] for row in rows),
    )


def graph_of(*trees: Dependencies) -> WordGraph:
    """The word graph of sentences without any alignment of syntax."""
    cluster = make_cluster([" ".join(one.words) for one in trees], ENGLISH, pretokenized=True)
    return word_graph(cluster, align_cluster(cluster, VERSIONS["V3"]))
