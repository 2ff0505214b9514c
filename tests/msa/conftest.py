"""A cluster of our own, with trees of our own: reports of a fire at a mill."""

from __future__ import annotations

import pytest

from paraphrast.msa.cluster import Cluster, make_cluster, raw_tokens
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.parser import PennParser

TREES = (
    """(S (NP (NN Police)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (NN mill))))
       (VP (VBD called) (NP (NN help)) (PP (IN at) (NP (CD 9:15)))))))  (. .))""",
    """(S (NP (NN Police)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (JJ old)
       (NN mill)))) (VP (VBD called) (NP (NN help)) (PP (IN before) (NP (NN dawn)))))))  (. .))""",
    """(S (NP (NNS Firemen)) (VP (VBD said) (SBAR (S (NP (NP (DT the) (NN owner)) (PP (IN of) (NP (DT the) (NN mill))))
       (VP (VBD called) (NP (PRP them)) (PP (IN at) (NP (CD 9:20)))))))  (. .))""",
    """(S (NP (NP (DT The) (NN owner)) (PP (IN of) (NP (DT the) (JJ old) (NN mill)))) (VP (VBD lost)
       (NP (DT the) (NN roof))) (. .))""",
)
SENTENCES = (
    "Police said the owner of the mill called help at 9:15 .",
    "Police said the owner of the old mill called help before dawn .",
    "Firemen said the owner of the mill called them at 9:20 .",
    "The owner of the old mill lost the roof .",
)


@pytest.fixture(scope="session")
def mill() -> Cluster:
    """The cluster, parsed."""
    english = get_language("en")
    cluster = make_cluster(SENTENCES, english, pretokenized=True)
    tokens = raw_tokens(SENTENCES, english, pretokenized=True)
    return cluster.with_syntax(PennParser(TREES).parse(tokens))


@pytest.fixture(scope="session")
def milan() -> Cluster:
    """Figure 1 of the paper."""
    english = get_language("en")
    sentences = ["Milan is beautiful", "I went to Milan"]
    trees = [
        "(S (NP (NNP Milan)) (VP (VBZ is) (ADJP (JJ beautiful))))",
        "(S (NP (PRP I)) (VP (VBD went) (PP (TO to) (NP (NNP Milan)))))",
    ]
    cluster = make_cluster(sentences, english)
    return cluster.with_syntax(PennParser(trees).parse(raw_tokens(sentences, english)))
