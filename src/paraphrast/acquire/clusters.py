"""Clusters of articles about one event, built incrementally.

Average-link agglomeration over the near pairs from :mod:`paraphrast.acquire.neighbours`: the two clusters with the
highest mean cosine are joined until none reaches ``threshold``; pairs that are not near count as 0. A state stores the
articles of the last days, so that tomorrow's articles can join today's clusters. Existing clusters are never joined or
divided, so the name of a cluster stays valid.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.neighbours import UNDATED, Neighbours, days_array, find_neighbours
from paraphrast.acquire.options import ClusterOptions, NeighbourOptions, TermOptions
from paraphrast.acquire.terms import UNIT, Rows, TermTable, count_terms, weigh
from paraphrast.engine import Engine
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.articles import Article
from paraphrast.formats.files import atomic_folder
from paraphrast.formats.json_text import parse_json

FORMAT = "paraphrast-clusters"


def agglomerate(
    sizes: Sequence[int],
    near: Neighbours,
    threshold: float,
    fixed: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """For each vertex, the lowest vertex of its cluster.

    sizes: number of articles of each vertex; near: sums of products between vertices; fixed: existing clusters, which
    are never joined with each other.
    """
    count = len(sizes)
    size = list(sizes)
    parent = list(range(count))
    version = [0] * count
    is_fixed = [False] * count if fixed is None else fixed.tolist()
    links: list[dict[int, int]] = [{} for _ in range(count)]
    heap: list[tuple[float, int, int, int, int]] = []
    for one, other, product in zip(
        near.first.tolist(), near.second.tolist(), near.product.tolist(), strict=True
    ):
        if is_fixed[one] and is_fixed[other]:
            continue
        links[one][other] = links[other][one] = product
        mean = product / (size[one] * size[other])
        if mean >= threshold * UNIT * UNIT:
            heap.append((-mean, one, other, 0, 0))
    heapq.heapify(heap)
    while heap:
        _, one, other, version_one, version_other = heapq.heappop(heap)
        if version[one] != version_one or version[other] != version_other:
            continue
        # The shorter list of links is merged into the longer one; the name is the lower number.
        into, gone = (one, other) if len(links[one]) >= len(links[other]) else (other, one)
        del links[into][gone]
        del links[gone][into]
        for third, product in links[gone].items():
            del links[third][gone]
            if is_fixed[third] and (is_fixed[into] or is_fixed[gone]):
                links[into].pop(third, None)
                links[third].pop(into, None)
                continue
            links[into][third] = links[third][into] = links[into].get(third, 0) + product
        if is_fixed[gone] and not is_fixed[into]:
            for third in [third for third in links[into] if is_fixed[third]]:
                del links[into][third]
                del links[third][into]
        links[gone] = {}
        is_fixed[into] = is_fixed[into] or is_fixed[gone]
        size[into] += size[gone]
        parent[gone] = into
        version[gone] = -1
        version[into] += 1
        for third, product in links[into].items():
            mean = product / (size[into] * size[third])
            if mean >= threshold * UNIT * UNIT:
                low, high = min(into, third), max(into, third)
                heapq.heappush(heap, (-mean, low, high, version[low], version[high]))
    return _lowest(parent)


def _lowest(parent: list[int]) -> NDArray[np.int64]:
    root = list(parent)
    for vertex in range(len(parent)):
        path = []
        at = vertex
        while root[at] != at:
            path.append(at)
            at = root[at]
        for step in path:
            root[step] = at
    lowest: dict[int, int] = {}
    for vertex, at in enumerate(root):
        lowest.setdefault(at, vertex)
    return np.array([lowest[at] for at in root], dtype=np.int64)


class ClusterState:
    """State between batches of articles: terms, and the articles of the last days.

    >>> # state = ClusterState(); today = state.add(articles, engine); state.save("clusters")
    """

    def __init__(self, options: ClusterOptions | None = None, language: str = "en") -> None:
        self.options = options or ClusterOptions()
        self.language = language
        self.table = TermTable()
        self.rows = Rows(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64))
        self.days = np.zeros(0, dtype=np.int64)
        self.members = np.zeros(0, dtype=np.int64)  # cluster of each remembered article
        self.clusters = 0

    def add(self, articles: Sequence[Article], engine: Engine) -> list[int]:
        """The cluster of each article: an existing one, or a new number. Copies get the cluster of their original."""
        fresh = [index for index, article in enumerate(articles) if not article.duplicate_of]
        counts = count_terms([articles[index] for index in fresh], self.language, self.options.terms, engine)
        self.table.add(counts)
        old = len(self.rows)
        self.rows = _stack(self.rows, weigh(counts, self.table, self.options.terms))
        self.days = np.concatenate([self.days, days_array([articles[index].day() for index in fresh])])
        near = find_neighbours(self.rows, self.days, engine, self.options.near, fresh_from=old)
        numbers = self._join(near, old, len(fresh))
        self.members = np.concatenate([self.members, np.array(numbers, dtype=np.int64)])
        self._forget()
        cluster_of = dict(zip(fresh, numbers, strict=True))
        where = {articles[index].page: cluster for index, cluster in cluster_of.items()}
        for index, article in enumerate(articles):
            if index not in cluster_of:
                if article.duplicate_of in where:
                    cluster_of[index] = where[article.duplicate_of]
                else:
                    cluster_of[index] = self.clusters
                    self.clusters += 1
        return [cluster_of[index] for index in range(len(articles))]

    def _join(self, near: Neighbours, old: int, count: int) -> list[int]:
        """The vertices are the existing clusters, then the new articles."""
        names, vertex_of_old = np.unique(self.members[:old], return_inverse=True)
        vertex = np.concatenate([vertex_of_old, len(names) + np.arange(count)])
        one, other = vertex[near.first], vertex[near.second]
        low, high = np.minimum(one, other), np.maximum(one, other)
        order = np.lexsort((high, low))
        low, high, product = low[order], high[order], near.product[order]
        begins = np.flatnonzero(np.concatenate([[True], (low[1:] != low[:-1]) | (high[1:] != high[:-1])]))
        if not len(low):
            begins = np.zeros(0, dtype=np.int64)
        summed = Neighbours(
            low[begins], high[begins], np.add.reduceat(product, begins) if len(begins) else product
        )
        sizes = np.concatenate([np.bincount(vertex_of_old, minlength=len(names)), np.ones(count, np.int64)])
        fixed = np.arange(len(sizes)) < len(names)
        root = agglomerate(sizes.tolist(), summed, self.options.threshold, fixed)
        numbers: list[int] = []
        number: dict[int, int] = {}
        for at in root[len(names) :].tolist():
            if at < len(names):
                numbers.append(int(names[at]))
                continue
            if at not in number:
                number[at] = self.clusters
                self.clusters += 1
            numbers.append(number[at])
        return numbers

    def _forget(self) -> None:
        """Drop the dated articles that no later article can be compared with."""
        dated = self.days != UNDATED
        if not dated.any():
            return
        recent = ~dated | (self.days > self.days[dated].max() - 2 * self.options.near.window)
        if recent.all():
            return
        lengths = np.diff(self.rows.starts)
        entries = np.repeat(recent, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[recent])]).astype(np.int64)
        self.rows = Rows(starts, self.rows.terms[entries], self.rows.weights[entries])
        self.days, self.members = self.days[recent], self.members[recent]

    def save(self, folder: str | Path) -> None:
        """Write a folder, completely or not at all."""
        with atomic_folder(Path(folder)) as temporary:
            for name, array in self._arrays().items():
                save_array(temporary / f"{name}.npy", array)
            record = {
                "format": FORMAT,
                "language": self.language,
                "articles": self.table.articles,
                "clusters": self.clusters,
                "options": asdict(self.options),
                "terms": list(self.table.ids),
            }
            (temporary / "clusters.json").write_text(
                json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8", errors="replace"
            )

    def _arrays(self) -> dict[str, NDArray[np.int64]]:
        return {
            "starts": self.rows.starts,
            "row_terms": self.rows.terms.astype(np.int64),
            "weights": self.rows.weights,
            "days": self.days,
            "members": self.members,
            "documents": np.array(self.table.documents, dtype=np.int64),
            "kinds": np.array(self.table.kinds, dtype=np.int64),
        }

    @classmethod
    def load(cls, folder: str | Path) -> ClusterState:
        """Read a folder written by :meth:`save`."""
        place = Path(folder)
        try:
            record = parse_json((place / "clusters.json").read_text(encoding="utf-8"))
            if record["format"] != FORMAT:
                raise ValueError("not a saved state of clusters")
            options = ClusterOptions(
                float(record["options"]["threshold"]),
                TermOptions(**record["options"]["terms"]),
                NeighbourOptions(**record["options"]["near"]),
            )
            state = cls(options, str(record["language"]))
            arrays = {
                name: load_array(place / f"{name}.npy", np.int64, mapped=False) for name in state._arrays()
            }
            state.clusters = int(record["clusters"])
            ids = {str(term): index for index, term in enumerate(record["terms"])}
            state.table = TermTable(
                ids, arrays["documents"].tolist(), arrays["kinds"].tolist(), int(record["articles"])
            )
        except (OSError, ValueError, KeyError, TypeError, InputError) as error:
            raise ModelError(f"expected a saved state of clusters: {error}", where=place) from error
        state.rows = Rows(arrays["starts"], arrays["row_terms"].astype(np.int32), arrays["weights"])
        state.days, state.members = arrays["days"], arrays["members"]
        return state


def _stack(first: Rows, second: Rows) -> Rows:
    return Rows(
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
        np.concatenate([first.terms, second.terms]),
        np.concatenate([first.weights, second.weights]),
    )


def find_clusters(
    articles: Sequence[Article],
    engine: Engine,
    options: ClusterOptions | None = None,
    *,
    language: str = "en",
) -> list[int]:
    """The cluster of each article, all in one call."""
    return ClusterState(options, language).add(articles, engine)


def comparable_documents(
    articles: Sequence[Article],
    engine: Engine,
    *,
    threshold: float = 0.3,
    options: ClusterOptions | None = None,
    language: str = "en",
) -> list[tuple[int, int, float]]:
    """Zhao et al. 2008, resource 3: pairs of documents less than 2 days apart (``options.near.window``) whose cosine
    exceeds Th2, with their cosine, without clusters. Copies are left out."""
    options = options or ClusterOptions(near=NeighbourOptions(window=2))
    originals = [index for index, article in enumerate(articles) if not article.duplicate_of]
    counts = count_terms([articles[index] for index in originals], language, options.terms, engine)
    table = TermTable()
    table.add(counts)
    days = days_array([articles[index].day() for index in originals])
    near = find_neighbours(weigh(counts, table, options.terms), days, engine, options.near)
    return [
        (originals[one], originals[other], float(cosine))
        for one, other, cosine in zip(near.first.tolist(), near.second.tolist(), near.cosines(), strict=True)
        if cosine > threshold
    ]


def b_cubed(truth: Sequence[object], found: Sequence[object]) -> dict[str, float]:
    """B-cubed precision, recall and F, and purity, of clusters against given ones."""
    if len(truth) != len(found) or not truth:
        raise InputError("expected as many predicted as gold clusters, and at least one")
    truth_sizes, found_sizes = Counter(truth), Counter(found)
    both = Counter(zip(truth, found, strict=True))
    precision = sum(n * n / found_sizes[other] for (_, other), n in both.items()) / len(truth)
    recall = sum(n * n / truth_sizes[one] for (one, _), n in both.items()) / len(truth)
    largest: dict[object, int] = {}
    for (_, other), n in both.items():
        largest[other] = max(largest.get(other, 0), n)
    purity = sum(largest.values()) / len(truth)
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
        "purity": purity,
        "clusters": len(found_sizes),
    }
