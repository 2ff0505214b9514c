"""`paraphrast judge`: campaigns of human ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli.options import Format, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.study.ratings import CampaignReport

app = typer.Typer(help="Have people rate outputs, without knowing whose they are.", no_args_is_help=True)
Items = Annotated[str, typer.Argument(help="The items that raters see, of judge new.")]
Ratings = Annotated[str, typer.Argument(help="The file of ratings; it only ever grows.")]
Rule = Annotated[
    str, typer.Option(help="Where raters differ: mean share, majority, or all of them must accept.")
]


@app.callback()
def judge() -> None:
    """Have people rate outputs, without knowing whose they are."""


@app.command()
def new(
    outputs: Annotated[
        list[str], typer.Argument(help="Outputs to judge, a file a system: NAME=FILE; JSONL or TSV.")
    ],
    items: Annotated[str, typer.Option("--output", "-o", help="Items to write, for the raters.")],
    key: Annotated[str, typer.Option(help="Key to write: whose is which. Keep it from the raters.")],
    template: Annotated[str, typer.Option(help="What is asked; judge templates lists them.")] = "paraphrase",
    inputs: Annotated[int, typer.Option(help="How many inputs to sample; 0 is all.", min=0)] = 0,
    ranks: Annotated[int, typer.Option(help="Best outputs of each system an input.", min=1)] = 1,
    per_genre: Annotated[bool, typer.Option("--per-genre", help="Sample every genre evenly.")] = False,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Judge outputs that equal their input too.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the sample, the order and the ids.", min=0)] = 12345,
) -> None:
    """Sample inputs, shuffle the systems' outputs of them together, and hide whose they are."""
    from paraphrast.errors import InputError
    from paraphrast.formats.outputs import read_outputs
    from paraphrast.formats.ratings import write_items, write_key
    from paraphrast.judge import CampaignOptions, new_campaign

    if items == key:
        raise InputError("the items and their key are two files: raters must not see the second")
    rows = []
    for given in outputs:
        name, equals, path = given.partition("=")
        if not name or (equals and not path):
            raise InputError(f"expected NAME=FILE, got {given!r}")
        rows += read_outputs(path, name) if equals else read_outputs(name)
    options = CampaignOptions(template, inputs, ranks, per_genre, verbatim, seed)
    campaign = new_campaign(rows, options)
    write_key(key, campaign.key)
    count = write_items(items, campaign.items)
    typer.echo(f"{count:,} items → {items}; whose they are → {key}", err=True)


@app.command()
def templates(form: OutputFormat = Format.text) -> None:
    """What can be asked: templates, their questions and answers."""
    from paraphrast.judge import TEMPLATES

    if form is Format.json:
        print_json(
            {
                name: [
                    {"question": one.name, "text": one.text, "answers": dict(one.answers)}
                    for one in template.questions
                ]
                for name, template in TEMPLATES.items()
            }
        )
        return
    for name, template in TEMPLATES.items():
        typer.echo(name)
        for one in template.questions:
            typer.echo(f"  {one.text}")
            typer.echo(f"    {', '.join(f'{value} {label}' for value, label in one.answers)}")


@app.command()
def rate(
    items: Items,
    ratings: Ratings,
    rater: Annotated[str, typer.Option(help="Who rates.")],
    again: Annotated[
        str | None,
        typer.Option(help="A file of judge report --disagreements: look at those once more, in pass 2."),
    ] = None,
    number: Annotated[int, typer.Option("--pass", help="The pass, from 1; of --again 2.", min=0)] = 0,
) -> None:
    """Rate items in the terminal. Every answer is kept at once; the same command goes on where one stopped."""
    import contextlib
    from pathlib import Path

    from paraphrast.formats.jsonl import read_records, text_field
    from paraphrast.formats.ratings import RatingsFile, read_items, read_ratings
    from paraphrast.judge import Session
    from paraphrast.judge import rate as ask_all
    from paraphrast.judge.report import check_ratings

    shown = read_items(items)
    only = None
    if again is not None:
        only = frozenset(text_field(record, "item", where) for where, record in read_records(again))
    session = Session(rater, number or (2 if again is not None else 1))
    with RatingsFile(ratings) as file:
        given = read_ratings(ratings) if Path(ratings).stat().st_size else []
        check_ratings(shown, given)
        with contextlib.suppress(KeyboardInterrupt):
            ask_all(shown, given, session, ask=input, tell=typer.echo, keep=file.add, only=only)
    typer.echo(f"\n{session.answered} rated; all of it is in {ratings}", err=True)


@app.command()
def report(
    items: Items,
    ratings: Annotated[list[str], typer.Argument(help="Files of ratings, all together.")],
    key: Annotated[str | None, typer.Option(help="The key: compares the systems.")] = None,
    disagreements: Annotated[
        str | None, typer.Option(help="Write where raters differ, for judge rate --again.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Write outputs with systems and labels, for evaluate sentences."),
    ] = None,
    rule: Rule = "mean",
    samples: Annotated[int, typer.Option(help="Resamples of the bootstrap; 0 for none.", min=0)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 12345,
    form: OutputFormat = Format.text,
) -> None:
    """How far raters agree after each pass, where they differ, and how the systems fare."""
    from paraphrast.errors import InputError
    from paraphrast.evaluate import BootstrapOptions, signature
    from paraphrast.formats.jsonl import write_records
    from paraphrast.formats.outputs import write_outputs
    from paraphrast.formats.ratings import read_items, read_key, read_ratings
    from paraphrast.study.ratings import report_campaign

    if output is not None and key is None:
        raise InputError("-o writes whose outputs they are, and that is in the key", remedy="add --key FILE")
    options = BootstrapOptions(samples=samples, seed=seed)
    found = report_campaign(
        read_items(items),
        [rating for path in ratings for rating in read_ratings(path)],
        read_key(key) if key is not None else None,
        options,
        rule=rule,
    )
    if disagreements is not None:
        write_records(
            disagreements,
            # What each said stays out of it: a second look should be a look, not a vote.
            ({"item": name} for name in dict.fromkeys(item.item for item, _, _ in found.disagreements)),
        )
    if output is not None:
        write_outputs(output, found.outputs)
    aside = "-" in (disagreements, output)
    line = signature("judge", [("items", found.items), ("rule", rule), *options.fields()])
    if form is Format.json and not aside:
        print_json({**found.to_dict(), "signature": line})
        return
    for text in [*_lines(found), f"signature  {line}"]:
        typer.echo(text, err=aside)


def _lines(found: CampaignReport) -> list[str]:
    from paraphrast.cli.tables import aligned, with_ends

    lines = [f"rated       {one.rater}: {one.done:,} of {one.items:,}" for one in found.progress]
    rows = [["question", "pass", "items", "raters", "agreement", "kappa", "Pearson"]]
    for one in found.agreements:
        got = one.agreement
        if got is None:
            rows.append([one.question, str(one.round), "0", "", "", "", ""])
            continue
        kappa = f"{got.kappa:.3f} ({got.kind.capitalize()})" if got.kappa is not None else "undefined"
        pearson = f"{got.pearson:.3f}" if got.pearson is not None else ""
        rows.append(
            [
                one.question,
                str(one.round),
                f"{got.items:,}",
                str(len(got.raters)),
                f"{100 * got.percent:.1f}%",
                kappa,
                pearson,
            ]
        )
    lines += ["", *aligned(rows), "", f"disagreements left: {len(found.disagreements):,}"]
    if found.systems:
        rows = [["system", "question", "accepted", "mean"]]
        for system in found.systems:
            mean = with_ends(system.mean.value, system.mean.interval, 1, 2) if system.mean else ""
            share = system.share
            rows.append(
                [
                    system.system,
                    system.question,
                    f"{share.accepted:g} / {share.total} = {with_ends(share.value, share.interval, 100, 1)}",
                    mean,
                ]
            )
        lines += ["", *aligned(rows), "percent; intervals by bootstrap over inputs"]
    return lines
