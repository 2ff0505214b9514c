"""Paraphrase tables as text, in the formats other tools read.

- **TSV**: a header, then source, target, p(target | source), count and every feature as a probability.
- **Moses**: ``source ||| target ||| p(source | target) p(target | source)``, phrases separated by one space, with
  ``& | < > [ ]`` escaped as in Moses, rows in their order; 1e-07 if the first is unknown.
- **METEOR**: three lines per row: probability, phrase, paraphrase.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from paraphrast.formats.files import atomic_write
from paraphrast.formats.moses import escape
from paraphrast.types import TextRow

#: The value that Moses' tools write for an unknown score.
UNKNOWN_PROBABILITY = "1e-07"


def _probability(log_value: float | None) -> str:
    return "" if log_value is None else f"{math.exp(log_value):.7g}"


def _tsv(rows: Iterable[TextRow]) -> Iterator[str]:
    names: list[str] | None = None
    for row in rows:
        if names is None:
            names = list(row.features)
            yield "\t".join(["source", "target", "probability", "count", *names])
        values = [_probability(row.features[name]) for name in names]
        yield "\t".join([row.source, row.target, _probability(row.score), str(row.count), *values])


def _moses(rows: Iterable[TextRow]) -> Iterator[str]:
    for row in rows:
        reverse = row.features.get("reverse")
        scores = f"{_probability(reverse) or UNKNOWN_PROBABILITY} {_probability(row.score)}"
        yield f"{escape(row.source)} ||| {escape(row.target)} ||| {scores}"


def _meteor(rows: Iterable[TextRow]) -> Iterator[str]:
    for row in rows:
        yield f"{_probability(row.score)}\n{row.source}\n{row.target}"


def _writer(
    lines: Callable[[Iterable[TextRow]], Iterator[str]],
) -> Callable[[str | Path, Iterable[TextRow]], int]:
    def write(path: str | Path, rows: Iterable[TextRow]) -> int:
        count = 0

        def counted() -> Iterator[TextRow]:
            nonlocal count
            for row in rows:
                count += 1
                yield row

        with atomic_write(path) as stream:
            for line in lines(counted()):
                stream.write(line + "\n")
        return count

    return write


#: Format name → function that writes rows to a path and returns their number.
WRITERS: dict[str, Callable[[str | Path, Iterable[TextRow]], int]] = {
    "tsv": _writer(_tsv),
    "moses": _writer(_moses),
    "meteor": _writer(_meteor),
}
