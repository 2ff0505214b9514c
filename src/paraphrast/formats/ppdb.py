"""The Paraphrase Database, versions 1 and 2 (Ganitkevitch et al. 2013; Pavlick et al. 2015).

    LHS ||| PHRASE ||| PARAPHRASE ||| FEATURE=VALUE FEATURE=VALUE … ||| ALIGNMENT ||| ENTAILMENT

LHS is a syntactic category in brackets, ``[NN]``. The features ``p(e|f)`` and ``p(f|e)`` are negative natural
logarithms of the probability of the paraphrase given the phrase, and the reverse. ALIGNMENT has links ``i-j`` between
the words of both, from 0. Version 1 has no ENTAILMENT. Version 2 also has the feature ``PPDB2.0Score``. Syntactic
rules have non-terminals such as ``[NP,1]`` in both phrases.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text

__all__ = ["FORWARD", "REVERSE", "SCORE", "PpdbRow", "format_ppdb", "parse_ppdb", "read_ppdb"]

#: −log p(paraphrase | phrase), and −log p(phrase | paraphrase).
FORWARD, REVERSE = "p(e|f)", "p(f|e)"
#: The score of version 2.
SCORE = "PPDB2.0Score"
#: Category of rows without a syntactic category.
ANY_CATEGORY = "X"
_NON_TERMINAL = re.compile(r"\[[^\s\]]+,\d+\]")
_LINK = re.compile(r"(\d+)-(\d+)")


@dataclass(frozen=True)
class PpdbRow:
    """One row. category: without brackets. features: as in the file. entailment: empty in version 1."""

    source: str
    target: str
    features: Mapping[str, float] = field(default_factory=dict)
    category: str = ANY_CATEGORY
    alignment: tuple[tuple[int, int], ...] = ()
    entailment: str = ""

    @property
    def is_rule(self) -> bool:
        """Whether the row is a syntactic rule, with non-terminals."""
        return bool(_NON_TERMINAL.search(self.source) or _NON_TERMINAL.search(self.target))


def read_ppdb(path: str | Path) -> Iterator[PpdbRow]:
    """The rows of a file, plain or compressed. A malformed line is an error with file and line."""
    with open_text(path) as reader:
        for line in reader:
            try:
                row = parse_ppdb(line)
            except FormatError as error:
                raise FormatError(str(error), where=At(reader.name, reader.line)) from error
            yield row


def parse_ppdb(line: str) -> PpdbRow:
    """A line of a PPDB file."""
    fields = [part.strip() for part in line.split("|||")]
    if len(fields) not in (5, 6):
        raise FormatError(f"expected 5 or 6 fields separated by |||, got {len(fields)}")
    left, source, target, features, alignment, *entailment = fields
    if not (left.startswith("[") and left.endswith("]")):
        raise FormatError(f"expected a category in brackets in the first field, got {left!r}")
    if not source or not target:
        raise FormatError("expected a phrase and a paraphrase, got an empty field")
    links = [_LINK.fullmatch(text) for text in alignment.split()]
    if not all(links):
        raise FormatError(f"expected links such as 0-0 1-2 in the fifth field, got {alignment!r}")
    return PpdbRow(
        source,
        target,
        _features(features),
        left[1:-1],
        tuple((int(link[1]), int(link[2])) for link in links if link),
        entailment[0] if entailment else "",
    )


def _features(text: str) -> dict[str, float]:
    features = {}
    for part in text.split():
        name, equals, value = part.rpartition("=")
        try:
            # Version 2 has "NA" for values that are unknown.
            features[name] = math.nan if value == "NA" else float(value)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise FormatError(f"expected FEATURE=NUMBER in the fourth field, got {part!r}")
    return features


def format_ppdb(rows: Iterable[PpdbRow]) -> Iterator[str]:
    """Lines of a PPDB file without line ends: version 1, or version 2 for rows with an entailment relation."""
    for row in rows:
        features = " ".join(f"{name}={value:.5f}" for name, value in row.features.items())
        links = " ".join(f"{i}-{j}" for i, j in row.alignment)
        fields = [f"[{row.category}]", row.source, row.target, features, links]
        yield " ||| ".join([*fields, row.entailment] if row.entailment else fields)
