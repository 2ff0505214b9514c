"""Small flaws of new sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dependency_trees import ENGLISH, tree
from paraphrast.msa.cluster import Cluster, make_cluster
from paraphrast.msa.flaws import (
    find_flaws,
    habits_of,
    has_bare_noun,
    joins_nothing,
    keeps_bare_phrase,
    leaves_comma_open,
    loses_antecedent,
    loses_head,
    loses_quotation,
    loses_scope,
    loses_small_clause,
    mixes_definite,
)
from paraphrast.msa.generate import Fused, Span
from paraphrast.text.syntax.parser import Dependencies


def cluster_of(*trees: Dependencies) -> Cluster:
    cluster = make_cluster([" ".join(one.words) for one in trees], ENGLISH, pretokenized=True)
    return replace(cluster, trees=trees)


def taken(*parts: tuple[int, Dependencies, int, int]) -> Fused:
    """A sentence of parts: (number of the source, source, first place, place after the last)."""
    words: list[str] = []
    spans: list[Span] = []
    origins: list[tuple[int, int]] = []
    begin = 0
    for number, source, first, last in parts:
        text = " ".join(source.words[first:last])
        spans.append(Span(begin, begin + len(text), (number,)))
        begin += len(text) + 1
        words += source.words[first:last]
        origins += [(number, place) for place in range(first, last)]
    return Fused(" ".join(words), tuple(words), tuple(spans), origins=tuple(origins))


@pytest.mark.parametrize(
    ("text", "flaws"),
    [
        ("a/DT/1/det dog/NN/2/nsubj runs/VBZ/2/ROOT ././2/punct", []),
        ("dog/NN/1/nsubj runs/VBZ/1/ROOT ././1/punct", ["article"]),
        ("a/DT/1/det man/NN/2/nsubj holds/VBZ/2/ROOT a/DT/4/det ropes/NNS/2/dobj ././2/punct", ["article"]),
        ("a/DT/2/det few/JJ/2/amod men/NNS/3/nsubj run/VBP/3/ROOT ././3/punct", []),
        ("young/JJ/1/amod child/NN/1/ROOT running/VBG/1/acl ././1/punct", ["no finite verb", "article"]),
    ],
)
def test_flaws_of_the_input(text: str, flaws: list[str]) -> None:
    made = tree(text)
    # The second sentence has every noun alone, so that this is no flaw.
    other = tree("men/NNS/1/nsubj see/VBP/1/ROOT child/NN/1/dobj dog/NN/1/dobj ././1/punct")
    sentence = taken((0, made, 0, len(made.words)))
    assert find_flaws(sentence, made, habits_of(cluster_of(made, other))) == flaws


def test_misspelt_words_are_flaws() -> None:
    made = tree("the/DT/1/det dgo/NN/2/nsubj runs/VBZ/2/ROOT ././2/punct")
    sentence = taken((0, made, 0, 4))
    assert find_flaws(sentence, made, habits_of(cluster_of(made), frozenset({"dgo"}))) == ["spelling"]


def test_an_indefinite_subject_with_a_definite_modifier() -> None:
    text = "{}/DT/1/det boy/NN/5/nsubj in/IN/1/prep the/DT/4/det shirt/NN/2/pobj runs/VBZ/5/ROOT"
    definite, indefinite = tree(text.format("the")), tree(text.format("a"))
    plain = tree("a/DT/1/det boy/NN/2/nsubj runs/VBZ/2/ROOT")
    assert mixes_definite(indefinite, [definite, plain])
    assert not mixes_definite(indefinite, [indefinite])
    assert not mixes_definite(definite, [definite, plain])


def test_a_counted_noun_needs_an_article() -> None:
    bare = tree("men/NNS/1/nsubj see/VBP/1/ROOT boys/NNS/1/dobj in/IN/2/prep red/JJ/5/amod shirt/NN/3/pobj")
    counted = tree("a/DT/1/det shirt/NN/2/nsubj burns/VBZ/2/ROOT")
    sentence = taken((0, bare, 0, 6))
    assert find_flaws(sentence, bare, habits_of(cluster_of(bare, counted))) == ["article"]
    assert find_flaws(sentence, bare, habits_of(cluster_of(bare))) == []


def test_half_a_pair_of_commas() -> None:
    half = tree("Ann/NNP/4/nsubj ,/,/0/punct a/DT/3/det pilot/NN/0/appos said/VBD/4/ROOT so/RB/4/advmod")
    whole = tree("Ann/NNP/5/nsubj ,/,/0/punct a/DT/3/det pilot/NN/0/appos ,/,/0/punct said/VBD/5/ROOT")
    assert leaves_comma_open(half)
    assert leaves_comma_open(tree("Ann/NNP/3/nsubj ,/,/3/punct is/VBZ/3/aux sitting/VBG/3/ROOT"))
    listed = tree("Ann/NNP/4/nsubj ,/,/0/punct and/CC/0/cc Bob/NNP/0/conj said/VBD/4/ROOT")
    assert not leaves_comma_open(listed)
    assert not leaves_comma_open(whole)


def test_a_noun_that_stands_alone_in_no_sentence() -> None:
    source = tree(
        "the/DT/1/det death/NN/1/ROOT of/IN/1/prep teenager/NN/5/compound John/NNP/5/compound Smith/NNP/2/pobj"
    )
    made = tree("the/DT/1/det death/NN/1/ROOT of/IN/1/prep teenager/NN/2/pobj")
    assert has_bare_noun(made, habits_of(cluster_of(source)).alone)
    assert not has_bare_noun(made, habits_of(cluster_of(source, made)).alone)


def test_a_verb_in_two_forms() -> None:
    twice = tree("a/DT/1/det boy/NN/3/nsubj sitting/VBG/1/acl sits/VBZ/3/ROOT")
    once = tree("a/DT/1/det boy/NN/2/nsubj sits/VBZ/2/ROOT")
    sentence = replace(taken((0, twice, 0, 4)), origins=())
    assert find_flaws(sentence, twice, habits_of(cluster_of(once))) == ["verb twice"]
    assert find_flaws(sentence, twice, habits_of(cluster_of(once, twice))) == []


def test_a_plural_before_a_noun() -> None:
    plural = tree("footballs/NNS/1/compound players/NNS/2/nsubj sit/VBP/2/ROOT")
    single = tree("football/NN/1/compound players/NNS/2/nsubj sit/VBP/2/ROOT")
    sentence = taken((0, plural, 0, 3))
    assert find_flaws(sentence, plural, habits_of(cluster_of(plural, single)))[-1:] == ["plural modifier"]
    assert find_flaws(sentence, plural, habits_of(cluster_of(plural))) == []


def test_words_of_a_headline() -> None:
    headline = tree("Old/NNP/1/amod Mill/NNP/2/nsubj Burns/VBZ/2/ROOT")
    plain = tree("a/DT/1/det mill/NN/2/nsubj burns/VBZ/2/ROOT today/NN/2/npadvmod ././2/punct")
    made = tree("Old/NNP/1/amod Mill/NNP/2/nsubj burns/VBZ/2/ROOT today/NN/2/npadvmod ././2/punct")
    sentence = taken((0, headline, 0, 2), (1, plain, 2, 5))
    assert "headline" in find_flaws(sentence, made, habits_of(cluster_of(headline, plain)))


FIRST_VOTE = tree(
    "it/PRP/1/nsubj is/VBZ/1/ROOT the/DT/4/det first/JJ/4/amod vote/NN/1/attr in/IN/4/prep Rome/NNP/5/pobj"
    " since/IN/4/prep May/NNP/7/pobj ././1/punct"
)


def test_the_first_keeps_what_limits_it() -> None:
    assert loses_scope(taken((0, FIRST_VOTE, 0, 7), (0, FIRST_VOTE, 9, 10)), [FIRST_VOTE])
    assert not loses_scope(taken((0, FIRST_VOTE, 0, 10)), [FIRST_VOTE])


def test_a_last_participle_is_not_lost() -> None:
    seen = tree("he/PRP/1/nsubj saw/VBD/1/ROOT the/DT/3/det house/NN/1/dobj burnt/VBN/3/acl ././1/punct")
    assert loses_scope(taken((0, seen, 0, 4), (0, seen, 5, 6)), [seen])
    assert not loses_scope(taken((0, seen, 0, 6)), [seen])


def test_a_pronoun_keeps_the_subject_before_it() -> None:
    sudan = tree(
        "Sudan/NNP/1/nsubj fights/VBZ/1/ROOT in/IN/1/prep Kordofan/NNP/2/pobj where/WRB/6/advmod it/PRP/6/nsubj"
        " loses/VBZ/3/relcl"
    )
    people = tree("people/NNS/1/nsubj come/VBP/1/ROOT from/IN/1/prep Kordofan/NNP/2/pobj")
    assert loses_antecedent(taken((1, people, 0, 4), (0, sudan, 4, 7)), [sudan, people])
    assert not loses_antecedent(taken((0, sudan, 0, 7)), [sudan, people])


def test_we_is_left_in_quotation_marks() -> None:
    quoted = tree(
        "``/``/2/punct we/PRP/2/nsubj won/VBD/5/ccomp ''/''/2/punct Ann/NNP/5/nsubj said/VBD/5/ROOT"
    )
    assert loses_quotation(taken((0, quoted, 1, 3)), [quoted])
    assert not loses_quotation(taken((0, quoted, 0, 6)), [quoted])
    assert not loses_quotation(taken((0, quoted, 4, 6)), [quoted])


ARMS = tree(
    "a/DT/1/det girl/NN/6/nsubj with/IN/1/prep her/PRP$/4/poss arms/NNS/2/pobj raised/VBN/4/acl slides/VBZ/6/ROOT"
)
RUNS = tree("a/DT/1/det girl/NN/2/nsubj runs/VBZ/2/ROOT fast/RB/2/advmod")


def test_a_small_clause_keeps_its_participle() -> None:
    assert loses_small_clause(taken((0, ARMS, 0, 5), (1, RUNS, 2, 4)), [ARMS, RUNS])
    assert not loses_small_clause(taken((0, ARMS, 0, 6), (1, RUNS, 2, 4)), [ARMS, RUNS])


def test_the_first_part_of_a_compound_is_no_head() -> None:
    serving = tree("a/DT/2/det food/NN/2/compound serving/NN/3/nsubj stands/VBZ/3/ROOT")
    sits = tree("food/NN/1/nsubj sits/VBZ/1/ROOT")
    made = tree("a/DT/1/det food/NN/2/nsubj sits/VBZ/2/ROOT")
    assert loses_head(taken((0, serving, 0, 2), (1, sits, 1, 2)), made, [serving, sits])
    assert not loses_head(taken((1, sits, 0, 2)), sits, [serving, sits])


def test_a_phrase_that_lacks_a_determiner_in_its_source() -> None:
    touches = tree("she/PRP/1/nsubj touches/VBZ/1/ROOT chest/NN/1/dobj")
    assert keeps_bare_phrase(taken((0, touches, 0, 3)), frozenset({(0, 2)}))
    assert not keeps_bare_phrase(taken((1, RUNS, 0, 1), (0, touches, 2, 3)), frozenset({(0, 2)}))


def test_a_comma_after_a_pair_of_subjects_is_open() -> None:
    text = "men/NNS/5/nsubj and/CC/0/cc women/NNS/0/conj ,/,/5/punct they/PRP/5/dep run/VBP/5/ROOT"
    assert leaves_comma_open(tree(text))


def test_and_before_the_first_verb_joins_nothing() -> None:
    made = tree("a/DT/1/det man/NN/4/nsubj in/IN/1/prep and/CC/1/cc is/VBZ/4/ROOT")
    assert joins_nothing(made)
    assert not joins_nothing(tree("a/DT/1/det man/NN/2/nsubj sits/VBZ/2/ROOT and/CC/2/cc waits/VBZ/2/conj"))
