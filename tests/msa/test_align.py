"""Progressive alignment, the graph and the automaton: figure 1, and laws that hold for any cluster."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.lattices import read_lattice, write_lattice
from paraphrast.msa.align import align_cluster
from paraphrast.msa.automaton import Automaton, automaton_of
from paraphrast.msa.cluster import Cluster, make_cluster
from paraphrast.msa.graph import END, START, word_graph
from paraphrast.msa.match import VERSIONS, MatchOptions, get_version
from paraphrast.text.languages.registry import get_language

ENGLISH = get_language("en")


def automaton(cluster: Cluster, name: str, most_states: int = 50_000) -> Automaton:
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS[name]))
    return automaton_of(graph, most_states=most_states)


def test_figure_1(milan: Cluster) -> None:
    wrong = ["I", "went", "to", "Milan", "is", "beautiful"]
    for name in ("V1", "V2", "V3"):
        assert automaton(milan, name).accepts(wrong)
    for name in ("V4", "V5"):
        found = automaton(milan, name)
        assert not found.accepts(wrong)
        assert {words for words, _ in found.lattice.paths()} == set(milan.words)


def test_the_most_similar_pair_goes_first_then_the_order_given(mill: Cluster) -> None:
    found = align_cluster(mill, VERSIONS["V4"])
    assert found.order == (0, 1, 2, 3)
    assert found.partner == (-1, 0, 0, 1)
    assert found.scores[0, 1] == found.scores.max()


def test_excluded_tokens_never_share_a_node(mill: Cluster) -> None:
    for name in ("V3", "V4"):
        graph = word_graph(mill, align_cluster(mill, VERSIONS[name]))
        shared = {graph.words[node] for node, found in enumerate(graph.sentences) if len(found) > 1}
        assert "the" not in shared
        assert {"owner", "mill", "called", "said"} <= shared
    graph = word_graph(mill, align_cluster(mill, VERSIONS["V5"]))
    assert "the" in {graph.words[node] for node, found in enumerate(graph.sentences) if len(found) > 1}


def test_edges_know_their_sentences(mill: Cluster) -> None:
    found = automaton(mill, "V4")
    by_word = {
        found.lattice.label(edge): found.sentences[edge]
        for edge in range(len(found.lattice))
        if found.lattice.label(edge) in (("firemen",), ("dawn",), ("Firemen",), ("roof",))
    }
    assert by_word == {("firemen",): (2,), ("dawn",): (1,), ("roof",): (3,)}
    assert {one for sentences in found.sentences for one in sentences} == {0, 1, 2, 3}


words = st.lists(
    st.sampled_from(["a", "mill", "burnt", ",", "the", "fire", "b", "c", "d"]), min_size=1, max_size=8
)


@settings(deadline=None, max_examples=120)
@given(
    st.lists(words, min_size=1, max_size=7), st.sampled_from(["V1", "V2", "V3"]), st.sampled_from([3, 50_000])
)
def test_every_sentence_is_accepted_and_nothing_is_lost(rows: list[list[str]], name: str, most: int) -> None:
    cluster = make_cluster([" ".join(row) for row in rows], ENGLISH, pretokenized=True)
    graph = word_graph(cluster, align_cluster(cluster, VERSIONS[name]))
    assert graph.order[0] == START
    assert END in graph.order  # the order exists: there is no cycle
    found = automaton_of(graph, most_states=most)
    for row in cluster.words:
        assert found.accepts(row)
    # The language is the graph's: paths of nodes spell exactly the automaton's words.
    spelled: set[tuple[str, ...]] = set()
    stack: list[tuple[int, tuple[str, ...]]] = [(START, ())]
    while stack:
        node, told = stack.pop()
        for head in graph.after[node]:
            if head == END:
                spelled.add(told)
            else:
                stack.append((head, (*told, graph.words[head])))
    assert spelled == {path for path, _ in found.lattice.paths()}
    assert all(found.sentences)
    if found.deterministic:
        assert found.lattice.path_count() == len(spelled)
        assert found.states == _smallest(spelled)


def _smallest(language: set[tuple[str, ...]]) -> int:
    """States of the minimal automaton: distinct sets of what may follow a beginning (Nerode)."""
    beginnings = {row[:length] for row in language for length in range(len(row) + 1)}
    return len(
        {
            frozenset(row[len(beginning) :] for row in language if row[: len(beginning)] == beginning)
            for beginning in beginnings
        }
    )


@pytest.mark.parametrize("ending", [".json", ".fst.txt"])
def test_an_automaton_is_what_its_file_says(mill: Cluster, tmp_path: Path, ending: str) -> None:
    found = automaton(mill, "V4")
    path = tmp_path / f"mill{ending}"
    write_lattice(path, found.lattice)
    again = Automaton.from_lattice(read_lattice(path))
    assert (again.states, again.edges) == (found.states, found.edges)
    assert again.deterministic
    assert [words for words, _ in again.lattice.paths()] == [words for words, _ in found.lattice.paths()]
    if ending == ".json":
        assert again.sentences == found.sentences
        assert again.lattice.to_dict() == found.lattice.to_dict()


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(words, min_size=1, max_size=6),
    name=st.sampled_from(["V1", "V2", "V3"]),
    ending=st.sampled_from([".json", ".fst.txt"]),
)
def test_every_automaton_equals_its_export_read_again(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], name: str, ending: str
) -> None:
    cluster = make_cluster([" ".join(row) for row in rows], ENGLISH, pretokenized=True)
    found = automaton(cluster, name)
    path = tmp_path_factory.mktemp("automata") / f"one{ending}"
    write_lattice(path, found.lattice)
    again = Automaton.from_lattice(read_lattice(path))
    assert (again.states, again.edges) == (found.states, found.edges)
    assert {told for told, _ in again.lattice.paths()} == {told for told, _ in found.lattice.paths()}
    assert all(again.accepts(row) for row in cluster.words)
    if ending == ".json":
        assert again.sentences == found.sentences


def test_a_cycle_in_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "round.fst.txt"
    path.write_text("0\t1\ta\ta\n1\t0\tb\tb\n1\n", encoding="utf-8")
    with pytest.raises(FormatError, match="cycle"):
        read_lattice(path)


def test_empty_edges_in_a_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.fst.txt"
    path.write_text("0\t1\t<eps>\t<eps>\n1\n", encoding="utf-8")
    with pytest.raises(InputError, match="word on every edge"):
        Automaton.from_lattice(read_lattice(path))


def test_versions_and_options_are_checked() -> None:
    assert get_version("v4").without_syntax.name == "V3"
    assert get_version("V5").without_syntax.name == "V2"
    with pytest.raises(InputError, match="unknown version"):
        get_version("V9")
    with pytest.raises(InputError, match="position"):
        MatchOptions(position=1.5)
    with pytest.raises(InputError, match="exact ≥ partial"):
        MatchOptions(partial=2.0)
    assert MatchOptions.from_dict(MatchOptions(position=0.3).to_dict()) == MatchOptions(position=0.3)
    with pytest.raises(InputError, match="unknown match"):
        MatchOptions.from_dict({"nothing": 1})


def test_a_syntactic_version_needs_syntax() -> None:
    cluster = make_cluster(["One mill burnt.", "A mill burnt."], ENGLISH)
    with pytest.raises(InputError, match="parsed"):
        align_cluster(cluster, VERSIONS["V4"])


def test_the_position_threshold_is_an_option(milan: Cluster) -> None:
    found = align_cluster(milan, VERSIONS["V4"], MatchOptions(position=1.0))
    assert found.nodes == 6  # Milan is one node now: traces alone do not part the two
