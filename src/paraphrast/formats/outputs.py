"""Outputs of systems for inputs, one output per line, for the judge, the evaluator and the files of the decoder.

- **JSONL**: ``source`` and ``text`` (as ``paraphrast paraphrase --format json`` writes them), or ``before`` and
  ``after``; optionally ``rank``, ``genre``, ``context``, ``system``, and ``labels`` by question and rater.
- **Substitutes to be labelled** (:mod:`paraphrast.formats.substitutions`): each marked in its sentence.
- **TSV**: input, output; optionally rank and genre.

Without ranks, the outputs of one input are ranked in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text
from paraphrast.formats.jsonl import read_records, text_field, whole_field, write_records
from paraphrast.formats.substitutions import Labelled, labelled_of, marked

#: Question → rater → value.
Labels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """One output of one system.

    rank: from 1. genre: of the input, if known. context: the text around the input, for phrases. labels: ratings, by
    question, then by rater.
    """

    source: str
    text: str
    system: str = ""
    rank: int = 1
    genre: str = ""
    context: str = ""
    labels: Labels = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON, without empty ones."""
        record: dict[str, Any] = {"source": self.source, "text": self.text}
        record |= {"system": self.system} if self.system else {}
        record["rank"] = self.rank
        record |= {name: value for name in ("genre", "context") if (value := getattr(self, name))}
        if self.labels:
            record["labels"] = {question: dict(votes) for question, votes in self.labels.items()}
        return record


def read_outputs(path: str | Path, system: str = "") -> list[SystemOutput]:
    """Read JSONL or TSV, recognised by the first character. ``system``: name for lines without one."""
    rows = list(_json_rows(path, system) if is_jsonl(path) else _tab_rows(path, system))
    next_rank: dict[tuple[str, str, str], int] = {}
    ranked = []
    for row in rows:
        key = (row.system, row.context, row.source)
        rank = row.rank or next_rank.get(key, 1)
        next_rank[key] = rank + 1
        ranked.append(replace(row, rank=rank))
    return ranked


def write_outputs(path: str | Path, outputs: Iterable[SystemOutput]) -> int:
    """Write JSONL. Returns the number of outputs."""
    return write_records(path, (output.to_dict() for output in outputs))


def is_jsonl(path: str | Path) -> bool:
    """Whether a file begins with an object, which TSV does not."""
    if str(path) == "-":
        raise InputError(
            "outputs are read more than once, so they cannot come from a pipe", remedy="give a file"
        )
    with open_text(path) as reader:
        return next((line.lstrip()[0] == "{" for line in reader if line.strip()), False)


def _json_rows(path: str | Path, system: str) -> Iterator[SystemOutput]:
    for where, record in read_records(path):
        if record.get("rank") == 0:  # the input itself, which has no output or stands beside them
            continue
        if "sentence" in record:
            row = labelled_of(record, where)
            yield SystemOutput(row.before, row.after, system or "tables", 1, "", marked(row))
            continue
        old, new = ("source", "text") if "source" in record else ("before", "after")
        yield SystemOutput(
            text_field(record, old, where),
            text_field(record, new, where),
            text_field(record, "system", where, "") or system,
            whole_field(record, "rank", where, 0),
            text_field(record, "genre", where, ""),
            text_field(record, "context", where, ""),
            _labels(record.get("labels", {}), where),
        )


def _labels(value: object, where: At) -> Labels:
    sound = isinstance(value, dict) and all(
        isinstance(votes, dict) and all(type(vote) is int for vote in votes.values())
        for votes in value.values()
    )
    if not isinstance(value, dict) or not sound:
        raise FormatError(
            "expected labels as {question: {rater: whole number}}",
            where=where,
            remedy="paraphrast judge labels writes them",
        )
    return value


def _tab_rows(path: str | Path, system: str) -> Iterator[SystemOutput]:
    with open_text(path) as reader:
        for line in reader:
            if not line.strip():
                continue
            cells = line.split("\t")
            rank = cells[2] if len(cells) > 2 else "0"
            if not 2 <= len(cells) <= 4 or not re.fullmatch("[0-9]{1,9}", rank):
                raise FormatError(
                    "expected input and output separated by a tab, then optionally rank and genre",
                    where=At(reader.name, reader.line),
                )
            yield SystemOutput(cells[0], cells[1], system, int(rank), cells[3] if len(cells) > 3 else "")


def with_ratings(rows: Iterable[Labelled], outputs: Iterable[SystemOutput]) -> list[Labelled]:
    """Substitutes with the ratings of the question ``correct``: one row per rater, unrated ones unchanged."""
    answers = {
        (output.context, output.source, output.text): output.labels["correct"]
        for output in outputs
        if output.labels.get("correct")
    }
    labelled: list[Labelled] = []
    for row in rows:
        votes = answers.get((marked(row), row.before, row.after))
        labelled += [replace(row, correct=bool(vote)) for vote in votes.values()] if votes else [row]
    return labelled
