"""The interface of a sentence encoder, so that rooms can use one without importing the room that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Encoder(Protocol):
    """Gives vectors to texts and to the words in them; ``paraphrast.read.SentenceEncoder`` is one.

    A text is a sequence of words. Vectors have unit length, or are zero for what the encoder cannot represent. threads:
    number of batches encoded in parallel; it never changes a result.
    """

    @property
    def size(self) -> int:
        """Length of a vector."""

    def phrases(
        self,
        texts: Sequence[Sequence[str]],
        *,
        threads: int | None = None,
        done: Callable[[int], None] | None = None,
    ) -> NDArray[np.float32]:
        """float32[texts, size]. done: called from time to time with the number of finished texts."""

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int | None = None
    ) -> list[NDArray[np.float32]]:
        """For each text float32[words, size]. layer: number of the layer whose output is used; the last by default."""

    def phrases_and_words(
        self, texts: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """The results of ``phrases`` and ``words``, by reading each text once."""
