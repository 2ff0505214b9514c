"""The sentence encoder of ``text.encoder``, run by CTranslate2: the same vectors, from the same folder.

Texts of equal length are encoded together, so there is no padding. Vectors are rounded as in ``text.encoder``. For the
vectors of an earlier layer, the model is converted once more, without the layers after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.read._runtime import optional
from paraphrast.read.store import converted
from paraphrast.text.encoder import DECIMALS, LONGEST
from paraphrast.text.wordpiece import WordPieces

_BATCH_PIECES = 2048
Vectors = NDArray[np.float32]


class FastEncoder:
    """A BERT-like encoder without its heads; the interface of ``text.encoder.SentenceEncoder``."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open a folder in the layout of the transformers library, or CTranslate2's with ``vocab.txt``."""
        self._folder = folder
        self._threads = max(1, threads)
        self._models: dict[int | None, Any] = {}
        self._pieces = WordPieces.load(folder / "vocab.txt")
        self.size = self._forward([[self._pieces.begin, self._pieces.end]], None).shape[2]

    def phrases(self, texts: Sequence[Sequence[str]], *, threads: int = 1) -> Vectors:
        """float32[texts, size]: the mean vector of each text's pieces, scaled to length 1; zeros for an empty text."""
        vectors = np.zeros((len(texts), self.size), np.float32)

        def keep(row: int, states: Vectors, _: list[int]) -> None:
            vectors[row] = _phrase(states)

        self._run(texts, keep, None)
        return vectors

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int = 1
    ) -> list[Vectors]:
        """For each text float32[words, size]: the vector of each word in context, scaled to length 1.

        layer: number of the layer whose output is used; the last by default.
        """
        vectors = [np.zeros((len(text), self.size), np.float32) for text in texts]

        def keep(row: int, states: Vectors, word_of: list[int]) -> None:
            vectors[row] = _word_vectors(states, word_of, len(texts[row]))

        self._run(texts, keep, layer)
        return vectors

    def phrases_and_words(self, texts: Sequence[Sequence[str]]) -> tuple[Vectors, list[Vectors]]:
        """What ``phrases`` and ``words`` return, from one run of the model."""
        wholes = np.zeros((len(texts), self.size), np.float32)
        vectors = [np.zeros((len(text), self.size), np.float32) for text in texts]

        def keep(row: int, states: Vectors, word_of: list[int]) -> None:
            wholes[row] = _phrase(states)
            vectors[row] = _word_vectors(states, word_of, len(texts[row]))

        self._run(texts, keep, None)
        return wholes, vectors

    def _run(
        self,
        texts: Sequence[Sequence[str]],
        keep: Callable[[int, Vectors, list[int]], None],
        layer: int | None,
    ) -> None:
        numbered = [self._numbered(text) for text in texts]
        by_length: dict[int, list[int]] = {}
        for row, (ids, _) in enumerate(numbered):
            if len(ids) > 2:
                by_length.setdefault(len(ids), []).append(row)
        for length, rows in sorted(by_length.items()):
            step = max(1, _BATCH_PIECES // length)
            for begin in range(0, len(rows), step):
                batch = rows[begin : begin + step]
                states = self._forward([numbered[row][0] for row in batch], layer)
                for place, row in enumerate(batch):
                    keep(row, states[place], numbered[row][1])

    def _numbered(self, text: Sequence[str]) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, with the begin and end marks, and the number of the word of each piece."""
        ids, word_of = [self._pieces.begin], []
        for place, word in enumerate(text):
            pieces = self._pieces.pieces(word)
            if len(ids) + len(pieces) > LONGEST:
                break
            ids.extend(pieces)
            word_of.extend([place] * len(pieces))
        return [*ids, self._pieces.end], word_of

    def _forward(self, ids: list[list[int]], layer: int | None) -> Vectors:
        """float32[texts, pieces, size]; all texts have the same length."""
        if layer not in self._models:
            runtime = optional("ctranslate2")
            folder = converted(self._folder, "encoder", layers=layer)
            try:
                self._models[layer] = runtime.Encoder(
                    str(folder), inter_threads=1, intra_threads=self._threads, compute_type="float32"
                )
            except (RuntimeError, ValueError) as error:
                raise InputError(f"the encoder cannot be opened: {error}", where=folder) from error
        return np.array(self._models[layer].forward_batch(ids).last_hidden_state, np.float32)


def _phrase(states: Vectors) -> Vectors:
    """The mean of a text's vectors, scaled to length 1."""
    mean = states.mean(axis=0)
    scaled: Vectors = np.round(mean / max(float(np.sqrt((mean * mean).sum())), 1e-9), DECIMALS)
    return scaled


def _word_vectors(states: Vectors, word_of: list[int], words: int) -> Vectors:
    """The sum of the vectors of each word's pieces, scaled to length 1."""
    total = np.zeros((words, states.shape[1]), np.float32)
    np.add.at(total, word_of, states[1:-1])
    length = np.sqrt((total * total).sum(axis=1, keepdims=True))
    scaled: Vectors = np.round(total / np.maximum(length, 1e-9), DECIMALS)
    return scaled
