"""Missing articles by a reading model: a stub that likes some sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dependency_trees import ENGLISH, tree
from paraphrast.fusion.articles import LONGEST, article_gains
from paraphrast.msa.cluster import make_cluster
from paraphrast.read import PieceScores

BARE = tree("man/NN/1/nsubj holds/VBZ/1/ROOT pan/NN/1/dobj in/IN/1/prep rain/NN/3/pobj")


class Stub:
    """Likes "a man" and "a pan", and not "a rain"."""

    def score(self, texts: Sequence[str]) -> list[PieceScores]:
        return [
            PieceScores(("",), (-10.0 + 2 * text.count("a man") + 3 * text.count("a pan") - text.count("a rain"),))
            for text in texts
        ]


def test_what_an_article_gains_in_its_sentence() -> None:
    cluster = make_cluster([" ".join(BARE.words)], ENGLISH, pretokenized=True)
    assert article_gains(cluster, Stub()) == {}  # type: ignore[arg-type]
    cluster = replace(cluster, trees=(BARE,))
    assert article_gains(cluster, Stub()) == {(0, 0): 2.0, (0, 2): 3.0, (0, 4): -1.0}  # type: ignore[arg-type]


def test_long_sentences_are_not_tested() -> None:
    words = " ".join(["so/RB/1/advmod"] * LONGEST)
    long = tree(f"man/NN/1/nsubj holds/VBZ/1/ROOT {words}")
    cluster = make_cluster([" ".join(long.words)], ENGLISH, pretokenized=True)
    assert article_gains(replace(cluster, trees=(long,)), Stub()) == {}  # type: ignore[arg-type]
