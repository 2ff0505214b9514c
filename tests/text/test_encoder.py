from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import FormatError
from paraphrast.text.encoder import DECIMALS, LONGEST, SentenceEncoder, read_safetensors
from paraphrast.text.wordpiece import WordPieces
from tiny_encoder import encoder_arrays, write_encoder

PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "old", "boat", "##s", "sank", "."]
SIZE, INNER, LAYERS, HEADS = 8, 12, 2, 2


def arrays() -> dict[str, np.ndarray]:
    return encoder_arrays(len(PIECES), SIZE, INNER, LAYERS, 7)


def write_folder(folder: Path, values: dict[str, np.ndarray]) -> Path:
    return write_encoder(folder, values, PIECES, HEADS)


@pytest.fixture
def encoder() -> SentenceEncoder:
    return SentenceEncoder(arrays(), WordPieces(PIECES), HEADS)


def plain_states(ids: list[int]) -> list[list[float]]:
    """The encoder in plain loops, number by number."""
    get = {name: value.astype(float) for name, value in arrays().items()}

    def normal(row: list[float], name: str) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-12)
        weight, bias = get[f"{name}.weight"], get[f"{name}.bias"]
        return [(value - mean) / spread * weight[at] + bias[at] for at, value in enumerate(row)]

    def linear(row: list[float], name: str) -> list[float]:
        weight, bias = get[f"{name}.weight"], get[f"{name}.bias"]
        return [sum(w * v for w, v in zip(own, row, strict=True)) + bias[at] for at, own in enumerate(weight)]

    def gelu(value: float) -> float:
        return value * 0.5 * (1 + math.erf(value / math.sqrt(2)))

    def added(one: list[float], two: list[float]) -> list[float]:
        return [a + b for a, b in zip(one, two, strict=True)]

    rows = []
    for place, piece in enumerate(ids):
        parts = [
            get[f"embeddings.{name}_embeddings.weight"][at]
            for name, at in (("word", piece), ("position", place), ("token_type", 0))
        ]
        rows.append(
            normal([float(sum(values)) for values in zip(*parts, strict=True)], "embeddings.LayerNorm")
        )
    width = SIZE // HEADS
    for layer in range(LAYERS):
        base = f"encoder.layer.{layer}"
        query, key, value = (
            [linear(row, f"{base}.attention.self.{name}") for row in rows]
            for name in ("query", "key", "value")
        )
        mixed = []
        for place in range(len(rows)):
            own: list[float] = []
            for head in range(HEADS):
                part = slice(head * width, (head + 1) * width)
                raw = [
                    math.exp(
                        sum(q * k for q, k in zip(query[place][part], other[part], strict=True))
                        / math.sqrt(width)
                    )
                    for other in key
                ]
                own += [
                    sum(share * other[axis] for share, other in zip(raw, value, strict=True)) / sum(raw)
                    for axis in range(head * width, (head + 1) * width)
                ]
            mixed.append(own)
        rows = [
            normal(
                added(row, linear(own, f"{base}.attention.output.dense")),
                f"{base}.attention.output.LayerNorm",
            )
            for row, own in zip(rows, mixed, strict=True)
        ]
        inner = [[gelu(value) for value in linear(row, f"{base}.intermediate.dense")] for row in rows]
        rows = [
            normal(added(row, linear(own, f"{base}.output.dense")), f"{base}.output.LayerNorm")
            for row, own in zip(rows, inner, strict=True)
        ]
    return rows


def test_equals_plain_loops(encoder: SentenceEncoder) -> None:
    states = np.array(plain_states([1, 3, 5, 6, 7, 2]))  # [CLS] the boat ##s sank [SEP]
    mean = states.mean(axis=0)
    found = encoder.phrases([["the", "boats", "sank"]])[0]
    assert np.allclose(found, mean / np.linalg.norm(mean), atol=2 * 10**-DECIMALS)
    words = encoder.words([["the", "boats", "sank"]])[0]
    boats = states[2] + states[3]
    assert np.allclose(words[1], boats / np.linalg.norm(boats), atol=2 * 10**-DECIMALS)


def test_batches_and_threads_change_nothing(encoder: SentenceEncoder) -> None:
    rng = np.random.default_rng(1)
    texts = [
        [str(word) for word in rng.choice(["the", "old", "boats", "sank", "."], size)]
        for size in range(1, 40)
    ]
    told: list[int] = []
    together = encoder.phrases(texts, threads=3, done=told.append)
    assert told[-1] == len(texts)
    assert np.array_equal(together, encoder.phrases(texts))
    alone = np.array([encoder.phrases([text])[0] for text in texts])
    assert np.allclose(together, alone, atol=2 * 10**-DECIMALS)


def test_texts_without_words_and_long_ones(encoder: SentenceEncoder) -> None:
    assert not encoder.phrases([[], ["\u0301"]]).any()
    assert encoder.phrases([]).shape == (0, SIZE)
    words = encoder.words([["boat"] * (LONGEST + 5)])[0]
    assert words[LONGEST - 3].any()
    assert not words[LONGEST:].any()


def test_folder(tmp_path: Path, encoder: SentenceEncoder) -> None:
    loaded = SentenceEncoder.load(write_folder(tmp_path, arrays()))
    assert np.array_equal(loaded.phrases([["old", "boats"]]), encoder.phrases([["old", "boats"]]))
    assert not np.array_equal(loaded.words([["old"]], layer=1)[0], loaded.words([["old"]])[0])


def test_damaged_files_are_named(tmp_path: Path) -> None:
    path = write_folder(tmp_path, arrays()) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FormatError, match="safetensors"):
        read_safetensors(path)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match="configuration"):
        SentenceEncoder.load(tmp_path)
    write_folder(tmp_path, {"other": np.zeros(2, np.float32)})
    with pytest.raises(FormatError, match="word_embeddings"):
        SentenceEncoder.load(tmp_path)
