"""Files of machine translation evaluation: judged outputs, plain segments, and references for other tools.

Judged outputs are JSONL, one object per segment: ``{"id", "source", "references": [text, …], "outputs": {system:
{"text", "score"}}}``, where the score is the human score, higher is better, and null if there is none. References are
written in the formats of sacreBLEU (one file per reference, or one file with a column for each), as one JSON list per
segment, or as mteval XML.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from paraphrast._options import is_finite_number
from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import atomic_write, read_lines, write_lines
from paraphrast.formats.jsonl import read_records, text_field

#: Formats of references.
REFERENCE_FORMATS = ("files", "tsv", "json", "xml")
#: Maximum number of characters of a segment.
LONGEST_SEGMENT = 50_000


@dataclass(frozen=True, slots=True)
class MtOutput:
    """The output of a system for a segment; score: its human score, or None."""

    text: str
    score: float | None = None


@dataclass(frozen=True)
class MtSegment:
    """One segment: its source, its references, and the outputs by system."""

    id: str
    source: str
    references: tuple[str, ...]
    outputs: Mapping[str, MtOutput]


def read_judgements(path: str | Path) -> list[MtSegment]:
    """Read judged outputs. Errors name file and line."""
    segments: list[MtSegment] = []
    ids: dict[str, At] = {}
    for where, record in read_records(path):
        segment = _segment(record, where)
        if segment.id in ids:
            raise FormatError(
                f"the segment {segment.id} is already defined at {ids[segment.id]}", where=where
            )
        ids[segment.id] = where
        segments.append(segment)
    if not segments:
        raise FormatError("expected segments, got none", where=At(path))
    return segments


def _segment(record: Mapping[str, Any], where: At) -> MtSegment:
    name = record.get("id")
    if not isinstance(name, (int, str)) or isinstance(name, bool):
        raise FormatError(f"expected a number or text as 'id', got {name!r}", where=where)
    references = record.get("references")
    if not isinstance(references, list) or not references or not all(isinstance(r, str) for r in references):
        raise FormatError(f"expected a list of texts as 'references', got {references!r}", where=where)
    if not all(text.strip() for text in references):
        raise FormatError(
            "expected references, got an empty one", where=where, remedy="leave the segment out"
        )
    outputs = record.get("outputs")
    if not isinstance(outputs, dict) or not outputs:
        raise FormatError("expected an object system → output as 'outputs'", where=where)
    segment = MtSegment(
        str(name),
        text_field(record, "source", where),
        tuple(references),
        {system: _output(system, value, where) for system, value in outputs.items()},
    )
    for text in (
        segment.source,
        *segment.references,
        *(output.text for output in segment.outputs.values()),
    ):
        _check_length(text, where)
    return segment


def _output(system: str, value: Any, where: At) -> MtOutput:
    text = value.get("text") if isinstance(value, dict) else value
    score = value.get("score") if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise FormatError(f"expected text as the output of {system}, got {text!r}", where=where)
    if score is not None and not is_finite_number(score):
        raise FormatError(f"expected a number or null as the score of {system}, got {score!r}", where=where)
    return MtOutput(text, None if score is None else float(score))


def _check_length(text: str, where: At) -> None:
    """Refuse long segments: they are compared word by word with each other."""
    if len(text) > LONGEST_SEGMENT:
        raise InputError(
            f"expected segments of at most {LONGEST_SEGMENT:,} characters, got {len(text):,}",
            where=where,
            remedy="split it into sentences: segments are compared word by word with each other",
        )


def read_segments(
    source: str | Path, references: Sequence[str | Path], outputs: Mapping[str, str | Path]
) -> list[MtSegment]:
    """Segments of plain files, one per line: a source, references, and one file per system, all in the same order."""
    sources = list(read_lines(source))
    sides = {str(path): list(read_lines(path)) for path in (*references, *outputs.values())}
    for path, lines in sides.items():
        if len(lines) != len(sources):
            raise InputError(
                f"expected one line per line of {source}, {len(sources)}, got {len(lines)}",
                where=At(path, min(len(lines), len(sources)) + 1),
                remedy="all files need one line per segment, in the same order",
            )
    if not sources:
        raise InputError("expected segments, got an empty file", where=source)
    for path, lines in {str(source): sources, **sides}.items():
        for number, line in enumerate(lines, 1):
            _check_length(line, At(path, number))
    for reference_lines in references:
        for number, line in enumerate(sides[str(reference_lines)], 1):
            if not line.strip():
                raise InputError("expected a reference, got an empty line", where=At(reference_lines, number))
    return [
        MtSegment(
            str(number + 1),
            sources[number],
            tuple(sides[str(path)][number] for path in references),
            {name: MtOutput(sides[str(path)][number]) for name, path in outputs.items()},
        )
        for number in range(len(sources))
    ]


def write_references(path: str | Path, rows: Sequence[Sequence[str]], form: str) -> list[str]:
    """Write each segment's references, the original first. Returns the names of the files.

    ``files``: PATH.0, PATH.1 …, as many as the segment with most references has; ``tsv``: as many columns. For a
    segment with fewer, its original is repeated, which does not change BLEU or chrF. ``json``: one list per line and
    segment. ``xml``: one mteval refset per reference.
    """
    if form not in REFERENCE_FORMATS:
        raise InputError(f"unknown format {form!r}", remedy=f"known: {', '.join(REFERENCE_FORMATS)}")
    if not rows or not all(rows):
        raise InputError("expected at least one reference per segment")
    lines = [[" ".join(text.split()) for text in row] for row in rows]
    width = max(len(row) for row in lines)
    if form == "json":
        write_lines(path, (json.dumps(list(row), ensure_ascii=False) for row in rows))
        return [str(path)]
    padded = [[*row, *[row[0]] * (width - len(row))] for row in lines]
    if form == "tsv":
        write_lines(path, ("\t".join(row) for row in padded))
        return [str(path)]
    if form == "xml":
        with atomic_write(path) as stream:
            stream.write(_mteval(lines, width))
        return [str(path)]
    names = [f"{path}.{number}" for number in range(width)]
    for number, name in enumerate(names):
        write_lines(name, (row[number] for row in padded))
    return names


def _mteval(rows: Sequence[Sequence[str]], width: int) -> str:
    pieces = ['<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n']
    for number in range(width):
        name = quoteattr(f"reference{number}")
        pieces.append(f'<refset setid="set" srclang="any" trglang="any" refid={name}>\n')
        pieces.append('<doc docid="doc" genre="any">\n')
        for segment, row in enumerate(rows, 1):
            text = escape(row[number] if number < len(row) else row[0])
            pieces.append(f'<seg id="{segment}">{text}</seg>\n')
        pieces.append("</doc>\n</refset>\n")
    return "".join([*pieces, "</mteval>\n"])
