"""Perplexity of a text under a language model."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from paraphrast._numeric import known_words, score_tokens
from paraphrast.errors import InputError
from paraphrast.lm.packing import pack
from paraphrast.types import NgramArrays, PackedNgrams, Sentences


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Sums over a text, and both common definitions of perplexity.

    tokens: words and sentence ends; unknown: how many of them are ``<unk>`` to the model.
    log_prob, log_prob_known: natural log probability of all tokens, and of the known ones.
    """

    sentences: int
    tokens: int
    unknown: int
    log_prob: float
    log_prob_known: float

    @property
    def with_unknown(self) -> float:
        """exp(−log_prob / tokens): unknown words have the probability of ``<unk>`` (KenLM: "including OOVs")."""
        return math.exp(-self.log_prob / self.tokens)

    @property
    def without_unknown(self) -> float:
        """Like :attr:`with_unknown`, but unknown words are not scored or counted (KenLM: "excluding OOVs").

        They are still part of the context of the words after them.
        """
        return math.exp(-self.log_prob_known / (self.tokens - self.unknown))

    @property
    def bits(self) -> float:
        """Cross-entropy in bits per token, including unknown words: log2 of :attr:`with_unknown`."""
        return -self.log_prob / self.tokens / math.log(2)

    def to_dict(self) -> dict[str, float]:
        """Plain values, for JSON."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "unknown": self.unknown,
            "log_prob": self.log_prob,
            "bits_per_token": self.bits,
            "perplexity_with_unknown": self.with_unknown,
            "perplexity_without_unknown": self.without_unknown,
        }


def perplexity(ngrams: NgramArrays | PackedNgrams, sentences: Sentences) -> Perplexity:
    """Score every sentence, including its end. Ids outside the model's vocabulary are unknown words."""
    if len(sentences) == 0:
        raise InputError("expected sentences to compute a perplexity of, got none")
    if isinstance(ngrams, NgramArrays):
        ngrams = pack(ngrams)
    scores = score_tokens(ngrams, sentences.tokens, sentences.starts).astype(np.float64)
    tokens = sentences.tokens[int(sentences.starts[0]) : int(sentences.starts[-1])]
    inside = (tokens >= 0) & (tokens < int(ngrams.order_start[1]))
    known = known_words(ngrams)[np.where(inside, tokens, 0)]
    is_end = np.zeros(len(scores), dtype=np.bool_)
    is_end[sentences.starts[1:] - sentences.starts[0] + np.arange(len(sentences))] = True
    counted = np.ones(len(scores), dtype=np.bool_)
    counted[~is_end] = known
    return Perplexity(
        sentences=len(sentences),
        tokens=len(scores),
        unknown=int(np.count_nonzero(~counted)),
        log_prob=float(scores.sum()),
        log_prob_known=float(scores[counted].sum()),
    )
