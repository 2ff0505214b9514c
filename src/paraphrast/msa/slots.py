"""Phrase pairs from clusters: alternatives between shared words become rows of a ``clusters`` table.

A slot is the place between two shared nodes where sentences have different words. Each pair of its fillings, without
the words that both begin or end with, is a pair of phrases. A pair counts once per cluster. p(target | source) is the
number of clusters with the pair, divided by 1 + the number of pairs of the source; the 1 lowers the probability of
pairs that occur once. Left out are fillings that differ in numbers or names, that contain punctuation, or of which one
has only function words. With syntax, both must have the same shape: "in the mirror" and "with a q-tip" have, "and a
baby" and "in face paint" have not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from paraphrast.msa.cluster import Cluster, is_content
from paraphrast.msa.conflicts import Facts, facts_of, find_slots
from paraphrast.msa.graph import END, START, WordGraph
from paraphrast.msa.options import SlotOptions
from paraphrast.text.syntax.chunklink import WordSyntax
from paraphrast.types import MASKS, LooseTable, PhraseRow, TableInfo, loose_table

Pair = tuple[tuple[str, ...], tuple[str, ...]]


def slot_pairs(
    cluster: Cluster,
    graph: WordGraph,
    options: SlotOptions | None = None,
    *,
    spaces: dict[tuple[str, ...], tuple[bool, ...]] | None = None,
) -> set[Pair]:
    """Pairs of fillings of one cluster, in both directions.

    Words are tokenised as in training; entities are masks. spaces: filled with, for every phrase, whether white space
    precedes each of its words where it occurs first.
    """
    settings = options or SlotOptions()
    facts = facts_of(cluster, graph)
    seen = _first_tokens(cluster, graph)
    words = [
        cluster.kinds[sentence][place] if cluster.kinds[sentence][place] in MASKS else graph.words[node]
        for node, (sentence, place) in enumerate(seen)
    ]
    pairs: set[Pair] = set()
    for (left, _right), fills in find_slots(graph, settings.widest).items():
        if left in (START, END) or len(fills) < settings.support:
            continue
        fillings = sorted(set(fills.values()))
        for first in fillings:
            for second in fillings:
                if first == second or abs(len(first) - len(second)) > settings.ratio:
                    continue
                source_nodes, target_nodes = trimmed(first, second, lambda node: words[node].lower())
                if not _is_paraphrase(source_nodes, target_nodes, graph, facts, cluster):
                    continue
                if settings.shape and cluster.syntax is not None:
                    shapes = [
                        _shape([cluster.syntax[seen[n][0]][seen[n][1]] for n in nodes])
                        for nodes in (source_nodes, target_nodes)
                    ]
                    if shapes[0] != shapes[1]:
                        continue
                source, target = (
                    tuple(words[node] for node in nodes) for nodes in (source_nodes, target_nodes)
                )
                if source == target or _masks(source) != _masks(target):
                    continue
                pairs.add((source, target))
                if spaces is not None:
                    where = [seen[node] for node in source_nodes]
                    spaces.setdefault(source, tuple(cluster.spaces[s][place] for s, place in where))
    return pairs


def _first_tokens(cluster: Cluster, graph: WordGraph) -> list[tuple[int, int]]:
    """For every node its first token: sentence and position; start and end have the first word."""
    seen = [(0, 0)] * len(graph.words)
    for sentence in range(len(cluster) - 1, -1, -1):
        for place, node in enumerate(graph.paths[sentence]):
            seen[node] = (sentence, place)
    return seen


def trimmed(
    first: Sequence[int], second: Sequence[int], key: Callable[[int], str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two phrases without their common beginning, then without their common end."""
    begin, most = 0, min(len(first), len(second))
    while begin < most and key(first[begin]) == key(second[begin]):
        begin += 1
    end = 0
    while end < most - begin and key(first[-1 - end]) == key(second[-1 - end]):
        end += 1
    return tuple(first[begin : len(first) - end]), tuple(second[begin : len(second) - end])


def _masks(phrase: Sequence[str]) -> list[str]:
    """The masks of a phrase. "six" means the same as 6, but a mask could not be filled in."""
    return sorted(word for word in phrase if word in MASKS)


def _shape(words: Sequence[WordSyntax]) -> tuple[str, str, str]:
    """The constituents that a phrase begins and ends in; for a single word, also the class of its tag."""
    return words[0].chunk[2:], words[-1].chunk[2:], words[0].tag[:2] if len(words) == 1 else ""


def _is_paraphrase(
    first: Sequence[int], second: Sequence[int], graph: WordGraph, facts: Facts, cluster: Cluster
) -> bool:
    """Whether both have content words, and no number or name is in only one of them."""
    if not first or not second:
        return False
    slot_facts = [facts.within(nodes) for nodes in (first, second)]
    if {kind: sorted(values) for kind, values in slot_facts[0].items()} != {
        kind: sorted(values) for kind, values in slot_facts[1].items()
    }:
        return False
    content = [
        {graph.words[node].lower() for node in nodes if is_content(graph.words[node], cluster.language)}
        for nodes in (first, second)
    ]
    punctuation = any(
        not any(map(str.isalnum, graph.words[node])) for nodes in (first, second) for node in nodes
    )
    return bool(content[0]) and bool(content[1]) and content[0] != content[1] and not punctuation


def clusters_table(
    pairs: Iterable[Iterable[Pair]],
    info: TableInfo,
    options: SlotOptions | None = None,
    *,
    glue: dict[tuple[str, ...], int] | None = None,
) -> LooseTable:
    """The table of the pairs of many clusters. glue: of phrases with words that are not separated by white space."""
    settings = options or SlotOptions()
    total: Counter[Pair] = Counter(pair for cluster_pairs in pairs for pair in cluster_pairs)
    of_source: Counter[tuple[str, ...]] = Counter()
    of_target: Counter[tuple[str, ...]] = Counter()
    for (source, target), count in total.items():
        of_source[source] += count
        of_target[target] += count
    rows = [
        PhraseRow(
            source,
            target,
            math.log(count / (of_source[source] + 1)),
            count,
            {"reverse": math.log(count / (of_target[target] + 1))},
        )
        for (source, target), count in sorted(total.items())
        if count >= settings.least
    ]
    floor = min((row.features["reverse"] for row in rows), default=0.0)
    table_info = replace(info, features={"reverse": {"direction": "higher", "floor": floor}})
    return loose_table(rows, table_info, ("reverse",), top=settings.top, glue=glue)
