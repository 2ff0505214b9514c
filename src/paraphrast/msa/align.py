"""Progressive alignment of a cluster: the most similar pair first, then each sentence against its best match.

A hybrid of Feng and Doolittle (1987) and Fitch and Margoliash (1967), as in section 3.1 of Shen and others (2006).
Aligned words form one *node*. Each sentence is aligned with one earlier sentence and takes over nodes of it in their
order, so the graph of nodes has no cycle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.msa import _kernels
from paraphrast.msa.arrays import ClusterArrays
from paraphrast.msa.cluster import Cluster, cluster_arrays
from paraphrast.msa.match import AlignOptions, MatchOptions, Version


@dataclass(frozen=True, eq=False)
class Alignment:
    """Which tokens are aligned.

    starts: int64[sentences + 1] into node. node: int32[tokens], the class of each token, numbered by first appearance.
    order: the sentences as they were aligned; partner: the sentence each was aligned with, −1 for the first.
    scores: float64[n, n], the pairs' scores, −∞ on the diagonal.
    """

    starts: NDArray[np.int64]
    node: NDArray[np.int32]
    order: tuple[int, ...]
    partner: tuple[int, ...]
    scores: NDArray[np.float64]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(self.node.max()) + 1 if len(self.node) else 0

    def path(self, sentence: int) -> list[int]:
        """The nodes of one sentence."""
        return [int(node) for node in self.node[self.starts[sentence] : self.starts[sentence + 1]]]


def align_cluster(
    cluster: Cluster,
    version: Version,
    match: MatchOptions | None = None,
    align: AlignOptions | None = None,
) -> Alignment:
    """Align all sentences of a cluster under a version."""
    return align_arrays(cluster_arrays(cluster, version, match, align))


def align_arrays(arrays: ClusterArrays) -> Alignment:
    """As :func:`align_cluster`, for arrays. Of equally similar sentences the first is taken."""
    count = len(arrays.starts) - 1
    scores = _kernels.all_scores(arrays)
    label = np.arange(len(arrays.word), dtype=np.int64)
    order = [0]
    partner = [-1] * count
    if count > 1:
        first, second = divmod(int(np.argmax(scores)), count)
        order = [first]
        pooled = np.zeros(count, dtype=np.bool_)
        pooled[first] = True
        for sentence in [second, *(value for value in range(count) if value not in (first, second))]:
            best = int(np.argmax(np.where(pooled, scores[sentence], -np.inf)))
            links = _kernels.align_pair(sentence, best, arrays)
            linked = np.flatnonzero(links >= 0)
            label[arrays.starts[sentence] + linked] = label[arrays.starts[best] + links[linked]]
            partner[sentence] = best
            order.append(sentence)
            pooled[sentence] = True
    numbers: dict[int, int] = {}
    node = np.array([numbers.setdefault(value, len(numbers)) for value in label.tolist()], dtype=np.int32)
    return Alignment(arrays.starts, node, tuple(order), tuple(partner), scores)
