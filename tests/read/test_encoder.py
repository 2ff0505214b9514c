from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from paraphrast.read.encoder import FastEncoder
from paraphrast.text.encoder import SentenceEncoder
from tiny_encoder import encoder_arrays

PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "old", "boat", "##s", "sank", "."]
TEXTS = [
    ["The", "old", "boats", "sank", "."],
    ["boat"],
    [],
    ["the", "unknown", "boat", "."],
    ["old", "boats", "."],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    described, content = {}, b""
    for name, value in encoder_arrays(len(PIECES), 8, 12, 3, 7).items():
        described[name] = {
            "dtype": "F32",
            "shape": list(value.shape),
            "data_offsets": [len(content), len(content) + value.nbytes],
        }
        content += value.tobytes()
    head = json.dumps(described).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + content)
    config = {"num_attention_heads": 2, "num_hidden_layers": 3, "hidden_act": "gelu"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    return folder


def test_vectors_are_those_of_the_plain_encoder(folder: Path) -> None:
    fast, slow = FastEncoder(folder), SentenceEncoder.load(folder)
    assert fast.size == slow.size
    np.testing.assert_allclose(fast.phrases(TEXTS), slow.phrases(TEXTS), atol=1.1e-4)
    for layer in (None, 1, 2):
        for ours, theirs in zip(fast.words(TEXTS, layer=layer), slow.words(TEXTS, layer=layer), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1.1e-4)


def test_batches_change_nothing(folder: Path) -> None:
    together = FastEncoder(folder, threads=2).phrases(TEXTS)
    for row, text in enumerate(TEXTS):
        np.testing.assert_array_equal(FastEncoder(folder).phrases([text])[0], together[row])


def test_one_run_gives_both_kinds_of_vectors(folder: Path) -> None:
    encoder = FastEncoder(folder)
    wholes, words = encoder.phrases_and_words(TEXTS)
    np.testing.assert_array_equal(wholes, encoder.phrases(TEXTS))
    for ours, theirs in zip(words, encoder.words(TEXTS), strict=True):
        np.testing.assert_array_equal(ours, theirs)
