"""Where sentences of a cluster contradict each other, and whether a new sentence mixes contradictory sources.

If two sentences share two nodes, and between them one has "5:50 p.m." and the other "5:54 p.m.", or one "Fasulo" and
the other "De Simone", that is a conflict. A new sentence with one of the values must not have another part whose
sources all have the other value.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paraphrast.msa.cluster import Cluster, is_content
from paraphrast.msa.graph import WordGraph

#: Maximum number of words between two shared nodes of a slot.
WIDEST = 8
NAME = "name"


@dataclass(frozen=True)
class Conflict:
    """A slot that sentences fill with different numbers or names.

    left, right: the words around it, "" if only the other side is shared. kind: ``name`` or the mask of the
    numbers. values: the fillings, each with the sentences (of the cluster) that have it.
    """

    left: str
    right: str
    kind: str
    values: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]

    def to_dict(self, cluster: Cluster) -> dict[str, Any]:
        """Plain values; the input sentences are numbered from 0."""
        return {
            "left": self.left,
            "right": self.right,
            "kind": self.kind,
            "values": [
                {
                    "value": " ".join(value),
                    "sentences": sorted(
                        number for sentence in sentences for number in cluster.same[sentence]
                    ),
                }
                for value, sentences in self.values
            ],
        }


@dataclass(frozen=True)
class Facts:
    """The numbers and names of a cluster's graph, by node: ``(kind, value)`` or None."""

    of_node: tuple[tuple[str, str] | None, ...]

    def within(self, nodes: Sequence[int]) -> dict[str, tuple[str, ...]]:
        """Kind → values in a run of nodes."""
        facts: dict[str, tuple[str, ...]] = {}
        for node in nodes:
            fact = self.of_node[node]
            if fact is not None:
                facts[fact[0]] = (*facts.get(fact[0], ()), fact[1])
        return facts


def facts_of(cluster: Cluster, graph: WordGraph) -> Facts:
    """Finds numbers by their masks or words, and names by their tags (by capitals if the cluster is not parsed)."""
    facts: list[tuple[str, str] | None] = [None] * len(graph.words)
    language = cluster.language
    cardinals = {word: str(number) for number, word in enumerate(language.cardinals)}
    for sentence, path in enumerate(graph.paths):
        for place, node in enumerate(path):
            word, kind = cluster.words[sentence][place], cluster.kinds[sentence][place]
            small = word.lower()
            if kind or any(map(str.isdigit, word)):
                facts[node] = (kind or "<number>", small.replace(",", ""))
            elif small in language.number_words and small not in language.quantity_words:
                facts[node] = ("<number>", cardinals.get(small, small))
            elif _is_name(cluster, sentence, place) and is_content(word, language):
                facts[node] = (NAME, word)
    return Facts(tuple(facts))


def _is_name(cluster: Cluster, sentence: int, place: int) -> bool:
    if cluster.syntax is not None:
        return cluster.syntax[sentence][place].tag.startswith("NNP")
    word = cluster.words[sentence][place]
    return place > 0 and word[:1].isupper() and word[1:2].islower()


def find_slots(graph: WordGraph, widest: int = WIDEST) -> dict[tuple[int, int], dict[int, tuple[int, ...]]]:
    """The nodes between two shared nodes, for each pair with no other shared node between them in some sentence.

    ``(left, right) → sentence → nodes between``, for every sentence that has both, in order, at most ``widest`` apart.
    """
    place = [{node: at for at, node in enumerate(path)} for path in graph.paths]
    pairs: dict[tuple[int, int], None] = {}
    for path in graph.paths:
        shared = [node for node in path if len(graph.sentences[node]) > 1]
        for left, right in itertools.pairwise(shared):
            pairs.setdefault((left, right))
    slots: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
    for left, right in pairs:
        fills: dict[int, tuple[int, ...]] = {}
        for sentence in sorted(set(graph.sentences[left]) & set(graph.sentences[right])):
            begin, end = place[sentence][left] + 1, place[sentence][right]
            if 0 <= end - begin <= widest:
                fills[sentence] = graph.paths[sentence][begin:end]
        if len(set(fills.values())) > 1:
            slots[left, right] = fills
    return slots


def find_conflicts(cluster: Cluster, graph: WordGraph, facts: Facts) -> tuple[Conflict, ...]:
    """Conflicts: different numbers of one kind beside the same content word, or different names alone in one slot.

    Numbers need no alignment: "call at 5:50 p.m." and "call at 5:54 p.m." contradict each other in any version.
    """
    conflicts: list[Conflict] = []
    for (kind, left, right), groups in sorted(_numbers_by_neighbour(cluster, graph, facts).items()):
        values: dict[tuple[str, ...], list[int]] = {}
        for sentence, statements in groups.items():
            values.setdefault(tuple(statements), []).append(sentence)
        conflicts += _conflict(left, right, kind, values)
    for (first, last), fills in find_slots(graph).items():
        names: dict[tuple[str, ...], list[int]] = {}
        for sentence, nodes in fills.items():
            content = [node for node in nodes if is_content(graph.words[node], cluster.language)]
            node_facts = [facts.of_node[node] for node in content]
            if content and all(fact is not None and fact[0] == NAME for fact in node_facts):
                names.setdefault(tuple(fact[1] for fact in node_facts if fact is not None), []).append(
                    sentence
                )
        conflicts += _conflict(graph.words[first], graph.words[last], NAME, names)
    return tuple(conflicts)


def _conflict(left: str, right: str, kind: str, groups: dict[tuple[str, ...], list[int]]) -> list[Conflict]:
    values = sorted(groups)
    if any(not set(value) & set(other) for value in values for other in values):
        return [Conflict(left, right, kind, tuple((value, tuple(groups[value])) for value in values))]
    return []


def _numbers_by_neighbour(
    cluster: Cluster, graph: WordGraph, facts: Facts
) -> dict[tuple[str, str, str], dict[int, list[str]]]:
    """(kind, content word before or "", content word after or "") → sentence → numbers there."""
    numbers: dict[tuple[str, str, str], dict[int, list[str]]] = {}
    for sentence, path in enumerate(graph.paths):
        words = cluster.words[sentence]
        content = [is_content(word, cluster.language) for word in words]
        for place, node in enumerate(path):
            fact = facts.of_node[node]
            if fact is None or fact[0] == NAME:
                continue
            before = next((words[at] for at in range(place - 1, max(place - 4, -1), -1) if content[at]), "")
            after = next(
                (words[at] for at in range(place + 1, min(place + 4, len(words))) if content[at]), ""
            )
            for left, right in ((before, ""), ("", after)):
                if left or right:
                    key = (fact[0], left.lower(), right.lower())
                    numbers.setdefault(key, {}).setdefault(sentence, []).append(fact[1])
    return numbers


def mixes_conflict(
    nodes: Sequence[int], graph: WordGraph, facts: Facts, conflicts: Sequence[Conflict]
) -> Conflict | None:
    """The first conflict that a path violates; None if it violates none.

    A path violates a conflict if it has one value and also a span that only sentences with another value have, or
    if it has two values that no sentence has together.
    """
    spans = graph.spans(nodes)
    path_facts = facts.within(nodes)
    for conflict in conflicts:
        path_values = set(path_facts.get(conflict.kind, ()))
        taken = [(value, sentences) for value, sentences in conflict.values if set(value) <= path_values]
        for value, sentences in taken:
            if not any(set(sentences) & set(sources) for _, _, sources in spans):
                continue  # the value comes from sentences outside this conflict
            opponents: set[int] = set()
            for other, others in conflict.values:
                if set(value) & set(other):
                    continue
                opponents |= set(others)
                both = set(value) | set(other)
                if both <= path_values and not any(
                    both <= set(facts.within(path).get(conflict.kind, ())) for path in graph.paths
                ):
                    return conflict
            if any(set(sources) <= opponents for _, _, sources in spans):
                return conflict
    return None
