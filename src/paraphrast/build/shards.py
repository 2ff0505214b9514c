"""Distributed work on sentence pairs: a corpus is divided into shards, and each shard is one task.

Aligning with a trained model and extracting phrase pairs process one sentence pair at a time, so the combined links,
pairs and counts of shards are those of one run over all. Workers read and write in a folder that they share with this
process. Their results are put in place by a rename, because a task may run twice.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import Aligner, AlignOptions
from paraphrast.build.align import AlignModel, Texts, load_model
from paraphrast.engine import Engine
from paraphrast.extract import Extraction, ExtractOptions, extract_pairs, merge_phrases
from paraphrast.formats.arrays import save_array
from paraphrast.types import Links, PhrasePairs, Sentences

#: Sentence pairs per shard: a few seconds of alignment.
SHARD = 8192


@dataclass(frozen=True)
class Shard:
    """Sentence pairs ``first`` to ``stop`` of the corpus stored in ``folder``. Results are written beside them."""

    folder: str
    first: int
    stop: int

    @property
    def result(self) -> Path:
        """The folder of its results."""
        return Path(self.folder) / f"result-{self.first:012d}"


@dataclass(frozen=True)
class _AlignTask:
    shard: Shard
    aligner: str


@dataclass(frozen=True)
class _TextTask:
    shard: Shard
    model: str
    options: AlignOptions | None


@dataclass(frozen=True)
class _ExtractTask:
    shard: Shard
    options: ExtractOptions


def shards_of(folder: Path, pairs: int, size: int = SHARD) -> list[Shard]:
    """The shards of a corpus, in order."""
    return [Shard(str(folder), first, min(first + size, pairs)) for first in range(0, pairs, size)]


def align_ids(
    engine: Engine, aligner: Aligner, source: Sentences, target: Sentences, folder: Path, *, size: int = SHARD
) -> Links:
    """Like ``aligner.align(source, target)``, by the engine's workers, which must be able to read ``folder``."""
    with _scratch(folder) as place:
        aligner.save(place / "aligner")
        _store_sides(place, source, target)
        tasks = [_AlignTask(shard, str(place / "aligner")) for shard in shards_of(place, len(source), size)]
        engine.map(_align_shard, tasks)
        return _joined_links([task.shard for task in tasks])


def align_lines(
    engine: Engine,
    model: str | Path,
    source: Texts,
    target: Texts,
    folder: Path,
    *,
    options: AlignOptions | None = None,
    size: int = SHARD,
) -> Links:
    """Like ``load_model(model).align(source, target)``, by the engine's workers, which need to read ``model``."""
    with _scratch(folder) as place:
        tasks = []
        for shard in shards_of(place, len(source), size):
            rows = [list(source[shard.first : shard.stop]), list(target[shard.first : shard.stop])]
            shard.result.with_suffix(".json").write_text(json.dumps(rows), encoding="ascii")
            tasks.append(_TextTask(shard, str(Path(model).resolve()), options))
        engine.map(_align_text_shard, tasks)
        return _joined_links([task.shard for task in tasks])


def extract_shards(
    engine: Engine,
    source: Sentences,
    target: Sentences,
    links: Links,
    options: ExtractOptions,
    folder: Path,
    *,
    size: int = SHARD,
) -> Extraction:
    """Like ``extract_pairs(source, target, links, options)``, by the engine's workers."""
    with _scratch(folder) as place:
        _store_sides(place, source, target)
        for name in ("starts", "source", "target"):
            save_array(place / f"links-{name}.npy", getattr(links, name))
        tasks = [_ExtractTask(shard, options) for shard in shards_of(place, len(source), size)]
        engine.map(_extract_shard, tasks)
        return _joined_extractions([task.shard for task in tasks])


class _scratch:
    """A temporary folder for one exchange, deleted at the end."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._place = Path(tempfile.mkdtemp(prefix="shards-", dir=folder)).resolve()
        self._place.chmod(0o770)

    def __enter__(self) -> Path:
        return self._place

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self._place, ignore_errors=True)


def _store_sides(folder: Path, source: Sentences, target: Sentences) -> None:
    for name, side in (("source", source), ("target", target)):
        save_array(folder / f"{name}-tokens.npy", side.tokens)
        save_array(folder / f"{name}-starts.npy", side.starts)


def _align_shard(task: _AlignTask) -> int:
    source, target = _side(task.shard, "source"), _side(task.shard, "target")
    return _put_links(task.shard, _loaded_aligner(task.aligner).align(source, target))


def _align_text_shard(task: _TextTask) -> int:
    rows = json.loads(task.shard.result.with_suffix(".json").read_text(encoding="ascii"))
    model = _loaded_model(task.model)
    if isinstance(model, AlignModel) and task.options is not None:
        model = model.with_options(task.options)
    return _put_links(task.shard, model.align(rows[0], rows[1]))


def _extract_shard(task: _ExtractTask) -> int:
    shard = task.shard
    starts = _array(shard, "links-starts")[shard.first : shard.stop + 1]
    piece = slice(int(starts[0]), int(starts[-1]))
    links = Links(
        starts - starts[0],
        np.array(_array(shard, "links-source")[piece]),
        np.array(_array(shard, "links-target")[piece]),
    )
    extraction = extract_pairs(_side(shard, "source"), _side(shard, "target"), links, task.options)
    columns = {name: getattr(extraction.pairs, name) for name in _PAIR_COLUMNS}
    columns |= {name: getattr(extraction, name) for name in ("source_words", "target_words", "target_start")}
    _put(shard, columns)
    return len(extraction)


_PAIR_COLUMNS = ("sentence", "source", "target", "source_start")


def _array(shard: Shard, name: str) -> NDArray[Any]:
    array: NDArray[Any] = np.load(Path(shard.folder) / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    return array


def _side(shard: Shard, name: str) -> Sentences:
    """The shard's sentences. Aligners and extraction do not need the spacing."""
    starts = np.array(_array(shard, f"{name}-starts")[shard.first : shard.stop + 1])
    tokens = np.array(_array(shard, f"{name}-tokens")[int(starts[0]) : int(starts[-1])])
    return Sentences(tokens, starts - starts[0], np.zeros(len(tokens), dtype=np.uint8))


@lru_cache(maxsize=1)
def _loaded_aligner(folder: str) -> Aligner:
    """A worker loads a model once for all its shards."""
    return Aligner.load(folder)


@lru_cache(maxsize=1)
def _loaded_model(folder: str) -> Any:
    return load_model(folder)


def _put_links(shard: Shard, links: Links) -> int:
    columns: dict[str, NDArray[Any]] = {
        "starts": links.starts,
        "source": links.source,
        "target": links.target,
    }
    if links.posterior is not None:
        columns["posterior"] = links.posterior
    _put(shard, columns)
    return len(links.source)


def _put(shard: Shard, columns: dict[str, NDArray[Any]]) -> None:
    """Write results under a name of this process, then rename them. Equal results of another attempt may exist."""
    temporary = Path(tempfile.mkdtemp(prefix=f".{shard.result.name}-", dir=shard.folder))
    temporary.chmod(0o770)
    for name, values in columns.items():
        save_array(temporary / f"{name}.npy", values)
    try:
        os.rename(temporary, shard.result)
    except OSError:
        shutil.rmtree(temporary, ignore_errors=True)
        if not shard.result.is_dir():
            raise


def _result(shard: Shard, name: str) -> NDArray[Any]:
    array: NDArray[Any] = np.load(shard.result / f"{name}.npy", allow_pickle=False)
    return array


def _joined_links(shards: Sequence[Shard]) -> Links:
    starts, total = [np.zeros(1, dtype=np.int64)], 0
    for shard in shards:
        starts.append(_result(shard, "starts")[1:] + total)
        total += int(starts[-1][-1] - total) if len(starts[-1]) else 0
    has_posterior = bool(shards) and (shards[0].result / "posterior.npy").exists()
    return Links(
        np.concatenate(starts),
        _column(shards, "source", np.int32),
        _column(shards, "target", np.int32),
        _column(shards, "posterior", np.float32) if has_posterior else None,
    )


def _column(shards: Sequence[Shard], name: str, dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype=dtype), *(_result(shard, name) for shard in shards)])


def _joined_extractions(shards: Sequence[Shard]) -> Extraction:
    """Combine shards with one numbering of phrases, by first appearance, as in one run."""
    sentence = [_result(shard, "sentence") + np.int32(shard.first) for shard in shards]
    sides = {name: _numbered(shards, name) for name in ("source", "target")}
    pairs = PhrasePairs(
        sentence=np.concatenate([np.zeros(0, np.int32), *sentence]),
        source=sides["source"][1],
        target=sides["target"][1],
        source_start=_column(shards, "source_start", np.int32),
    )
    return Extraction(
        pairs, sides["source"][0], sides["target"][0], _column(shards, "target_start", np.int32)
    )


def _numbered(shards: Sequence[Shard], side: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The phrases of a side in order of first appearance, and the phrase of each occurrence."""
    words, remaps = merge_phrases([_result(shard, f"{side}_words") for shard in shards])
    _, firsts = np.unique(np.concatenate([np.zeros(0, np.int32), *remaps]), return_index=True)
    order = np.argsort(firsts, kind="stable")
    new = np.empty(len(words), dtype=np.int32)
    new[order] = np.arange(len(words), dtype=np.int32)
    occurrences = [new[remap[_result(shard, side)]] for shard, remap in zip(shards, remaps, strict=True)]
    return np.ascontiguousarray(words[order]), np.concatenate([np.zeros(0, np.int32), *occurrences])
