"""The word graph of an alignment: a node for every class of aligned words, an edge if one follows another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from paraphrast.errors import InputError
from paraphrast.msa.align import Alignment
from paraphrast.msa.cluster import Cluster

START, END = 0, 1
#: Maximum number of partial paths for a word sequence that are searched at a time; large clusters have many.
_READINGS = 200


@dataclass(frozen=True)
class WordGraph:
    """Nodes 0 (start) and 1 (end), then one for each class of aligned words.

    words: the word of each node, "" for start and end.
    after: for every node the nodes that follow it, with the sentences in which they do, both in ascending order.
    paths: the nodes of each sentence, without start and end.
    """

    words: tuple[str, ...]
    after: tuple[dict[int, tuple[int, ...]], ...]
    paths: tuple[tuple[int, ...], ...]

    @cached_property
    def sentences(self) -> tuple[tuple[int, ...], ...]:
        """For every node the sentences that share it."""
        by_node: list[list[int]] = [[] for _ in self.words]
        for sentence, path in enumerate(self.paths):
            for node in path:
                by_node[node].append(sentence)
        return tuple(tuple(numbers) for numbers in by_node)

    @cached_property
    def places(self) -> tuple[dict[int, int], ...]:
        """For every sentence the place of each of its nodes."""
        return tuple({node: at for at, node in enumerate(path)} for path in self.paths)

    def origins(self, nodes: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """For every node of a path a sentence of its span, and its place there."""
        return tuple(
            (sentences[0], self.places[sentences[0]][node])
            for first, last, sentences in self.spans(nodes)
            for node in nodes[first:last]
        )

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes in topological order, by Kahn's algorithm, lowest first. A cycle is an error."""
        import heapq

        waiting = [0] * len(self.words)
        for edges in self.after:
            for head in edges:
                waiting[head] += 1
        ready = [node for node, count in enumerate(waiting) if count == 0]
        heapq.heapify(ready)
        done: list[int] = []
        while ready:
            node = heapq.heappop(ready)
            done.append(node)
            for head in self.after[node]:
                waiting[head] -= 1
                if waiting[head] == 0:
                    heapq.heappush(ready, head)
        if len(done) < len(self.words):
            raise InputError("expected a word graph without a cycle")
        return tuple(done)

    def nodes_of(self, words: Sequence[str]) -> tuple[int, ...] | None:
        """The path of nodes with these words that has the fewest changes of sentence; None if there is none."""
        # The best path to each state: (node, sentences of the current run as bits) → (changes, nodes).
        states: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {
            (START, (1 << len(self.paths)) - 1): (0, ())
        }
        for word in [*words, ""]:
            following: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
            for (node, run), (changes, path) in states.items():
                for head, bits in self._bits[node].get(word, ()):
                    both = run & bits
                    key = (head, both or bits)
                    value = (changes + (not both), (*path, head))
                    if key not in following or value < following[key]:
                        following[key] = value
            if len(following) > _READINGS:
                following = dict(sorted(following.items(), key=lambda item: (item[1], item[0]))[:_READINGS])
            states = following
        if not states:
            return None
        return min(states.values())[1][:-1]

    @cached_property
    def _bits(self) -> tuple[dict[str, list[tuple[int, int]]], ...]:
        """For every node: word → the nodes that follow with it, and their edges' sentences as bits."""
        bits_of: list[dict[str, list[tuple[int, int]]]] = []
        for edges in self.after:
            node_bits: dict[str, list[tuple[int, int]]] = {}
            for head, sentences in edges.items():
                bits = sum(1 << sentence for sentence in sentences)
                node_bits.setdefault(self.words[head], []).append((head, bits))
            bits_of.append(node_bits)
        return tuple(bits_of)

    def spans(self, nodes: Sequence[int]) -> list[tuple[int, int, tuple[int, ...]]]:
        """Split a path into the fewest runs that each occur in some sentence, with all sentences of each run.

        ``(from, to, sentences)`` over the path; greedy from the left, which is optimal for such runs.
        """
        spans: list[tuple[int, int, tuple[int, ...]]] = []
        begin = 0
        run: set[int] = set()
        for place, node in enumerate(nodes):
            before = nodes[place - 1] if place > begin else None
            sentences = (
                set(self.sentences[node]) if before is None else run & set(self.after[before].get(node, ()))
            )
            if not sentences:
                spans.append((begin, place, tuple(sorted(run))))
                begin = place
                sentences = set(self.sentences[node])
            run = sentences
        if nodes:
            spans.append((begin, len(nodes), tuple(sorted(run))))
        return spans


def word_graph(cluster: Cluster, alignment: Alignment) -> WordGraph:
    """The graph of an aligned cluster."""
    words = ["", ""] + [""] * alignment.nodes
    after: list[dict[int, list[int]]] = [{} for _ in words]
    paths = []
    for sentence, tokens in enumerate(cluster.words):
        path = tuple(node + 2 for node in alignment.path(sentence))
        for node, word in zip(path, tokens, strict=True):
            words[node] = word
        for tail, head in zip((START, *path), (*path, END), strict=True):
            after[tail].setdefault(head, []).append(sentence)
        paths.append(path)
    edges = tuple({head: tuple(sentences) for head, sentences in sorted(heads.items())} for heads in after)
    return WordGraph(tuple(words), edges, tuple(paths))
