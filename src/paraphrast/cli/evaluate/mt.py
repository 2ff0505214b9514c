"""`paraphrast evaluate mt`: correlation of translation metrics with human scores, with one reference and with many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli._support import references as shared
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Format, OutputFormat, print_json, split_names
from paraphrast.references.options import Resampling, ScoreOptions
from paraphrast.study.options import Origins

if TYPE_CHECKING:
    from paraphrast.study.mt import KindResult, Setup


@with_options
def mt(
    file: Annotated[
        str,
        typer.Argument(
            help="Outputs with human scores, as JSON lines: id, source, references, outputs. - reads standard input."
        ),
    ],
    *,
    metric: shared.MetricNames = "bleu",
    references: shared.KindNames = "single,one,best,lattice",
    origins: Origins,
    options: ScoreOptions,
    check: shared.Check = True,
    report: shared.ReportFile = None,
    resampling: Resampling,
    format: OutputFormat = Format.text,
) -> None:
    """Correlate metrics with human scores, with the original references and with paraphrased ones.

    Prints tables 1 to 4 of Owczarzak et al. (2006). Correlations pool all outputs with a human score; systems named
    HUMAN are skipped. TER and CDER measure errors, so their negatives are correlated. Never builds a model.
    """
    from paraphrast.formats.mt import read_judgements
    from paraphrast.study.mt import evaluate_mt, prepare

    if report is not None:
        from paraphrast.formats.files import check_output

        check_output(report)
    segments = read_judgements(file)
    origins = shared.complete_origins(origins)
    metrics, kinds = split_names(metric), split_names(references)
    setup = prepare(segments, origins, check=check)
    results = evaluate_mt(setup, metrics, kinds, options, resampling)
    if report is not None:
        shared.write_report(setup, report, metrics[0], options, file)
    if format is Format.json:
        print_json(
            {
                name: {kind: result.to_dict() for kind, result in by_kind.items()}
                for name, by_kind in results.items()
            }
        )
        return
    for line in tables_of(results, setup):
        typer.echo(line)


def tables_of(results: Mapping[str, Mapping[str, KindResult]], setup: Setup) -> list[str]:
    """The paper's tables, and the pooled correlations with their gains."""
    from paraphrast.cli._support.text_tables import aligned

    lines = [shared.counted_sets(setup), ""] if setup.found.sets else []
    kinds = list(dict.fromkeys(kind for own in results.values() for kind in own))
    rows = [["Pearson, all outputs with a human score", *kinds]]
    systems = [["Pearson, systems", *kinds]]
    fixed = [["Pearson, all outputs, length held fixed", *kinds]]
    pairs = [["Pairwise accuracy with ties, inside segments", *kinds]]
    for name, own in results.items():
        rows.append([f"H & {name}", *(_pooled(own[kind]) for kind in kinds)])
        fixed.append([f"H & {name}", *(_fixed(own[kind]) for kind in kinds)])
        pairs.append([f"H & {name}", *(_pairwise(own[kind]) for kind in kinds)])
        systems.append([f"H & {name}", *(_figure(own[kind].system) for kind in kinds)])
    for table in (rows, fixed, pairs, systems):
        lines += [*aligned(table), ""]
    first = next(iter(results.values()))
    any_kind = next(iter(first.values()))
    multiple = [kind for kind in kinds if kind != "single"]
    if multiple:
        lines += [
            "Table 1: single-reference and multi-reference scores",
            *aligned(_table1(results, multiple)),
            "",
        ]
    names = list(any_kind.per_system)
    lines += ["Tables 2 and 4: Pearson's correlation with human judgement, by system; * p > 0.10"]
    lines += [*aligned(_table2(results, names, kinds)), ""]
    rows = [["", "Mean score", "Variation"]]
    for name in ("", *names):
        mean, variation = any_kind.human[name]
        rows.append([name or "all", f"{mean:.3f}", f"{100 * variation:.1f}%"])
    lines += ["Table 3: human scores", *aligned(rows), ""]
    return [*lines, *(f"{kind:<8} {one.signature}" for own in results.values() for kind, one in own.items())]


def _figure(one: Any) -> str:
    star = "*" if one.starred else ""
    ends = "" if one.low is None else f" [{one.low:.3f}, {one.high:.3f}]"
    return f"{one.pearson:.3f}{star}{ends}"


def _pooled(result: KindResult) -> str:
    if result.gain is None:
        return _figure(result.segment)
    return f"{_figure(result.segment)} ({result.gain.value:+.3f}, p={result.gain.williams:.4f})"


def _fixed(result: KindResult) -> str:
    """With the length of the reference and its logarithm held fixed."""
    partial = result.fixed_length["both"]
    ends = "" if partial.low is None else f" [{partial.low:.3f}, {partial.high:.3f}]"
    return f"{partial.pearson:.3f}{ends}" + ("" if partial.gain is None else f" ({partial.gain:+.3f})")


def _pairwise(result: KindResult) -> str:
    accuracy = result.pairwise
    if accuracy is None or not accuracy.pairs:
        return "–"
    ends = "" if accuracy.low is None else f" [{accuracy.low:.3f}, {accuracy.high:.3f}]"
    return f"{accuracy.accuracy:.3f}{ends}"


def _table1(results: Mapping[str, Mapping[str, KindResult]], kinds: Sequence[str]) -> list[list[str]]:
    rows = [["", *(f"{name} {kind}" for name in results for kind in ("single", *kinds))]]
    systems = list(next(iter(results.values()))[kinds[0]].rises)
    for system in systems:
        cells = []
        for own in results.values():
            for number, kind in enumerate(kinds):
                rise = own[kind].rises[system]
                if number == 0:
                    cells.append(f"{rise.single:.2f}")
                p_value = "" if rise.p_value is None else f" (p={rise.p_value:.3f})"
                cells.append(f"{rise.multiple:.2f}{p_value}")
        rows.append([system, *cells])
    return rows


def _table2(
    results: Mapping[str, Mapping[str, KindResult]], systems: Sequence[str], kinds: Sequence[str]
) -> list[list[str]]:
    rows = [["", "", *kinds]]
    for system in systems:
        for name, own in results.items():
            cells = []
            for kind in kinds:
                one = own[kind].per_system[system]
                cells.append(f"{one.pearson:.3f}{'*' if one.starred else ''}")
            rows.append([system, f"H & {name}", *cells])
    return rows
