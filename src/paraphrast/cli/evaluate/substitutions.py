"""`paraphrast evaluate substitutions`: substitutes in context against gold."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli._support.bind import take, with_options
from paraphrast.cli._support.options import (
    Contexts,
    Format,
    Model,
    OutputFormat,
    Threads,
    core_count,
    print_json,
)
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.model.control import Control
from paraphrast.study.options import StudyOptions

if TYPE_CHECKING:
    from paraphrast.evaluate.substitutions import Confidence, SubstitutionScore
    from paraphrast.study.substitutions import TableStudy

    Row = tuple[tuple[str, ...], SubstitutionScore]


class Mode(enum.StrEnum):
    """How to decode."""

    auto = "auto"
    span = "span"
    sentence = "sentence"


@with_options
def substitutions(
    gold: Annotated[
        str,
        typer.Argument(
            help="Gold substitutes: SWORDS (JSON), 'word.pos id :: sub n;' lines, or JSON lines of `tune label`."
        ),
    ],
    *,
    contexts: Contexts = None,
    model: Model = "default",
    control: Annotated[Control, take("tables", "strength", "precise", strength=1.0)],
    mode: Annotated[
        Mode,
        typer.Option(
            help="How to decode: span rewrites only the target, sentence rewrites freely, auto decides by the gold."
        ),
    ] = Mode.auto,
    options: StudyOptions,
    draw: Annotated[
        str | None,
        typer.Option(help="Draw accuracy against coverage, and calibration, to this file, as SVG."),
    ] = None,
    bootstrap: BootstrapOptions,
    threads: Threads = 1,
    format: OutputFormat = Format.text,
) -> None:
    """Score the substitutes of each table, and of tables added one by one: #DCS, accuracy, PSER, accuracy by coverage.

    Prints tables 1 and 2 of Zhao et al. (2008). A substitute is correct if at least half of its judges accept it.
    """
    from dataclasses import replace

    from paraphrast.errors import InputError
    from paraphrast.evaluate.signature import signature
    from paraphrast.evaluate.substitutions import measure_confidence
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.model import load
    from paraphrast.study.substitutions import study_tables

    targets = read_targets(gold, contexts)
    if not targets:
        raise InputError("expected at least one target with gold, got none", where=gold)
    if mode is Mode.auto:
        several = len({target.context for target in targets}) < len(targets) and not targets[0].lemmas
        mode = Mode.sentence if several else Mode.span
    loaded = load(model)
    options = replace(options, mode=mode.value)
    study = study_tables(
        loaded,
        targets,
        replace(control, tables=()),
        options,
        bootstrap,
        tables=control.tables,
        threads=core_count(threads),
    )
    confidence = measure_confidence(study.outcomes)
    each = {name: measure_confidence(outcomes) for name, outcomes in study.each.items()}
    line = signature(
        "substitutions",
        [
            ("targets", len(targets)),
            ("n", options.n),
            ("mode", options.mode),
            ("match", study.forms),
            ("accepted", "half"),
            ("confidence", options.confidence),
            ("strength", control.strength),
            ("precise", "yes" if control.precise else "no"),
            ("silence", options.silence),
            ("model", loaded.signature),
            *bootstrap.fields(),
        ],
    )
    if draw is not None:
        _draw(draw, confidence, each if len(each) > 1 else {})
    aside = draw == "-"
    if format is Format.json and not aside:
        print_json(_record(study, confidence, each, line))
        return
    for text in [*_lines(study, confidence), f"signature  {line}"]:
        typer.echo(text, err=aside)


def _record(
    study: TableStudy, confidence: Confidence, each: dict[str, Confidence], line: str
) -> dict[str, Any]:
    return {
        "alone": [{"tables": [*names, "self"], **score.to_dict()} for names, score in study.alone],
        "added": [{"tables": [*names, "self"], **score.to_dict()} for names, score in study.added],
        "confidence": confidence.to_dict(),
        "confidence_alone": {name: one.to_dict() for name, one in each.items()},
        "signature": line,
    }


def _lines(study: TableStudy, confidence: Confidence) -> list[str]:
    from paraphrast.evaluate.curves import accuracy_at, kept_at

    last = study.added[-1][1]
    lines = [
        "each table alone",
        *_table(study.alone),
        "",
        "the most useful table added each time",
        *_table(study.added),
        f"percent; {last.targets:,} targets, {last.with_gold:,} with a correct substitute",
        "",
        "accuracy by coverage, all tables",
    ]
    points = list(confidence.curve)
    for kept in (50, 100, 200, 300, 500, 1000, 2000, 5000):
        point = accuracy_at(points, kept)
        if point is not None:
            lines.append(
                f"  the {point.kept:,} most confident ({point.coverage:.0%}; at least {point.threshold:.4g}): "
                f"{100 * point.accuracy:.2f}"
            )
    for wanted in (0.5, 0.6016, 0.75, 0.9):
        point = kept_at(points, wanted)
        if point is not None:
            lines.append(f"  at {100 * wanted:.2f} or better: {point.kept:,} substitutes")
    auc = f"{confidence.auc:.3f}" if confidence.auc is not None else "undefined"
    lines.append(f"AUC {auc}")
    if confidence.calibration is not None:
        lines.append(
            f"calibration: expected error {confidence.calibration.error:.3f}, Brier "
            f"{confidence.calibration.brier:.3f}; "
            "mean probability → share correct"
        )
        lines += [
            f"  {one.confidence:.4f} → {100 * one.accuracy:.1f} ({one.size:,})"
            for one in confidence.calibration.bins
        ]
    return lines


def _table(rows: tuple[Row, ...]) -> list[str]:
    from paraphrast.cli._support.text_tables import aligned, with_ends

    cells = [
        ["PT combination", "#DCS", "correct/all", "correct/judged", "judged", "rank 1", "covered", "PSER"]
    ]
    for names, score in rows:
        ends = score.intervals
        cells.append(
            [
                "+".join([*names, "self"]),
                f"{score.dcs:,}",
                with_ends(score.accuracy, ends["accuracy"]),
                with_ends(score.accuracy_judged, ends["accuracy_judged"]),
                f"{score.judged:,} of {score.offered:,}",
                with_ends(score.first, ends["first"]),
                f"{score.covered:,}",
                f"{score.pser.total:.2f}",
            ]
        )
    return aligned(cells)


def _draw(path: str, confidence: Confidence, each: dict[str, Confidence]) -> None:
    from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write

    if not confidence.curve:
        raise InputError("--draw: expected judged substitutes, got none")
    inset = None
    if confidence.calibration is not None and confidence.calibration.bins:
        bins = confidence.calibration.bins
        top = max(max(one.confidence, one.accuracy) for one in bins)
        inset = Plot(
            [
                Series([one.confidence for one in bins], [100 * one.accuracy for one in bins], kind="points"),
                Series([0.0, top], [0.0, 100 * top], kind="line", dash="4 3"),
            ],
            Axis("probability"),
            Axis("correct, %"),
            "Calibration",
        )
    lines = []
    for name, one in {"all tables": confidence, **each}.items() if each else [("most confident", confidence)]:
        # The first few points jump between 0 and 100, so they are not drawn.
        points = [point for point in one.curve if point.kept >= min(10, one.curve[-1].kept)]
        if points:
            kept = [point.kept for point in points]
            lines.append(Series(kept, [100 * point.accuracy for point in points], name, kind="line"))
    plot = Plot(
        lines,
        Axis("judged substitutes kept", low=0),
        Axis("correct, %", low=0, high=100),
        "Accuracy against coverage",
        inset=inset,
    )
    with atomic_write(path) as stream:
        stream.write(draw_plot(plot, width=640, height=420).to_svg())
