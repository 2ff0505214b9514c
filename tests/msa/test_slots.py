"""What clusters teach: rows of a table, and Barzilay and Lee's templates."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from paraphrast.errors import InputError
from paraphrast.msa.align import align_cluster
from paraphrast.msa.barzilay import (
    SLOT,
    BarzilayOptions,
    Template,
    arguments_of,
    group_sentences,
    make_template,
    match_templates,
    rewrite,
)
from paraphrast.msa.cluster import make_cluster
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.slots import clusters_table, slot_pairs
from paraphrast.text.language import get_language

ENGLISH = get_language("en")


def pairs_of(*sentences: str) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    cluster = make_cluster(sentences, ENGLISH, pretokenized=True)
    return slot_pairs(cluster, word_graph(cluster, align_cluster(cluster, VERSIONS["V3"])))


def test_fillings_of_a_slot_are_pairs() -> None:
    found = pairs_of("the mill burnt down yesterday .", "the mill collapsed yesterday .", "mill collapsed yesterday")
    assert found[("burnt", "down"), ("collapsed",)] == 1
    assert found[("collapsed",), ("burnt", "down")] == 1


def test_numbers_and_names_are_no_paraphrases() -> None:
    found = pairs_of("police saw 3 men running .", "police saw 4 men running .", "police saw five tall men running .")
    assert not found
    assert not pairs_of("police saw Anna Berg running .", "police saw Ole Holm running .")


def test_the_table_has_probabilities_and_features() -> None:
    pairs = Counter({(("burnt",), ("fell",)): 3, (("burnt",), ("broke",)): 1, (("fell",), ("burnt",)): 3})
    table = clusters_table([pairs, Counter({(("burnt",), ("fell",)): 1})], "en", "clusters|x")
    rows = {
        (table.phrase(int(s)), table.phrase(int(t))): (float(score), int(count), float(clusters))
        for s, t, score, count, clusters in zip(
            table.table.source,
            table.table.target,
            table.table.score,
            table.table.count,
            table.table.features["clusters"],
            strict=True,
        )
    }
    score, count, clusters = rows[("burnt",), ("fell",)]
    assert score == pytest.approx(math.log(4 / 5))
    assert count == 4
    assert clusters == pytest.approx(math.log(2))
    assert table.table.info.kind == "clusters"
    assert len(clusters_table([pairs], "en", "x", least=2)) == 2


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
    assert [part.lower() for part in found.parts] == ["a", "bomber", "killed", SLOT, "people", "in", SLOT, "."]
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


def test_arguments_are_found_or_not() -> None:
    made = Template(("a", SLOT, "b", SLOT), (0,), (((), ()),))
    assert arguments_of("a x y b z".split(), made) == [("x", "y"), ("z",)]
    assert arguments_of("a b z".split(), made) is None
