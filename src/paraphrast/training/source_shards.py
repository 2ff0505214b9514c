"""Sources in shards, read by the engine's workers: each reads one shard where it lies and writes its lines in blocks.

This process only lists the shards. A source that is one file, or whose lines cannot be assigned to shards without
reading them (``lines = […]``, or one folder per language, without ``shards.json``), is read here instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from paraphrast.build.text_shards import Block, write_block
from paraphrast.errors import At, InputError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.bitext import column_blocks, file_blocks
from paraphrast.formats.shards import Shard, open_source, source_shards
from paraphrast.text import get_language, split_sentences
from paraphrast.training.config import Source
from paraphrast.training.corpora import languages_of

#: Lines of a block that one worker encodes. Does not affect the result.
LINES = 8_192


@dataclass(frozen=True)
class ShardTask:
    """Lines ``first`` to ``last`` of one shard, to be written in blocks under ``folder / LANGUAGE / name``.

    sides: the shard, or the shards of every language. languages: of a bitext; one language for running text.
    model_language: whose blocks also store places of words.
    """

    sides: tuple[Shard, ...]
    languages: tuple[str, ...]
    first: int
    last: int | None
    skip_bad: bool
    folder: str
    name: str
    number: int
    model_language: str


def shard_tasks(
    source: Source,
    languages: tuple[str, ...],
    name: str,
    folder: Path,
    model_language: str,
    *,
    skip_bad: bool,
) -> list[ShardTask]:
    """One task per shard; none if the source has to be read in order."""
    rows = _rows_of(source)
    lengths = [row[0].lines for row in rows]
    if len(rows) < 2 or (source.lines and None in lengths):
        return []
    first, last = source.lines or (1, None)
    tasks: list[ShardTask] = []
    before = 0
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        begin = max(first - before, 1)
        end = None if last is None else last - before
        before += length or 0
        if (end is None or end >= 1) and (length is None or begin <= length):
            tasks.append(
                ShardTask(
                    row, languages, begin, end, skip_bad, str(folder.resolve()), name, number, model_language
                )
            )
    return tasks


def _rows_of(source: Source) -> list[tuple[Shard, ...]]:
    """The shards that belong together: one, or those of every language with the same number of lines."""
    if source.path:
        return [(shard,) for shard in source_shards(source.path)]
    sides = [source_shards(place) for place in source.files.values()]
    lengths = [[shard.lines for shard in side] for side in sides]
    if not sides or any(None in side or side != lengths[0] for side in lengths):
        return []
    return list(zip(*sides, strict=True))


def write_shard(task: ShardTask) -> tuple[dict[str, list[Block]], list[At]]:
    """Read a shard and write its blocks, by language, in order. Also returns the places of malformed lines."""
    bad: list[At] = []
    blocks: dict[str, list[Block]] = {language: [] for language in task.languages}
    for part in _parts(task, bad):
        for language, lines in part.items():
            place = Path(task.folder) / language / task.name
            place.mkdir(parents=True, exist_ok=True)
            path = place / f"{task.number:06d}-{len(blocks[language]):06d}"
            offsets = language == task.model_language
            blocks[language].append(write_block(lines, path, language, offsets=offsets))
    return blocks, bad


def _parts(task: ShardTask, bad: list[At]) -> Iterator[dict[str, list[str]]]:
    first, last, skip_bad = task.first, task.last, task.skip_bad
    if len(task.languages) == 1:
        lines = text_sentences(
            task.sides[0], task.languages[0], bad, first=first, last=last, skip_bad=skip_bad
        )
        while part := list(islice(lines, LINES)):
            yield {task.languages[0]: part}
    elif len(task.sides) == 1:
        for block in column_blocks(
            task.sides[0], task.languages, wanted=task.languages,
            first=first, last=last, skip_bad=skip_bad, bad=bad, size=LINES,
        ):  # fmt: skip
            yield block.lines
    else:
        paths = dict(zip(task.languages, task.sides, strict=True))
        for block in file_blocks(paths, first=first, last=last, skip_bad=skip_bad, bad=bad, size=LINES):
            yield block.lines


def text_sentences(
    shard: Shard, language: str, bad: list[At], *, first: int, last: int | None, skip_bad: bool
) -> Iterator[str]:
    """The lines of running text without empty ones, split into sentences."""
    record, bad_lines = get_language(language), BadLines(skip_bad, bad)
    with open_source(shard, mark_bad=skip_bad) as reader:
        for line in islice(reader, first - 1, last):
            if "\x00" in line:
                bad_lines.add("expected text, got binary data (a NUL byte)", At(reader.name, reader.line))
            elif text := line.strip():
                yield from (text[start:end] for start, end in split_sentences(text, record))


def check_not_empty(source: Source, blocks: dict[str, list[Block]]) -> None:
    """Report a source without a single line."""
    if not any(blocks.values()):
        raise InputError("expected text, got nothing", where=str(source.paths[0]))


def source_languages(source: Source, name: str, model_language: str) -> tuple[str, ...]:
    """The languages of corpus ``b0``, ``t0``, …"""
    return languages_of(source) if name[0] == "b" else (model_language,)
