"""Random arrays in the shape of a sentence encoder, small enough for plain loops."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

#: Number of positions: more than an encoder reads of a text.
POSITIONS = 256


def encoder_arrays(pieces: int, size: int, inner: int, layers: int, seed: int) -> dict[str, np.ndarray]:
    """Every array that an encoder of so many pieces and layers asks for, by name."""
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.5, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(pieces, size),
        "embeddings.position_embeddings.weight": some(POSITIONS, size),
        "embeddings.token_type_embeddings.weight": some(2, size),
        "embeddings.LayerNorm.weight": some(size),
        "embeddings.LayerNorm.bias": some(size),
    }
    shapes = {
        "attention.self.query": (size, size),
        "attention.self.key": (size, size),
        "attention.self.value": (size, size),
        "attention.output.dense": (size, size),
        "attention.output.LayerNorm": (size,),
        "intermediate.dense": (inner, size),
        "output.dense": (size, inner),
        "output.LayerNorm": (size,),
    }
    for layer in range(layers):
        for name, shape in shapes.items():
            found[f"encoder.layer.{layer}.{name}.weight"] = some(*shape)
            found[f"encoder.layer.{layer}.{name}.bias"] = some(shape[0])
    return found


def write_encoder(folder: Path, arrays: Mapping[str, np.ndarray], pieces: Sequence[str], heads: int) -> Path:
    """An encoder as a folder in the layout of the transformers library."""
    described: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, value in arrays.items():
        begin = len(content)
        content += value.tobytes()
        described[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [begin, len(content)]}
    head = json.dumps(described).encode()
    head += b" " * (-len(head) % 8)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + content)
    layers = {name.split(".")[2] for name in arrays if name.startswith("encoder.layer.")}
    config = {"num_attention_heads": heads, "num_hidden_layers": len(layers), "hidden_act": "gelu"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    return folder
