"""What clusters teach the decoder: alternatives between shared words become rows of a ``clusters`` table.

Between two shared nodes sentences put different words: a slot. Each pair of its fillings is a pair of
phrases, ``p(target | source)`` being how often the target fills slots that the source fills, over all fillings
but the source itself. Fillings that differ in numbers or names are not paraphrases and are left out; so are
those that differ in nothing but function words on one side, and those that are empty.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paraphrast.msa.cluster import Cluster, is_content
from paraphrast.msa.conflicts import Facts, facts_of, find_slots
from paraphrast.msa.graph import END, START, WordGraph
from paraphrast.types import MASKS, LooseTable, PhraseRow, TableInfo, loose_table
from paraphrast.types.phrases import MAX_PHRASE


@dataclass(frozen=True)
class SlotOptions:
    """widest: words a filling has at most. ratio: how much longer one filling may be than another, in words.
    least: slots in which a pair must occur. support: sentences that share the words around a slot at least."""

    widest: int = MAX_PHRASE
    ratio: int = 3
    least: int = 1
    support: int = 2


def slot_pairs(
    cluster: Cluster, graph: WordGraph, options: SlotOptions | None = None
) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Pairs of fillings of one cluster, both directions, with the number of slots they share.

    Words are those of the training text's tokeniser: entities by their masks.
    """
    settings = options or SlotOptions()
    facts = facts_of(cluster, graph)
    masked = _masked(cluster, graph)
    pairs: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for (left, _right), fills in find_slots(graph, settings.widest).items():
        if left in (START, END) or len(fills) < settings.support:
            continue
        fillings = sorted(set(fills.values()))
        for first in fillings:
            for second in fillings:
                if first == second or abs(len(first) - len(second)) > settings.ratio:
                    continue
                if not _is_paraphrase(first, second, graph, facts, cluster):
                    continue
                source = tuple(masked[node] for node in first)
                target = tuple(masked[node] for node in second)
                if source != target:
                    pairs[source, target] += 1
    return pairs


def _masked(cluster: Cluster, graph: WordGraph) -> list[str]:
    words = list(graph.words)
    for sentence, path in enumerate(graph.paths):
        for node, kind in zip(path, cluster.kinds[sentence], strict=True):
            if kind in MASKS:
                words[node] = kind
    return words


def _is_paraphrase(
    first: Sequence[int], second: Sequence[int], graph: WordGraph, facts: Facts, cluster: Cluster
) -> bool:
    """Both say something, and no number or name is in one alone."""
    if not first or not second:
        return False
    said = [facts.within(nodes) for nodes in (first, second)]
    if {kind: sorted(values) for kind, values in said[0].items()} != {
        kind: sorted(values) for kind, values in said[1].items()
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
    pairs: Iterable[Counter[tuple[tuple[str, ...], tuple[str, ...]]]],
    language: str,
    signature: str,
    *,
    least: int = 1,
    top: int = 20,
) -> LooseTable:
    """The table of many clusters' pairs."""
    total: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    clusters: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for one in pairs:
        total.update(one)
        clusters.update(one.keys())
    of_source: Counter[tuple[str, ...]] = Counter()
    of_target: Counter[tuple[str, ...]] = Counter()
    for (source, target), count in total.items():
        of_source[source] += count
        of_target[target] += count
    rows = [
        PhraseRow(
            source,
            target,
            math.log(count / of_source[source]),
            count,
            {
                "reverse": math.log(count / of_target[target]),
                "clusters": math.log(clusters[source, target]),
            },
        )
        for (source, target), count in sorted(total.items())
        if count >= least
    ]
    info = TableInfo(
        "clusters",
        language,
        signature,
        features={
            name: {"direction": "higher", "floor": min((row.features[name] for row in rows), default=0.0)}
            for name in ("reverse", "clusters")
        },
    )
    return loose_table(rows, info, ("reverse", "clusters"), top=top)
