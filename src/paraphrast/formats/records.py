"""Texts with the fields that belong to them: plain lines, CSV, TSV and JSONL, read and written one record at a time.

- **lines**: each line is a text.
- **csv**: fields separated by commas (or by semicolons, if the header has no comma), in quotes where needed. A header
  names the columns.
- **tsv**: fields separated by tabs, never in quotes. A header names the columns.
- **jsonl**: one JSON object per line.

A writer copies every field as it was read and adds two: the rewrite, and its rank.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import TextReader, open_text
from paraphrast.formats.json_text import parse_json

LINES, CSV, TSV, JSONL = "lines", "csv", "tsv", "jsonl"
KINDS = (LINES, CSV, TSV, JSONL)
_SUFFIXES = {".csv": CSV, ".tsv": TSV, ".tab": TSV, ".jsonl": JSONL, ".ndjson": JSONL}
_PACKED = (".gz", ".xz", ".zst")
#: The field that has the text if none is named, and the file has several.
USUAL_FIELD = "text"
#: Longest field of a CSV file, in characters.
_LONGEST = 1 << 30


@dataclass(frozen=True, slots=True)
class Record:
    """A text, its number from 1, and all fields of its row, of which one is the text."""

    number: int
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def kind_of(path: str | Path) -> str:
    """The kind of a file by its suffix, whether compressed or not; lines if the suffix says nothing."""
    name = Path(path)
    suffix = Path(name.stem).suffix if name.suffix.lower() in _PACKED else name.suffix
    return _SUFFIXES.get(suffix.lower(), LINES)


class RecordReader:
    """The records of a file; iterate once.

    Opening it reads the header, or the first object, and finds the field that has the text. ``names`` are the columns
    of CSV and TSV, the fields of the first object of JSONL; ``chosen`` says that the field was not given but found.
    ``field`` may be a field of an object inside a JSONL object, as ``data.text``; ``path`` has the steps to it.
    """

    def __init__(
        self, path: str | Path, kind: str | None = None, name: str | None = None, *, header: bool = True
    ) -> None:
        self.kind = kind or kind_of(path)
        if self.kind == LINES and (name is not None or not header):
            raise InputError(
                "expected CSV, TSV or JSONL to have fields, got plain text",
                where=str(path),
                remedy="name the format: --from csv, tsv or jsonl",
            )
        self.header = header
        self.delimiter = "\t" if self.kind == TSV else ","
        self.names: list[str] = []
        self._lines = open_text(path)
        self._rows = self._objects() if self.kind == JSONL else self._cells()
        self._first: dict[str, Any] | None = None
        self.field = USUAL_FIELD
        self.path: tuple[str, ...] = (USUAL_FIELD,)
        self.chosen = name is None
        if self.kind != LINES:
            try:
                self._begin(name)
            except BaseException:
                self.close()
                raise

    def _begin(self, name: str | None) -> None:
        """Read the first row, and find the field that has the text."""
        self._first = next(self._rows, None)
        if self._first is None and not self.names:
            raise InputError("expected at least one row, got an empty file", where=self._lines.name)
        self.names = self.names or list(self._first or {})
        self.field = self._find_field(name)
        self.path = (self.field,) if self.field in self.names else tuple(self.field.split("."))

    def close(self) -> None:
        """Close the file, which iterating to the end does too."""
        self._lines.close()

    def _find_field(self, name: str | None) -> str:
        known = self.names if self.kind != JSONL else [*_paths(self._first or {})]
        listed = ", ".join(known) or "none"
        if name is not None:
            if name not in self.names and name not in known:
                raise InputError(
                    f"--field: no field {name!r}",
                    where=At(self._lines.name, 1),
                    remedy=f"the file has the fields {listed}",
                )
            return name
        if len(self.names) == 1:
            return self.names[0]
        if USUAL_FIELD in self.names:
            return USUAL_FIELD
        raise InputError(
            "expected --field NAME to say which field has the text",
            where=At(self._lines.name, 1),
            remedy=f"the file has the fields {listed}",
        )

    def __iter__(self) -> Iterator[Record]:
        number = 0
        with self._lines:
            if self.kind == LINES:
                for number, line in enumerate(self._lines, 1):
                    yield Record(number, line, {"line": number, self.field: line})
                return
            while self._first is not None:
                number += 1
                yield Record(number, self._text(self._first), self._first)
                self._first = next(self._rows, None)

    def _text(self, row: Mapping[str, Any]) -> str:
        value: Any = row
        for key in self.path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if not isinstance(value, str):
            missing = "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
            raise FormatError(
                f"field {self.field!r}: expected a text, got {missing}",
                where=At(self._lines.name, self._lines.line),
                remedy="remove or fill rows without a text first",
            )
        return value

    def _objects(self) -> Iterator[dict[str, Any]]:
        for line in self._lines:
            if not line.strip():
                continue
            where = At(self._lines.name, self._lines.line)
            try:
                record = parse_json(line)
            except ValueError as error:
                raise FormatError(
                    f"expected one JSON object per line: {error}",
                    where=where,
                    remedy="a file with one JSON array must be converted to one object per line first"
                    if line.lstrip().startswith("[")
                    else None,
                ) from error
            if not isinstance(record, dict):
                raise FormatError(
                    f"expected one JSON object per line, got {line.strip()[:40]!r}", where=where
                )
            yield record

    def _cells(self) -> Iterator[dict[str, Any]]:
        rows = _split_tabs(self._lines) if self.kind == TSV else self._csv_rows()
        for row in rows:
            if not row:
                continue
            if not self.names:
                self.names = row if self.header else [str(number) for number in range(1, len(row) + 1)]
                if len(set(self.names)) < len(self.names):
                    raise FormatError(
                        f"expected a header with different names, got {', '.join(self.names)}",
                        where=At(self._lines.name, 1),
                        remedy="rename columns, or use --no-header and --field NUMBER",
                    )
                if self.header:
                    continue
            if len(row) != len(self.names):
                raise FormatError(
                    f"expected {len(self.names)} fields ({', '.join(self.names)}), got {len(row)}",
                    where=At(self._lines.name, self._lines.line),
                )
            yield dict(zip(self.names, row, strict=True))

    def _csv_rows(self) -> Iterator[list[str]]:
        lines = iter(self._lines)
        head = next(lines, None)
        if head is None:
            return
        if "," not in head and ";" in head:
            self.delimiter = ";"

        def all_lines() -> Iterator[str]:
            yield head + "\n"
            for line in lines:
                yield line + "\n"

        csv.field_size_limit(_LONGEST)
        try:
            yield from csv.reader(all_lines(), delimiter=self.delimiter, strict=True)
        except csv.Error as error:
            raise FormatError(
                f"not valid CSV: {error}", where=At(self._lines.name, self._lines.line)
            ) from error


def _split_tabs(lines: TextReader) -> Iterator[list[str]]:
    for line in lines:
        yield line.split("\t") if line else []


def _paths(record: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """The fields of an object; those of an object inside it as ``outer.inner``."""
    for name, value in record.items():
        if isinstance(value, Mapping) and value:
            yield from _paths(value, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def _with_value(record: Mapping[str, Any], path: Sequence[str], value: str) -> dict[str, Any]:
    """A copy of an object with another value at a path."""
    inner = value if len(path) == 1 else _with_value(record[path[0]], path[1:], value)
    return {**record, path[0]: inner}


class RecordWriter:
    """Writes records with two more fields: ``into`` has the rewrite, ``into_rank`` its rank (0: the text itself)."""

    def __init__(self, reader: RecordReader, kind: str, into: str) -> None:
        if reader.kind == JSONL and kind != JSONL:
            raise InputError(
                "JSONL can only be written as JSONL: its objects may have different fields",
                remedy="write to a file that ends with .jsonl",
            )
        self.kind = kind
        self._into, self._rank = into, f"{into}_rank"
        self._path = reader.path if into == reader.field else (into,)
        self._replaces = into == reader.field
        old = ["line", reader.field] if reader.kind == LINES else reader.names
        taken = [name for name in (self._into, self._rank) if name in old and name != reader.field]
        if taken:
            raise InputError(
                f"the input has a field {taken[0]!r} already", remedy="choose another name with --into NAME"
            )
        self._names = old + [name for name in (self._into, self._rank) if name not in old]
        self._header = reader.header
        self._delimiter = reader.delimiter if reader.kind == kind else "\t" if kind == TSV else ","

    def begin(self, stream: TextIO) -> None:
        """Write the header, if the format has one."""
        if self.kind in (CSV, TSV) and self._header:
            self._row(stream, self._names)

    def write(self, stream: TextIO, record: Record, text: str, rank: int) -> None:
        """Write a record with one rewrite."""
        if self._replaces or self._into not in record.fields:
            fields = {**_with_value(record.fields, self._path, text), self._rank: rank}
        else:
            raise InputError(
                f"row {record.number} has a field {self._into!r} already",
                remedy="choose another name with --into NAME",
            )
        if self.kind == JSONL:
            stream.write(json.dumps(fields, ensure_ascii=False) + "\n")
        else:
            self._row(stream, [str(fields[name]) for name in self._names])

    def _row(self, stream: TextIO, cells: Sequence[str]) -> None:
        if self.kind == TSV:
            # A tab or a line break cannot be inside a field.
            stream.write("\t".join(" ".join(cell.splitlines()).replace("\t", " ") for cell in cells) + "\n")
        else:
            csv.writer(stream, delimiter=self._delimiter, lineterminator="\n").writerow(cells)
