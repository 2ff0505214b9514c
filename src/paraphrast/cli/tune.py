"""`paraphrast tune`: label substitutes, and fit weights and constants to labels."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from paraphrast.cli._support.bind import take, with_options
from paraphrast.cli._support.options import (
    Contexts,
    Format,
    Language,
    Model,
    Output,
    OutputFormat,
    Parser,
    SourceModel,
    print_json,
    report,
)
from paraphrast.model.control import Control
from paraphrast.tune.options import TuningOptions

app = typer.Typer(help="Label substitutes, and fit a model's weights to the labels.", no_args_is_help=True)


@app.callback()
def tune() -> None:
    """Label substitutes, and fit a model's weights to the labels."""


@app.command()
@with_options
def label(
    sentences: Annotated[
        str | None, typer.Argument(help="Sentences, one per line. - reads standard input.")
    ] = None,
    *,
    output: Output = "-",
    check: Annotated[
        str | None, typer.Option(help="Read a labelled file instead, check it, and count its labels.")
    ] = None,
    rated: Annotated[
        str | None,
        typer.Option(
            help="With --check: copy labels of a rating campaign (`judge report -o`) into the file, "
            "and write it to --output."
        ),
    ] = None,
    model: Model = "default",
    control: Annotated[Control, take("tables", "strength", strength=1.0)],
    top: Annotated[
        int,
        typer.Option(help="Maximum number of substitutes per span, most probable first. 0 means all.", min=0),
    ] = 0,
    format: OutputFormat = Format.text,
) -> None:
    """Write all possible substitutes of sentences as JSON lines to be labelled, or check a labelled file.

    Set 'correct' to true if the substitute means the same in its sentence and leaves it grammatical, else to false.
    """
    from paraphrast.errors import InputError
    from paraphrast.formats.substitutions import read_labelled, write_labelled

    if rated is not None and check is None:
        raise InputError("--rated requires --check", remedy="tune label --check FILE --rated RATED")
    if (sentences is None) == (check is None):
        raise InputError(
            "expected sentences, or a labelled file to check",
            remedy="tune label SENTENCES -o FILE, then tune label --check FILE",
        )
    if check is not None:
        rows = read_labelled(check)
        if rated is not None:
            from paraphrast.formats.outputs import read_outputs, with_ratings

            rows = with_ratings(rows, read_outputs(rated))
            write_labelled(output, rows)
            if output == "-":
                return
        labels = [row.correct for row in rows]
        record = {
            "file": check,
            "substitutes": len(rows),
            "sentences": len({row.sentence for row in rows}),
            "spans": len({(row.sentence, row.start, row.end) for row in rows}),
            "correct": labels.count(True),
            "wrong": labels.count(False),
            "unlabelled": labels.count(None),
        }
        if format is Format.json:
            print_json(record)
        else:
            for name, value in record.items():
                typer.echo(f"{name:<12} {value:,}" if isinstance(value, int) else f"{name:<12} {value}")
        return
    from paraphrast.formats.files import read_lines
    from paraphrast.model import load
    from paraphrast.study.substitutions import possible_substitutes

    lines = [line for line in read_lines(sentences or "-") if line.strip()]
    count = write_labelled(output, possible_substitutes(load(model), lines, control, top=top))
    if output != "-":
        report(f"{count:,} substitutes of {len(lines):,} sentences → {output}")


@app.command()
@with_options
def fit(
    labelled: Annotated[
        str,
        typer.Argument(
            help="Labelled substitutes: JSON lines of `tune label`, SWORDS, or 'word.pos id :: sub n;' lines."
        ),
    ],
    *,
    model: Model = "default",
    output: Annotated[
        str, typer.Option("--output", "-o", help="File to write the weights to, as JSON.")
    ] = "weights.json",
    contexts: Contexts = None,
    options: TuningOptions,
    format: OutputFormat = Format.text,
) -> None:
    """Fit the log-linear weights to labelled substitutes by their error rate (PSER).

    The fitted weights are never worse on the labels than the model's.
    """
    from pathlib import Path

    from paraphrast.formats.substitutions import read_targets
    from paraphrast.model import load
    from paraphrast.study.substitutions import EVERYTHING
    from paraphrast.tune.weights import candidates, tune_weights

    loaded = load(model)
    pool = candidates(loaded, read_targets(labelled, contexts), options)
    tuned = tune_weights(pool, loaded.decoder.weights, options, identity=EVERYTHING.log_identity)
    tuned.weights.save(Path(output))
    if format is Format.json:
        print_json(tuned.to_dict())
        return
    typer.echo(f"PSER of {tuned.targets:,} spans: {tuned.before:.4f} → {tuned.after:.4f}")
    typer.echo(
        f"held out:      {tuned.held_out_before:.4f} → {tuned.held_out_after:.4f} ({tuned.rounds} rounds)"
    )
    report(f"weights → {output}")


@app.command()
def table(
    kind: Annotated[str, typer.Argument(help="Kind of table. `paraphrast table --help` lists the kinds.")],
    inputs: Annotated[list[str], typer.Argument(help="Files, or names of corpora, to build the table from.")],
    gold: Annotated[
        str, typer.Option(help="Targets with judged substitutes, as for `evaluate substitutions`.")
    ],
    choice: Annotated[
        list[str],
        typer.Option(
            "--try", help="Values of an option to try: NAME=VALUE,VALUE,… Repeat it for combinations."
        ),
    ],
    contexts: Contexts = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the best table to this Parquet file.")
    ] = None,
    language: Language = "en",
    model: SourceModel = None,
    parser: Parser = None,
    format: OutputFormat = Format.text,
) -> None:
    """Choose the constants of a table (α, β, γ, thresholds) on a development set.

    Builds and scores the table with every combination. Prints the best, and its score on held-out words.
    """
    from collections.abc import Mapping

    from paraphrast.build.tables import build_table
    from paraphrast.cli._support.progress import Tally
    from paraphrast.errors import InputError
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.formats.table_file import write_table_file
    from paraphrast.tune.tables import fit_table
    from paraphrast.types import LooseTable

    choices: dict[str, list[str]] = {}
    for text in choice:
        name, equals, values = text.partition("=")
        if not equals or not values.strip():
            raise InputError(f"--try: expected NAME=VALUE,VALUE,…, got {text!r}")
        choices[name.strip().replace("-", "_")] = [value.strip() for value in values.split(",")]

    def build(options: Mapping[str, Any]) -> LooseTable:
        return build_table(kind, inputs, options, language=language, model=model, parser=parser)

    with Tally("tables") as tally:
        fitted = fit_table(
            build,
            choices,
            read_targets(gold, contexts),
            language=language,
            done=lambda number, _: tally.reached(number),
        )
    if output is not None:
        write_table_file(output, build(fitted.best.options))
    if format is Format.json:
        print_json(fitted.to_dict())
        return
    for trial in fitted.tried:
        named = ", ".join(f"{name} {value}" for name, value in trial.options.items()) or "defaults"
        mark = "*" if trial is fitted.best else " "
        typer.echo(
            f"{mark} {trial.worth():.3f}  {int(trial.right.sum())} of {int(trial.judged.sum())} correct, "
            f"{trial.rows:,} rows  {named}"
        )
    typer.echo(
        f"held out: {fitted.held_out:.3f} with the chosen options, {fitted.held_out_default:.3f} with the defaults"
    )
