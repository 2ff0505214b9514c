"""The stage ``extract-XX``: counted phrase pairs with one pivot language.

The bitext is cut into shards of sentence pairs. Each is extracted and counted alone, in this process or by a worker,
and written as Parquet files, which the engine adds up. So no process holds the occurrences of more than one shard.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract import ExtractOptions
from paraphrast.extract.add_shards import add_shards
from paraphrast.extract.shard import count_shard
from paraphrast.formats.sentences import load_sentences
from paraphrast.training.prune import prune_pairs
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import bitext_names, load_links, open_engine, phrase_keys, tags_file
from paraphrast.types import Links, Sentences
from paraphrast.types.phrase_keys import PhraseKeys

#: Sentence pairs of a shard, at most.
SHARD = 32768
#: Bytes of memory that a sentence pair of a shard takes while it is counted, with room to spare.
PAIR_BYTES = 16384
#: The part of the memory that a shard may take: the rest is for the program and the engine.
SHARE = 4


@dataclass(frozen=True)
class Shard:
    """Sentence pairs ``first`` to ``stop`` of one bitext, and all that a worker needs to count them.

    sides: the folders of both sides of the bitext. begin: the number of the bitext's first pair among all.
    """

    number: int
    sides: tuple[str, str]
    links: str
    tags: str
    begin: int
    first: int
    stop: int
    keys: tuple[PhraseKeys, PhraseKeys]
    options: ExtractOptions
    orientation: str
    folder: str


def shard_size(memory: int | None) -> int:
    """Sentence pairs per shard with so much memory. The size never changes a result."""
    return SHARD if memory is None else max(min(memory // SHARE // PAIR_BYTES, SHARD), 1024)


def extract_phrases(
    recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step, language: str
) -> str:
    """Extract and count phrase pairs; spelling and categories of the model language's phrases."""
    scratch = folder / ".shards"
    scratch.mkdir()
    longest = recipe.extract.max_length
    keys = tuple(phrase_keys(work, side, longest) for side in (recipe.config.language, language))
    shards = list(_shards(recipe, resources, work, language, (keys[0], keys[1]), scratch.resolve()))
    with open_engine(resources, folder, step) as engine:
        occurrences, done = 0, 0
        # Without other processes, one by one, so that progress shows.
        batch = len(shards) if engine.distributed else 1
        while done < len(shards):
            occurrences += sum(engine.map(write_shard, shards[done : done + batch]))
            done = min(done + batch, len(shards))
            step(done, len(shards), "shards")
        files = {
            table: [scratch / f"{table}-{shard.number:06d}.parquet" for shard in shards]
            for table in ("pairs", "glue", "categories", "sources")
            if shards and (scratch / f"{table}-{shards[0].number:06d}.parquet").exists()
        }
        seen = add_shards(engine, files, keys[0], keys[1], recipe.min_count, folder)
        kept = seen
        if recipe.extract.significance != "none":
            kept = prune_pairs(engine, recipe, work, folder, language)
    shutil.rmtree(scratch)
    pruned = f", {kept:,} of them significant" if kept < seen else ""
    return f"{occurrences:,} occurrences, {seen:,} pairs seen {recipe.min_count} times or more{pruned}"


def _shards(
    recipe: Recipe,
    resources: Resources,
    work: Path,
    language: str,
    keys: tuple[PhraseKeys, PhraseKeys],
    scratch: Path,
) -> Iterator[Shard]:
    size = shard_size(resources.memory_bytes)
    begin, number = 0, 0
    for name in bitext_names(recipe, language):
        sides = tuple(
            str((work / "text" / side / name).resolve()) for side in (recipe.config.language, language)
        )
        pairs = len(np.load(Path(sides[0]) / "starts.npy", mmap_mode="r", allow_pickle=False)) - 1
        tags = "" if recipe.config.tagger is None else str(tags_file(work, name).resolve())
        # A bitext without sentences is a shard too: the engine needs a file with the columns.
        for first in range(0, max(pairs, 1), size):
            yield Shard(
                number, (sides[0], sides[1]), str((work / f"align-{language}").resolve()), tags, begin,
                first, min(first + size, pairs), keys, recipe.extract, recipe.orientation, str(scratch),
            )  # fmt: skip
            number += 1
        begin += pairs


def write_shard(shard: Shard) -> int:
    """Count a shard and write its tables; returns the number of its occurrences."""
    source, target = (_side(Path(side), shard.first, shard.stop) for side in shard.sides)
    tags = None
    if shard.tags:
        begin, end = _bounds(Path(shard.sides[0]), shard.first, shard.stop)
        tags = np.array(np.load(shard.tags, mmap_mode="r", allow_pickle=False)[begin:end])
    occurrences, tables = count_shard(
        source,
        target,
        _links(Path(shard.links), shard.begin + shard.first, shard.begin + shard.stop),
        shard.options,
        *shard.keys,
        first_sentence=shard.begin + shard.first,
        orientation=shard.orientation,
        tags=tags,
    )
    write_tables(tables, Path(shard.folder), shard.number)
    return occurrences


def write_tables(tables: dict[str, dict[str, NDArray[Any]]], folder: Path, number: int) -> None:
    """One Parquet file per table. A task that runs twice writes the same file twice, in place by a rename."""
    with Engine(threads=1) as engine:
        for name, columns in tables.items():
            engine.table("rows", columns)
            engine.write_parquet("SELECT * FROM rows", folder / f"{name}-{number:06d}.parquet")
            engine.drop("rows")


def _bounds(folder: Path, first: int, stop: int) -> tuple[int, int]:
    starts = np.load(folder / "starts.npy", mmap_mode="r", allow_pickle=False)
    return int(starts[first]), int(starts[stop])


def _side(folder: Path, first: int, stop: int) -> Sentences:
    whole = load_sentences(folder)
    begin, end = int(whole.starts[first]), int(whole.starts[stop])
    return Sentences(
        np.array(whole.tokens[begin:end]),
        np.array(whole.starts[first : stop + 1]) - begin,
        np.array(whole.space_before[begin:end]),
    )


def _links(folder: Path, first: int, stop: int) -> Links:
    whole = load_links(folder)
    begin, end = int(whole.starts[first]), int(whole.starts[stop])
    return Links(
        np.array(whole.starts[first : stop + 1]) - begin,
        np.array(whole.source[begin:end]),
        np.array(whole.target[begin:end]),
    )
