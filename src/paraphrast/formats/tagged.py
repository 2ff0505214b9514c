"""Tagged text: one sentence per line, ``word/TAG`` separated by spaces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text


def read_tagged(path: str | Path) -> Iterator[list[tuple[str, str]]]:
    """The sentences of a tagged corpus, as lists of (word, tag)."""
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            pairs = [item.rpartition("/") for item in line.split()]
            if any(not word or not tag for word, _, tag in pairs):
                raise FormatError("expected word/TAG separated by spaces", where=At(path, number))
            if pairs:
                yield [(word, tag) for word, _, tag in pairs]
