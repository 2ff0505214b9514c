"""`paraphrast evaluate phrases`: paraphrase tables against labels and graded judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli._support.bind import take, with_options
from paraphrast.cli._support.options import Format, OutputFormat, print_json, report
from paraphrast.evaluate.options import BlankOptions, BootstrapOptions

if TYPE_CHECKING:
    from paraphrast.evaluate.phrases import MepScore
    from paraphrast.evaluate.ranking import RankingScore
    from paraphrast.study.ratings import Scores


@with_options
def phrases(
    tables: Annotated[
        list[str],
        typer.Argument(
            help="Tables as NAME=PATH: a table file, an exported TSV file, or a model folder (NAME is then the table)."
        ),
    ],
    *,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            help="Labelled pairs: a file that --blank wrote, filled in. Repeat it for several annotators."
        ),
    ] = None,
    blank: Annotated[
        str | None,
        typer.Option(help="Write the pairs to label to this file, without the names of the tables."),
    ] = None,
    judgements: Annotated[
        str | None,
        typer.Option(
            help="Graded judgements, separated by tabs: mean, category, phrase, paraphrase, scores."
        ),
    ] = None,
    annotators: Annotated[
        int, typer.Option(help="Number of empty columns that --blank writes.", min=1, max=20)
    ] = 1,
    choice: Annotated[BlankOptions, take("size", "least")],
    phrase_list: Annotated[
        str | None,
        typer.Option(
            "--phrases", help="File with the phrases for --blank, one per line, instead of a sample."
        ),
    ] = None,
    good: Annotated[float, typer.Option(help="Minimum mean judgement of a good paraphrase.")] = 3.0,
    options: BootstrapOptions,
    format: OutputFormat = Format.text,
) -> None:
    """Score tables by labelled pairs (mean expected precision) or by graded judgements (rank correlation).

    Labels are 0 for a different meaning, 1 for the same meaning but ungrammatical or only inflected, and 2 for a
    paraphrase. Lenient scores count 1 and 2 as correct, strict scores only 2.
    """
    from dataclasses import replace

    from paraphrast.errors import InputError

    if sum(given is not None for given in (labels, blank, judgements)) != 1:
        raise InputError(
            "expected one of --blank, --labels and --judgements",
            remedy="write a file with --blank FILE, fill it in, then use --labels FILE",
        )
    scores = _tables(tables)
    if blank is not None:
        _write_blank(scores, blank, annotators, replace(choice, seed=options.seed), phrase_list)
    elif labels is not None:
        _mep(scores, labels, options, format)
    else:
        _ranking(scores, judgements or "", good, options, format)


def _tables(given: list[str]) -> dict[str, Scores]:
    from pathlib import Path

    from paraphrast.errors import InputError
    from paraphrast.study.ratings import phrase_scores

    tables: dict[str, Scores] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            path, name = text, Path(text).stem
        if not name or not path or name in tables:
            raise InputError(f"expected NAME=PATH, each name once, got {text!r}")
        is_model = path == "default" or (Path(path) / "manifest.json").exists()
        tables[name] = phrase_scores(path, table=name if is_model and equals else None)
    return tables


def _write_blank(
    scores: dict[str, Scores],
    path: str,
    annotators: int,
    options: BlankOptions,
    phrase_list: str | None,
) -> None:
    from paraphrast.evaluate.phrases import blank_pairs, choose_phrases
    from paraphrast.formats.files import read_lines
    from paraphrast.formats.phrase_labels import write_blank
    from paraphrast.study.ratings import ranked

    tables = {name: ranked(table) for name, table in scores.items()}
    if phrase_list is not None:
        chosen = list(dict.fromkeys(line.strip() for line in read_lines(phrase_list) if line.strip()))
    else:
        chosen = choose_phrases(tables, options)
    columns = [f"label{number}" for number in range(1, annotators + 1)] if annotators > 1 else ["label"]
    count = write_blank(path, blank_pairs(tables, chosen, options), columns)
    if path != "-":
        report(f"{count:,} pairs of {len(chosen):,} phrases → {path}")


def _mep(scores: dict[str, Scores], labels: list[str], options: BootstrapOptions, format: Format) -> None:
    from paraphrast.evaluate.phrases import expected_precision
    from paraphrast.evaluate.signature import signature
    from paraphrast.formats.phrase_labels import read_phrase_labels
    from paraphrast.study.ratings import ranked

    given = read_phrase_labels(labels)
    phrases = list(dict.fromkeys(phrase for phrase, _ in given))
    found = {
        name: expected_precision(ranked(table), phrases, given, options) for name, table in scores.items()
    }
    line = signature("mep", [("phrases", len(phrases)), ("pairs", len(given)), *options.fields()])
    if format is Format.json:
        record: dict[str, Any] = {name: score.to_dict() for name, score in found.items()}
        print_json({"tables": record, "signature": line})
        return
    for text in [*_mep_lines(found), f"signature  {line}"]:
        typer.echo(text)


def _mep_lines(found: dict[str, MepScore]) -> list[str]:
    """The paper's table 1."""
    from paraphrast.cli._support.text_tables import aligned, with_ends

    ranks = list(next(iter(found.values())).values["lenient"])
    rows = [
        ["Method", *(f"{mode} @{k}" for mode in ("lenient", "strict") for k in ranks), "phrases", "labelled"]
    ]
    for name, score in found.items():
        cells = [
            with_ends(score.values[mode][k], score.intervals[mode][k], 1)
            for mode in score.values
            for k in ranks
        ]
        share = f"{score.labelled:,} of {score.pairs:,}"
        rows.append([name, *cells, f"{score.phrases:,}", share])
    return [*aligned(rows), "mean expected precision; pairs without a label count 0"]


def _ranking(
    scores: dict[str, Scores], path: str, good: float, options: BootstrapOptions, format: Format
) -> None:
    from paraphrast.evaluate.ranking import rank_correlation
    from paraphrast.evaluate.signature import signature
    from paraphrast.formats.phrase_labels import read_judgements

    pairs = read_judgements(path)
    found: dict[str, RankingScore] = {}
    for name, table in scores.items():
        folded: Scores = {}
        for source, targets in table.items():
            kept = folded.setdefault(source.lower(), {})
            for target, score in targets.items():
                kept[target.lower()] = max(score, kept.get(target.lower(), score))
        found[name] = rank_correlation(
            [pair.phrase for pair in pairs],
            [folded.get(pair.phrase.lower(), {}).get(pair.paraphrase.lower()) for pair in pairs],
            [pair.mean for pair in pairs],
            options,
            good=good,
        )
    line = signature("ranking", [("pairs", len(pairs)), ("good", good), *options.fields()])
    if format is Format.json:
        print_json({"tables": {name: one.to_dict() for name, one in found.items()}, "signature": line})
        return
    from paraphrast.cli._support.text_tables import aligned, with_ends

    rows = [["table", "covered", "Spearman (covered)", "Spearman (all)", "MRR", "average precision"]]
    for name, one in found.items():
        ends = one.intervals
        rows.append(
            [
                name,
                f"{one.covered_pairs:,} of {one.pairs:,}",
                with_ends(one.spearman_covered, ends["spearman_covered"], 1, 3),
                with_ends(one.spearman_all, ends["spearman_all"], 1, 3),
                with_ends(one.mrr, ends["mrr"], 1, 3),
                with_ends(one.average_precision, ends["average_precision"], 1, 3),
            ]
        )
    for text in [*aligned(rows), f"signature  {line}"]:
        typer.echo(text)
