"""Bitext in its usual formats: columns separated by tabs, ``a ||| b``, or one file per language.

A line is a sentence in every language. Lines that do not fit (a missing column, binary data, invalid UTF-8) are errors
with file and line; with ``skip_bad`` they are counted and skipped in all languages. Each file may also be a folder of
shards or a URL (:mod:`paraphrast.formats.shards`); lines are then numbered through all shards.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import zip_longest

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.shards import Shard, open_source
from paraphrast.formats.storage import Place

log = logging.getLogger(__name__)

#: A file, a folder of shards, a URL, or one shard.
TextSource = str | Place | Shard


@dataclass
class Bitext:
    """Parallel lines per language, and their origin.

    lines: language → sentences; numbers: line number in the file of each row, from 1.
    """

    lines: dict[str, list[str]]
    numbers: list[int]
    bad: list[At] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.numbers)


def read_columns(
    path: TextSource,
    languages: Sequence[str],
    *,
    wanted: Sequence[str] | None = None,
    first: int = 1,
    last: int | None = None,
    skip_bad: bool = False,
) -> Bitext:
    """Read a file of columns, separated by tab or ``|||``, one per language in the order of ``languages``.

    Only columns in ``wanted`` are kept; only lines ``first`` to ``last`` (from 1, inclusive) are read.
    """
    wanted = list(wanted if wanted is not None else languages)
    bad: list[At] = []
    blocks = column_blocks(path, languages, wanted=wanted, first=first, last=last, skip_bad=skip_bad, bad=bad)
    return _joined(blocks, wanted, bad, path)


def column_blocks(
    path: TextSource,
    languages: Sequence[str],
    *,
    wanted: Sequence[str],
    first: int = 1,
    last: int | None = None,
    skip_bad: bool = False,
    bad: list[At] | None = None,
    size: int = 1 << 16,
) -> Iterator[Bitext]:
    """Like :func:`read_columns`, at most ``size`` lines at a time. Places of skipped lines are added to ``bad``."""
    places = [languages.index(language) for language in wanted]
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    block = Bitext({language: [] for language in wanted}, [])
    wider, most = 0, len(languages)
    with open_source(path, mark_bad=skip_bad) as reader:
        for number, line in enumerate(reader, 1):
            if last is not None and number > last:
                break
            if number < first:
                continue
            cells = line.split("\t") if "\t" in line else line.split("|||")
            problem = _problem(cells, languages, line)
            if problem:
                bad_lines.add(problem, At(reader.name, reader.line))
                continue
            if len(cells) > len(languages):
                wider, most = wider + 1, max(most, len(cells))
            for column, place in zip(block.lines.values(), places, strict=True):
                column.append(cells[place].strip())
            block.numbers.append(number)
            if len(block) == size:
                yield block
                block = Bitext({language: [] for language in wanted}, [])
    if wider:
        log.warning(
            "%s: %s lines have up to %d columns; only the first %d (%s) are used",
            path, f"{wider:,}", most, len(languages), ", ".join(languages),
        )  # fmt: skip
    if len(block):
        yield block


def _problem(cells: list[str], languages: Sequence[str], line: str) -> str | None:
    if "\x00" in line:
        return "expected text, got binary data (a NUL byte)"
    if len(cells) < len(languages):
        return f"expected {len(languages)} columns ({', '.join(languages)}) separated by tab or |||, got {len(cells)}"
    return None


def read_files(
    paths: Mapping[str, TextSource], *, first: int = 1, last: int | None = None, skip_bad: bool = False
) -> Bitext:
    """Read one file per language; all must have the same number of lines."""
    bad: list[At] = []
    blocks = file_blocks(paths, first=first, last=last, skip_bad=skip_bad, bad=bad)
    return _joined(blocks, list(paths), bad, next(iter(paths.values())))


def file_blocks(
    paths: Mapping[str, TextSource],
    *,
    first: int = 1,
    last: int | None = None,
    skip_bad: bool = False,
    bad: list[At] | None = None,
    size: int = 1 << 16,
) -> Iterator[Bitext]:
    """Like :func:`read_files`, at most ``size`` lines at a time. Places of skipped lines are added to ``bad``."""
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    block = Bitext({language: [] for language in paths}, [])
    with ExitStack() as stack:
        readers = [open_source(side, mark_bad=skip_bad) for side in paths.values()]
        for reader in readers:
            stack.callback(reader.close)
        for number, row in enumerate(zip_longest(*readers), 1):
            if None in row:
                raise _different_lengths(paths)
            if number < first or (last is not None and number > last):
                continue
            if any("\x00" in cell for cell in row):
                bad_lines.add(
                    "expected text, got binary data (a NUL byte)", At(readers[0].name, readers[0].line)
                )
                continue
            for language, cell in zip(paths, row, strict=True):
                block.lines[language].append(cell.strip())
            block.numbers.append(number)
            if len(block) == size:
                yield block
                block = Bitext({language: [] for language in paths}, [])
    if len(block):
        yield block


def _different_lengths(paths: Mapping[str, TextSource]) -> FormatError:
    counts = [_count_lines(path) for path in paths.values()]
    line_counts = ", ".join(f"{path}: {count}" for path, count in zip(paths.values(), counts, strict=True))
    return FormatError(
        f"expected the same number of lines in every file, got {line_counts}",
        where=At(str(next(iter(paths.values()))), min(counts) + 1),
        remedy="line n of one file must be the translation of line n of the other; nothing was read",
    )


def _count_lines(path: TextSource) -> int:
    with open_source(path, mark_bad=True) as reader:
        return sum(1 for _ in reader)


def _joined(blocks: Iterable[Bitext], languages: Sequence[str], bad: list[At], path: TextSource) -> Bitext:
    """All blocks as one bitext; an error if there is nothing."""
    result = Bitext({language: [] for language in languages}, [], bad)
    for block in blocks:
        for language in languages:
            result.lines[language] += block.lines[language]
        result.numbers += block.numbers
    if not len(result):
        raise InputError("expected at least one sentence pair, got none", where=At(str(path)))
    return result
