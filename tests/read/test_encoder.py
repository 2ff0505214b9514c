from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.read.encoder import DECIMALS, LONGEST, SentenceEncoder
from paraphrast.read.store import converted
from tiny_encoder import encoder_arrays, write_encoder

PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "old", "boat", "##s", "sank", "."]
SIZE, INNER, LAYERS, HEADS = 8, 12, 3, 2
ARRAYS = encoder_arrays(len(PIECES), SIZE, INNER, LAYERS, 7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"), ARRAYS, PIECES, HEADS)


@pytest.fixture(scope="module")
def texts() -> list[list[str]]:
    """Texts of 0 to 39 words, two of each length."""
    rng = np.random.default_rng(1)
    words = ["the", "Old", "boats", "sank", ".", "unknown"]
    return [[str(word) for word in rng.choice(words, size)] for size in range(40) for _ in range(2)]


def plain_states(ids: list[int], layers: int) -> list[list[float]]:
    """The encoder in plain loops, number by number."""
    get = {name: value.astype(float) for name, value in ARRAYS.items()}

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
    for layer in range(layers):
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


@pytest.mark.parametrize("layer", [None, 1, 2])
def test_equals_plain_loops(folder: Path, layer: int | None) -> None:
    encoder = SentenceEncoder(folder)
    text = ["the", "boats", "sank"]
    states = np.array(plain_states([1, 3, 5, 6, 7, 2], layer or LAYERS))  # [CLS] the boat ##s sank [SEP]
    boats = states[2] + states[3]
    words = encoder.words([text], layer=layer)[0]
    assert words.shape == (3, SIZE)
    assert np.allclose(words[1], boats / np.linalg.norm(boats), atol=2 * 10**-DECIMALS)
    if layer is None:
        mean = states.mean(axis=0)
        found = encoder.phrases([text])[0]
        assert np.allclose(found, mean / np.linalg.norm(mean), atol=2 * 10**-DECIMALS)


def test_neither_batches_nor_threads_change_a_result(folder: Path, texts: list[list[str]]) -> None:
    encoder = SentenceEncoder(folder)
    finished: list[int] = []
    phrases = encoder.phrases(texts, threads=3, done=finished.append)
    assert finished[-1] == len(texts) - 2  # two are empty
    words = encoder.words(texts, layer=2)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(encoder.phrases([text])[0], phrases[row])
        np.testing.assert_array_equal(encoder.words([text], layer=2)[0], words[row])
    threaded = SentenceEncoder(folder, threads=4)
    np.testing.assert_array_equal(threaded.phrases(texts), phrases)
    for ours, theirs in zip(threaded.words(texts, layer=2), words, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_phrases_and_words_in_one_reading(folder: Path, texts: list[list[str]]) -> None:
    encoder = SentenceEncoder(folder)
    phrases, words = encoder.phrases_and_words(texts)
    np.testing.assert_array_equal(phrases, encoder.phrases(texts))
    np.testing.assert_array_equal(np.concatenate(words), np.concatenate(encoder.words(texts)))


def test_texts_without_words_and_long_ones(folder: Path) -> None:
    encoder = SentenceEncoder(folder)
    assert encoder.size == SIZE
    assert not encoder.phrases([[], ["\u0301"]]).any()
    assert encoder.phrases([]).shape == (0, SIZE)
    assert encoder.words([]) == []
    (words,) = encoder.words([["boat"] * (LONGEST + 5)])
    assert words.shape == (LONGEST + 5, SIZE)
    assert np.flatnonzero(words.any(axis=1)).tolist() == list(range(LONGEST - 2))


def test_a_converted_folder(folder: Path) -> None:
    ready = converted(folder, "encoder")
    expected = SentenceEncoder(folder).phrases([["old", "boats"]])
    np.testing.assert_array_equal(SentenceEncoder(ready).phrases([["old", "boats"]]), expected)
    with pytest.raises(InputError, match="only the output of the last layer"):
        SentenceEncoder(ready).words([["old"]], layer=1)


def test_folders_without_an_encoder(tmp_path: Path) -> None:
    write_encoder(tmp_path, {"other": np.zeros(2, np.float32)}, PIECES, HEADS)
    with pytest.raises(FormatError, match="word_embeddings"):
        SentenceEncoder(tmp_path).phrases([["boat"]])
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match="num_hidden_layers"):
        SentenceEncoder(tmp_path).phrases([["boat"]])
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(InputError, match="expected an encoder model"):
        SentenceEncoder(tmp_path).phrases([["boat"]])


def test_a_layer_that_does_not_exist(folder: Path) -> None:
    for layer in (0, LAYERS + 1):
        with pytest.raises(FormatError, match=f"layers 1 to {LAYERS}, asked for layer {layer}"):
            SentenceEncoder(folder).words([["boat"]], layer=layer)
