"""`paraphrast evaluate phrases`: paraphrase tables against labels and graded judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from paraphrast.cli.options import Format, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.evaluate import BootstrapOptions
    from paraphrast.evaluate.phrases import MepScore
    from paraphrast.evaluate.ranking import RankingScore
    from paraphrast.study.ratings import Scores


def phrases(
    tables: Annotated[
        list[str],
        typer.Argument(
            help="Tables as NAME=PATH: a table file, exported TSV, or a model folder (NAME is then its table)."
        ),
    ],
    labels: Annotated[
        list[str] | None, typer.Option(help="Labelled pairs, as --blank wrote them; repeat for annotators.")
    ] = None,
    blank: Annotated[str | None, typer.Option(help="Write the pairs to label, systems unmarked.")] = None,
    judgements: Annotated[
        str | None, typer.Option(help="Graded judgements: mean, category, phrase, paraphrase, scores.")
    ] = None,
    annotators: Annotated[int, typer.Option(help="Empty columns of --blank.", min=1, max=20)] = 1,
    size: Annotated[int, typer.Option("--size", help="Phrases of each length for --blank.", min=1)] = 50,
    least: Annotated[
        int, typer.Option(help="Paraphrases that every table must have for a phrase of --blank.", min=1)
    ] = 1,
    phrase_list: Annotated[
        str | None, typer.Option("--phrases", help="Phrases to take for --blank, one a line, instead.")
    ] = None,
    good: Annotated[float, typer.Option(help="Least mean judgement of a good paraphrase.")] = 3.0,
    samples: Annotated[int, typer.Option(help="Resamples of the bootstrap; 0 for none.", min=0)] = 1000,
    seed: Annotated[int, typer.Option(help="Of the choice, the order and the bootstrap.", min=0)] = 12345,
    form: OutputFormat = Format.text,
) -> None:
    """Mean expected precision of tables by labels 0, 1, 2; or their scores against graded judgements.

    Labels: 0 different, 1 same meaning but ungrammatical here or an inflection, 2 same. Lenient counts 1 and 2,
    strict 2 alone.
    """
    from paraphrast.errors import InputError
    from paraphrast.evaluate import BootstrapOptions

    if sum(given is not None for given in (labels, blank, judgements)) != 1:
        raise InputError(
            "expected one of --blank, --labels and --judgements",
            remedy="first --blank FILE; fill it in; then --labels FILE",
        )
    scores = _tables(tables)
    options = BootstrapOptions(samples=samples, seed=seed)
    if blank is not None:
        _write_blank(scores, blank, annotators, size, least, phrase_list, seed)
    elif labels is not None:
        _mep(scores, labels, options, form)
    else:
        _ranking(scores, judgements or "", good, options, form)


def _tables(given: list[str]) -> dict[str, Scores]:
    from pathlib import Path

    from paraphrast.errors import InputError
    from paraphrast.study.ratings import phrase_scores

    found: dict[str, Scores] = {}
    for one in given:
        name, equals, path = one.partition("=")
        if not equals:
            path, name = one, Path(one).stem
        if not name or not path or name in found:
            raise InputError(f"expected NAME=PATH, each name once, got {one!r}")
        is_model = path == "default" or (Path(path) / "manifest.json").exists()
        found[name] = phrase_scores(path, table=name if is_model and equals else None)
    return found


def _write_blank(
    scores: dict[str, Scores],
    path: str,
    annotators: int,
    size: int,
    least: int,
    phrase_list: str | None,
    seed: int,
) -> None:
    from paraphrast.evaluate.phrases import BlankOptions, blank_pairs, choose_phrases
    from paraphrast.formats.files import read_lines
    from paraphrast.formats.phrase_labels import write_blank
    from paraphrast.study.ratings import ranked

    tables = {name: ranked(own) for name, own in scores.items()}
    options = BlankOptions(phrases=size, least=least, seed=seed)
    if phrase_list is not None:
        chosen = list(dict.fromkeys(line.strip() for line in read_lines(phrase_list) if line.strip()))
    else:
        chosen = choose_phrases(tables, options)
    columns = [f"label{number}" for number in range(1, annotators + 1)] if annotators > 1 else ["label"]
    count = write_blank(path, blank_pairs(tables, chosen, options), columns)
    if path != "-":
        typer.echo(f"{count:,} pairs of {len(chosen):,} phrases → {path}", err=True)


def _mep(scores: dict[str, Scores], labels: list[str], options: BootstrapOptions, form: Format) -> None:
    from paraphrast.evaluate.phrases import expected_precision
    from paraphrast.evaluate.signature import signature
    from paraphrast.formats.phrase_labels import read_phrase_labels
    from paraphrast.study.ratings import ranked

    given = read_phrase_labels(labels)
    phrases = list(dict.fromkeys(phrase for phrase, _ in given))
    found = {name: expected_precision(ranked(own), phrases, given, options) for name, own in scores.items()}
    line = signature("mep", [("phrases", len(phrases)), ("pairs", len(given)), *options.fields()])
    if form is Format.json:
        record: dict[str, Any] = {name: score.to_dict() for name, score in found.items()}
        print_json({"tables": record, "signature": line})
        return
    for text in [*_mep_lines(found), f"signature  {line}"]:
        typer.echo(text)


def _mep_lines(found: dict[str, MepScore]) -> list[str]:
    """The paper's table 1."""
    from paraphrast.cli.tables import aligned, with_ends

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
    scores: dict[str, Scores], path: str, good: float, options: BootstrapOptions, form: Format
) -> None:
    from paraphrast.evaluate.ranking import rank_correlation
    from paraphrast.evaluate.signature import signature
    from paraphrast.formats.phrase_labels import read_judgements

    pairs = read_judgements(path)
    found: dict[str, RankingScore] = {}
    for name, own in scores.items():
        folded: Scores = {}
        for source, targets in own.items():
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
    if form is Format.json:
        print_json({"tables": {name: one.to_dict() for name, one in found.items()}, "signature": line})
        return
    from paraphrast.cli.tables import aligned, with_ends

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
