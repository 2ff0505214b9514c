"""`paraphrast tune`: labelled substitutes, which weights are fitted to."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli.options import Format, Model, OutputFormat, print_json

app = typer.Typer(help="Label substitutes, and fit a model's weights to them.", no_args_is_help=True)


@app.callback()
def tune() -> None:
    """Label substitutes, and fit a model's weights to them."""


@app.command()
def label(
    sentences: Annotated[
        str | None, typer.Argument(help="Sentences, one a line; - is standard input.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="JSONL to write, 'correct' left null; - is standard output.")
    ] = "-",
    check: Annotated[
        str | None, typer.Option(help="Read a labelled file instead: check it, and count what it has.")
    ] = None,
    rated: Annotated[
        str | None,
        typer.Option(
            help="With --check: labels of a campaign (judge report -o) to write into it, to --output."
        ),
    ] = None,
    model: Model = "default",
    table: Annotated[list[str] | None, typer.Option(help="Only substitutes of this table; repeat.")] = None,
    top: Annotated[int, typer.Option(help="At most so many a span, likeliest first; 0 is all.", min=0)] = 0,
    strength: Annotated[
        float, typer.Option(help="1 for all there is; less leaves out unlikely ones.", min=0, max=1)
    ] = 1.0,
    form: OutputFormat = Format.text,
) -> None:
    """All possible substitutes of sentences, to be labelled; or --check a file that was.

    Right is a substitute that means the same in this sentence and leaves it grammatical.
    """
    from paraphrast.errors import InputError
    from paraphrast.formats.substitutions import read_labelled, write_labelled

    if rated is not None and check is None:
        raise InputError(
            "--rated: expected the file that was rated", remedy="tune label --check FILE --rated …"
        )
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
        said = [row.correct for row in rows]
        record = {
            "file": check,
            "substitutes": len(rows),
            "sentences": len({row.sentence for row in rows}),
            "spans": len({(row.sentence, row.start, row.end) for row in rows}),
            "correct": said.count(True),
            "wrong": said.count(False),
            "unlabelled": said.count(None),
        }
        if form is Format.json:
            print_json(record)
        else:
            for name, value in record.items():
                typer.echo(f"{name:<12} {value:,}" if isinstance(value, int) else f"{name:<12} {value}")
        return
    from paraphrast.formats.files import read_lines
    from paraphrast.model import Control, load
    from paraphrast.study.substitutions import possible_substitutes

    control = Control(strength=strength, tables=tuple(table or ()))
    lines = [line for line in read_lines(sentences or "-") if line.strip()]
    count = write_labelled(output, possible_substitutes(load(model), lines, control, top=top))
    if output != "-":
        typer.echo(f"{count:,} substitutes of {len(lines):,} sentences → {output}", err=True)


@app.command()
def fit(
    labelled: Annotated[str, typer.Argument(help="Labelled substitutes (JSONL), SWORDS, or gold lines.")],
    model: Model = "default",
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the weights go, as JSON.")
    ] = "weights.json",
    contexts: Annotated[str | None, typer.Option(help="Contexts of gold lines.")] = None,
    method: Annotated[str, typer.Option(help="ranking, or powell.")] = "ranking",
    rounds: Annotated[int, typer.Option(help="Rounds of the search, at most.", min=1)] = 4,
    n: Annotated[int, typer.Option("-n", help="Best substitutes of a span that count.", min=1)] = 10,
    seed: Annotated[int, typer.Option(help="Of the search and the folds.", min=0)] = 12345,
    form: OutputFormat = Format.text,
) -> None:
    """Fit the log-linear weights to labelled substitutes by their error rate (PSER); never worse than the start."""
    from pathlib import Path

    from paraphrast.formats.substitutions import read_targets
    from paraphrast.model import load
    from paraphrast.study.substitutions import EVERYTHING
    from paraphrast.tune.weights import TuningOptions, candidates, tune_weights

    options = TuningOptions(method=method, rounds=rounds, n=n, seed=seed)
    loaded = load(model)
    pool = candidates(loaded, read_targets(labelled, contexts), options)
    tuned = tune_weights(pool, loaded.decoder.weights, options, identity=EVERYTHING.log_identity)
    tuned.weights.save(Path(output))
    if form is Format.json:
        print_json(tuned.to_dict())
        return
    typer.echo(f"PSER of {tuned.targets:,} spans: {tuned.before:.4f} → {tuned.after:.4f}")
    typer.echo(
        f"held out:      {tuned.held_out_before:.4f} → {tuned.held_out_after:.4f} ({tuned.rounds} rounds)"
    )
    typer.echo(f"weights → {output}", err=True)


@app.command()
def table(
    kind: Annotated[str, typer.Argument(help="The kind of table: paraphrast table --help lists them.")],
    inputs: Annotated[list[str], typer.Argument(help="What it is made of: files, or names of data.")],
    gold: Annotated[
        str, typer.Option(help="Targets with judged substitutes, as for evaluate substitutions.")
    ],
    choice: Annotated[
        list[str],
        typer.Option("--try", help="Values to try of an option: NAME=VALUE,VALUE,… Repeat for combinations."),
    ],
    contexts: Annotated[
        str | None, typer.Option(help="The contexts of word.pos id lines: word.pos, id, place, tokens.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the best table here, a Parquet file.")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the text.")] = "en",
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="A model folder whose casing and tagger to use.")
    ] = None,
    parser: Annotated[
        str | None, typer.Option(help="Name or folder of a spaCy model (needs [syntax]).")
    ] = None,
    form: OutputFormat = Format.text,
) -> None:
    """Fit a table's own constants (α, β, γ, thresholds) to a development set.

    Every combination is built and judged; the best is told, and what choosing is worth on words that had no part in it.
    """
    from collections.abc import Mapping
    from typing import Any

    from paraphrast.build.tables import build_table
    from paraphrast.cli.progress import Tally
    from paraphrast.errors import InputError
    from paraphrast.formats.substitutions import read_targets
    from paraphrast.formats.table_file import write_table_file
    from paraphrast.tune.tables import fit_table
    from paraphrast.types import LooseTable

    choices: dict[str, list[str]] = {}
    for wish in choice:
        name, equals, values = wish.partition("=")
        if not equals or not values.strip():
            raise InputError(f"--try: expected NAME=VALUE,VALUE,…, got {wish!r}")
        choices[name.strip().replace("-", "_")] = [value.strip() for value in values.split(",")]

    def build(options: Mapping[str, Any]) -> LooseTable:
        return build_table(kind, inputs, options, language=language, model=model, parser=parser)

    with Tally("tables", shown=True) as tally:
        found = fit_table(
            build,
            choices,
            read_targets(gold, contexts),
            language=language,
            done=lambda number, _: tally.reached(number),
        )
    if output is not None:
        write_table_file(output, build(found.best.options))
    if form is Format.json:
        print_json(found.to_dict())
        return
    for one in found.tried:
        named = ", ".join(f"{name} {value}" for name, value in one.options.items()) or "defaults"
        mark = "*" if one is found.best else " "
        typer.echo(
            f"{mark} {one.worth():.3f}  {int(one.right.sum())} of {int(one.judged.sum())} judged right, "
            f"{one.rows:,} rows  {named}"
        )
    typer.echo(f"held out: {found.held_out:.3f} as chosen, {found.held_out_default:.3f} with the defaults")
