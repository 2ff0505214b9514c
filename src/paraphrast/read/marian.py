"""Converts a Marian translation model (OPUS-MT's layout) to a CTranslate2 folder with 8-bit weights.

In: ``config.json``, ``vocab.json``, ``source.spm``, ``target.spm`` and the weights, as ``model.safetensors`` or
``pytorch_model.bin`` (its pickled code is never run). Out: ``model.bin``, ``config.json``, two vocabularies and
the two sentencepiece models. The architecture is that of Vaswani et al. 2017 with layer normalisation after each block,
as Junczys-Dowmunt et al. 2018 ("Marian") trained it.

OPUS-MT's models have one vocabulary for both languages. Here each side keeps only the pieces that its sentencepiece
model can produce, about half. This saves time: the output layer is more than half of the arithmetic of a decoding step.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.torch_weights import read_torch_weights
from paraphrast.read._runtime import optional
from paraphrast.read.weights import read_safetensors

Arrays = Mapping[str, NDArray[Any]]
#: What a folder must hold besides its weights.
FILES = ("config.json", "vocab.json", "source.spm", "target.spm")
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_ACTIVATIONS = {"swish": "SWISH", "silu": "SWISH", "relu": "RELU", "gelu": "GELU"}


def is_marian(folder: Path) -> bool:
    """Whether ``folder`` holds a Marian model in the layout of the transformers library."""
    return all((folder / name).is_file() for name in FILES) and any(
        (folder / name).is_file() for name in WEIGHTS
    )


def convert_marian(folder: Path, out: Path) -> None:
    """Write the model of ``folder`` to the existing, empty folder ``out`` for CTranslate2."""
    config = _config(folder)
    arrays = _arrays(folder)
    specs = optional("ctranslate2.specs")
    spec = specs.TransformerSpec.from_config(
        (config["encoder_layers"], config["decoder_layers"]),
        config["encoder_attention_heads"],
        pre_norm=False,
        activation=specs.common_spec.Activation[_ACTIVATIONS[config["activation_function"]]],
    )
    try:
        tokens = _tokens(folder / "vocab.json", len(arrays["model.shared.weight"]) - 1)
        sides = [_pieces_of(folder / name, tokens) for name in ("source.spm", "target.spm")]
        scale = math.sqrt(config["d_model"]) if config.get("scale_embedding") else 1.0
        _fill(spec, arrays, scale, sides[0], sides[1])
    except (KeyError, ValueError, IndexError) as error:
        raise FormatError(
            f"expected the arrays of a Marian model, missing or wrong: {error}", where=folder
        ) from error
    spec.register_source_vocabulary([tokens[number] for number in sides[0]])
    spec.register_target_vocabulary([tokens[number] for number in sides[1]])
    spec.config.eos_token = spec.config.decoder_start_token = "</s>"
    spec.config.unk_token = "<unk>"
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(out))
    for name in ("source.spm", "target.spm"):
        shutil.copyfile(folder / name, out / name)


def _config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = parse_json((folder / "config.json").read_text(encoding="utf-8"))
        heads = config["encoder_attention_heads"], config["decoder_attention_heads"]
        if config["model_type"] != "marian" or heads[0] != heads[1]:
            raise ValueError(f"model_type {config['model_type']!r} with {heads} attention heads")
        if config.get("normalize_before") or config.get("normalize_embedding"):
            raise ValueError("layer normalisation before the blocks is not supported")
        if config["activation_function"] not in _ACTIVATIONS:
            raise ValueError(f"activation {config['activation_function']!r} is not supported")
        return config | {"d_model": int(config["d_model"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"expected the configuration of a Marian model: {error}", where=folder) from error


def _arrays(folder: Path) -> Arrays:
    if (folder / "model.safetensors").is_file():
        return read_safetensors(folder / "model.safetensors")
    return read_torch_weights(folder / "pytorch_model.bin")


def _tokens(path: Path, count: int) -> list[str]:
    """The vocabulary in the order of its ids, without the padding mark that the transformers library appends."""
    try:
        ids: dict[str, int] = parse_json(path.read_text(encoding="utf-8"))
        tokens = sorted(ids, key=lambda token: ids[token])
        if [ids[token] for token in tokens] != list(range(len(tokens))) or tokens[count:] not in (
            [],
            ["<pad>"],
        ):
            raise ValueError(f"expected ids 0 to {count - 1} and perhaps <pad>, got {len(tokens)}")
        return tokens[:count]
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise FormatError(f"expected a vocabulary: {error}", where=path) from error


def _pieces_of(path: Path, tokens: list[str]) -> list[int]:
    """The ids of the pieces that one side's sentencepiece model can produce, end mark and unknown piece included."""
    try:
        model = optional("sentencepiece").SentencePieceProcessor(str(path))
    except (OSError, RuntimeError) as error:
        raise FormatError(f"expected a sentencepiece model: {error}", where=path) from error
    given = {model.id_to_piece(number) for number in range(len(model))} | {"</s>", "<unk>"}
    return [number for number, token in enumerate(tokens) if token in given]


def _fill(spec: Any, arrays: Arrays, scale: float, source: list[int], target: list[int]) -> None:
    # <pad> is the last row and in neither list. The transformers library starts the decoder with it; here zeros do.
    shared = _copy(arrays["model.shared.weight"])
    bias = _copy(arrays["final_logits_bias"]).reshape(-1)
    spec.encoder.embeddings[0].weight = shared[source]
    spec.decoder.embeddings.weight = spec.decoder.projection.weight = shared[target]
    spec.decoder.projection.bias = bias[target]
    for side, stack in (("encoder", spec.encoder), ("decoder", spec.decoder)):
        stack.scale_embeddings = scale
        stack.position_encodings.encodings = _positions(arrays, side, shared.shape[1])
        for number, layer in enumerate(stack.layer):
            _fill_layer(layer, arrays, f"model.{side}.layers.{number}", with_source=side == "decoder")
    spec.decoder.start_from_zero_embedding = True


def _positions(arrays: Arrays, side: str, size: int, longest: int = 512) -> NDArray[np.float32]:
    """Sines in the first half of the columns, cosines in the second (Marian's order)."""
    if (name := f"model.{side}.embed_positions.weight") in arrays:
        return _copy(arrays[name])
    angle = np.arange(longest)[:, None] / 10000 ** (2 * np.arange(size // 2) / size)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1).astype(np.float32)


def _fill_layer(layer: Any, arrays: Arrays, base: str, *, with_source: bool) -> None:
    _fuse(layer.self_attention.linear[0], arrays, [f"{base}.self_attn.{part}_proj" for part in "qkv"])
    _fuse(layer.self_attention.linear[1], arrays, [f"{base}.self_attn.out_proj"])
    fill_norm(layer.self_attention.layer_norm, arrays, f"{base}.self_attn_layer_norm")
    if with_source:
        _fuse(layer.attention.linear[0], arrays, [f"{base}.encoder_attn.q_proj"])
        _fuse(layer.attention.linear[1], arrays, [f"{base}.encoder_attn.{part}_proj" for part in "kv"])
        _fuse(layer.attention.linear[2], arrays, [f"{base}.encoder_attn.out_proj"])
        fill_norm(layer.attention.layer_norm, arrays, f"{base}.encoder_attn_layer_norm")
    _fuse(layer.ffn.linear_0, arrays, [f"{base}.fc1"])
    _fuse(layer.ffn.linear_1, arrays, [f"{base}.fc2"])
    fill_norm(layer.ffn.layer_norm, arrays, f"{base}.final_layer_norm")


def _fuse(linear: Any, arrays: Arrays, names: list[str]) -> None:
    """Fill one linear layer whose output is the concatenated outputs of several layers."""
    linear.weight = np.concatenate([_copy(arrays[f"{name}.weight"]) for name in names])
    linear.bias = np.concatenate([_copy(arrays[f"{name}.bias"]) for name in names])


def fill_norm(norm: Any, arrays: Arrays, name: str) -> None:
    """Set a layer normalisation's weight and bias."""
    norm.gamma, norm.beta = _copy(arrays[f"{name}.weight"]), _copy(arrays[f"{name}.bias"])


def _copy(array: NDArray[Any]) -> NDArray[np.float32]:
    return np.array(array, np.float32, order="C")
