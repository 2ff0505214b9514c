"""Bitext in its usual formats: columns separated by tabs, ``a ||| b``, or one file per language.

A line is a sentence in every language. Lines that do not fit (a missing column, binary data, invalid UTF-8) are errors
with file and line; with ``skip_bad`` they are counted and skipped in all languages.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.bad_lines import BadLines
from paraphrast.formats.files import open_text

log = logging.getLogger(__name__)


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
    path: str | Path,
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
    result = Bitext({language: [] for language in wanted}, [])
    for block in column_blocks(
        path, languages, wanted=wanted, first=first, last=last, skip_bad=skip_bad, bad=result.bad
    ):
        for language in wanted:
            result.lines[language] += block.lines[language]
        result.numbers += block.numbers
    return _not_empty(result, path)


def column_blocks(
    path: str | Path,
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
    with open_text(path, mark_bad=skip_bad) as reader:
        for number, line in enumerate(reader, 1):
            if last is not None and number > last:
                break
            if number < first:
                continue
            cells = line.split("\t") if "\t" in line else line.split("|||")
            problem = _problem(cells, languages, line)
            if problem:
                bad_lines.add(problem, At(path, number))
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
    paths: dict[str, str | Path], *, first: int = 1, last: int | None = None, skip_bad: bool = False
) -> Bitext:
    """Read one file per language; all must have the same number of lines."""
    columns = {language: _read_side(path, skip_bad) for language, path in paths.items()}
    counts = {language: len(column) for language, column in columns.items()}
    if len(set(counts.values())) > 1:
        line_counts = ", ".join(f"{paths[language]}: {count}" for language, count in counts.items())
        raise FormatError(
            f"expected the same number of lines in every file, got {line_counts}",
            where=At(next(iter(paths.values())), min(counts.values()) + 1),
            remedy="line n of one file must be the translation of line n of the other; nothing was read",
        )
    result = Bitext({language: [] for language in paths}, [])
    bad = BadLines(skip_bad, result.bad)
    path = next(iter(paths.values()))
    for number, row in enumerate(zip(*columns.values(), strict=True), 1):
        if number < first or (last is not None and number > last):
            continue
        if any("\x00" in cell for cell in row):
            bad.add("expected text, got binary data (a NUL byte)", At(path, number))
            continue
        for language, cell in zip(paths, row, strict=True):
            result.lines[language].append(cell.strip())
        result.numbers.append(number)
    return _not_empty(result, path)


def file_blocks(
    paths: dict[str, str | Path],
    *,
    first: int = 1,
    last: int | None = None,
    skip_bad: bool = False,
    bad: list[At] | None = None,
    size: int = 1 << 16,
) -> Iterator[Bitext]:
    """Like :func:`read_files`, at most ``size`` lines at a time. Places of skipped lines are added to ``bad``."""
    bad_lines = BadLines(skip_bad, [] if bad is None else bad)
    path = next(iter(paths.values()))
    block = Bitext({language: [] for language in paths}, [])
    with ExitStack() as stack:
        readers = [stack.enter_context(open_text(side, mark_bad=skip_bad)) for side in paths.values()]
        for number, row in enumerate(zip_longest(*readers), 1):
            if None in row:
                # Sides of different lengths: the same error as for whole files.
                read_files(paths, first=first, last=last, skip_bad=skip_bad)
            if number < first or (last is not None and number > last):
                continue
            if any("\x00" in cell for cell in row):
                bad_lines.add("expected text, got binary data (a NUL byte)", At(path, number))
                continue
            for language, cell in zip(paths, row, strict=True):
                block.lines[language].append(cell.strip())
            block.numbers.append(number)
            if len(block) == size:
                yield block
                block = Bitext({language: [] for language in paths}, [])
    if len(block):
        yield block


def _read_side(path: str | Path, skip_bad: bool) -> list[str]:
    with open_text(path, mark_bad=skip_bad) as reader:
        return list(reader)


def _not_empty(bitext: Bitext, path: str | Path) -> Bitext:
    if not len(bitext):
        raise InputError("expected at least one sentence pair, got none", where=At(path))
    return bitext
