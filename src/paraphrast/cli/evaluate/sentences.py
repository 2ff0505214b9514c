"""`paraphrast evaluate sentences`: paraphrases by human labels and by automatic scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Format, Model, OutputFormat, named_file, print_json
from paraphrast.evaluate.options import BootstrapOptions

if TYPE_CHECKING:
    from paraphrast.formats.outputs import SystemOutput


@with_options
def sentences(
    outputs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Outputs, with or without labels of `judge report -o`: FILE or NAME=FILE. JSONL or TSV."
        ),
    ] = None,
    *,
    inputs: Annotated[
        str | None,
        typer.Option(
            help="All inputs, one per line, to compute coverage. Default: the inputs of the outputs."
        ),
    ] = None,
    references: Annotated[
        str | None,
        typer.Option(help="Reference paraphrases, separated by tabs: input, reference, reference, …"),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(
            help="Label that says whether an output is accepted. Default: acceptable or paraphrase."
        ),
    ] = None,
    least: Annotated[int, typer.Option(help="Minimum value of the label that counts as accepted.")] = 1,
    rule: Annotated[
        str, typer.Option(help="How to combine raters who disagree: mean, majority or all.")
    ] = "mean",
    ranks: Annotated[int, typer.Option(help="Number of ranks to show separately.", min=1)] = 5,
    judgements: Annotated[
        str | None,
        typer.Option(help="Paraphrases with human scores: TSV with ref_id, candidate, human_score."),
    ] = None,
    originals: Annotated[
        str | None, typer.Option(help="Originals of --judgements: TSV with ref_id and ref_sent.")
    ] = None,
    model: Model = "default",
    limit: Annotated[
        int, typer.Option(help="Maximum number of paraphrases of --judgements to score. 0 means all.", min=0)
    ] = 0,
    options: BootstrapOptions,
    format: OutputFormat = Format.text,
) -> None:
    """Score paraphrases: acceptability by system, rank and genre, error types, BLEU, iBLEU, PINC, edit distance.

    Prints tables 2 and 3 of Quirk et al. (2004) and table 3 of Zhao et al. (2008). With --judgements, correlates the
    model's scores of paraphrases with human scores.
    """
    from paraphrast.errors import InputError
    from paraphrast.evaluate import signature
    from paraphrast.formats.outputs import read_outputs

    if judgements is not None:
        if originals is None:
            raise InputError(
                "--judgements requires --originals",
                remedy="add --originals FILE, the sentences that were rewritten",
            )
        _correlate(judgements, originals, model, limit, options, format)
        return
    if not outputs:
        raise InputError("expected outputs or --judgements, got neither", remedy="evaluate sentences FILE")
    rows: list[SystemOutput] = []
    for name, path in map(named_file, outputs):
        rows += read_outputs(path, name)
    known = {name for row in rows for name in row.labels}
    if question is None:
        question = next((name for name in ("acceptable", "paraphrase") if name in known), None)
    elif question not in known:
        raise InputError(
            f"--question: no output has the label {question!r}",
            remedy=f"labels of the outputs: {', '.join(sorted(known))}",
        )
    line = signature(
        "sentences",
        [
            ("outputs", len(rows)),
            ("question", question),
            ("least", least),
            ("rule", rule),
            ("bleu", "sacrebleu" if references is not None else None),
            *options.fields(),
        ],
    )
    human = _human(rows, question, least, rule, ranks, options)
    automatic = _automatic(rows, inputs, references, options)
    if format is Format.json:
        print_json(_plain({**human, "automatic": automatic, "signature": line}))
        return
    for text in [*_lines(human, automatic, question), f"signature  {line}"]:
        typer.echo(text)


def _human(
    rows: Sequence[SystemOutput],
    question: str | None,
    least: int,
    rule: str,
    ranks: int,
    options: BootstrapOptions,
) -> dict[str, Any]:
    from paraphrast.evaluate.sentences import (
        acceptability,
        error_types,
        qualities,
        systems_of,
        top_accuracy,
    )

    found: dict[str, Any] = {"question": question}
    if question is not None:
        found["acceptability"] = acceptability(rows, question, options, ranks=ranks, least=least, rule=rule)
        genres = list(dict.fromkeys(row.genre for row in rows if row.genre))
        found["acceptability_by_genre"] = {
            genre: acceptability(
                [row for row in rows if row.genre == genre],
                question,
                options,
                ranks=ranks,
                least=least,
                rule=rule,
            )
            for genre in genres
        }
        found["top"] = {
            system: top_accuracy(
                [row for row in rows if row.system == system], question, options, least=least, rule=rule
            )
            for system in systems_of(rows)
        }
    found["qualities"] = qualities(rows, options, rule=rule)
    found["errors"] = {
        system: error_types([row for row in rows if row.system == system], options)
        for system in systems_of(rows)
        if any(row.system == system and row.labels.get("error") for row in rows)
    }
    return found


def _automatic(
    rows: Sequence[SystemOutput], inputs: str | None, references: str | None, options: BootstrapOptions
) -> dict[str, Any]:
    from paraphrast.errors import At, InputError
    from paraphrast.evaluate.automatic import automatic_figures
    from paraphrast.evaluate.sentences import systems_of
    from paraphrast.formats.files import read_lines

    every = (
        list(read_lines(inputs)) if inputs is not None else list(dict.fromkeys(row.source for row in rows))
    )
    found: dict[str, list[str]] | None = None
    if references is not None:
        found = {}
        for number, line in enumerate(read_lines(references), 1):
            cells = line.split("\t")
            if len(cells) < 2:
                raise InputError(
                    "expected an input and references separated by tabs", where=At(references, number)
                )
            found.setdefault(cells[0], []).extend(cells[1:])
    return {
        system: automatic_figures([row for row in rows if row.system == system], every, found, options)
        for system in systems_of(rows)
    }


def _plain(value: Any) -> Any:
    """Records as plain values, for JSON."""
    from dataclasses import is_dataclass

    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key) or "all": _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


def _lines(human: dict[str, Any], automatic: dict[str, Any], question: str | None) -> list[str]:
    from paraphrast.cli._support.text_tables import aligned, with_ends
    from paraphrast.evaluate.sentences import QUALITIES

    lines: list[str] = []
    if human.get("acceptability"):
        genres = human["acceptability_by_genre"]
        rows = [["Method", question or "", *genres]]
        shares = {
            genre: {(row.system, row.rank): row.share.text() for row in table}
            for genre, table in genres.items()
        }
        for row in human["acceptability"]:
            interval = row.share.interval
            ends = f" [{100 * interval.low:.1f}, {100 * interval.high:.1f}]" if interval else ""
            cells = [shares[genre].get((row.system, row.rank), "") for genre in genres]
            rows.append([f"{row.system} #{row.rank}", row.share.text() + ends, *cells])
        lines += [*aligned(rows), ""]
    if human.get("top"):
        rows = [["Test sentences", "inputs", "Top-1", "Top-5", "Top-10"]]
        for system, genres in human["top"].items():
            for genre, tops in genres.items():
                if tops:
                    cells = [with_ends(share.value, share.interval) for share in tops.values()]
                    rows.append([f"{system}: {genre or 'all'}", f"{tops[1].total:,}", *cells])
        lines += [*aligned(rows), "percent of N · n; missing outputs count as unacceptable", ""]
    if human["qualities"]:
        rows = [["", *(column.system for column in human["qualities"])]]
        for name, title in QUALITIES.items():
            rows.append([title, *(column.qualities[name].text() for column in human["qualities"])])
        rows.append(["Mean edit distance", *(f"{column.edit_distance:.1f}" for column in human["qualities"])])
        lines += [*aligned(rows), ""]
    for system, kinds in human["errors"].items():
        shares_of = ", ".join(f"{name} {100 * (share.value or 0.0):.0f}%" for name, share in kinds.items())
        lines.append(f"errors of {system}: {shares_of} of {next(iter(kinds.values())).total:,}")
    names = list(dict.fromkeys(name for figures in automatic.values() for name in figures))
    scale = {"coverage": 100.0, "pinc": 100.0}
    rows = [["automatic", *names]]
    for system, figures in automatic.items():
        cells = [
            with_ends(figures[name].value, figures[name].interval, scale.get(name, 1.0)) for name in names
        ]
        rows.append([system, *cells])
    return [*lines, *aligned(rows)]


def _correlate(
    judgements: str, originals: str, model: str, limit: int, options: BootstrapOptions, format: Format
) -> None:
    from paraphrast.model import load
    from paraphrast.study.rewrites import correlate_rewrites, read_rewrites

    found = correlate_rewrites(load(model), read_rewrites(judgements, originals, limit=limit), options)
    if format is Format.json:
        print_json(found.to_dict())
        return
    from paraphrast.cli._support.text_tables import with_ends

    typer.echo(f"paraphrases               {found.rewrites:,} of {found.sentences:,} sentences")
    typer.echo(f"scored by tables only     {found.explained:,} ({found.explained / found.rewrites:.1%})")
    for name, (value, interval) in found.figures.items():
        typer.echo(f"{name:<25} {with_ends(value, interval, 1, 3)}")
