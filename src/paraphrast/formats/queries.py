"""Query logs: query, clicked document and optionally a count, separated by tabs; one query and document per line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text
from paraphrast.formats.numbers import whole_number


@dataclass(frozen=True, slots=True)
class Click:
    """A query followed by ``count`` clicks on a document."""

    query: str
    document: str
    count: int


def read_clicks(path: str | Path) -> Iterator[Click]:
    """Rows of a log, in its order."""
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            if not line.strip():
                continue
            cells = line.split("\t")
            if len(cells) not in (2, 3):
                raise FormatError(
                    f"expected query, document and count separated by tabs, got {len(cells)} columns",
                    where=At(path, number),
                )
            count = whole_number(cells[2]) if len(cells) == 3 else 1
            if not count:
                raise FormatError(
                    f"expected a count of 1 or more in the third column, got {cells[2][:60]!r}",
                    where=At(path, number),
                )
            yield Click(cells[0].strip(), cells[1].strip(), count)
