"""Moved phrases: two neighbouring phrases of a path in the other order, where an output has them so.

*Yesterday he left* and *he left yesterday* say the same, and BLEU counts an error at each seam. All exchanges of a
reference are too many to put into its lattice, but few of them bring a path closer to an output. So the closest path is
found first; exchanges of its phrases that raise the number of seams the output has by at least two become edges of the
lattice, and the closest path is found again. A moved phrase may have substitutes inside.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from paraphrast.references.lattices import ReferenceLattice
from paraphrast.references.search import MOVED_PHRASE
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT

#: Maximum number of edges of a path that an exchange takes in.
LONGEST = 12
#: Seams of an output that an exchange must add.
LEAST = 2
#: What stands before the first word and after the last.
_START, _END = "\n<", "\n>"


def moved_edges(
    reference: ReferenceLattice, path: Sequence[int], output: Sequence[str], probability: float
) -> list[LatticeEdge]:
    """The exchanges of neighbouring phrases of a path that an output supports.

    path: edges of the reference's lattice. output: words. probability: that an exchange keeps the meaning; multiplied
    with those of the substitutes inside.
    """
    lattice = reference.lattice
    labels = [lattice.label(edge) for edge in path]
    lowered = [[word.lower() for word in label] for label in labels]
    first = [*(words[0] if words else "" for words in lowered), _END]
    last = [*(words[-1] if words else "" for words in lowered), _START]  # last[-1] is before the first edge
    words = [_START, *(word.lower() for word in output), _END]
    seams = set(itertools.pairwise(words))
    spelling = {word.lower(): word for word in output}
    known = set(output)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(first[:-1]):
        places.setdefault(word, []).append(place)
    after: dict[str, list[str]] = {}
    for one, two in sorted(seams):
        after.setdefault(one, []).append(two)
    edges = []
    for end in range(2, len(path) + 1):
        # The seam in the middle: the last word of the second phrase, then the first word of the first phrase.
        for word in after.get(last[end - 1], ()):
            for begin in places.get(word, ()):
                if begin + 2 > end or end - begin > LONGEST:
                    continue
                for middle in range(begin + 1, end):
                    if _gain(first, last, seams, begin, middle, end) >= LEAST:
                        order = [*range(middle, end), *range(begin, middle)]
                        target = tuple(
                            word if word in known else spelling.get(word.lower(), word)
                            for place in order
                            for word in labels[place]
                        )
                        edges.append(_edge(lattice, path[begin:end], target, probability))
    return edges


def _gain(
    first: Sequence[str], last: Sequence[str], seams: set[tuple[str, str]], begin: int, middle: int, end: int
) -> int:
    """How many more seams of the output a path has with [begin, middle) and [middle, end) exchanged."""
    before, after = last[begin - 1], first[end]
    new = ((before, first[middle]), (last[end - 1], first[begin]), (last[middle - 1], after))
    old = ((before, first[begin]), (last[middle - 1], first[middle]), (last[end - 1], after))
    return sum(seam in seams for seam in new) - sum(seam in seams for seam in old)


def _edge(lattice: Lattice, path: Sequence[int], target: tuple[str, ...], probability: float) -> LatticeEdge:
    inside = [edge for edge in path if lattice.kind[edge] == EDIT]
    for edge in inside:
        probability *= float(lattice.probability[edge])
    tail, head = int(lattice.tail[path[0]]), int(lattice.head[path[-1]])
    origins = [origin for edge in inside for origin in lattice.names[edge].split("+")]
    name = "+".join(dict.fromkeys([MOVED_PHRASE, *origins]))
    return LatticeEdge(
        tail, head, target, math.log(max(probability, 1e-9)), probability, EDIT, (tail, head), name
    )


def with_edges(reference: ReferenceLattice, edges: Iterable[LatticeEdge]) -> ReferenceLattice:
    """The reference's lattice with more edges; of equal ones the most probable."""
    lattice = reference.lattice
    best: dict[tuple[int, int, tuple[str, ...]], LatticeEdge] = {}
    for edge in edges:
        key = (edge.tail, edge.head, edge.words)
        if key not in best or edge.probability > best[key].probability:
            best[key] = edge
    if not best:
        return reference
    new = [best[key] for key in sorted(best)]
    grown = Lattice.from_edges([*lattice.edges(), *new], lattice.finals.tolist(), states=lattice.states)
    return ReferenceLattice(reference.words, grown)
