"""Converts a BERT-like sentence encoder (MiniLM's layout) to a CTranslate2 folder with float32 weights.

Weights are not reduced to 8 bits: word aligners compare the vectors, and 22 million numbers are small enough.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError
from paraphrast.formats.json_text import parse_json
from paraphrast.read._runtime import optional
from paraphrast.read.weights import read_safetensors

FILES = ("config.json", "vocab.txt", "model.safetensors")
Arrays = dict[str, NDArray[np.float32]]


def is_bert(folder: Path) -> bool:
    """Whether ``folder`` holds a BERT-like encoder in the layout of the transformers library."""
    return all((folder / name).is_file() for name in FILES)


def convert_bert(folder: Path, out: Path, layers: int | None = None) -> None:
    """Write the encoder of ``folder``, or its first ``layers`` layers, to the existing, empty folder ``out``."""
    try:
        config = parse_json((folder / "config.json").read_text(encoding="utf-8"))
        depth, heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
        if config.get("hidden_act", "gelu") != "gelu":
            raise ValueError(f"activation {config['hidden_act']!r} is not supported")
        if layers is not None and not 1 <= layers <= depth:
            raise ValueError(f"a model with layers 1 to {depth}, asked for layer {layers}")
        spec = _spec(read_safetensors(folder / "model.safetensors"), layers or depth, heads)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"expected a BERT-like encoder: {error}", where=folder) from error
    spec.register_vocabulary((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = float(config.get("layer_norm_eps", 1e-12))
    spec.validate()
    spec.optimize(quantization="float32")
    spec.save(str(out))
    shutil.copyfile(folder / "vocab.txt", out / "vocab.txt")


def _spec(arrays: Arrays, layers: int, heads: int) -> Any:
    specs = optional("ctranslate2.specs")
    encoder = specs.TransformerEncoderSpec(
        layers,
        heads,
        pre_norm=False,
        activation=specs.common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=specs.common_spec.EmbeddingsMerge.ADD,
    )
    spec = specs.TransformerEncoderModelSpec(encoder)
    encoder.scale_embeddings = False
    base = "embeddings"
    encoder.embeddings[0].weight = np.array(arrays[f"{base}.word_embeddings.weight"])
    encoder.embeddings[1].weight = np.array(arrays[f"{base}.token_type_embeddings.weight"])
    encoder.position_encodings.encodings = np.array(arrays[f"{base}.position_embeddings.weight"])
    _fill_norm(encoder.layernorm_embedding, arrays, f"{base}.LayerNorm")
    for number, layer in enumerate(encoder.layer):
        base = f"encoder.layer.{number}"
        parts = [f"{base}.attention.self.{name}" for name in ("query", "key", "value")]
        _fill_linear(layer.self_attention.linear[0], arrays, parts)
        _fill_linear(layer.self_attention.linear[1], arrays, [f"{base}.attention.output.dense"])
        _fill_norm(layer.self_attention.layer_norm, arrays, f"{base}.attention.output.LayerNorm")
        _fill_linear(layer.ffn.linear_0, arrays, [f"{base}.intermediate.dense"])
        _fill_linear(layer.ffn.linear_1, arrays, [f"{base}.output.dense"])
        _fill_norm(layer.ffn.layer_norm, arrays, f"{base}.output.LayerNorm")
    return spec


def _fill_linear(linear: Any, arrays: Arrays, names: list[str]) -> None:
    linear.weight = np.concatenate([arrays[f"{name}.weight"] for name in names])
    linear.bias = np.concatenate([arrays[f"{name}.bias"] for name in names])


def _fill_norm(norm: Any, arrays: Arrays, name: str) -> None:
    norm.gamma, norm.beta = np.array(arrays[f"{name}.weight"]), np.array(arrays[f"{name}.bias"])
