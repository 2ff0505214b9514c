"""What clusters teach: rows of a table."""

from __future__ import annotations

import math

import pytest

from paraphrast.errors import InputError
from paraphrast.msa.align import align_cluster
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.options import SlotOptions
from paraphrast.msa.slots import Pair, clusters_table, slot_pairs, trimmed
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.chunklink import WordSyntax
from paraphrast.types import TableInfo

ENGLISH = get_language("en")


def pairs_of(*sentences: str, options: SlotOptions | None = None) -> set[Pair]:
    cluster = make_cluster(sentences, ENGLISH, pretokenized=True)
    return slot_pairs(cluster, word_graph(cluster, align_cluster(cluster, VERSIONS["V3"])), options)


def test_fillings_of_a_slot_are_pairs() -> None:
    found = pairs_of(
        "the mill burnt down yesterday .", "the mill collapsed yesterday .", "mill collapsed yesterday"
    )
    assert found == {(("burnt", "down"), ("collapsed",)), (("collapsed",), ("burnt", "down"))}
    narrow = SlotOptions(widest=1)
    assert not pairs_of("the mill burnt down yesterday .", "the mill collapsed yesterday .", options=narrow)


def test_words_that_both_begin_or_end_with_are_no_part_of_a_pair() -> None:
    found = pairs_of("boys sit on a fence .", "boys rest on a fence .")
    assert found == {(("sit",), ("rest",)), (("rest",), ("sit",))}
    assert trimmed((1, 2, 3), (1, 3), str) == ((2,), ())
    assert trimmed((1, 1), (1,), str) == ((1,), ())


@pytest.mark.parametrize(
    ("tag", "chunk", "pairs"), [("VBP", "B-VP", 2), ("VBD", "B-VP", 2), ("VBP", "B-NP", 0), ("IN", "B-VP", 0)]
)
def test_fillings_are_of_one_shape(tag: str, chunk: str, pairs: int) -> None:
    plain = make_cluster(["boys climb fences", "boys mount fences"], ENGLISH, pretokenized=True)
    noun, verb = ("NNS", "B-NP"), ("VBP", "B-VP")
    parsed = [
        [WordSyntax(word, *told, ("I-S", told[1])) for word, told in zip(row, tags, strict=True)]
        for row, tags in zip(plain.words, [(noun, verb, noun), (noun, (tag, chunk), noun)], strict=True)
    ]
    cluster = plain.with_syntax(parsed)
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS["V3"]))
    assert len(slot_pairs(cluster, graph)) == pairs
    assert len(slot_pairs(cluster, graph, SlotOptions(shape=False))) == 2


def test_spaces_of_phrases_are_told() -> None:
    cluster = make_cluster(["The boys don't sit here.", "The boys refuse rest here."], ENGLISH)
    spaces: dict[tuple[str, ...], tuple[bool, ...]] = {}
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS["V3"]))
    assert slot_pairs(cluster, graph, spaces=spaces)
    assert any(False in before[1:] for before in spaces.values())


def test_numbers_and_names_are_no_paraphrases() -> None:
    found = pairs_of(
        "police saw 3 men running .", "police saw 4 men running .", "police saw five tall men running ."
    )
    assert not found
    assert not pairs_of("police saw Anna Berg running .", "police saw Ole Holm running .")
    assert not pairs_of("police saw 6 men running .", "police saw six men running .")


def test_the_table_has_probabilities_and_features() -> None:
    burnt, fell, broke = ("burnt",), ("fell",), ("broke",)
    pairs: list[set[Pair]] = [{(burnt, fell), (burnt, broke), (fell, burnt)}, {(burnt, fell)}]
    info = TableInfo("clusters", "en", "clusters|x")
    table = clusters_table(pairs, info)
    rows = {
        (table.phrase(int(s)), table.phrase(int(t))): (float(score), int(count), float(reverse))
        for s, t, score, count, reverse in zip(
            table.table.source,
            table.table.target,
            table.table.score,
            table.table.count,
            table.table.features["reverse"],
            strict=True,
        )
    }
    score, count, reverse = rows[burnt, fell]
    assert score == pytest.approx(math.log(2 / 4))
    assert count == 2
    assert reverse == pytest.approx(math.log(2 / 3))
    assert table.table.info.features["reverse"]["floor"] == pytest.approx(math.log(1 / 2))
    assert len(clusters_table(pairs, info, SlotOptions(least=2))) == 1
    with pytest.raises(InputError, match="expected"):
        SlotOptions(widest=9)
    with pytest.raises(InputError, match="expected"):
        SlotOptions(top=0)
