from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.tables.resources.chunks import ChunksKind, chunk_rows
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import ChunkOptions
from paraphrast.text.syntax.tag import Tagger
from paraphrast.types import Sentences, Vocabulary

TAGGED = [
    ("the cat saw a dog in the garden .", "DT NN VBD DT NN IN DT NN PUNCT"),
    ("a dog watched the small cat .", "DT NN VBD DT JJ NN PUNCT"),
    ("they went quickly to the house .", "PRP VBD RB TO DT NN PUNCT"),
    ("the table was laid in the shed .", "DT NN VBD VBN IN DT NN PUNCT"),
    ("the table was set up in the shed .", "DT NN VBD VBN RP IN DT NN PUNCT"),
]


def tagger() -> Tagger:
    return Tagger.train([(w.split(), t.split()) for w, t in TAGGED] * 4, min_count=1)


def test_equation_6_by_hand() -> None:
    """ "c" and "d" share no word; of the contexts a b / e and a b / f two words of three: .6 · 2 · 2 / 6 = .4."""
    vocabulary = Vocabulary.from_counts([(word, 1) for word in "abcdef"])
    ids = vocabulary.ids
    source = Sentences.from_lists([[ids[word] for word in "abce"]])
    target = Sentences.from_lists([[ids[word] for word in "abdf"]])
    chunk = (np.array([[2, 3, 0]], np.int32), np.array([0, 1], np.int64))
    rows = chunk_rows(source, target, vocabulary, chunk, chunk, ChunkOptions(alpha=0.4, th1=0.3))
    assert {(row.source, row.target) for row in rows} == {(("c",), ("d",)), (("d",), ("c",))}
    assert rows[0].score == pytest.approx(math.log(0.6 * 4 / 6))
    assert chunk_rows(source, target, vocabulary, chunk, chunk, ChunkOptions(alpha=0.4, th1=0.4)) == []


def test_largest_of_repeats_counts() -> None:
    vocabulary = Vocabulary.from_counts([(word, 1) for word in "abcdef"])
    ids = vocabulary.ids
    source = Sentences.from_lists([[ids[w] for w in "ac"], [ids[w] for w in "ac"]])
    target = Sentences.from_lists([[ids[w] for w in "ad"], [ids[w] for w in "bd"]])
    chunks = (np.array([[1, 2, 0], [3, 4, 0]], np.int32), np.array([0, 1, 2], np.int64))
    (row, _) = chunk_rows(source, target, vocabulary, chunks, chunks, ChunkOptions(alpha=0.4, th1=0.0))
    assert (row.count, row.score) == (1, pytest.approx(math.log(0.6)))


def test_table_of_sentence_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("The table was set up in the shed.\tThe table was laid in the shed.\n")
    table = ChunksKind().build(TableJob([path], tagger=tagger()), ChunkOptions())
    found = {
        (" ".join(table.phrase(s)), " ".join(table.phrase(t)))
        for s, t in zip(table.table.source, table.table.target, strict=True)
    }
    assert ("was set up", "was laid") in found
    assert ("was laid", "was set up") in found


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\nonly one\n")
    with pytest.raises(FormatError, match=r"pairs\.tsv:2"):
        ChunksKind().build(TableJob([path], tagger=tagger()), ChunkOptions())
    path.write_text("a\tb\n")
    with pytest.raises(InputError, match="a tagger or a parser"):
        ChunksKind().build(TableJob([path]), ChunkOptions())
    with pytest.raises(InputError, match="alpha"):
        ChunkOptions(alpha=2.0)
    with pytest.raises(InputError, match="expected one file"):
        ChunksKind().build(TableJob([path, path]), ChunkOptions())
