"""Converts a causal language model of the LLaMA family from a GGUF file to a CTranslate2 folder with 8-bit weights.

Touvron et al. 2023 ("LLaMA"): root-mean-square normalisation before each block, rotary positions (Su et al. 2021),
gated feed-forward layers, fewer heads for keys and values than for queries. In GGUF, the two rows of queries or keys
that are rotated together are adjacent, hence ``rotary_interleave``. The byte-level BPE tokeniser in the GGUF file is
written as JSON for the ``tokenizers`` library.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.errors import FormatError
from paraphrast.formats.files import atomic_write
from paraphrast.formats.gguf import Gguf, read_gguf
from paraphrast.read._runtime import optional

TOKENISER = "tokenizer.json"
#: GGUF's names of pre-tokenisers that first split numbers into single digits.
_DIGITS_APART = ("smollm", "starcoder", "refact")


def is_llama(folder: Path) -> bool:
    """Whether ``folder`` holds exactly one GGUF file."""
    return len(list(folder.glob("*.gguf"))) == 1


def convert_llama(folder: Path, out: Path) -> None:
    """Write the model in the only ``*.gguf`` of ``folder`` to the existing, empty folder ``out`` for CTranslate2."""
    (path,) = folder.glob("*.gguf")
    model = read_gguf(path)
    try:
        spec = _spec(model)
        tokens = list(model.settings["tokenizer.ggml.tokens"])
        tokeniser = _tokeniser(model, tokens)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"expected a language model of the LLaMA family: {error}", where=path) from error
    spec.register_vocabulary(tokens)
    # Each text is scored after an end mark, because the model was trained so.
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = tokens[0]
    spec.config.layer_norm_epsilon = float(model.settings["llama.attention.layer_norm_rms_epsilon"])
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(out))
    with atomic_write(out / TOKENISER) as stream:
        stream.write(tokeniser)


def _spec(model: Gguf) -> Any:
    settings = model.settings
    if (
        settings["general.architecture"] != "llama"
        or settings.get("llama.rope.scaling.type", "none") != "none"
    ):
        raise ValueError(f"architecture {settings['general.architecture']!r}, or scaled positions")
    heads, key_heads = settings["llama.attention.head_count"], settings["llama.attention.head_count_kv"]
    specs = optional("ctranslate2.specs")
    spec = specs.TransformerDecoderModelSpec.from_config(
        settings["llama.block_count"],
        heads,
        activation=specs.common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=True,
        rotary_base=float(settings["llama.rope.freq_base"]),
        num_heads_kv=None if key_heads == heads else key_heads,
    )
    decoder = spec.decoder
    decoder.scale_embeddings = False
    decoder.embeddings.weight = model.array("token_embd.weight")
    decoder.layer_norm.gamma = model.array("output_norm.weight")
    tied = "output.weight" not in model.names
    decoder.projection.weight = decoder.embeddings.weight if tied else model.array("output.weight")
    for number, layer in enumerate(decoder.layer):
        _fill_layer(layer, model, f"blk.{number}")
    return spec


def _fill_layer(layer: Any, model: Gguf, base: str) -> None:
    queries_keys_values = [model.array(f"{base}.attn_{part}.weight") for part in "qkv"]
    layer.self_attention.linear[0].weight = np.concatenate(queries_keys_values)
    layer.self_attention.linear[1].weight = model.array(f"{base}.attn_output.weight")
    layer.self_attention.layer_norm.gamma = model.array(f"{base}.attn_norm.weight")
    layer.ffn.layer_norm.gamma = model.array(f"{base}.ffn_norm.weight")
    layer.ffn.linear_0.weight = model.array(f"{base}.ffn_gate.weight")
    layer.ffn.linear_0_noact.weight = model.array(f"{base}.ffn_up.weight")
    layer.ffn.linear_1.weight = model.array(f"{base}.ffn_down.weight")


def _tokeniser(model: Gguf, tokens: list[str]) -> str:
    """The file's byte-level BPE (Radford et al. 2019) as the JSON text that ``tokenizers`` reads."""
    kind = model.settings["tokenizer.ggml.model"]
    if kind != "gpt2":
        raise ValueError(f"its tokeniser is {kind!r}, expected 'gpt2'")
    merges = [tuple(merge.split(" ")) for merge in model.settings["tokenizer.ggml.merges"]]
    tokenizers = optional("tokenizers")
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokeniser = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
    steps = [tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)]
    if model.settings.get("tokenizer.ggml.pre") in _DIGITS_APART:
        steps.insert(0, tokenizers.pre_tokenizers.Digits(individual_digits=True))
    tokeniser.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(steps)
    tokeniser.decoder = tokenizers.decoders.ByteLevel()
    return json.dumps(json.loads(tokeniser.to_str()), ensure_ascii=False, separators=(",", ":"))
