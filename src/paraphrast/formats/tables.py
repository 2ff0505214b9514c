"""Paraphrase tables as text, in the formats other tools read.

- **TSV**: a header, then source, target, p(target | source), count and every feature as a probability.
- **Moses**: ``source ||| target ||| p(source | target) p(target | source)``, phrases separated by one space, with
  ``& | < > [ ]`` escaped as in Moses, rows in their order; 1e-07 if the first is unknown.
- **METEOR**: three lines per row: probability, phrase, paraphrase. Also read.
- **PPDB**: the format of the Paraphrase Database (:mod:`paraphrast.formats.ppdb`), with the category ``[X]``, the
features
  ``p(e|f)`` and, if known, ``p(f|e)``, and links between equal words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import atomic_write, open_text
from paraphrast.formats.moses import escape
from paraphrast.formats.ppdb import FORWARD, REVERSE, PpdbRow, format_ppdb
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


def read_meteor(path: str | Path) -> Iterator[tuple[float, str, str]]:
    """Probability, phrase and paraphrase of each row of a METEOR paraphrase file."""
    with open_text(path) as reader:
        lines = iter(reader)
        for first in lines:
            where = At(reader.name, reader.line)
            phrase, paraphrase = next(lines, None), next(lines, None)
            try:
                probability = float(first)
            except ValueError:
                probability = math.nan
            if not 0 <= probability <= 1 or phrase is None or paraphrase is None:
                raise FormatError(
                    f"expected a probability, a phrase and a paraphrase on three lines, got {first[:60]!r}",
                    where=where,
                )
            yield probability, phrase.strip(), paraphrase.strip()


def _ppdb(rows: Iterable[TextRow]) -> Iterator[str]:
    for row in rows:
        source, target = row.source.split(), row.target.split()
        if "|||" in (*source, *target):
            continue
        features = {FORWARD: -row.score}
        reverse = row.features.get("reverse")
        if reverse is not None:
            features[REVERSE] = -reverse
        links = tuple(
            (i, j) for i, word in enumerate(source) for j, other in enumerate(target) if word == other
        )
        yield from format_ppdb([PpdbRow(" ".join(source), " ".join(target), features, alignment=links)])


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
    "ppdb": _writer(_ppdb),
}
