"""How similar a rewrite and its source are for a sentence encoder: as sentences, and word by word.

A translation loses distinctions that its language does not make (French has one word for "safety" and "security", and
one for "love" and "like"); an encoder of English keeps them. The comparison of words follows Zhang et al. 2020
("BERTScore"). Besides the mean there is the worst word, because one wrong word makes a rewrite wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paraphrast.read.features import Floats, common_blocks
from paraphrast.types import Encoder

NEARNESS = (
    "cosine",  # cosine of the two sentences
    "word_mean",  # mean of each word's best cosine with a word of the other side (almost BERTScore F)
    "new_lowest",  # lowest best cosine of a new word with the words of the source
    "replaced_lowest",  # lowest best cosine of a replaced word with the words of the rewrite
    "kept_lowest",  # lowest cosine of a kept word's vectors in the two sentences
    "kept_mean",  # … mean over the kept words
    "changed",  # cosine of the sum of the replaced words and the sum of the new words
)


def nearness(encoder: Encoder, source: Sequence[str], rewrites: Sequence[Sequence[str]]) -> Floats:
    """float64[rewrites, len(NEARNESS)]; each text is a list of words."""
    phrase_vectors, word_vectors = encoder.phrases_and_words([source, *rewrites])
    wholes = phrase_vectors.astype(np.float64)
    words = [vectors.astype(np.float64) for vectors in word_vectors]
    rows = [
        _row(source, rewrite, words[0], words[place], float(wholes[0] @ wholes[place]))
        for place, rewrite in enumerate(rewrites, 1)
    ]
    return np.array(rows).reshape(len(rewrites), len(NEARNESS))


def _row(
    source: Sequence[str], rewrite: Sequence[str], before: Floats, after: Floats, cosine: float
) -> Floats:
    replaced, new, kept = common_blocks(source, rewrite)
    alike = before @ after.T
    best_new, best_old = alike.max(axis=0, initial=-1.0), alike.max(axis=1, initial=-1.0)
    steady = alike[kept[:, 0], kept[:, 1]]
    return np.array(
        [
            cosine,
            (best_new.mean() + best_old.mean()) / 2 if alike.size else 0.0,
            best_new[new].min(initial=1.0),
            best_old[replaced].min(initial=1.0),
            steady.min(initial=1.0),
            steady.mean() if len(steady) else 1.0,
            _cosine(before[replaced].sum(axis=0), after[new].sum(axis=0))
            if replaced.any() and new.any()
            else 0.5,
        ]
    )


def _cosine(one: Floats, two: Floats) -> float:
    return float(one @ two / max(float(np.sqrt((one @ one) * (two @ two))), 1e-9))
