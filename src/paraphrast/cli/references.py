"""`paraphrast references`: paraphrased references, and scores with and without them."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli._support import references as shared
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import (
    Format,
    OutputFormat,
    named_file,
    print_json,
    split_names,
    writable,
)
from paraphrast.references.options import ScoreOptions
from paraphrast.study.options import Origins

if TYPE_CHECKING:
    from paraphrast.study.mt import Setup


class Kind(enum.StrEnum):
    """Which references are written."""

    one = "one"
    best = "best"


class Shape(enum.StrEnum):
    """How references are written."""

    tsv = "tsv"
    files = "files"
    json = "json"
    xml = "xml"
    edits = "edits"


@with_options
def references(
    source: Annotated[str, typer.Argument(help="Source text, one segment per line.")],
    reference: Annotated[str, typer.Argument(help="Reference translation, one segment per line.")],
    outputs: Annotated[
        list[str] | None,
        typer.Argument(help="Outputs to score, one segment per line: FILE or NAME=FILE."),
    ] = None,
    *,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Write paraphrased references to this file. - writes to standard output.",
            callback=writable,
        ),
    ] = None,
    write: Annotated[
        Shape,
        typer.Option(
            help="Format of --output: files (PATH.0, PATH.1, …), tsv, json (one list per segment), "
            "xml (mteval) or edits."
        ),
    ] = Shape.tsv,
    kind: Annotated[
        Kind,
        typer.Option(help="References to write: with one substitution each, or the best that differ."),
    ] = Kind.one,
    metric: shared.MetricNames = "bleu",
    scored: shared.KindNames = "single,one,best,lattice",
    origins: Origins,
    options: ScoreOptions,
    sets: Annotated[
        str | None, typer.Option(help="Write the equivalence sets to this file, as JSON lines.")
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option(
            help="Write samples of fifty phrases of each resource to this TSV file, to be labelled."
        ),
    ] = None,
    labelled: Annotated[
        str | None, typer.Option(help="Read labelled samples, and print tables 5 and 6 of the paper.")
    ] = None,
    report: shared.ReportFile = None,
    check: shared.Check = True,
    format: OutputFormat = Format.text,
) -> None:
    """Paraphrase reference translations, and score outputs with them.

    Paraphrases come from the sources and references themselves, from tables and from models. Phrases that are aligned
    with one source phrase are equivalent (Owczarzak et al. 2006).
    """
    from paraphrast.errors import InputError
    from paraphrast.formats.mt import read_segments
    from paraphrast.study.mt import prepare

    if report is not None and not outputs:
        raise InputError("--report: expected outputs to show, got none")
    systems = dict(map(named_file, outputs or ()))
    if len(systems) < len(outputs or ()):
        raise InputError("two outputs have the same name", remedy="name them: NAME=FILE")
    segments = read_segments(source, [reference], systems)
    origins = shared.complete_origins(origins)
    setup = prepare(segments, origins, check=check)
    if output is not None:
        _write(setup, output, write.value, kind.value, options.count)
    if sets is not None:
        from paraphrast.formats.jsonl import write_records

        write_records(sets, (entry.to_dict() for entry in setup.found.sets))
    if sample is not None:
        from paraphrast.references.samples import draw_samples, write_samples

        rows = [row for name, part in setup.found.parts for row in draw_samples(part, name)]
        write_samples(sample, rows)
    if report is not None:
        shared.write_report(setup, report, split_names(metric)[0], options, source)
    _print(
        setup,
        split_names(metric),
        split_names(scored),
        options,
        labelled,
        format,
        aside=output == "-",
    )


def _write(setup: Setup, output: str, shape: str, kind: str, count: int) -> None:
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.mt import write_references
    from paraphrast.references.lattices import best_references, one_at_a_time

    rows = []
    for lattices in setup.lattices:
        paraphrased = [
            reference
            for lattice in lattices
            for reference in (
                one_at_a_time(lattice, most=count) if kind == "one" else best_references(lattice, count)
            )
        ]
        rows.append(paraphrased)
    if shape == "edits":
        write_lines(
            output, (json.dumps([entry.to_dict() for entry in row], ensure_ascii=False) for row in rows)
        )
        return
    write_references(output, [[entry.text for entry in row] for row in rows], shape)


def _print(
    setup: Setup,
    metrics: Sequence[str],
    kinds: Sequence[str],
    options: Any,
    labelled: str | None,
    format: Format,
    *,
    aside: bool,
) -> None:
    from paraphrast.cli._support.text_tables import aligned
    from paraphrast.references.equivalents import count_sets
    from paraphrast.references.samples import accuracy, read_samples
    from paraphrast.study.mt import score_systems

    counts = count_sets(setup.found.sets)
    result: dict[str, Any] = {
        "segments": len(setup.segments),
        "sets": counts,
        "substitutions": len(setup.found.substitutions),
        "from": list(setup.found.names),
    }
    lines = [
        shared.counted_sets(setup),
        f"{result['substitutions']:,} substitutions from {', '.join(setup.found.names) or 'nothing'}",
    ]
    if setup.cells:
        result["scores"] = {}
        for name in metrics:
            scores, signatures = score_systems(setup, name, kinds, options)
            result["scores"][name] = {
                "systems": {score.system: dict(score.scores) for score in scores},
                "signatures": signatures,
            }
            rows = [[name, *kinds]]
            rows += [[score.system, *(f"{score.scores[kind]:.2f}" for kind in kinds)] for score in scores]
            lines += ["", *aligned(rows), *(f"{kind:<8} {line}" for kind, line in signatures.items())]
    if labelled is not None:
        shares = accuracy(read_samples(labelled))
        result["accuracy"] = shares
        for number, (question, title) in enumerate(
            (("same_category", "Syntactic"), ("same_meaning", "Semantic")), 5
        ):
            rows = [["", "Best", "All"]]
            for corpus, cells_of in shares.get(question, {}).items():
                cells = (cells_of.get(name) for name in ("best", "all"))
                rows.append([corpus, *("–" if cell is None else f"{100 * cell:.0f}%" for cell in cells)])
            lines += ["", f"Table {number}. {title} accuracy of paraphrases", *aligned(rows)]
    if format is Format.json and not aside:
        print_json(result)
        return
    for line in lines:
        typer.echo(line, err=aside)
