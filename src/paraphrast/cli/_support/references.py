"""What `paraphrast references` and `paraphrast evaluate mt` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.study.options import Origins

if TYPE_CHECKING:
    from paraphrast.references.options import ScoreOptions
    from paraphrast.study.mt import Setup

MetricNames = Annotated[
    str,
    typer.Option(
        "--metric",
        help="Metrics, separated by commas: bleu, bleu-add-one, bleu-unsmoothed, nist, chrf, ter, cder.",
    ),
]
KindNames = Annotated[
    str,
    typer.Option(
        "--references",
        help="Kinds of references to score with, separated by commas: single (the original), one (one substitution "
        "each), best (the best that differ), lattice (all at once).",
    ),
]
ReportFile = Annotated[
    str | None,
    typer.Option(
        "--report", help="Write a web page that shows outputs and their closest references to this file."
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check/--no-check",
        help="Refuse text in an unexpected language, and outputs whose lines are in another order.",
    ),
]


def complete_origins(origins: Origins) -> Origins:
    """Where paraphrases come from: the default model if none was named, one threshold for all."""
    from dataclasses import replace

    from paraphrast.model.default import DEFAULT

    model = None if origins.model == "none" else origins.model or DEFAULT
    return replace(origins, model=model, sets=replace(origins.sets, threshold=origins.threshold))


def counted_sets(setup: Setup) -> str:
    """The number of equivalence sets, in the words of the paper."""
    from paraphrast.references.equivalents import count_sets

    counts = count_sets(setup.found.sets)
    return f"{counts['sets']:,} equivalence sets of {counts['items']:,} words or phrases, {counts['mean']:.1f} each"


def write_report(setup: Setup, path: str, metric: str, options: ScoreOptions, title: str) -> None:
    """Write the page."""
    from paraphrast.formats.files import atomic_write
    from paraphrast.study.mt import report_page

    with atomic_write(path) as stream:
        stream.write(report_page(setup, metric, options, title=title))
