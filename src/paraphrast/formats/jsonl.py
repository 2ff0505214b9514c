"""JSON lines: objects with named fields, with checks, and errors that name file and line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text, write_lines
from paraphrast.formats.json_text import parse_json


def read_records(path: str | Path) -> Iterator[tuple[At, dict[str, Any]]]:
    """The objects of a JSONL file with their places. Blank lines are skipped."""
    with open_text(path) as reader:
        for line in reader:
            if not line.strip():
                continue
            where = At(reader.name, reader.line)
            try:
                record = parse_json(line)
            except ValueError as error:
                raise FormatError(f"expected one JSON object per line: {error}", where=where) from error
            if not isinstance(record, dict):
                raise FormatError(
                    f"expected one JSON object per line, got {line.strip()[:40]!r}", where=where
                )
            yield where, record


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write one object per line; returns how many."""
    return write_lines(path, (json.dumps(record, ensure_ascii=False) for record in records))


def text_field(record: Mapping[str, Any], name: str, where: At, default: str | None = None) -> str:
    """A field with text."""
    value = record.get(name, default)
    if not isinstance(value, str):
        raise FormatError(f"expected text as {name!r}, got {value!r}", where=where)
    return value


def whole_field(record: Mapping[str, Any], name: str, where: At, default: int | None = None) -> int:
    """A field with a whole number."""
    value = record.get(name, default)
    if type(value) is not int:
        raise FormatError(f"expected a whole number as {name!r}, got {value!r}", where=where)
    return value
