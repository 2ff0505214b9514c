"""Missing articles by a reading model: a stub that likes some sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dependency_trees import ENGLISH, tree
from paraphrast.fusion.articles import LONGEST, article_gains
from paraphrast.msa.cluster import make_cluster
from paraphrast.read import PieceScores

BARE = tree("man/NN/1/nsubj holds/VBZ/1/ROOT pan/NN/1/dobj in/IN/1/prep rain/NN/3/pobj")


LIKED = {"a man": 2, "a pan": 3, "a rain": -1, "the rain": 3}


class Stub:
    """A model that likes some phrases."""

    def score(self, texts: Sequence[str]) -> list[PieceScores]:
        return [
            PieceScores(("",), (sum(weight * text.count(part) for part, weight in LIKED.items()) - 10.0,))
            for text in texts
        ]


def test_what_an_article_gains_in_its_sentence() -> None:
    cluster = make_cluster([" ".join(BARE.words)], ENGLISH, pretokenized=True)
    assert article_gains(cluster, Stub()) == ({}, frozenset())  # type: ignore[arg-type]
    cluster = replace(cluster, trees=(BARE,))
    gains, bare = article_gains(cluster, Stub())  # type: ignore[arg-type]
    assert gains == {(0, 0): 2.0, (0, 2): 3.0, (0, 4): -1.0}
    assert bare == {(0, 4)}


def test_long_sentences_are_not_tested() -> None:
    words = " ".join(["so/RB/1/advmod"] * LONGEST)
    long = tree(f"man/NN/1/nsubj holds/VBZ/1/ROOT {words}")
    cluster = make_cluster([" ".join(long.words)], ENGLISH, pretokenized=True)
    assert article_gains(replace(cluster, trees=(long,)), Stub()) == ({}, frozenset())  # type: ignore[arg-type]
