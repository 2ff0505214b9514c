"""Translation and language models with random weights, in the layouts that ``read`` converts."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np

from gguf_files import floats, write_gguf
from torch_files import tensors, write_chain

SIZE, INNER, HEADS, LAYERS = 16, 32, 2, 2
SENTENCES = [
    "The old boat sank in the harbour.",
    "A new car was bought last week.",
    "She reads the letter, and he writes one.",
    "The committee will examine the proposal tomorrow.",
    "Le vieux bateau a coulé dans le port.",
    "Une nouvelle voiture a été achetée la semaine dernière.",
    "Elle lit la lettre, et il en écrit une.",
    "La commission examinera la proposition demain.",
]
ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")


def marian_arrays(vocabulary: int, seed: int = 3) -> dict[str, np.ndarray]:
    """Every array of a Marian model, by name; the last row of the embeddings is padding."""
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.4, shape).astype(np.float32)

    arrays = {"final_logits_bias": some(1, vocabulary), "model.shared.weight": some(vocabulary, SIZE)}
    arrays["final_logits_bias"][0, 0] += 2  # sentences end
    for side in ("encoder", "decoder"):
        for number in range(LAYERS):
            base = f"model.{side}.layers.{number}"
            for block in ("self_attn", "encoder_attn")[: 2 if side == "decoder" else 1]:
                for part in ATTENTION:
                    arrays[f"{base}.{block}.{part}.weight"] = some(SIZE, SIZE)
                    arrays[f"{base}.{block}.{part}.bias"] = some(SIZE)
                arrays |= _norm(f"{base}.{block}_layer_norm", some)
            arrays[f"{base}.fc1.weight"], arrays[f"{base}.fc1.bias"] = some(INNER, SIZE), some(INNER)
            arrays[f"{base}.fc2.weight"], arrays[f"{base}.fc2.bias"] = some(SIZE, INNER), some(SIZE)
            arrays |= _norm(f"{base}.final_layer_norm", some)
    return arrays


def _norm(name: str, some: object) -> dict[str, np.ndarray]:
    values = some(SIZE)  # type: ignore[operator]
    return {f"{name}.weight": 1 + values / 4, f"{name}.bias": values[::-1].copy()}


def write_marian(folder: Path, seed: int = 3) -> Path:
    """A Marian model whose weights are a PyTorch checkpoint; both sides share one sentencepiece model."""
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=model,
        vocab_size=80,
        minloglevel=2,
        hard_vocab_limit=False,
    )
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = ["</s>", "<unk>"]
    pieces += [
        piece for piece in map(processor.id_to_piece, range(len(processor))) if piece not in ("<s>", *pieces)
    ]
    ids = {piece: number for number, piece in enumerate([*pieces, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    config = {
        "model_type": "marian",
        "encoder_layers": LAYERS,
        "decoder_layers": LAYERS,
        "encoder_attention_heads": HEADS,
        "decoder_attention_heads": HEADS,
        "d_model": SIZE,
        "activation_function": "swish",
        "scale_embedding": True,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    write_chain(folder / "pytorch_model.bin", *tensors(marian_arrays(len(ids), seed)))
    return folder


def write_llama(folder: Path, seed: int = 5) -> Path:
    """A language model over bytes in a GGUF file."""
    import tokenizers

    rng = np.random.default_rng(seed)
    tokens = ["<|endoftext|>", *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()), "th", "Ġth"]
    settings = {
        "general.architecture": "llama",
        "llama.block_count": LAYERS,
        "llama.attention.head_count": 4,
        "llama.attention.head_count_kv": 2,
        "llama.rope.freq_base": 10000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": ["t h", "Ġ th"],
    }
    shapes = {"attn_q": (16, 16), "attn_k": (8, 16), "attn_v": (8, 16), "attn_output": (16, 16)}
    shapes |= {"ffn_gate": (32, 16), "ffn_up": (32, 16), "ffn_down": (16, 32)}
    arrays = {"token_embd": rng.normal(0, 1, (len(tokens), 16)), "output_norm": rng.normal(1, 0.1, 16)}
    for number in range(LAYERS):
        arrays |= {f"blk.{number}.{name}": rng.normal(0, 0.4, shape) for name, shape in shapes.items()}
        arrays |= {f"blk.{number}.{name}": rng.normal(1, 0.1, 16) for name in ("attn_norm", "ffn_norm")}
    write_gguf(
        folder / "model.gguf", settings, {f"{name}.weight": floats(array) for name, array in arrays.items()}
    )
    return folder
