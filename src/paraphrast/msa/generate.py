"""Sentences from an automaton: random paths with a seed, as in the paper, with the sources of every span."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paraphrast.errors import InputError
from paraphrast.msa.automaton import Automaton
from paraphrast.msa.cluster import Cluster
from paraphrast.msa.graph import WordGraph

#: Section 4.2 of the paper: sentences generated, and novel ones kept.
DRAWN, KEPT = 100, 10


@dataclass(frozen=True)
class Span:
    """A span of a new sentence that occurs in input sentences.

    start, end: code points of the text. sentences: the numbers of these input sentences, from 0.
    """

    start: int
    end: int
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class Fused:
    """A new sentence of a cluster.

    words: its tokens. spans: from left to right, covering the text. score: higher is better; 0 for random paths.
    parts: the components of the score. kind: ``new``, or ``shortened`` if one input sentence has all its words in this
    order. origins: for each word a sentence of the cluster and the word's place there; (-1, -1) for an added word.
    """

    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    score: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    kind: str = "new"
    origins: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "text": self.text,
            "score": self.score,
            "kind": self.kind,
            "spans": [
                {
                    "start": span.start,
                    "end": span.end,
                    "text": self.text[span.start : span.end],
                    "sentences": list(span.sentences),
                }
                for span in self.spans
            ],
            "parts": self.parts,
        }

    def marked(self) -> str:
        """The text, each span with the numbers of its sentences, from 1."""
        pieces = []
        for span in self.spans:
            if not span.sentences:  # an added word; the mark of no sentence
                numbers, more = "+", ""
            else:
                numbers = ",".join(str(sentence + 1) for sentence in span.sentences[:4])
                more = ",…" if len(span.sentences) > 4 else ""
            pieces.append(f"[{self.text[span.start : span.end].strip()}]{numbers}{more}")
        return " ".join(pieces)


def draw_paths(automaton: Automaton, *, count: int = DRAWN, seed: int = 0) -> list[tuple[str, ...]]:
    """Random paths; at every state all edges are equally likely, and so is ending at a final state."""
    if count < 0:
        raise InputError(f"expected a number of sentences to draw, got {count}")
    lattice = automaton.lattice
    begin = lattice.out_begin().tolist()
    heads = lattice.head.tolist()
    words = [" ".join(lattice.label(edge)) for edge in range(len(lattice))]
    finals = set(lattice.finals.tolist())
    random = np.random.default_rng(seed)
    paths = []
    for _ in range(count):
        state, path = lattice.start, []
        while True:
            choices = begin[state + 1] - begin[state]
            ways = choices + (state in finals)
            if not ways:
                raise InputError("expected an automaton that ends in final states", remedy="prune it first")
            choice = int(random.integers(ways))
            if choice == choices:
                break
            edge = begin[state] + choice
            path.append(words[edge])
            state = heads[edge]
        paths.append(tuple(path))
    return paths


def novel_paths(
    automaton: Automaton,
    originals: Sequence[tuple[str, ...]],
    *,
    drawn: int = DRAWN,
    kept: int = KEPT,
    seed: int = 0,
) -> tuple[list[tuple[str, ...]], float]:
    """Section 4.2: draw paths, remove originals and repetitions, keep some at random.

    Also returns the share of originals among the drawn paths.
    """
    known = set(originals)
    paths = draw_paths(automaton, count=drawn, seed=seed)
    novel = list(dict.fromkeys(path for path in paths if path not in known))
    copies = sum(path in known for path in paths) / max(len(paths), 1)
    if len(novel) > kept:
        order = np.random.default_rng(seed + 1).permutation(len(novel))[:kept]
        novel = [novel[int(index)] for index in order]
    return novel, copies


def render(nodes: Sequence[int], graph: WordGraph, cluster: Cluster) -> tuple[str, tuple[Span, ...]]:
    """A path as text: spaces as in a sentence where the two words are adjacent, a capital at the beginning."""
    where: dict[int, int] = {}
    places = graph.places
    pieces: list[str] = []
    begins: list[int] = []
    length = 0
    for at, node in enumerate(nodes):
        word = graph.words[node]
        space = False
        if at:
            sources = graph.after[nodes[at - 1]].get(node, ()) or graph.sentences[node]
            space = cluster.spaces[sources[0]][places[sources[0]][node]] or places[sources[0]][node] == 0
        elif word[:1].islower():
            word = word[:1].upper() + word[1:]
        pieces.append(" " * space + word)
        length += space
        begins.append(length)
        where[at] = length
        length += len(word)
    ends = [*(begins[at + 1] for at in range(len(nodes) - 1)), length]
    text = "".join(pieces)
    spans = []
    for first, last, sentences in graph.spans(nodes):
        given = tuple(sorted({number for sentence in sentences for number in cluster.same[sentence]}))
        spans.append(Span(begins[first], ends[last - 1], given))
    return text, tuple(spans)


def fused_of(words: Sequence[str], graph: WordGraph, cluster: Cluster) -> Fused:
    """A word sequence of the automaton with its sources."""
    nodes = graph.nodes_of(words)
    if nodes is None:
        raise InputError(f"expected words of the cluster's automaton, got {' '.join(words)[:80]!r}")
    text, spans = render(nodes, graph, cluster)
    return Fused(text, tuple(words), spans)
