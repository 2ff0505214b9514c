"""Random arrays in the shape of a sentence encoder, small enough for plain loops."""

from __future__ import annotations

import numpy as np

from paraphrast.text.encoder import LONGEST


def encoder_arrays(pieces: int, size: int, inner: int, layers: int, seed: int) -> dict[str, np.ndarray]:
    """Every array that an encoder of so many pieces and layers asks for, by name."""
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.5, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(pieces, size),
        "embeddings.position_embeddings.weight": some(LONGEST + 2, size),
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
