"""Merge small sub-phrase-tables into the largest that shares a bridge (Martzoukos & Monz 2012, §2.1 (a))."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph.components import Parts, group, join, select, with_entries
from paraphrast.graph.phrase_graph import Adjacency


def merge_parts(links: Adjacency, parts: Parts, source_size: int, up_to: int) -> tuple[Parts, int]:
    """Merge every part of at most ``up_to`` (δ) vertices into another. Also returns how many parts chose one.

    The bridge of a part is its vertex in the fewest parts, among those in more than one; ties go to the lowest id. It
    leads to the largest other part with that vertex, the first of equals. All parts choose in the original collection,
    so their order does not matter: a part becomes the union of itself and all parts that chose it, with every
    phrase-table entry between these vertices. A part that chose another is dropped unless a third part chose it. Two
    parts that chose each other would be equal after the merge, so one is kept. The result is sorted by size, largest
    first, then by the original order.
    """
    chosen = choose(parts, links, up_to)
    mover = np.flatnonzero(chosen >= 0)
    is_target = np.zeros(len(parts), dtype=np.bool_)
    is_target[chosen[mover]] = True
    part = parts.part_of
    moving = chosen[part] >= 0
    stays = is_target[part]
    grown_start, grown = group(
        np.concatenate([part[stays], chosen[part[moving]]]),
        np.concatenate([parts.vertices[stays], parts.vertices[moving]]),
        len(parts),
    )
    targets = np.flatnonzero(is_target)
    untouched = np.flatnonzero((chosen < 0) & ~is_target)
    merged = select(Parts(grown_start, grown, np.zeros_like(grown_start), parts.edges[:0]), targets)
    merged = select(merged, _first_of_equals(merged))
    merged = with_entries(links, merged.vertex_start, merged.vertices, source_size)
    return by_size([merged, select(parts, untouched)]), len(mover)


def choose(parts: Parts, links: Adjacency, up_to: int) -> NDArray[np.int64]:
    """The part that each part is merged into, −1 for none."""
    size = len(links.start) - 1
    sizes = parts.sizes
    occurrences = np.bincount(parts.vertices, minlength=size)
    part = parts.part_of
    shared = np.flatnonzero((occurrences[parts.vertices] > 1) & (sizes[part] <= up_to))
    order = shared[np.lexsort((parts.vertices[shared], occurrences[parts.vertices[shared]], part[shared]))]
    first = order[np.flatnonzero(np.diff(part[order], prepend=-1))]
    # The largest and second largest part of each vertex: the largest itself is merged into the second.
    ranked = np.lexsort((part, -sizes[part], parts.vertices))
    vertex = parts.vertices[ranked]
    begin = np.searchsorted(vertex, parts.vertices[first])
    largest, second = part[ranked[begin]], part[ranked[begin + 1]]
    chosen = np.full(len(parts), -1, dtype=np.int64)
    chosen[part[first]] = np.where(largest == part[first], second, largest)
    return chosen


def _first_of_equals(parts: Parts) -> NDArray[np.int64]:
    """The parts without those that have exactly the vertices of an earlier part."""
    seen: set[bytes] = set()
    keep = []
    for index in range(len(parts)):
        content = parts.vertices[parts.vertex_start[index] : parts.vertex_start[index + 1]].tobytes()
        if content not in seen:
            seen.add(content)
            keep.append(index)
    return np.array(keep, dtype=np.int64)


def by_size(collections: list[Parts]) -> Parts:
    """All parts of some collections, the largest first; parts of equal size keep their order."""
    parts = join(collections)
    return select(parts, np.argsort(-parts.sizes, kind="stable"))
