"""Counting shards: the same pairs, ids, spellings and orientations as counting everything at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import random_pairs
from paraphrast.engine import Engine
from paraphrast.extract import (
    ExtractOptions,
    count_pairs,
    extract_pairs,
    orient_pairs,
    orientation_counts,
    source_glue,
)
from paraphrast.extract.add_shards import ORIENTATION, PAIRS, SOURCES, TARGETS, add_shards
from paraphrast.extract.shard import count_shard
from paraphrast.text.syntax.category import categories_of_occurrences
from paraphrast.types import FIRST_WORD, Links, Sentences
from paraphrast.types.phrase_keys import PhraseKeys

PAIRS_OF_TEXT = 70
KEYS = PhraseKeys(FIRST_WORD + 25, 4)
OPTIONS = ExtractOptions(max_length=4, attach_unaligned="both")


def some(sentences: Sentences, first: int, stop: int) -> Sentences:
    begin, end = int(sentences.starts[first]), int(sentences.starts[stop])
    return Sentences(
        sentences.tokens[begin:end],
        sentences.starts[first : stop + 1] - begin,
        sentences.space_before[begin:end],
    )


def some_links(links: Links, first: int, stop: int) -> Links:
    begin, end = int(links.starts[first]), int(links.starts[stop])
    return Links(links.starts[first : stop + 1] - begin, links.source[begin:end], links.target[begin:end])


def write_shards(
    folder: Path, text: tuple[Sentences, Sentences, Links], tags: np.ndarray, size: int
) -> dict[str, list[Path]]:
    source, target, links = text
    files: dict[str, list[Path]] = {}
    with Engine(threads=1) as engine:
        for first in range(0, len(source), size):
            stop = min(first + size, len(source))
            begin, end = int(source.starts[first]), int(source.starts[stop])
            _, tables = count_shard(
                some(source, first, stop), some(target, first, stop), some_links(links, first, stop),
                OPTIONS, KEYS, KEYS, first_sentence=first, orientation="phrase", tags=tags[begin:end],
            )  # fmt: skip
            for name, columns in tables.items():
                files.setdefault(name, []).append(folder / f"{name}-{first}.parquet")
                engine.table("rows", columns)
                engine.write_parquet("SELECT * FROM rows", files[name][-1])
    return files


@pytest.mark.parametrize("size", [PAIRS_OF_TEXT, 24, 10])  # 1, 3 and 7 shards
def test_shards_add_up(tmp_path: Path, size: int) -> None:
    text = source, target, links = random_pairs.bitext(PAIRS_OF_TEXT, words=4)
    rng = np.random.default_rng(5)
    source.space_before[:] = rng.random(len(source.tokens)) < 0.7
    tags = rng.integers(0, 12, len(source.tokens)).astype(np.uint8)
    extraction = extract_pairs(source, target, links, OPTIONS)
    with Engine(threads=2) as engine:
        files = write_shards(tmp_path, text, tags, size)
        number = add_shards(engine, files, KEYS, KEYS, 2, tmp_path)
        expected = count_pairs(engine, extraction, min_count=2)
        pairs, sources, targets, oriented = (
            engine.read_parquet(tmp_path / name) for name in (PAIRS, SOURCES, TARGETS, ORIENTATION)
        )
    assert number == len(expected) > 50
    source_ids, source_row = np.unique(expected.source, return_inverse=True)
    target_ids, target_row = np.unique(expected.target, return_inverse=True)
    np.testing.assert_array_equal(KEYS.unpack(sources, "s"), extraction.source_words[source_ids])
    np.testing.assert_array_equal(KEYS.unpack(targets, "t"), extraction.target_words[target_ids])
    for name, values in {
        "source": source_row,
        "target": target_row,
        "count": expected.count,
        "source_total": expected.source_total[expected.source],
        "target_total": expected.target_total[expected.target],
        "sentence": extraction.pairs.sentence[expected.first],
        "source_start": extraction.pairs.source_start[expected.first],
    }.items():
        np.testing.assert_array_equal(pairs[name], values, name)
    np.testing.assert_array_equal(sources["glue"], source_glue(source, extraction)[source_ids])
    assert len(np.unique(sources["glue"])) > 2
    lengths = (extraction.source_words >= 0).sum(axis=1).astype(np.int32)[extraction.pairs.source]
    _, masks = categories_of_occurrences(
        tags,
        extraction.pairs.source,
        source.starts[extraction.pairs.sentence] + extraction.pairs.source_start,
        lengths,
        len(extraction.source_words),
    )
    np.testing.assert_array_equal(sources["category"], masks[source_ids])
    outcomes = orient_pairs(source, target, links, OPTIONS).following
    counts = orientation_counts(extraction.pairs.source, outcomes, len(extraction.source_words))
    often = counts.sum(axis=1) > 1
    found = np.column_stack([oriented[name] for name in ("mono", "swap", "other")])
    np.testing.assert_array_equal(found[0], counts[~often].sum(axis=0))
    order = np.lexsort(extraction.source_words[often].T[::-1])
    np.testing.assert_array_equal(KEYS.unpack(oriented, "s")[1:], extraction.source_words[often][order])
    np.testing.assert_array_equal(found[1:], counts[often][order])
