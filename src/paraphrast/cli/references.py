"""`paraphrast references`: paraphrased references, and scores with and without them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli import references_options as shared
from paraphrast.cli.options import Format, OutputFormat, print_json, writable

if TYPE_CHECKING:
    from paraphrast.study.mt import Setup


def references(
    source: Annotated[str, typer.Argument(help="The source text, a line a segment.")],
    reference: Annotated[str, typer.Argument(help="Its reference translation, a line a segment.")],
    outputs: Annotated[
        list[str] | None, typer.Argument(help="Outputs to score, a line a segment: FILE, or NAME=FILE.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Write paraphrased references; - is standard output.",
            callback=lambda p: p and writable(p),
        ),
    ] = None,
    write: Annotated[
        str,
        typer.Option(
            help="As files (PATH.0, PATH.1 …), tsv, json (a list a segment), xml (mteval) or edits."
        ),
    ] = "tsv",
    kind: Annotated[
        str, typer.Option(help="What to write: one substitution at a time, or the best that differ.")
    ] = "one",
    count: Annotated[
        int, typer.Option("-n", help="References a segment beside the original.", min=1, max=1000)
    ] = 10,
    metric: shared.MetricOption = "bleu",
    scored: shared.KindsOption = "single,one,best,lattice",
    model: shared.ModelOption = None,
    table: shared.TableOption = None,
    weight: shared.WeightOption = 1.0,
    context: shared.ContextOption = True,
    bitext: shared.BitextOption = True,
    inflections: shared.InflectionOption = False,
    threshold: shared.ThresholdOption = 0.0,
    closed: shared.ClosedOption = "prepositions",
    credit: shared.CreditOption = None,
    sets: Annotated[str | None, typer.Option(help="Write the equivalence sets, JSONL.")] = None,
    sample: Annotated[
        str | None,
        typer.Option(
            help="Write samples of fifty phrases of each resource, best and all, to be labelled (TSV)."
        ),
    ] = None,
    labelled: Annotated[
        str | None, typer.Option(help="Read labelled samples, and print the paper's tables 5 and 6.")
    ] = None,
    report: shared.ReportOption = None,
    source_language: shared.SourceLanguageOption = "fr",
    target_language: shared.TargetLanguageOption = "auto",
    tokeniser: shared.TokeniserOption = "auto",
    check: shared.CheckOption = True,
    form: OutputFormat = Format.text,
) -> None:
    """Paraphrased references from source and reference alone, from tables and from models; scores with them.

    Owczarzak et al. (2006): phrases aligned with one source phrase are equivalent.
    """
    from paraphrast.errors import InputError
    from paraphrast.formats.mt import REFERENCE_FORMATS, read_segments
    from paraphrast.study.mt import prepare

    if write not in (*REFERENCE_FORMATS, "edits"):
        raise InputError(
            f"unknown format {write!r}", remedy=f"known: {', '.join((*REFERENCE_FORMATS, 'edits'))}"
        )
    if kind not in ("one", "best"):
        raise InputError(f"expected one or best, got {kind!r}")
    if report is not None and not outputs:
        raise InputError("a report shows outputs, and none were given")
    systems = {}
    for given in outputs or ():
        name, equals, path = given.partition("=")
        systems[name if equals else Path(given).stem] = path if equals else given
    if len(systems) < len(outputs or ()):
        raise InputError("two outputs have one name", remedy="name them: NAME=FILE")
    segments = read_segments(source, [reference], systems)
    languages = (source_language, target_language)
    origins = shared.chosen_origins(
        model, table, weight, context, languages, tokeniser, threshold, closed, bitext, inflections
    )
    setup = prepare(segments, origins, check=check)
    if output is not None:
        _write(setup, output, write, kind, count)
    if sets is not None:
        from paraphrast.formats.jsonl import write_records

        write_records(sets, (one.to_dict() for one in setup.found.sets))
    if sample is not None:
        from paraphrast.references.samples import draw_samples, write_samples

        rows = [row for name, part in setup.found.parts for row in draw_samples(part, name)]
        write_samples(sample, rows)
    options = shared.score_options(credit, count)
    if report is not None:
        shared.write_report(setup, report, shared.split_names(metric)[0], options, source)
    _tell(
        setup,
        shared.split_names(metric),
        shared.split_names(scored),
        options,
        labelled,
        form,
        aside=output == "-",
    )


def _write(setup: Setup, output: str, form: str, kind: str, count: int) -> None:
    from paraphrast.formats.files import write_lines
    from paraphrast.formats.mt import write_references
    from paraphrast.references.lattices import best_references, one_at_a_time

    rows = []
    for own in setup.lattices:
        made = [
            found
            for lattice in own
            for found in (
                one_at_a_time(lattice, most=count) if kind == "one" else best_references(lattice, count)
            )
        ]
        rows.append(made)
    if form == "edits":
        write_lines(output, (json.dumps([one.to_dict() for one in row], ensure_ascii=False) for row in rows))
        return
    write_references(output, [[one.text for one in row] for row in rows], form)


def _tell(
    setup: Setup,
    metrics: Sequence[str],
    kinds: Sequence[str],
    options: Any,
    labelled: str | None,
    form: Format,
    *,
    aside: bool,
) -> None:
    from paraphrast.cli.tables import aligned
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
                "systems": {one.system: dict(one.scores) for one in scores},
                "signatures": signatures,
            }
            rows = [[name, *kinds]]
            rows += [[one.system, *(f"{one.scores[kind]:.2f}" for kind in kinds)] for one in scores]
            lines += ["", *aligned(rows), *(f"{kind:<8} {told}" for kind, told in signatures.items())]
    if labelled is not None:
        found = accuracy(read_samples(labelled))
        result["accuracy"] = found
        for number, (question, title) in enumerate(
            (("same_category", "Syntactic"), ("same_meaning", "Semantic")), 5
        ):
            rows = [["", "Best", "All"]]
            for corpus, own in found.get(question, {}).items():
                cells = (own.get(name) for name in ("best", "all"))
                rows.append([corpus, *("–" if cell is None else f"{100 * cell:.0f}%" for cell in cells)])
            lines += ["", f"Table {number}. {title} accuracy of paraphrases", *aligned(rows)]
    if form is Format.json and not aside:
        print_json(result)
        return
    for line in lines:
        typer.echo(line, err=aside)
