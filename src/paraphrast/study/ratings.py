"""Ratings with intervals, by system, and comparison of phrase tables with judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.sentences import Mean, Share, mean_value, share_accepted, systems_of
from paraphrast.formats.files import read_lines
from paraphrast.formats.outputs import SystemOutput
from paraphrast.formats.ratings import Item, Rating, Sealed
from paraphrast.formats.table_file import read_table_file
from paraphrast.judge.report import (
    PassAgreement,
    agreements,
    check_ratings,
    disagreements,
    labelled,
    progress,
    template_of,
)
from paraphrast.judge.report import Progress as Progress

#: Source → target → natural log score.
Scores = dict[str, dict[str, float]]


@dataclass(frozen=True)
class SystemRating:
    """Ratings of one system for one question: the share accepted, and the mean if graded."""

    system: str
    question: str
    share: Share
    mean: Mean | None

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "system": self.system,
            "question": self.question,
            **self.share.to_dict(),
            "graded": self.mean.to_dict() if self.mean else None,
        }


@dataclass(frozen=True)
class CampaignReport:
    """Agreement after every pass, remaining differences, progress of raters, and (with a key) figures of systems."""

    items: int
    agreements: tuple[PassAgreement, ...]
    disagreements: tuple[tuple[Item, str, dict[str, int]], ...]
    progress: tuple[Progress, ...]
    systems: tuple[SystemRating, ...]
    outputs: tuple[SystemOutput, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "progress": [
                {"rater": record.rater, "done": record.done, "items": record.items}
                for record in self.progress
            ],
            "agreement": [record.to_dict() for record in self.agreements],
            "disagreements": [
                {"item": item.item, "question": question, "ratings": values}
                for item, question, values in self.disagreements
            ],
            "systems": [record.to_dict() for record in self.systems],
        }


def report_campaign(
    items: Sequence[Item],
    ratings: Sequence[Rating],
    key: Sequence[Sealed] | None = None,
    options: BootstrapOptions | None = None,
    *,
    rule: str = "mean",
) -> CampaignReport:
    """The report of a campaign. Systems are compared only if the key is given."""
    check_ratings(items, ratings)
    template = template_of(items)
    outputs = labelled(items, key, ratings) if key is not None else []
    systems = []
    for question in template.questions:
        if question.only_if is not None:
            continue
        for system in sorted(systems_of(outputs)):
            system_outputs = [output for output in outputs if output.system == system]
            share = share_accepted(system_outputs, question.name, options, least=question.least, rule=rule)
            mean = mean_value(system_outputs, question.name, options) if question.graded else None
            systems.append(SystemRating(system, question.name, share, mean))
    return CampaignReport(
        len(items),
        tuple(agreements(items, ratings)),
        tuple((item, question, dict(values)) for item, question, values in disagreements(items, ratings)),
        tuple(progress(items, ratings)),
        tuple(systems),
        tuple(outputs),
    )


def phrase_scores(path: str, *, table: str | None = None) -> Scores:
    """The scores of a paraphrase table by its phrases, in any format.

    A model folder (``table`` names one of its tables; by default all together, with the larger score), a table file
    (Parquet), or text with a header ``source, target, probability`` (``table export --to tsv``). Vetoed rows are left
    out.
    """
    folder = Path(path)
    if path == "default" or (folder / "manifest.json").exists():
        rows = _model_rows(path, table)
    elif folder.suffix == ".parquet":
        rows = _file_rows(folder)
    else:
        rows = _text_rows(path)
    scores: Scores = {}
    for source, target, score in rows:
        targets = scores.setdefault(source, {})
        targets[target] = max(score, targets.get(target, score))
    return scores


def ranked(scores: Scores) -> dict[str, list[str]]:
    """The paraphrases of every phrase, best first."""
    return {
        source: [text for text, _ in sorted(targets.items(), key=lambda pair: (-pair[1], pair[0]))]
        for source, targets in scores.items()
    }


def _model_rows(path: str, table: str | None) -> Iterable[tuple[str, str, float]]:
    from paraphrast.model import load
    from paraphrast.study.model_tables import read_rows

    model = load(path)
    for name in [table] if table else model.arrays.table_names:
        for row in read_rows(model, name):
            yield row.source, row.target, row.score


def _file_rows(path: Path) -> Iterable[tuple[str, str, float]]:
    loose = read_table_file(path)
    rows = loose.table
    for number in range(len(rows)):
        if not len(rows.veto) or not rows.veto[number]:
            source, target = (
                " ".join(loose.phrase(int(side[number]))) for side in (rows.source, rows.target)
            )
            yield source, target, float(rows.score[number])


def _text_rows(path: str) -> Iterable[tuple[str, str, float]]:
    import math

    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if number == 1:
            if cells[:3] != ["source", "target", "probability"]:
                raise InputError(
                    "expected a model folder, a table file, or TSV with source, target, probability",
                    where=path,
                )
            continue
        if len(cells) < 3:
            raise InputError(
                f"line {number}: expected source, target, probability separated by tabs", where=path
            )
        yield cells[0], cells[1], math.log(max(float(cells[2]), 1e-300))
