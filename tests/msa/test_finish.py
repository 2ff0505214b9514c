"""Completing a new sentence: auxiliary, article, full stop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dependency_trees import ENGLISH, tree
from paraphrast.msa.cluster import Cluster, make_cluster
from paraphrast.msa.finish import apply_edits, find_edits, possible_auxiliaries
from paraphrast.msa.generate import Fused, Span
from paraphrast.text.syntax.parser import Dependencies

FIRST = tree("a/DT/1/det dog/NN/1/ROOT running/VBG/1/acl by/IN/2/prep poles/NNS/3/pobj ././1/punct")
SECOND = tree("a/DT/1/det dog/NN/3/nsubj is/VBZ/3/aux jumping/VBG/3/ROOT ././3/punct")


JUMPS = tree("a/DT/1/det dog/NN/2/nsubj jumps/VBZ/2/ROOT ././2/punct")


def cluster_of(*trees: Dependencies) -> Cluster:
    cluster = make_cluster([" ".join(one.words) for one in trees], ENGLISH, pretokenized=True)
    return replace(cluster, trees=trees)


def completed(made: Dependencies, cluster: Cluster) -> Fused:
    text = " ".join(made.words)
    text = text[:1].upper() + text[1:]
    sentence = Fused(text, made.words, (Span(0, len(text), (0,)),), origins=((0, 0),) * len(made.words))
    auxiliary = next(iter(possible_auxiliaries(made, cluster)), None)
    return apply_edits(sentence, find_edits(made, cluster, auxiliary), cluster)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a/DT/1/det dog/NN/1/ROOT running/VBG/1/acl ././1/punct", "A dog is running ."),
        ("two/CD/1/nummod dogs/NNS/1/ROOT running/VBG/1/acl ././1/punct", "Two dogs are running ."),
        (
            "a/DT/1/det dog/NN/2/nsubj running/VBG/2/ROOT fast/RB/2/advmod ././2/punct",
            "A dog is running fast .",
        ),
        (
            "a/DT/1/det dog/NN/1/ROOT and/CC/1/cc cat/NN/1/conj on/IN/1/prep grass/NN/4/pobj ././1/punct",
            "A dog and cat are on grass .",
        ),
        ("man/NN/0/ROOT running/VBG/0/acl ././0/punct", "A man is running ."),
        ("old/JJ/1/amod man/NN/2/nsubj runs/VBZ/2/ROOT ././2/punct", "An old man runs ."),
        ("an/DT/1/det dog/NN/2/nsubj runs/VBZ/2/ROOT ././2/punct", "A dog runs ."),
        ("a/DT/1/det dog/NN/2/nsubj runs/VBZ/2/ROOT", "A dog runs ."),
        (
            "a/DT/1/det dog/NN/3/nsubj is/VBZ/3/aux laying/VBG/3/ROOT on/IN/3/prep grass/NN/4/pobj ././3/punct",
            "A dog is lying on grass .",
        ),
        (
            "a/DT/1/det man/NN/3/nsubj is/VBZ/3/aux laying/VBG/3/ROOT bricks/NNS/3/dobj ././3/punct",
            "A man is laying bricks .",
        ),
        (
            "a/DT/1/det man/NN/1/ROOT wearing/VBG/1/acl hats/NNS/2/dobj welding/VBG/3/acl metal/NN/4/dobj ././1/punct",
            "A man wearing hats is welding metal .",
        ),
        ("two/CD/1/nummod dogs/NNS/1/ROOT run/VBN/1/acl ././1/punct", "Two dogs run ."),
        # Only the first noun is the subject: the trousers belong to the coat.
        (
            "a/DT/1/det man/NN/1/ROOT in/IN/1/prep a/DT/4/det coat/NN/2/pobj and/CC/1/cc blue/JJ/7/amod "
            "trousers/NNS/1/conj sitting/VBG/1/acl ././1/punct",
            "A man in a coat and blue trousers is sitting .",
        ),
        # What may be a finite verb, a passive participle beside another, or a direction is not completed.
        (
            "a/DT/1/det girl/NN/1/ROOT wearing/VBG/1/acl pink/JJ/4/amod jumps/NNS/2/dobj ././1/punct",
            "A girl wearing pink jumps .",
        ),
        (
            "a/DT/1/det girl/NN/1/ROOT dressed/VBN/1/acl well/RB/2/advmod and/CC/2/cc running/VBG/2/conj ././1/punct",
            "A girl dressed well and running .",
        ),
        (
            "a/DT/1/det dog/NN/1/ROOT up/IN/1/prep a/DT/4/det hill/NN/2/pobj ././1/punct",
            "A dog up a hill .",
        ),
        # A noun with "with", or with a relative clause, is left as it is.
        ("a/DT/1/det dog/NN/1/ROOT with/IN/1/prep ears/NNS/2/pobj ././1/punct", "A dog with ears ."),
    ],
)
def test_sentences_are_completed(text: str, expected: str) -> None:
    assert completed(tree(text), cluster_of(FIRST, SECOND, JUMPS)).text == expected


def test_a_participle_in_a_phrase_is_another_possible_place() -> None:
    made = tree(
        "a/DT/1/det boy/NN/1/ROOT in/IN/1/prep shorts/NNS/2/pobj holding/VBG/3/acl nets/NNS/4/dobj ././1/punct"
    )
    assert [edit.begin for edit in possible_auxiliaries(made, cluster_of(FIRST, SECOND))] == [2, 4]


def test_the_spans_cover_the_text_and_name_the_sentences_of_added_words() -> None:
    made = completed(tree("two/CD/1/nummod dogs/NNS/1/ROOT running/VBG/1/acl"), cluster_of(FIRST, SECOND))
    assert made.marked() == "[Two dogs]1 [are]+ [running]1 [.]1,2"
    assert made.words == ("two", "dogs", "are", "running", ".")
    assert made.origins[2] == (-1, -1)
    assert "".join(made.text[span.start : span.end] for span in made.spans) == made.text
    single = completed(
        tree("a/DT/1/det dog/NN/1/ROOT running/VBG/1/acl ././1/punct"), cluster_of(FIRST, SECOND)
    )
    assert single.marked() == "[A dog]1 [is]2 [running .]1"


def test_a_group_has_the_verb_that_the_cluster_gives_it() -> None:
    group = tree("a/DT/1/det group/NN/1/ROOT of/IN/1/prep men/NNS/2/pobj running/VBG/1/acl ././1/punct")
    plural = tree("men/NNS/2/nsubj are/VBP/2/aux running/VBG/2/ROOT ././2/punct")
    assert completed(group, cluster_of(group, FIRST)).text == "A group of men is running ."
    assert completed(group, cluster_of(group, plural)).text == "A group of men are running ."


def test_no_full_stop_where_sentences_have_none() -> None:
    bare = tree("a/DT/1/det dog/NN/2/nsubj runs/VBZ/2/ROOT")
    assert completed(bare, cluster_of(bare)).text == "A dog runs"
