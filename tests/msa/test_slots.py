"""What clusters teach: rows of a table, and Barzilay and Lee's templates."""

from __future__ import annotations

import math

import pytest

from paraphrast.errors import InputError
from paraphrast.msa.align import align_cluster
from paraphrast.msa.barzilay import (
    SLOT,
    BarzilayOptions,
    Template,
    arguments_of,
    group_sentences,
    learn_templates,
    make_template,
    match_templates,
    rewrite,
)
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.slots import Pair, SlotOptions, clusters_table, slot_pairs, trimmed
from paraphrast.text.chunklink import WordSyntax
from paraphrast.text.language import get_language
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
    for wrong in ({"widest": 9}, {"top": 0}):
        with pytest.raises(InputError, match="expected"):
            SlotOptions(**wrong)


FIRST = [
    "A bomber killed 3 people in Basra .",
    "A bomber killed 5 people in Mosul .",
    "A bomber killed 9 people in Kirkuk .",
    "A bomber killed 7 people in Tikrit .",
    "The weather was mild all week long .",
]
SECOND = [
    "In Basra a bombing claimed 3 lives on Monday .",
    "In Mosul a bombing claimed 5 lives on Monday .",
    "In Kirkuk a bombing claimed 9 lives on Monday .",
    "In Tikrit a bombing claimed 7 lives on Monday .",
]
LOOSE = BarzilayOptions(similarity=0.2)


def template(sentences: list[str]) -> Template:
    cluster = make_cluster(sentences, ENGLISH, pretokenized=True)
    (group,) = group_sentences(cluster, LOOSE)
    found = make_template(cluster, group, LOOSE)
    assert found is not None
    return found


def test_sentences_of_one_structure_are_one_group() -> None:
    cluster = make_cluster(FIRST, ENGLISH, pretokenized=True)
    assert group_sentences(cluster, LOOSE) == [[0, 1, 2, 3]]
    assert group_sentences(make_cluster(FIRST[:1], ENGLISH), LOOSE) == []


def test_backbone_and_slots() -> None:
    found = template(FIRST)
    assert [part.lower() for part in found.parts] == [
        "a",
        "bomber",
        "killed",
        SLOT,
        "people",
        "in",
        SLOT,
        ".",
    ]
    assert found.values[1] == (("5",), ("Mosul",))
    assert "[2]" in found.text()
    with pytest.raises(InputError, match="arguments"):
        found.filled([("x",)])


def test_templates_of_two_corpora_meet_by_their_values_and_rewrite() -> None:
    first, second = template(FIRST), template(SECOND)
    same_day = [(number, number) for number in range(4)]
    (pair,) = match_templates([first], [second], same_day, ENGLISH)
    assert pair.order == (1, 0)  # the number is the second slot of the other, the town its first
    texts = [text for text, _ in rewrite("A bomber killed 12 people in Samarra .", [pair], ENGLISH)]
    assert [text.lower() for text in texts] == ["in samarra a bombing claimed 12 lives on monday ."]
    assert rewrite("Nothing happened at all .", [pair], ENGLISH) == []
    assert match_templates([first], [second], [], ENGLISH) == []
    (again,) = learn_templates(FIRST, SECOND, same_day, ENGLISH, LOOSE)
    assert again.order == pair.order


def test_arguments_are_found_or_not() -> None:
    made = Template(("a", SLOT, "b", SLOT), (0,), (((), ()),))
    assert arguments_of(["a", "x", "y", "b", "z"], made) == [("x", "y"), ("z",)]
    assert arguments_of(["a", "b", "z"], made) is None
