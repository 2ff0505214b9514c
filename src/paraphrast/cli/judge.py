"""`paraphrast judge`: campaigns of human ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.campaign.options import OpenOptions
from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Format, OutputFormat, print_json
from paraphrast.cli._support.options import report as report_line
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.judge.options import CampaignOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from paraphrast.formats.ratings import Item, Sealed
    from paraphrast.study.comparison import Compared
    from paraphrast.study.ratings import CampaignReport

app = typer.Typer(
    help="Let people rate outputs without knowing which system produced them.", no_args_is_help=True
)
Items = Annotated[str, typer.Argument(help="Items to rate, as `paraphrast judge new` writes them.")]
Gold = Annotated[
    str | None,
    typer.Option(help="Gold items to check attention: outputs whose labels give the right answer. JSONL."),
]
Rule = Annotated[
    str,
    typer.Option(
        help="How to combine raters: mean (share that accepts), majority, or all (all must accept)."
    ),
]


@app.callback()
def judge() -> None:
    """Let people rate outputs without knowing which system produced them."""


@app.command()
@with_options
def new(
    outputs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Outputs to rate, one file per system: NAME=FILE. JSONL or TSV.", show_default=False
        ),
    ] = None,
    *,
    sentences: Annotated[
        str | None,
        typer.Option(help="File of sentences, one per line, that every --system rewrites now."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=MODEL",
            help="A model that rewrites the --sentences, with options of `paraphrast paraphrase`: "
            "bold=default,strength=0.8. Repeatable.",
        ),
    ] = None,
    items: Annotated[
        str | None, typer.Option("--output", "-o", help="File of items to write, for the raters.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="File to write that says which system produced each item. Do not show it to raters."
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="Store the campaign in this database, for `serve --database`, and print the links."
        ),
    ] = None,
    gold: Gold = None,
    options: CampaignOptions,
    opening: OpenOptions,
) -> None:
    """Sample inputs, shuffle the systems' outputs for them, and hide which system produced which."""
    from paraphrast.errors import InputError
    from paraphrast.formats.outputs import read_outputs
    from paraphrast.formats.ratings import write_items, write_key
    from paraphrast.judge import new_campaign

    if (items is None) != (key is None) or (items is None and database is None):
        raise InputError(
            "expected -o and --key, or --database", remedy="give -o FILE --key FILE, or --database URL"
        )
    if items is not None and items == key:
        raise InputError(
            "--output and --key name the same file", remedy="use two files: raters must not see the key"
        )
    if gold is not None and database is None:
        raise InputError("--gold requires --database", remedy="add --database URL")
    if bool(system) != (sentences is not None) or not (outputs or system):
        raise InputError(
            "expected outputs, or --sentences and --system",
            remedy="give NAME=FILE, or --sentences FILE --system NAME=MODEL --system NAME=MODEL",
        )
    rows = []
    for given in outputs or ():
        name, equals, path = given.partition("=")
        if not name or (equals and not path):
            raise InputError(f"expected NAME=FILE, got {given!r}")
        rows += read_outputs(path, name) if equals else read_outputs(name)
    recipes: dict[str, str] = {}
    if system and sentences is not None:
        compared = _compared(system, sentences, options)
        rows += compared.outputs
        recipes = compared.recipes
    campaign = new_campaign(rows, options)
    if items is not None and key is not None:
        write_key(key, campaign.key)
        count = write_items(items, campaign.items)
        report_line(f"{count:,} items → {items}; systems of the items → {key}")
    if database is not None:
        more = [{"recipe": recipes[seal.system]} if seal.system in recipes else {} for seal in campaign.key]
        _open(database, campaign.items, campaign.key, opening, gold, more, options.seed)


def _compared(specs: Sequence[str], sentences: str, options: CampaignOptions) -> Compared:
    """The outputs of systems that rewrite the sentences of a file now; says what each system did."""
    from paraphrast.formats.files import read_lines
    from paraphrast.study.comparison import compare, read_system

    systems = [read_system(spec) for spec in specs]
    compared = compare(systems, list(read_lines(sentences)), options)
    for each in systems:
        count = compared.answered(each.name)
        report_line(
            f"{each.name}: {count:,} of {compared.sentences:,} sentences rewritten by {compared.recipes[each.name]}"
        )
    return compared


@app.command("open")
@with_options
def open_items(
    items: Items,
    *,
    key: Annotated[str, typer.Option(help="Key of the items: which system produced each.")],
    database: Annotated[
        str, typer.Option(help="Database to store the campaign in: a file of SQLite, or postgresql://…")
    ],
    gold: Gold = None,
    seed: Annotated[int, typer.Option(help="Random seed for the orders of raters.", min=0)] = 12345,
    opening: OpenOptions,
) -> None:
    """Open existing items, such as those of `fuse --judge`, to raters in a browser. Prints the links."""
    from paraphrast._extras import require
    from paraphrast.formats.ratings import read_items, read_key

    require("paraphrast judge open", "web")
    from paraphrast.campaign.create import read_more

    _open(database, read_items(items), read_key(key), opening, gold, read_more(key), seed)


@app.command()
def export(
    database: Annotated[str, typer.Argument(help="Database: a file of SQLite, or postgresql://…")],
    output: Annotated[str, typer.Option("--output", "-o", help="Folder to write the files into.")],
    name: Annotated[str, typer.Option(help="Name of the campaign.")] = "ratings",
) -> None:
    """Write items, key, ratings and labelled outputs of a campaign in a database, as JSONL and CSV."""
    from paraphrast._extras import require

    require("paraphrast judge export", "web")
    from paraphrast.campaign.database import Database
    from paraphrast.campaign.export import write_folder
    from paraphrast.campaign.state import find_campaign, load_state

    with Database(database) as opened, opened.read() as connection:
        state = load_state(connection, find_campaign(connection, name))
    write_folder(state, output)
    report_line(f"{len(state.items):,} items, {len(state.all_ratings):,} ratings → {output}")


def _open(
    database: str,
    items: Sequence[Item],
    key: Sequence[Sealed],
    opening: OpenOptions,
    gold: str | None,
    more: Sequence[Mapping[str, Any]] | None,
    seed: int,
) -> None:
    """Store a campaign in a database, and print the links on standard output."""
    from paraphrast._extras import require

    require("a campaign in a database", "web")
    from paraphrast.campaign.access import link_of
    from paraphrast.campaign.create import open_campaign, read_gold
    from paraphrast.campaign.database import Database
    from paraphrast.judge.report import template_of

    template = template_of(items)
    with Database(database) as target:
        opened = open_campaign(
            target,
            items,
            key,
            template,
            opening,
            gold=read_gold(gold, template) if gold is not None else (),
            more=more,
            seed=seed,
        )
    report_line(f"{len(items):,} items → campaign {opening.name!r}. The links are not stored; keep them:")
    typer.echo(f"owner\t{link_of(opening.address, opened.owner)}")
    for rater, secret in opened.raters.items():
        typer.echo(f"{rater}\t{link_of(opening.address, secret)}")


@app.command()
def templates(format: OutputFormat = Format.text) -> None:
    """List the templates of questions, with their questions and answers."""
    from paraphrast.judge import TEMPLATES

    if format is Format.json:
        print_json(
            {
                name: [
                    {"question": question.name, "text": question.text, "answers": dict(question.answers)}
                    for question in template.questions
                ]
                for name, template in TEMPLATES.items()
            }
        )
        return
    for name, template in TEMPLATES.items():
        typer.echo(name)
        for question in template.questions:
            typer.echo(f"  {question.text}")
            typer.echo(f"    {', '.join(f'{value} {label}' for value, label in question.answers)}")


@app.command()
def rate(
    items: Items,
    ratings: Annotated[str, typer.Argument(help="File of ratings. New ratings are added at its end.")],
    rater: Annotated[str, typer.Option(help="Name of the rater.")],
    again: Annotated[
        str | None,
        typer.Option(
            help="Rate only these items again, as pass 2: a file that `judge report --disagreements` wrote."
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--pass", help="Number of the pass, from 1. Default: 1, or 2 with --again.", min=0)
    ] = 0,
) -> None:
    """Rate items in the terminal. Each answer is saved at once; run the same command again to continue."""
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
    report_line(f"\n{session.answered} items rated; all ratings are saved in {ratings}")


@app.command()
@with_options
def report(
    items: Items,
    ratings: Annotated[list[str], typer.Argument(help="Files of ratings of all raters.")],
    *,
    key: Annotated[
        str | None, typer.Option(help="Key file that `judge new` wrote. With it, the systems are compared.")
    ] = None,
    disagreements: Annotated[
        str | None,
        typer.Option(
            help="Write the items that raters disagree about to this file, for `judge rate --again`."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the outputs with systems and labels to this file, for `evaluate sentences`. Requires --key.",
        ),
    ] = None,
    rule: Rule = "mean",
    options: BootstrapOptions,
    format: OutputFormat = Format.text,
) -> None:
    """Report how far raters agree, where they disagree, and how the systems compare."""
    from paraphrast.errors import InputError
    from paraphrast.evaluate import signature
    from paraphrast.formats.jsonl import write_records
    from paraphrast.formats.outputs import write_outputs
    from paraphrast.formats.ratings import read_items, read_key, read_ratings
    from paraphrast.study.ratings import report_campaign

    if output is not None and key is None:
        raise InputError("-o requires --key", remedy="add --key FILE, the key of the campaign")
    result = report_campaign(
        read_items(items),
        [rating for path in ratings for rating in read_ratings(path)],
        read_key(key) if key is not None else None,
        options,
        rule=rule,
    )
    if disagreements is not None:
        write_records(
            disagreements,
            # The ratings stay out of it, so that they do not influence the second pass.
            ({"item": name} for name in dict.fromkeys(item.item for item, _, _ in result.disagreements)),
        )
    if output is not None:
        write_outputs(output, result.outputs)
    aside = "-" in (disagreements, output)
    line = signature("judge", [("items", result.items), ("rule", rule), *options.fields()])
    if format is Format.json and not aside:
        print_json({**result.to_dict(), "signature": line})
        return
    for text in [*_lines(result), f"signature  {line}"]:
        typer.echo(text, err=aside)


def _lines(result: CampaignReport) -> list[str]:
    from paraphrast.cli._support.text_tables import aligned, with_ends

    lines = [f"rated       {rater.rater}: {rater.done:,} of {rater.items:,}" for rater in result.progress]
    rows = [["question", "pass", "items", "raters", "agreement", "kappa", "alpha", "Pearson"]]
    for measured in result.agreements:
        got = measured.agreement
        if got is None:
            rows.append([measured.question, str(measured.round), "0", "", "", "", "", ""])
            continue
        kappa = f"{got.kappa:.3f} ({got.kind.capitalize()})" if got.kappa is not None else "undefined"
        pearson = f"{got.pearson:.3f}" if got.pearson is not None else ""
        rows.append(
            [
                measured.question,
                str(measured.round),
                f"{got.items:,}",
                str(len(got.raters)),
                f"{100 * got.percent:.1f}%",
                kappa,
                f"{got.alpha:.3f}" if got.alpha is not None else "undefined",
                pearson,
            ]
        )
    lines += ["", *aligned(rows), "", f"remaining disagreements: {len(result.disagreements):,}"]
    if result.systems:
        rows = [["system", "question", "accepted", "mean"]]
        for system in result.systems:
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
        lines += ["", *aligned(rows), "percent; bootstrap intervals over inputs"]
    return lines
