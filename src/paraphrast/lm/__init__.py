"""Text → language model: Kneser–Ney estimation, storage, perplexity. Walking a model is in ``_numeric``."""

from paraphrast.lm.estimate import LmOptions, estimate
from paraphrast.lm.perplexity import Perplexity, perplexity
from paraphrast.lm.store import load, save

__all__ = ["LmOptions", "Perplexity", "estimate", "load", "perplexity", "save"]
