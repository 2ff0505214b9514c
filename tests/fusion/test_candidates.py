"""The quality of candidates, and sentences that are completed on the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dependency_trees import ENGLISH, tree
from paraphrast.fusion.candidates import quality, well_formed
from paraphrast.lm import LmOptions, build
from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.generate import Fused, render
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.rank import LmView, RankOptions
from paraphrast.text.syntax.parser import Dependencies, SpacyParser
from paraphrast.types import Sentences

GOOD = Fused("A dog runs.", ("a", "dog", "runs", "."), (), parts={"lm": -5.0, "content": 1.0, "flaws": 0.0})
VIEW = LmView(build([Sentences.from_lists([[3, 4]])], 6, LmOptions(order=2)), {}, mean=-5.0)


@pytest.mark.parametrize(
    ("worse", "lexical"),
    [
        (replace(GOOD, parts={**GOOD.parts, "flaws": 1.0}), False),
        (replace(GOOD, parts={**GOOD.parts, "lm": -7.0}), False),
        (replace(GOOD, parts={**GOOD.parts, "content": 0.5}), False),
        (replace(GOOD, kind="shortened"), False),
        (GOOD, True),
    ],
)
def test_what_lowers_the_quality(worse: Fused, lexical: bool) -> None:
    assert 0 < quality(worse, VIEW, lexical) < quality(GOOD, VIEW, False) < 1


SOURCES = (
    tree("a/DT/1/det dog/NN/1/ROOT running/VBG/1/acl by/IN/2/prep poles/NNS/3/pobj ././1/punct"),
    tree("a/DT/2/det brown/JJ/2/amod dog/NN/2/ROOT running/VBG/2/acl ././2/punct"),
    tree("a/DT/1/det cat/NN/3/nsubj is/VBZ/3/aux sleeping/VBG/3/ROOT ././3/punct"),
)
MADE = (
    tree(
        "A/DT/2/det brown/JJ/2/amod dog/NN/2/ROOT running/VBG/2/acl by/IN/3/prep poles/NNS/4/pobj ././2/punct"
    ),
    tree(
        "A/DT/2/det brown/JJ/2/amod dog/NN/4/nsubj is/VBZ/4/aux running/VBG/4/ROOT by/IN/4/prep poles/NNS/5/pobj"
        " ././4/punct"
    ),
)


class Remembering(SpacyParser):
    """Knows the trees of two sentences."""

    def __init__(self) -> None:
        super().__init__(None, "remembering")

    def dependencies(self, sentences: object) -> list[Dependencies]:  # type: ignore[override]
        known = {one.words: one for one in MADE}
        return [known[tuple(words)] for words in sentences]  # type: ignore[attr-defined]


def test_a_sentence_without_a_verb_is_completed_and_has_no_flaw() -> None:
    cluster = make_cluster([" ".join(one.words) for one in SOURCES], ENGLISH, pretokenized=True)
    cluster = replace(cluster, trees=SOURCES)
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS["V2"]))
    nodes = (*graph.paths[1][:4], *graph.paths[0][3:])
    text, spans = render(nodes, graph, cluster)
    words = tuple(graph.words[node] for node in nodes)
    candidate = Fused(text, words, spans, origins=graph.origins(nodes))
    sound, faults = well_formed([candidate], cluster, Remembering(), graph, RankOptions())
    assert not faults
    assert sound[0].text == "A brown dog is running by poles ."
    assert sound[0].parts["flaws"] == 0
    assert np.isclose(sound[0].parts["parse"], 1)
    assert [(row, place) for row, place in sound[0].origins if row < 0] == [(-1, -1)]
