"""`paraphrast evaluate substitutions`: substitutes in context against gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli.options import Format, Model, OutputFormat, Threads, print_json

if TYPE_CHECKING:
    from paraphrast.evaluate.substitutions import Confidence, SubstitutionScore
    from paraphrast.study.substitutions import TableStudy

    Row = tuple[tuple[str, ...], SubstitutionScore]


def substitutions(
    gold: Annotated[
        str, typer.Argument(help="SWORDS (JSON), word.pos id :: sub n; lines, or labelled JSONL of ours.")
    ],
    contexts: Annotated[
        str | None, typer.Option(help="The contexts of word.pos id lines: word.pos, id, place, tokens.")
    ] = None,
    model: Model = "default",
    table: Annotated[list[str] | None, typer.Option(help="Tables to study; repeat. All by default.")] = None,
    n: Annotated[int, typer.Option("-n", help="Best rewrites whose substitutes count.", min=1)] = 10,
    mode: Annotated[
        str,
        typer.Option(help="span: one target, all else protected; sentence: decode freely; auto: by gold."),
    ] = "auto",
    confidence: Annotated[
        str, typer.Option(help="What the curve sorts by: table or context probability.")
    ] = "table",
    by: Annotated[
        str, typer.Option(help="Which table is most useful: accuracy_judged, accuracy or dcs.")
    ] = "accuracy_judged",
    strength: Annotated[
        float,
        typer.Option(help="1 for all that tables have; less for what paraphrase would do.", min=0, max=1),
    ] = 1.0,
    precise: Annotated[
        bool,
        typer.Option("--precise", help="Read each substitute in its sentence by an encoder: slow, better."),
    ] = False,
    silence: Annotated[
        float, typer.Option(help="PSER of a sentence that was kept, but need not be.", min=0, max=1)
    ] = 1.0,
    draw: Annotated[
        str | None, typer.Option(help="Draw accuracy against coverage, and calibration, as SVG.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Resamples of the bootstrap; 0 for none.", min=0)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 12345,
    threads: Threads = 1,
    form: OutputFormat = Format.text,
) -> None:
    """#DCS and accuracy of each table with self, then of tables added one by one; PSER; accuracy by coverage.

    Zhao et al.'s (2008) tables 1 and 2. A substitute is right when at least half of its judges accept it.
    """
    import os

    from paraphrast.errors import InputError
    from paraphrast.evaluate import BootstrapOptions
    from paraphrast.evaluate.signature import signature
    from paraphrast.evaluate.substitutions import measure_confidence
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.model import Control, load
    from paraphrast.study.substitutions import StudyOptions, study_tables

    targets = read_targets(gold, contexts)
    if not targets:
        raise InputError("expected at least one target with gold, got none", where=gold)
    if mode == "auto":
        several = len({target.context for target in targets}) < len(targets) and not targets[0].lemmas
        mode = "sentence" if several else "span"
    loaded = load(model)
    options = StudyOptions(n=n, mode=mode, confidence=confidence, silence=silence, by=by)
    bootstrap = BootstrapOptions(samples=samples, seed=seed)
    study = study_tables(
        loaded,
        targets,
        Control(strength=strength, precise=precise),
        options,
        bootstrap,
        tables=table or (),
        threads=threads or os.cpu_count() or 1,
    )
    told = measure_confidence(study.outcomes)
    each = {name: measure_confidence(outcomes) for name, outcomes in study.each.items()}
    line = signature(
        "substitutions",
        [
            ("targets", len(targets)),
            ("n", n),
            ("mode", mode),
            ("match", study.forms),
            ("accepted", "half"),
            ("confidence", confidence),
            ("strength", strength),
            ("precise", "yes" if precise else "no"),
            ("silence", silence),
            ("model", loaded.signature),
            *bootstrap.fields(),
        ],
    )
    if draw is not None:
        _draw(draw, told, each if len(each) > 1 else {})
    aside = draw == "-"
    if form is Format.json and not aside:
        print_json(_record(study, told, each, line))
        return
    for text in [*_lines(study, told), f"signature  {line}"]:
        typer.echo(text, err=aside)


def _record(study: TableStudy, told: Confidence, each: dict[str, Confidence], line: str) -> dict[str, Any]:
    return {
        "alone": [{"tables": [*names, "self"], **score.to_dict()} for names, score in study.alone],
        "added": [{"tables": [*names, "self"], **score.to_dict()} for names, score in study.added],
        "confidence": told.to_dict(),
        "confidence_alone": {name: one.to_dict() for name, one in each.items()},
        "signature": line,
    }


def _lines(study: TableStudy, told: Confidence) -> list[str]:
    from paraphrast.evaluate.curves import accuracy_at, kept_at

    last = study.added[-1][1]
    lines = [
        "each table alone",
        *_table(study.alone),
        "",
        "the most useful added each time",
        *_table(study.added),
        f"percent; {last.targets:,} targets, {last.with_gold:,} with a right substitute",
        "",
        "accuracy by coverage, all tables",
    ]
    points = list(told.curve)
    for kept in (50, 100, 200, 300, 500, 1000, 2000, 5000):
        point = accuracy_at(points, kept)
        if point is not None:
            lines.append(
                f"  the {point.kept:,} surest ({point.coverage:.0%}; at least {point.threshold:.4g}): "
                f"{100 * point.accuracy:.2f}"
            )
    for wanted in (0.5, 0.6016, 0.75, 0.9):
        point = kept_at(points, wanted)
        if point is not None:
            lines.append(f"  at {100 * wanted:.2f} or better: {point.kept:,} substitutes")
    auc = f"{told.auc:.3f}" if told.auc is not None else "undefined"
    lines.append(f"AUC {auc}")
    if told.calibration is not None:
        lines.append(
            f"calibration: expected error {told.calibration.error:.3f}, Brier {told.calibration.brier:.3f}; "
            "mean probability → share right"
        )
        lines += [
            f"  {one.confidence:.4f} → {100 * one.accuracy:.1f} ({one.size:,})"
            for one in told.calibration.bins
        ]
    return lines


def _table(rows: tuple[Row, ...]) -> list[str]:
    from paraphrast.cli.tables import aligned, with_ends

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


def _draw(path: str, told: Confidence, each: dict[str, Confidence]) -> None:
    from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
    from paraphrast.errors import InputError
    from paraphrast.formats.files import atomic_write

    if not told.curve:
        raise InputError("no substitute was judged: there is nothing to draw")
    inset = None
    if told.calibration is not None and told.calibration.bins:
        bins = told.calibration.bins
        top = max(max(one.confidence, one.accuracy) for one in bins)
        inset = Plot(
            [
                Series([one.confidence for one in bins], [100 * one.accuracy for one in bins], kind="points"),
                Series([0.0, top], [0.0, 100 * top], kind="line", dash="4 3"),
            ],
            Axis("probability"),
            Axis("right, %"),
            "Calibration",
        )
    lines = []
    for name, one in {"all tables": told, **each}.items() if each else [("the surest", told)]:
        # The first few points jump between 0 and 100: they say nothing.
        points = [point for point in one.curve if point.kept >= min(10, one.curve[-1].kept)]
        if points:
            kept = [point.kept for point in points]
            lines.append(Series(kept, [100 * point.accuracy for point in points], name, kind="line"))
    plot = Plot(
        lines,
        Axis("judged substitutes kept", low=0),
        Axis("right, %", low=0, high=100),
        "Accuracy against coverage",
        inset=inset,
    )
    with atomic_write(path) as stream:
        stream.write(draw_plot(plot, width=640, height=420).to_svg())
