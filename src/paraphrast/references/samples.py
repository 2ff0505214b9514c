"""Samples of paraphrases for labelling, and the results of the labels (Owczarzak et al. 2006, §5, tables 5 and 6).

A sample has fifty random phrases: ``best`` with the most probable paraphrase of each, ``all`` with every one. There are
two questions: does the paraphrase have the same category, so that the syntax stays right, and the same meaning?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraphrast.errors import At, FormatError
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.references.equivalents import Substitutions

HEADER = ("corpus", "sample", "phrase", "paraphrase", "probability", "same_category", "same_meaning")
SIZE = 50
_ANSWERS = {"1": 1, "y": 1, "yes": 1, "0": 0, "n": 0, "no": 0}


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One paraphrase to judge; the answers are None until they are given."""

    corpus: str
    sample: str
    phrase: str
    paraphrase: str
    probability: float
    same_category: int | None = None
    same_meaning: int | None = None


def draw_samples(
    substitutions: Substitutions, corpus: str, *, size: int = SIZE, seed: int = 12345
) -> list[SampleRow]:
    """Two samples of ``size`` phrases each: ``best`` and ``all``."""
    generator = np.random.Generator(np.random.PCG64(seed))
    phrases = sorted(phrase for phrase, row in substitutions.rows.items() if row)
    rows = []
    for sample in ("best", "all"):
        drawn = generator.permutation(len(phrases))[:size]
        for place in sorted(drawn.tolist()):
            substitutes = substitutions.of(phrases[place])
            for substitute in substitutes[:1] if sample == "best" else substitutes:
                texts = (" ".join(phrases[place]), " ".join(substitute.target))
                rows.append(SampleRow(corpus, sample, *texts, substitute.probability))
    return rows


def write_samples(path: str | Path, rows: Iterable[SampleRow]) -> int:
    """Write a TSV file with two empty columns to fill in: 1 or 0, yes or no."""
    lines = ["\t".join(HEADER)]
    for row in rows:
        answers = ("" if value is None else str(value) for value in (row.same_category, row.same_meaning))
        lines.append(
            "\t".join(
                (row.corpus, row.sample, row.phrase, row.paraphrase, f"{row.probability:.6g}", *answers)
            )
        )
    return write_lines(path, lines) - 1


def read_samples(path: str | Path) -> list[SampleRow]:
    """Read a file of :func:`write_samples`, filled in or not."""
    rows = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if number == 1 and tuple(cells) == HEADER:
            continue
        if len(cells) != len(HEADER):
            raise FormatError(
                f"expected {len(HEADER)} columns separated by tabs ({', '.join(HEADER)}), got {len(cells)}",
                where=At(path, number),
            )
        answers = []
        for cell in cells[5:]:
            key = cell.strip().lower()
            if key and key not in _ANSWERS:
                raise FormatError(f"expected 1, 0, yes, no or nothing, got {cell!r}", where=At(path, number))
            answers.append(_ANSWERS[key] if key else None)
        try:
            probability = float(cells[4])
        except ValueError as error:
            raise FormatError(f"expected a probability, got {cells[4]!r}", where=At(path, number)) from error
        rows.append(SampleRow(cells[0], cells[1], cells[2], cells[3], probability, answers[0], answers[1]))
    return rows


def accuracy(rows: Sequence[SampleRow]) -> dict[str, dict[str, dict[str, float | None]]]:
    """Tables 5 and 6: question → corpus → sample → share of yes; None without answers."""
    by_question: dict[str, dict[str, dict[str, float | None]]] = {}
    for question in ("same_category", "same_meaning"):
        for row in rows:
            shares = by_question.setdefault(question, {}).setdefault(row.corpus, {})
            if row.sample not in shares:
                answers = [
                    int(answer)
                    for other in rows
                    if (other.corpus, other.sample) == (row.corpus, row.sample)
                    and (answer := getattr(other, question)) is not None
                ]
                shares[row.sample] = sum(answers) / len(answers) if answers else None
    return by_question
