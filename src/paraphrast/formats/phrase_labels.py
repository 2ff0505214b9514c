"""Phrase pairs with labels, filled in by hand: TSV with a header, and graded judgements in the format of PPDB's.

- **labels**: ``phrase <tab> paraphrase <tab> label…``, one column per annotator, empty until filled in.
- **ranked labels**: ``set, phrase, paraphrase, first mark, second mark``, then the rank in the list of each system that
  the header names; marks and ranks may be missing.
- **judgements**: ``mean <tab> category <tab> phrase <tab> paraphrase <tab> scores separated by commas``, no header
  (Pavlick et al. 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import open_text, write_lines
from paraphrast.formats.outputs import SystemOutput, is_jsonl, read_outputs, write_outputs

_HEADER = ("phrase", "paraphrase")
_LABELS = ("0", "1", "2")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A phrase pair with its mean human score, all its scores, and its syntactic category."""

    phrase: str
    paraphrase: str
    mean: float
    category: str = ""
    scores: tuple[float, ...] = ()


def write_blank(
    path: str | Path, pairs: Iterable[Sequence[str]], annotators: Sequence[str] = ("label",)
) -> int:
    """Write pairs with an empty column for each annotator. Returns the number of pairs.

    If the name ends with ``.jsonl``, they are written as outputs, for a rating campaign.
    """
    if str(path).endswith(".jsonl"):
        return write_outputs(path, [SystemOutput(pair[0], pair[1], "tables") for pair in pairs])
    empty = [""] * len(annotators)
    lines = ["\t".join([*pair, *empty]) for pair in pairs]
    write_lines(path, ["\t".join([*_HEADER, *annotators]), *lines])
    return len(lines)


def read_phrase_labels(paths: Sequence[str | Path]) -> dict[tuple[str, str], list[int]]:
    """Labels of every pair from one or several files. All columns of all files are annotators.

    JSONL of outputs with ratings of the question ``phrase`` is also accepted.
    """
    by_pair: dict[tuple[str, str], list[int]] = {}
    for path in paths:
        if is_jsonl(path):
            for output in read_outputs(path):
                votes = output.labels.get("phrase", {})
                by_pair.setdefault((output.source, output.text), []).extend(votes.values())
            continue
        with open_text(path) as reader:
            for line in reader:
                cells = line.split("\t")
                where = At(reader.name, reader.line)
                if reader.line == 1:
                    if tuple(cells[:2]) != _HEADER:
                        raise FormatError(
                            "expected a header (phrase, paraphrase, label…) separated by tabs", where=where
                        )
                    continue
                if not line.strip():
                    continue
                if len(cells) < 2:
                    raise FormatError("expected phrase, paraphrase and labels separated by tabs", where=where)
                labels = by_pair.setdefault((cells[0], cells[1]), [])
                for cell in map(str.strip, cells[2:]):
                    if cell and cell not in _LABELS:
                        raise FormatError(f"expected 0, 1 or 2 as label, got {cell!r}", where=where)
                    labels += [int(cell)] if cell else []
    return by_pair


def read_judgements(path: str | Path) -> list[Judgement]:
    """Graded judgements, one pair per line."""
    judgements = []
    with open_text(path) as reader:
        for line in reader:
            if not line.strip():
                continue
            cells = line.split("\t")
            try:
                if len(cells) < 4:
                    raise ValueError("fewer than four columns")
                scores = tuple(float(score) for score in cells[4].split(",")) if len(cells) > 4 else ()
                judgements.append(
                    Judgement(cells[2], cells[3], float(cells[0]), cells[1].strip("[]"), scores)
                )
            except ValueError as error:
                raise FormatError(
                    f"expected mean, category, phrase, paraphrase and scores separated by tabs: {error}",
                    where=At(reader.name, reader.line),
                ) from error
    return judgements


@dataclass
class RankedLabels:
    """phrases: in the order of the file. marks: pair → marks. lists: system → phrase → paraphrases, best first."""

    phrases: list[str] = field(default_factory=list)
    marks: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    lists: dict[str, dict[str, list[str]]] = field(default_factory=dict)


def read_ranked_labels(path: str | Path, part: str = "all") -> RankedLabels:
    """The lines of one set; ``all`` for every set."""
    labels = RankedLabels()
    ranked: dict[str, dict[str, list[tuple[int, str]]]] = {}
    systems: list[str] = []
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            cells = line.rstrip("\n").split("\t")
            if number == 1:
                systems = cells[5:]
                continue
            try:
                name, phrase, text, first, second, *ranks = cells
                marks = tuple(int(mark) for mark in (first, second) if mark)
                places = [int(rank) if rank else 0 for rank in ranks]
                rows = list(zip(systems, places, strict=True))
            except ValueError as error:
                raise FormatError(
                    f"expected a set, two phrases, two marks and {len(systems)} ranks by tab: {error}",
                    where=At(path, number),
                ) from error
            if part not in (name, "all"):
                continue
            if phrase not in labels.phrases:
                labels.phrases.append(phrase)
            if marks:
                labels.marks[phrase, text] = marks
            for system, rank in rows:
                if rank:
                    ranked.setdefault(system, {}).setdefault(phrase, []).append((rank, text))
    for system in systems:
        labels.lists[system] = {
            phrase: [text for _, text in sorted(rows)] for phrase, rows in ranked.get(system, {}).items()
        }
    return labels
