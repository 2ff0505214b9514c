"""Text by workers: the vocabulary, casing and sentences of one machine, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy
from paraphrast.build.text_shards import encode_on_workers, write_block
from paraphrast.engine import Engine
from paraphrast.formats.sentences import save_sentences
from paraphrast.text import encode, get_language, truecase

LINES = [
    *[row[0] for row in toy.rows(30)],
    *("", "NATO met. In Paris, Mr McDonald spoke: 3.5% of 12 May!", "THE SUN SHINES. It does.", "us and US"),
    *("Œuvre  d'art — naïve", "   ", "He said: “No.” Then he left"),
]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("offsets", [True, False])
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_blocks_of_any_size_give_the_files_of_one_machine(tmp_path: Path, size: int, offsets: bool) -> None:
    corpora = [LINES[:25], LINES[25:]]
    encoded = [encode(lines, get_language("en"), offsets=offsets) for lines in corpora]
    caser = truecase.learn(*encoded)
    vocabulary, sentences = caser.apply_all(encoded)
    one, many, blocks = tmp_path / "one", tmp_path / "many", tmp_path / "blocks"
    one.mkdir()
    many.mkdir()
    caser.save(one / "casing.tsv")
    for name, corpus in zip("ab", sentences, strict=True):
        save_sentences(corpus, one / name)
    written = []
    for name, lines in zip("ab", corpora, strict=True):
        (blocks / name).mkdir(parents=True)
        parts = [
            write_block(lines[first : first + size], blocks / name / f"{first:04d}", "en", offsets=offsets)
            for first in range(0, len(lines), size)
        ]
        written.append((parts, many / name))
    with Engine(threads=1) as engine:
        found, tokens = encode_on_workers(engine, written, many / "casing.tsv")
    assert tokens == sum(len(corpus.tokens) for corpus in sentences)
    assert (found.words, found.counts.tolist()) == (vocabulary.words, vocabulary.counts.tolist())
    assert tree(many) == tree(one)
