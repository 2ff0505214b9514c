"""The vocabulary of a model: ``vocab.parquet``, and a text version for readers without an SQL engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraphrast.formats.arrays import load_array, save_array
from paraphrast.types import Vocabulary

if TYPE_CHECKING:
    from paraphrast.engine import Engine

WORDS = "words.txt"


def save_vocabulary(engine: Engine, vocabulary: Vocabulary, path: Path) -> None:
    """Write ``vocab.parquet``: id, token, count."""
    engine.table(
        "vocabulary_rows",
        {
            "id": np.arange(len(vocabulary), dtype=np.int32),
            "token": np.array(vocabulary.words, dtype=object),
            "count": vocabulary.counts,
        },
    )
    engine.write_parquet('SELECT id, token, "count" FROM vocabulary_rows ORDER BY id', path)
    engine.drop("vocabulary_rows")


def load_vocabulary(engine: Engine, path: Path) -> Vocabulary:
    """Read ``vocab.parquet``."""
    from paraphrast.engine import typed_column

    columns = engine.read_parquet(
        path, f"{typed_column('token', 'VARCHAR')}, {typed_column('count', 'BIGINT')}"
    )
    return Vocabulary(tuple(columns["token"].tolist()), columns["count"].astype(np.int64))


def save_words(vocabulary: Vocabulary, folder: Path) -> None:
    """Write ``words.txt`` and ``counts.npy``, the vocabulary for readers without an SQL engine."""
    (folder / WORDS).write_bytes("".join(f"{word}\n" for word in vocabulary.words).encode())
    save_array(folder / "counts.npy", vocabulary.counts)


def load_words(folder: Path) -> Vocabulary:
    """Read a folder written by :func:`save_words`."""
    words = tuple((folder / WORDS).read_bytes().decode("utf-8").split("\n")[:-1])
    counts = load_array(folder / "counts.npy", np.int64)
    if len(words) != len(counts):
        raise ValueError(f"{len(words)} words have {len(counts)} counts")
    return Vocabulary(words, counts)
