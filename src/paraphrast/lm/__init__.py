"""Text → language model: Kneser–Ney estimation, storage, perplexity. Walking a model is in ``_numeric``."""

from paraphrast.lm.estimate import LmOptions, estimate

__all__ = ["LmOptions", "estimate"]
