"""Text → language model: Kneser–Ney estimation, storage, perplexity. Lookups in a model are in ``_numeric``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.lm.estimate import build, estimate
    from paraphrast.lm.kenlm import KenlmModel
    from paraphrast.lm.options import LmOptions
    from paraphrast.lm.packing import pack, unpack
    from paraphrast.lm.perplexity import Perplexity, perplexity
    from paraphrast.lm.pruning import prune_entropy
    from paraphrast.lm.store import load, load_words, save
    from paraphrast.lm.words import read_text, read_vocabulary

__all__ = [
    "KenlmModel",
    "LmOptions",
    "Perplexity",
    "build",
    "estimate",
    "load",
    "load_words",
    "pack",
    "perplexity",
    "prune_entropy",
    "read_text",
    "read_vocabulary",
    "save",
    "unpack",
]

resolve_lazily(
    __name__,
    {
        "KenlmModel": "kenlm",
        "LmOptions": "options",
        "Perplexity": "perplexity",
        "build": "estimate",
        "estimate": "estimate",
        "load": "store",
        "load_words": "store",
        "perplexity": "perplexity",
        "prune_entropy": "pruning",
        "read_text": "words",
        "read_vocabulary": "words",
        "save": "store",
        "pack": "packing",
        "unpack": "packing",
    },
)
