"""The automaton of a word graph: acyclic and minimal, with a word and its source sentences on every edge.

A node of the graph becomes the state "this word was just read", so the automaton accepts exactly the paths of the
graph. It is made deterministic, and states that can be followed by the same words are merged: the smallest
deterministic automaton of the language (Revuz 1992). If a deterministic automaton would have too many states, states
with the same incoming or outgoing edges are merged instead; the language is the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.errors import InputError
from paraphrast.formats.lattices import single_words
from paraphrast.msa.graph import END, START, WordGraph
from paraphrast.types import Lattice, LatticeEdge

#: Maximum number of states of the deterministic automaton.
MOST_STATES = 50_000
_NAME = "sentences "

#: A state's edges: (word, state) → sentences.
_Edges = dict[tuple[str, int], set[int]]


@dataclass(frozen=True)
class Automaton:
    """A lattice of single words, and for every edge its source sentences (numbers in the cluster)."""

    lattice: Lattice
    sentences: tuple[tuple[int, ...], ...]
    deterministic: bool

    @property
    def states(self) -> int:
        """The number of states, with the final one."""
        return self.lattice.states

    @property
    def edges(self) -> int:
        """The number of edges."""
        return len(self.lattice)

    def accepts(self, words: Sequence[str]) -> bool:
        """Whether some path has exactly these words."""
        states = {self.lattice.start}
        for word in words:
            states = {head for state in states for edge_word, head in self._after(state) if edge_word == word}
        return bool(states & set(self.lattice.finals.tolist()))

    def _after(self, state: int) -> list[tuple[str, int]]:
        begin = int(self.lattice.tail.searchsorted(state))
        end = int(self.lattice.tail.searchsorted(state + 1))
        return [
            (" ".join(self.lattice.label(edge)), int(self.lattice.head[edge])) for edge in range(begin, end)
        ]

    @classmethod
    def from_lattice(cls, lattice: Lattice) -> Automaton:
        """The automaton of a lattice from a file: edges with several words are split, edges without words refused."""
        edges = list(single_words(lattice))
        if any(not edge.words or edge.words[0] == "<eps>" for edge in edges):
            raise InputError(
                "expected an automaton with a word on every edge", remedy="remove its empty edges"
            )
        if not len(lattice.finals):
            raise InputError("expected an automaton with a final state")
        if any(len(label) != 1 for label in map(lattice.label, range(len(lattice)))):
            from paraphrast.formats.lattices import _moved

            moved = _moved(lattice)
            finals = [moved[final] for final in lattice.finals.tolist()]
            lattice = Lattice.from_edges(edges, finals, start=moved[lattice.start])
        names = lattice.names or ("",) * len(lattice)
        sentences = tuple(_numbers(name) for name in names)
        begins = lattice.out_begin().tolist()
        words = [lattice.label(edge) for edge in range(len(lattice))]
        once = all(len(set(words[begin:end])) == end - begin for begin, end in itertools.pairwise(begins))
        return cls(lattice, sentences, once)


def _numbers(name: str) -> tuple[int, ...]:
    """The sentences in the name of an edge; files number them from 1."""
    if not name.startswith(_NAME):
        return ()
    try:
        return tuple(int(number) - 1 for number in name.removeprefix(_NAME).split(","))
    except ValueError as error:
        raise InputError(f"expected the numbers of sentences, got {name!r}") from error


def automaton_of(graph: WordGraph, *, most_states: int = MOST_STATES) -> Automaton:
    """The minimal automaton of a word graph."""
    determined = _determinise(graph, most_states)
    if determined is not None:
        states, finals = _minimise(*determined)
        return _automaton(states, finals, deterministic=True)
    states, finals = _as_states(graph)
    for _ in range(20):
        size = len(states)
        states, finals = _merge_left(*_minimise(states, finals))
        if len(states) == size:
            break
    return _automaton(states, finals, deterministic=False)


def _determinise(graph: WordGraph, most_states: int) -> tuple[list[_Edges], set[int]] | None:
    """Subset construction; None if it has too many states. States are numbered by first appearance."""
    numbers: dict[frozenset[int], int] = {frozenset({START}): 0}
    waiting = [frozenset({START})]
    states: list[_Edges] = [{}]
    finals: set[int] = set()
    for subset in waiting:
        number = numbers[subset]
        heads: dict[str, set[int]] = {}
        sentences: dict[str, set[int]] = {}
        for node in sorted(subset):
            for head, edge_sentences in graph.after[node].items():
                if head == END:
                    finals.add(number)
                    continue
                heads.setdefault(graph.words[head], set()).add(head)
                sentences.setdefault(graph.words[head], set()).update(edge_sentences)
        for word in sorted(heads):
            target = frozenset(heads[word])
            if target not in numbers:
                if len(numbers) >= most_states:
                    return None
                numbers[target] = len(numbers)
                waiting.append(target)
                states.append({})
            states[number][word, numbers[target]] = sentences[word]
    return states, finals


def _as_states(graph: WordGraph) -> tuple[list[_Edges], set[int]]:
    """The graph as an automaton: one state per node except the end."""
    number = {node: index for index, node in enumerate(node for node in graph.order if node != END)}
    states: list[_Edges] = [{} for _ in number]
    finals = set()
    for node, state in number.items():
        for head, sentences in graph.after[node].items():
            if head == END:
                finals.add(state)
            else:
                states[state][graph.words[head], number[head]] = set(sentences)
    return states, finals


def _backwards(states: list[_Edges]) -> list[int]:
    """The states in an order in which every edge leads to an earlier state."""
    done: list[int] = []
    seen = [0] * len(states)
    for root in range(len(states)):
        stack = [root] if not seen[root] else []
        while stack:
            state = stack[-1]
            if seen[state] == 0:
                seen[state] = 1
                stack += [head for _, head in states[state] if not seen[head]]
            else:
                stack.pop()
                if seen[state] == 1:
                    seen[state] = 2
                    done.append(state)
    return done


def _minimise(states: list[_Edges], finals: set[int]) -> tuple[list[_Edges], set[int]]:
    """Merge states with equal outgoing edges, both final or both not final."""
    known: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    merged = [-1] * len(states)
    edges: list[_Edges] = []
    for state in _backwards(states):
        class_edges: _Edges = {}
        for (word, head), sentences in states[state].items():
            class_edges.setdefault((word, merged[head]), set()).update(sentences)
        key = (state in finals, tuple(sorted(class_edges)))
        if key not in known:
            known[key] = len(known)
            edges.append({})
        merged[state] = known[key]
        for edge, sentences in class_edges.items():
            edges[merged[state]].setdefault(edge, set()).update(sentences)
    return _renumbered(edges, {merged[state] for state in finals}, merged[0])


def _merge_left(states: list[_Edges], finals: set[int]) -> tuple[list[_Edges], set[int]]:
    """Merge states with equal incoming edges."""
    entering: list[set[tuple[int, str]]] = [set() for _ in states]
    for state, edges in enumerate(states):
        for word, head in edges:
            entering[head].add((state, word))
    known: dict[tuple[tuple[int, str], ...], int] = {}
    merged = [
        known.setdefault(tuple(sorted(entering[state])) if state else ((-1, ""),), len(known))
        for state in range(len(states))
    ]
    joined: list[_Edges] = [{} for _ in known]
    for state, edges in enumerate(states):
        for (word, head), sentences in edges.items():
            joined[merged[state]].setdefault((word, merged[head]), set()).update(sentences)
    return _renumbered(joined, {merged[state] for state in finals}, merged[0])


def _renumbered(states: list[_Edges], finals: set[int], start: int) -> tuple[list[_Edges], set[int]]:
    """The states in topological order, the start first; unreachable ones are dropped."""
    reached = {start}
    waiting = [start]
    for state in waiting:
        for _, head in states[state]:
            if head not in reached:
                reached.add(head)
                waiting.append(head)
    order = [state for state in reversed(_backwards(states)) if state in reached]
    number = {state: index for index, state in enumerate(order)}
    moved: list[_Edges] = [
        {(word, number[head]): sentences for (word, head), sentences in states[state].items()}
        for state in order
    ]
    return moved, {number[state] for state in finals if state in number}


def _automaton(states: list[_Edges], finals: set[int], *, deterministic: bool) -> Automaton:
    """The automaton as a lattice: the probability of an edge is its share of the sentences that leave its state."""
    rows: list[LatticeEdge] = []
    for state, edges in enumerate(states):
        total = sum(len(sentences) for sentences in edges.values()) or 1
        for (word, head), sentences in sorted(edges.items(), key=lambda item: (item[0][1], item[0][0])):
            share = len(sentences) / total
            rows.append(
                LatticeEdge(
                    state,
                    head,
                    (word,),
                    math.log(share),
                    share,
                    name=_NAME + ",".join(str(sentence + 1) for sentence in sorted(sentences)),
                )
            )
    lattice = Lattice.from_edges(rows, finals, states=len(states))
    return Automaton(lattice, tuple(_numbers(name) for name in lattice.names), deterministic)
