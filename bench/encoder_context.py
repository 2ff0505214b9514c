"""How close in meaning a substitute is to the words it replaces, in their sentence, by a sentence encoder.

A feature that ``bench/substitution_model.py`` compares with; rewriting reads with translation models instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.data.by_language import ENCODERS, folder_of
from paraphrast.errors import InputError
from paraphrast.text.encoder import DECIMALS, SentenceEncoder

#: Words on either side that are encoded.
WINDOW = 15

Window = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def find_encoder(language: str) -> SentenceEncoder:
    """The encoder of a language; downloaded if it is not in the cache."""
    for name in ENCODERS.get(language, ()):
        if folder := folder_of(name, fetch=True):
            return SentenceEncoder.load(folder)
    raise InputError(f"precise: no sentence encoder for language {language!r}", remedy="remove precise")


def window_of(words: Sequence[str], start: int, end: int, instead: Sequence[str] | None = None) -> Window:
    """The words before a span, those in it (or ``instead`` of them), and those after it."""
    middle = words[start:end] if instead is None else instead
    return tuple(words[max(0, start - WINDOW) : start]), tuple(middle), tuple(words[end : end + WINDOW])


def cosines(
    encoder: SentenceEncoder, pairs: Sequence[tuple[Window, Window]], *, threads: int = 1
) -> NDArray[np.float32]:
    """The cosine of the middles of both windows of each pair; 0 if the encoder knows none of the words."""
    distinct = {
        window: row for row, window in enumerate(sorted({window for pair in pairs for window in pair}))
    }
    texts = [[*left, *middle, *right] for left, middle, right in distinct]
    vectors = np.zeros((len(texts), encoder.size))
    for row, ((left, middle, _), word_vectors) in enumerate(
        zip(distinct, encoder.words(texts, threads=threads), strict=True)
    ):
        total = word_vectors[len(left) : len(left) + len(middle)].sum(axis=0, dtype=np.float64)
        vectors[row] = total / max(float(np.sqrt((total * total).sum())), 1e-9)
    before, after = (np.array([distinct[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    values = np.einsum("nd,nd->n", vectors[before], vectors[after])
    rounded: NDArray[np.float32] = np.round(values, DECIMALS).astype(np.float32)
    return rounded
