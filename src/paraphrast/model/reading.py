"""How near a substitute's meaning comes to that of the words it replaces, in their sentence, by a sentence encoder.

The substitution model's own features of a sentence cost microseconds. This one reads the sentence with the old words
and with the new ones, some 25 milliseconds a substitute, and tells senses apart that no count of words can: it is for
those who would rather wait (``precise``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.data.by_language import ENCODERS, folder_of
from paraphrast.errors import InputError
from paraphrast.text.encoder import DECIMALS, SentenceEncoder

#: Words on either side that are read.
WINDOW = 15

Window = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def find_encoder(language: str) -> SentenceEncoder:
    """The encoder of a language; fetched where it is not here yet."""
    for name in ENCODERS.get(language, ()):
        if folder := folder_of(name, fetch=True):
            return SentenceEncoder.load(folder)
    raise InputError(
        f"there is no sentence encoder for {language!r}", remedy="leave precise out for this language"
    )


def window_of(words: Sequence[str], start: int, end: int, instead: Sequence[str] | None = None) -> Window:
    """The words before a span, those in it (or ``instead`` of them), and those after it."""
    middle = words[start:end] if instead is None else instead
    return tuple(words[max(0, start - WINDOW) : start]), tuple(middle), tuple(words[end : end + WINDOW])


def cosines(
    encoder: SentenceEncoder, pairs: Sequence[tuple[Window, Window]], *, threads: int = 1
) -> NDArray[np.float32]:
    """The cosine of what stands in the middle of both windows of each pair; 0 where nothing can be read."""
    distinct = {window: row for row, window in enumerate(sorted({one for pair in pairs for one in pair}))}
    texts = [[*left, *middle, *right] for left, middle, right in distinct]
    vectors = np.zeros((len(texts), encoder.size))
    for row, ((left, middle, _), own) in enumerate(
        zip(distinct, encoder.words(texts, threads=threads), strict=True)
    ):
        total = own[len(left) : len(left) + len(middle)].sum(axis=0, dtype=np.float64)
        vectors[row] = total / max(float(np.sqrt((total * total).sum())), 1e-9)
    before, after = (np.array([distinct[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    found = np.einsum("nd,nd->n", vectors[before], vectors[after])
    rounded: NDArray[np.float32] = np.round(found, DECIMALS).astype(np.float32)
    return rounded
