"""Vectors of phrases, and of words in their sentences, by a small sentence encoder (Wang et al. 2020, "MiniLM").

Word vectors are the same in every sentence; an encoder reads the whole sentence. This one has six layers and 22 million
parameters, so a CPU encodes some hundred phrases per second: enough for computations at build time, or for aligning two
annotated texts, but not inside the search. The layers are arrays from a file; nothing of their package is executed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast._extras import require
from paraphrast.errors import FormatError
from paraphrast.formats.json_text import parse_json
from paraphrast.text.wordpiece import WordPieces

#: Maximum number of pieces of a sentence; words beyond are cut off and have zero vectors.
LONGEST = 254
#: Approximate number of pieces per batch, so that matrices stay in the CPU caches.
_BATCH_PIECES = 2048
_EPSILON = 1e-12
#: Vectors are rounded, so that the last bits of a matrix product do not matter.
DECIMALS = 4


class SentenceEncoder:
    """A BERT-like encoder without its heads."""

    def __init__(self, arrays: Mapping[str, NDArray[np.float32]], pieces: WordPieces, heads: int) -> None:
        require("the sentence encoder", "train")
        self._arrays = arrays
        self._pieces = pieces
        self._heads = heads
        self._layers = 1 + max(
            int(name.split(".")[2]) for name in arrays if name.startswith("encoder.layer.")
        )
        self.size = arrays["embeddings.word_embeddings.weight"].shape[1]

    @classmethod
    def load(cls, folder: Path) -> SentenceEncoder:
        """From ``model.safetensors``, ``config.json`` and ``vocab.txt``."""
        try:
            heads = int(
                parse_json((folder / "config.json").read_text(encoding="utf-8"))["num_attention_heads"]
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FormatError(f"expected an encoder's configuration: {error}", where=folder) from error
        arrays = read_safetensors(folder / "model.safetensors")
        missing = {"embeddings.word_embeddings.weight", "encoder.layer.0.output.dense.weight"} - set(arrays)
        if missing:
            raise FormatError(f"expected an encoder's array {min(missing)}", where=folder)
        return cls(arrays, WordPieces.load(folder / "vocab.txt"), heads)

    def phrases(
        self, texts: Sequence[Sequence[str]], *, threads: int = 1, done: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]:
        """float32[texts, size]: the mean of each text's pieces, of unit length; zeros for texts without a word.

        done: called from time to time with the number of finished texts.
        """
        vectors = np.zeros((len(texts), self.size), np.float32)

        def keep(row: int, states: NDArray[np.float32], _: list[int]) -> None:
            mean = states.mean(axis=0)
            vectors[row] = np.round(mean / max(float(np.sqrt((mean * mean).sum())), 1e-9), DECIMALS)

        self._run(texts, keep, threads, done)
        return vectors

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int = 1
    ) -> list[NDArray[np.float32]]:
        """For each text float32[words, size]: each word in its text, as the mean of its pieces, of unit length.

        layer: the layer whose output is used, by default the last.
        """
        vectors = [np.zeros((len(text), self.size), np.float32) for text in texts]

        def keep(row: int, states: NDArray[np.float32], word_of: list[int]) -> None:
            total = np.zeros_like(vectors[row])
            np.add.at(total, word_of, states[1:-1])
            length = np.sqrt((total * total).sum(axis=1, keepdims=True))
            vectors[row] = np.round(total / np.maximum(length, 1e-9), DECIMALS)

        self._run(texts, keep, threads, None, layer)
        return vectors

    def _run(
        self,
        texts: Sequence[Sequence[str]],
        keep: Callable[[int, NDArray[np.float32], list[int]], None],
        threads: int,
        done: Callable[[int], None] | None,
        layer: int | None = None,
    ) -> None:
        """Encode texts in batches of one length: without padding, and with batches that depend only on the texts."""
        ids, word_of = zip(*(self._numbered(text) for text in texts), strict=True) if texts else ((), ())
        by_length: dict[int, list[int]] = {}
        for row, piece_ids in enumerate(ids):
            if len(piece_ids) > 2:
                by_length.setdefault(len(piece_ids), []).append(row)
        batches = [
            rows[begin : begin + step]
            for length, rows in sorted(by_length.items())
            for step in [max(1, _BATCH_PIECES // length)]
            for begin in range(0, len(rows), step)
        ]

        def one(rows: list[int]) -> int:
            states = self._forward(np.array([ids[row] for row in rows]), layer)
            for place, row in enumerate(rows):
                keep(row, states[place], word_of[row])
            return len(rows)

        from threadpoolctl import threadpool_limits

        through = 0
        # One thread per product: a library that divides a product among threads sums in another order.
        with threadpool_limits(1, "blas"), ThreadPoolExecutor(max(1, threads)) as pool:
            for count in pool.map(one, batches):
                through += count
                if done is not None:
                    done(through)

    def _numbered(self, text: Sequence[str]) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces between the begin and end marks, and the word of each piece."""
        ids, word_of = [self._pieces.begin], []
        for place, word in enumerate(text):
            word_pieces = self._pieces.pieces(word)
            if len(ids) + len(word_pieces) > LONGEST:
                break
            ids.extend(word_pieces)
            word_of.extend([place] * len(word_pieces))
        return [*ids, self._pieces.end], word_of

    def _forward(self, ids: NDArray[np.int64], layer: int | None) -> NDArray[np.float32]:
        """The states of all pieces after a layer: float32[texts, pieces, size] (Vaswani et al. 2017, §3)."""
        from scipy.special import erf

        get = self._arrays
        states = get["embeddings.word_embeddings.weight"][ids]
        states = states + get["embeddings.position_embeddings.weight"][: ids.shape[1]]
        states = states + get["embeddings.token_type_embeddings.weight"][0]
        states = self._normal(states, "embeddings.LayerNorm")
        for number in range(self._layers if layer is None else layer):
            base = f"encoder.layer.{number}"
            inner = self._linear(
                self._attend(states, f"{base}.attention.self"), f"{base}.attention.output.dense"
            )
            states = self._normal(states + inner, f"{base}.attention.output.LayerNorm")
            inner = self._linear(states, f"{base}.intermediate.dense")
            inner = inner * 0.5 * (1.0 + erf(inner * np.float32(np.sqrt(0.5))))
            states = self._normal(
                states + self._linear(inner, f"{base}.output.dense"), f"{base}.output.LayerNorm"
            )
        return states

    def _attend(self, states: NDArray[np.float32], base: str) -> NDArray[np.float32]:
        texts, length, size = states.shape
        query, key, value = (
            self._linear(states, f"{base}.{name}")
            .reshape(texts, length, self._heads, -1)
            .transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        weight = query @ key.transpose(0, 1, 3, 2) * np.float32(1.0 / np.sqrt(size // self._heads))
        weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
        weight /= weight.sum(axis=-1, keepdims=True)
        return np.ascontiguousarray((weight @ value).transpose(0, 2, 1, 3)).reshape(texts, length, size)

    def _linear(self, states: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        weight = self._arrays[f"{name}.weight"]
        flat = states.reshape(-1, states.shape[-1]) @ weight.T
        output: NDArray[np.float32] = (flat + self._arrays[f"{name}.bias"]).reshape(
            *states.shape[:-1], len(weight)
        )
        return output

    def _normal(self, states: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        states = states - states.mean(axis=-1, keepdims=True)
        states /= np.sqrt((states * states).mean(axis=-1, keepdims=True) + _EPSILON)
        normal: NDArray[np.float32] = states * self._arrays[f"{name}.weight"] + self._arrays[f"{name}.bias"]
        return normal


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The float32 arrays of a safetensors file, by name, as views of the file."""
    try:
        with path.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > path.stat().st_size - 8:
                raise ValueError(f"a header of {length:,} bytes in a smaller file")
            described = parse_json(stream.read(length))
        data = np.memmap(path, np.uint8, "r", offset=8 + length)
        arrays = {}
        for name, entry in described.items():
            if name != "__metadata__" and entry["dtype"] == "F32":
                begin, end = entry["data_offsets"]
                if not 0 <= begin <= end <= len(data):
                    raise ValueError(f"{name!r} is outside of the file")
                arrays[name] = data[begin:end].view(np.float32).reshape(entry["shape"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, struct.error) as error:
        raise FormatError(f"expected arrays in the safetensors format: {error}", where=path) from error
    return arrays
