"""Text → language model: Kneser–Ney estimation, storage, perplexity. Walking a model is in ``_numeric``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.lm.estimate import estimate
    from paraphrast.lm.index import with_index
    from paraphrast.lm.kenlm import KenlmModel
    from paraphrast.lm.options import LmOptions
    from paraphrast.lm.perplexity import Perplexity, perplexity
    from paraphrast.lm.store import load, load_words, save
    from paraphrast.lm.words import read_text, read_vocabulary

__all__ = [
    "KenlmModel",
    "LmOptions",
    "Perplexity",
    "estimate",
    "load",
    "load_words",
    "perplexity",
    "read_text",
    "read_vocabulary",
    "save",
    "with_index",
]

resolve_lazily(
    __name__,
    {
        "KenlmModel": "kenlm",
        "LmOptions": "options",
        "Perplexity": "perplexity",
        "estimate": "estimate",
        "load": "store",
        "load_words": "store",
        "perplexity": "perplexity",
        "read_text": "words",
        "read_vocabulary": "words",
        "save": "store",
        "with_index": "index",
    },
)
