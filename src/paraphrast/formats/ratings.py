"""The three files of a rating campaign, one JSON object per line.

- **items**, which raters see: ``item``, ``template``, ``before``, ``after``, ``context``. Nothing in it identifies a
  system: ids are random, and the order is shuffled.
- **key**, which they do not see: ``item``, ``system``, ``rank``, ``genre``. An output that several systems share is one
  item with several lines here.
- **ratings**: ``item``, ``system``, ``rater``, ``question``, ``value``, ``pass``. The system is empty until the key
  is used. Ratings are only appended: the last answer of a rater in each pass counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.files import write_errors
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.jsonl import read_records, text_field, whole_field, write_records


@dataclass(frozen=True, slots=True)
class Item:
    """What a rater sees: a text before and after, and the context of both (if any)."""

    item: str
    template: str
    before: str
    after: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The system that produced an item, and its rank."""

    item: str
    system: str
    rank: int = 1
    genre: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """The answer of one rater to one question; ``round`` is the pass, from 1."""

    item: str
    system: str
    rater: str
    question: str
    value: int
    round: int = 1

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "item": self.item,
            "system": self.system,
            "rater": self.rater,
            "question": self.question,
            "value": self.value,
            "pass": self.round,
        }


def read_items(path: str | Path) -> list[Item]:
    """The items of a campaign, in the order in which they are shown."""
    items = [
        Item(*(text_field(record, name, where, "" if name == "context" else None) for name in _ITEM))
        for where, record in read_records(path)
    ]
    if len({item.item for item in items}) < len(items):
        raise FormatError("two items have the same id", where=path)
    return items


_ITEM = ("item", "template", "before", "after", "context")


def write_items(path: str | Path, items: Iterable[Item]) -> int:
    """Write the items for raters."""
    return write_records(path, ({name: getattr(item, name) for name in _ITEM} for item in items))


def read_key(path: str | Path) -> list[Sealed]:
    """Read the system of each item."""
    return [
        Sealed(
            text_field(record, "item", where),
            text_field(record, "system", where),
            whole_field(record, "rank", where, 1),
            text_field(record, "genre", where, ""),
        )
        for where, record in read_records(path)
    ]


def write_key(path: str | Path, key: Iterable[Sealed]) -> int:
    """Write the system of each item."""
    return write_records(
        path,
        ({"item": seal.item, "system": seal.system, "rank": seal.rank, "genre": seal.genre} for seal in key),
    )


def read_ratings(path: str | Path) -> list[Rating]:
    """The ratings of a file, in the order in which they were given."""
    return [
        Rating(
            text_field(record, "item", where),
            text_field(record, "system", where, ""),
            text_field(record, "rater", where),
            text_field(record, "question", where),
            whole_field(record, "value", where),
            whole_field(record, "pass", where, 1),
        )
        for where, record in read_records(path)
    ]


class RatingsFile:
    """A ratings file for appending: each rating is on the disk when :meth:`add` returns.

    A partial line that an interrupted write left at the end is removed, because :meth:`add` had not returned.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with write_errors(self.path):
            self._stream: BinaryIO = self.path.open("ab+")
            self._mend()

    def _mend(self) -> None:
        stream = self._stream
        stream.seek(0)
        content = stream.read()
        tail = content[content.rfind(b"\n") + 1 :]
        if not tail:
            return
        try:
            is_complete = isinstance(parse_json(tail), dict)
        except ValueError:
            is_complete = False
        if is_complete:
            stream.write(b"\n")
        else:
            stream.truncate(len(content) - len(tail))
        stream.flush()

    def add(self, rating: Rating) -> None:
        """Append one rating and wait until it is on the disk."""
        if not rating.rater.strip():
            raise InputError("expected the name of a rater, got an empty name")
        line = json.dumps(rating.to_dict(), ensure_ascii=False) + "\n"
        with write_errors(self.path):
            self._stream.write(line.encode())
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> RatingsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
