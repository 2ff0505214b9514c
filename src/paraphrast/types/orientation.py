"""How often a phrase stays before the next one, and how often the two are swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paraphrast.types.phrases import Phrases


class SwapOdds(Protocol):
    """What a reordering model says about phrases: an :class:`Orientation`, or one that is read from files in pieces."""

    @property
    def overall_mono(self) -> float:
        """log p(mono) over all phrases."""

    @property
    def overall_swap(self) -> float:
        """log p(swap) over all phrases."""

    def odds(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """Pieces of all phrases: int32[n, 7], their words; float32[n], log p(swap) − log p(mono)."""


@dataclass(frozen=True)
class Orientation:
    """A lexicalised reordering model: the order of the translations of a source phrase and the next source phrase.

    Three outcomes: *mono* (the translation of the next phrase follows directly), *swap* (it comes directly before) and
    *other*, which has the remaining probability. Natural logarithms, smoothed, so none is −∞.

    phrases: source phrases, sorted by their words from the first on, a phrase before its extensions.
    mono, swap: float32[phrases], log p(outcome | phrase).
    overall_mono, overall_swap: log p(outcome) over all phrases, for other phrases.
    """

    phrases: Phrases
    mono: NDArray[np.float32]
    swap: NDArray[np.float32]
    overall_mono: float
    overall_swap: float

    def __len__(self) -> int:
        return len(self.phrases)

    def odds(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """All phrases, as one piece."""
        yield self.phrases.words, self.swap - self.mono
