"""Occurrences and context vectors, against plain twins."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from paraphrast import InputError
from paraphrast.tables.pivot.contexts import (
    ContextOptions,
    context_counts,
    context_feature,
    context_vectors,
    cosines,
    ppmi,
)
from paraphrast.types import MAX_PHRASE, Phrases, Sentences


def store(rows: list[list[int]]) -> Phrases:
    matrix = np.full((len(rows), MAX_PHRASE), -1, np.int32)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return Phrases(matrix, np.zeros(len(rows), np.uint8))


def test_counts_are_of_the_words_around() -> None:
    text = Sentences.from_lists([[11, 12, 13], [12, 13], [11, 11]])
    options = ContextOptions(distances=(1, 2), context_words=2)
    counts = context_counts([text], store([[12], [12, 13]]), 20, options).toarray()
    # Contexts by frequency: the edge, 11 (3 times), then 12 (twice; 13 as often, but later): 3 columns a kind.
    edge, eleven = 0, 1
    before, after, two_before, two_after = (counts[:, 3 * kind : 3 * kind + 3] for kind in range(4))
    assert before.tolist() == [[1, 1, 0], [1, 1, 0]]
    assert after[0].tolist() == [0, 0, 0], "13 is no context word"
    assert after[1, edge] == 2
    assert two_before[:, edge].tolist() == [1, 1]
    assert two_before[:, eleven].tolist() == [0, 0]
    assert two_after[0].tolist() == [2, 0, 0]
    assert two_after[1].tolist() == [0, 0, 0], "beyond the edge there is nothing"


def test_ppmi_is_the_formula() -> None:
    counts = context_counts(
        [Sentences.from_lists([[11, 12, 13], [14, 12, 13], [11, 15, 13]])],
        store([[12], [15], [13]]),
        20,
        ContextOptions(distances=(1,)),
    )
    dense = counts.toarray().astype(float)
    smooth = dense.sum(axis=0) ** 0.75
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.log(dense * smooth.sum() / (dense.sum(axis=1)[:, None] * smooth))
    expected = np.where(dense > 0, np.maximum(expected, 0), 0)
    np.testing.assert_allclose(ppmi(counts, 0.75).toarray(), expected, rtol=1e-6)


def corpus(seed: int = 3) -> Sentences:
    """Words 20 and 21 stand in the same places, 30 in others."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(400):
        kind = int(rng.integers(3))
        word = (20, 21, 30)[kind]
        around = (40, 50) if kind < 2 else (60, 70)
        rows.append([around[0] + int(rng.integers(5)), word, around[1] + int(rng.integers(5))])
    return Sentences.from_lists(rows)


def test_words_of_the_same_places_are_alike() -> None:
    phrases = store([[20], [21], [30], [99]])
    vectors = context_vectors([corpus()], phrases, 100, ContextOptions(dimensions=2))
    pairs = np.array([0, 0, 0, 0], np.int32), np.array([0, 1, 2, 3], np.int32)
    found = cosines(vectors, *pairs)
    assert found[0] == pytest.approx(1.0)
    assert found[1] > 0.8
    assert found[2] < 0.2
    assert np.isnan(found[3]), "a phrase that never occurs is like nothing"
    np.testing.assert_allclose(
        context_feature(np.array([1.0, 0.5, -1.0, np.nan], np.float32)),
        [0.0, np.log(0.5), np.log(0.01), np.nan],
        rtol=1e-6,
    )


def test_the_space_is_that_of_the_singular_vectors() -> None:
    text = corpus()
    phrases = store([[word] for word in range(20, 75)])
    options = ContextOptions(dimensions=4, rounds=40)
    found = context_vectors([text], phrases, 100, options)
    matrix = ppmi(context_counts([text], phrases, 100, options), 0.75).toarray().astype(float)
    _, _, right = np.linalg.svd(matrix, full_matrices=False)
    exact = matrix @ right[:4].T
    norms = np.linalg.norm(exact, axis=1)
    known = norms > 1e-6
    exact = exact[known] / norms[known, None]
    np.testing.assert_allclose(found[known].astype(float) @ found[known].T, exact @ exact.T, atol=0.02)


def test_no_text_and_no_phrases_are_no_error() -> None:
    empty = Sentences.from_lists([])
    assert context_vectors([empty], store([[12]]), 20).any() == False  # noqa: E712
    assert len(context_vectors([corpus()], store([]), 100)) == 0
    assert len(cosines(np.zeros((0, 5), np.float32), np.zeros(0, np.int32), np.zeros(0, np.int32))) == 0


def test_wrong_options_are_told() -> None:
    with pytest.raises(InputError, match="from 1"):
        ContextOptions(distances=())
    with pytest.raises(InputError, match="from 1"):
        ContextOptions(dimensions=0)


_PRINT = """
import hashlib, numpy as np
from paraphrast.tables.pivot.contexts import context_vectors
from paraphrast.types import Phrases, Sentences
rng = np.random.default_rng(1)
text = Sentences.from_lists(rng.integers(11, 400, 12).tolist() for _ in range(3000))
words = np.full((389, 7), -1, np.int32)
words[:, 0] = np.arange(11, 400)
vectors = context_vectors([text], Phrases(words, np.zeros(389, np.uint8)), 400)
print(hashlib.sha256(vectors.tobytes()).hexdigest())
"""


def test_vectors_do_not_depend_on_threads() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(found) == 1
    assert found.pop().strip()
