"""The order of items for a rater: random, a different one for each rater, and balanced over systems throughout.

The items of each system are shuffled, and the systems interleaved in proportion: the k-th of n items of a system comes
at (k + u) / n of the way, with one random u per system. So a rater who stops early has rated about the same share of
every system, and tiredness or practice touches all of them alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def rater_order(strata: Sequence[str], seed: int, rater: int) -> list[int]:
    """Positions of the items in the order of one rater.

    strata: for each item the systems that made it. seed: of the campaign. rater: number of the rater.
    """
    generator = np.random.Generator(np.random.PCG64([seed, rater]))
    places: dict[str, list[int]] = {}
    for position, stratum in enumerate(strata):
        places.setdefault(stratum, []).append(position)
    keyed: list[tuple[float, float, int]] = []
    for stratum in sorted(places):
        members = places[stratum]
        offset = float(generator.random())
        shuffled = [members[index] for index in generator.permutation(len(members)).tolist()]
        ties = generator.random(len(members)).tolist()
        keyed += [
            ((index + offset) / len(members), tie, position)
            for index, (position, tie) in enumerate(zip(shuffled, ties, strict=True))
        ]
    return [position for _, _, position in sorted(keyed)]


def is_gold_place(place: int, every: int, seed: int, rater: int) -> bool:
    """Whether the item at a place, from 1, is a gold item: one random place in each block of ``every`` places."""
    if every <= 0:
        return False
    block, offset = divmod(place - 1, every)
    generator = np.random.Generator(np.random.PCG64([seed, rater, block]))
    return offset == int(generator.integers(0, every))
