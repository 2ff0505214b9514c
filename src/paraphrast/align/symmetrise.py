"""Combine two one-way alignments: each has at most one source word per target word, together they align phrases.

Definitions of Koehn, Och and Marcu (2003, §2.3) and Koehn et al. (2005, §2.2), with the source as their English:
growing visits source positions, then target positions, then neighbours in the order up, left, down, right and the
diagonals, and uses new links immediately. FINAL uses the forward alignment first.

``refined`` is the method of Och and Ney (2003, §3.2): starting from the intersection, a link of the union is added if
neither of its words is linked yet, or if it has a chosen neighbour in its row or column and no link would then have
neighbours in both. It visits source positions, then target positions, until nothing is added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_symmetrise as _kernels
from paraphrast.errors import InputError
from paraphrast.types import Links

METHODS = {
    "intersect": _kernels.INTERSECT,
    "union": _kernels.UNION,
    "grow-diag": _kernels.GROW_DIAG,
    "grow-diag-final": _kernels.GROW_DIAG_FINAL,
    "grow-diag-final-and": _kernels.GROW_DIAG_FINAL_AND,
    "refined": _kernels.REFINED,
}


def symmetrise(
    source_starts: NDArray[np.int64],
    target_starts: NDArray[np.int64],
    forward: NDArray[np.int32],
    backward: NDArray[np.int32],
    method: str = "grow-diag-final-and",
) -> Links:
    """Combine the alignments of many sentence pairs.

    forward: int32[target tokens], source position within the sentence or −1 (the model source → target).
    backward: int32[source tokens], target position within the sentence or −1.
    """
    if method not in METHODS:
        raise InputError(f"unknown symmetrisation {method!r}", remedy=f"known: {', '.join(METHODS)}")
    if len(source_starts) != len(target_starts):
        raise InputError(
            f"expected as many source as target sentences,"
            f" got {len(source_starts) - 1} and {len(target_starts) - 1}"
        )
    if len(forward) != target_starts[-1] or len(backward) != source_starts[-1]:
        raise InputError(
            f"expected one forward link per target token ({target_starts[-1]}) and one backward link per source"
            f" token ({source_starts[-1]}), got {len(forward)} and {len(backward)}"
        )
    return Links(*_kernels.symmetrise(source_starts, target_starts, forward, backward, METHODS[method]))
