"""Vectors of phrases, and of words in their sentences, by a small sentence encoder (Wang et al. 2020, "MiniLM").

Word vectors are the same in every sentence; an encoder reads the whole sentence. CTranslate2 runs it. Texts of equal
length are encoded together, so there is no padding, and each batch uses one thread: neither the number of threads nor
the other texts of a batch change a result. For the vectors of an earlier layer, the model is converted once more,
without the layers after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.read._runtime import optional
from paraphrast.read.store import converted
from paraphrast.read.wordpiece import WordPieces

#: Maximum number of pieces of a text, with the begin and end marks; words beyond are cut off and have zero vectors.
LONGEST = 255
#: Approximate number of pieces per batch, so that matrices stay in the CPU caches.
_BATCH_PIECES = 2048
#: Minimum number of pieces per batch. A matrix library multiplies fewer rows in another order, which changes last bits.
_LEAST_PIECES = 16
#: Vectors are rounded, so that the last bits of a matrix product do not matter.
DECIMALS = 4
Vectors = NDArray[np.float32]


class SentenceEncoder:
    """A BERT-like encoder without its heads: :class:`paraphrast.types.Encoder`. Safe to share between threads."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open a folder in the layout of the transformers library, or CTranslate2's with ``vocab.txt``.

        threads: number of batches encoded in parallel, unless a method is told otherwise.
        """
        self._folder = folder
        self._threads = max(1, threads)
        self._models: dict[int | None, tuple[int, Any]] = {}
        self._opening = Lock()
        self._size = 0
        self._pieces = WordPieces(folder / "vocab.txt")

    @property
    def size(self) -> int:
        """Length of a vector."""
        return self._measured(None)

    def phrases(
        self,
        texts: Sequence[Sequence[str]],
        *,
        threads: int | None = None,
        done: Callable[[int], None] | None = None,
    ) -> Vectors:
        """float32[texts, size]: the mean vector of each text's pieces, scaled to length 1; zeros for an empty text.

        done: called from time to time with the number of finished texts.
        """
        vectors = np.zeros((len(texts), self.size), np.float32)
        for finished, (row, states, _) in enumerate(self._states(texts, None, threads), 1):
            vectors[row] = _phrase(states)
            if done is not None:
                done(finished)
        return vectors

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int | None = None
    ) -> list[Vectors]:
        """For each text float32[words, size]: the vector of each word in context, scaled to length 1.

        layer: number of the layer whose output is used; the last by default.
        """
        size = self._measured(layer)
        vectors = [np.zeros((len(text), size), np.float32) for text in texts]
        for row, states, word_of in self._states(texts, layer, threads):
            vectors[row] = _words(states, word_of, len(texts[row]))
        return vectors

    def phrases_and_words(
        self, texts: Sequence[Sequence[str]], *, threads: int | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        """The results of :meth:`phrases` and :meth:`words`, by reading each text once."""
        phrases = np.zeros((len(texts), self.size), np.float32)
        words = [np.zeros((len(text), self.size), np.float32) for text in texts]
        for row, states, word_of in self._states(texts, None, threads):
            phrases[row] = _phrase(states)
            words[row] = _words(states, word_of, len(texts[row]))
        return phrases, words

    def _states(
        self, texts: Sequence[Sequence[str]], layer: int | None, threads: int | None
    ) -> Iterator[tuple[int, Vectors, list[int]]]:
        """For each text with a piece: its number, float32[pieces, size] with both marks, and the word of each piece."""
        cut = [self._pieces.cut(text, LONGEST) for text in texts]
        by_length: dict[int, list[int]] = {}
        for row, (ids, _) in enumerate(cut):
            if len(ids) > 2:
                by_length.setdefault(len(ids), []).append(row)
        batches = [
            rows[begin : begin + step]
            for length, rows in sorted(by_length.items())
            for step in [max(1, _BATCH_PIECES // length)]
            for begin in range(0, len(rows), step)
        ]
        parallel = max(1, min(self._threads if threads is None else threads, len(batches)))
        model = self._model(layer, parallel)

        def run(rows: list[int]) -> Vectors:
            return _forward(model, [cut[row][0] for row in rows])

        with ThreadPoolExecutor(parallel) as pool:
            outputs = map(run, batches) if parallel == 1 else pool.map(run, batches)
            for rows, states in zip(batches, outputs, strict=True):
                yield from ((row, states[place], cut[row][1]) for place, row in enumerate(rows))

    def _measured(self, layer: int | None) -> int:
        """The length of a vector, from the model that is used anyway."""
        if not self._size:
            self._size = _forward(self._model(layer, 1), [[self._pieces.begin, self._pieces.end]]).shape[2]
        return self._size

    def _model(self, layer: int | None, threads: int) -> Any:
        """The model up to a layer, able to run ``threads`` batches at once."""
        with self._opening:
            able, model = self._models.get(layer, (0, None))
            if able < threads:
                able = max(threads, self._threads)
                model = _open(converted(self._folder, "encoder", layers=layer), able)
                self._models[layer] = able, model
            return model


def _open(folder: Path, threads: int) -> Any:
    try:
        return optional("ctranslate2").Encoder(
            str(folder), inter_threads=threads, intra_threads=1, compute_type="float32"
        )
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"the encoder cannot be opened: {error}",
            where=folder,
            remedy="expected model.bin, config.json and a vocabulary, as CTranslate2 writes them",
        ) from error


def _forward(model: Any, ids: list[list[int]]) -> Vectors:
    """float32[texts, pieces, size]; all texts have the same length. A small batch is filled up with its first text."""
    missing = -(-_LEAST_PIECES // len(ids[0])) - len(ids)
    return np.array(model.forward_batch([*ids, *ids[:1] * missing]).last_hidden_state, np.float32)[: len(ids)]


def _phrase(states: Vectors) -> Vectors:
    """The mean of all pieces of a text, marks included."""
    return _unit(states.mean(axis=0))


def _words(states: Vectors, word_of: list[int], count: int) -> Vectors:
    """The sum of each word's pieces."""
    total = np.zeros((count, states.shape[1]), np.float32)
    np.add.at(total, word_of, states[1:-1])
    return _unit(total)


def _unit(vectors: Vectors) -> Vectors:
    """Vectors scaled to length 1 and rounded; zeros stay zeros."""
    length = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    unit: Vectors = np.round(vectors / np.maximum(length, np.float32(1e-9)), DECIMALS)
    return unit
