"""`paraphrast evaluate clusters`: judges' ratings of new sentences, by version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.evaluate.clusters import ClusterScores


def clusters(
    items: Annotated[
        str, typer.Argument(help="Items of the campaign, as `paraphrast fuse --judge` writes them.")
    ],
    ratings: Annotated[
        list[str],
        typer.Argument(help="Files of ratings of all raters, as `paraphrast judge rate` writes them."),
    ],
    key: Annotated[
        str, typer.Option(help="Key of the campaign, which says which system produced each item.")
    ],
    draw: Annotated[
        str | None,
        typer.Option(help="Draw the ratings of each question as SVG: NAME.svg writes NAME.QUESTION.svg."),
    ] = None,
    format: OutputFormat = Format.text,
) -> None:
    """Score ratings of new sentences by system and cluster.

    Prints means per cluster, the deviation of raters, t-tests, and the correlation with automatic scores.
    """
    from paraphrast.errors import InputError
    from paraphrast.evaluate.clusters import plot_clusters, score_clusters
    from paraphrast.formats.files import atomic_write
    from paraphrast.study.fusions import read_judged

    if draw is not None and not draw.endswith(".svg"):
        raise InputError(f"--draw: expected a file name that ends with .svg, got {draw!r}")
    given, figures, order = read_judged(items, ratings, key)
    scores = score_clusters(given, figures)
    for question in scores.systems if draw is not None else ():
        with atomic_write(f"{str(draw).removesuffix('.svg')}.{question}.svg") as stream:
            stream.write(plot_clusters(scores, question, order=order))
    if format is Format.json:
        print_json(scores.to_dict())
        return
    for line in _table(scores):
        typer.echo(line)


def _table(scores: ClusterScores) -> list[str]:
    lines: list[str] = []
    for question, systems in scores.systems.items():
        names = list(systems)
        lines += [question, f"  {'':24}" + "".join(f"{name:>8}" for name in names)]
        every = sorted({cluster for one in systems.values() for cluster in one.by_cluster})
        for cluster in every:
            cells = [systems[name].by_cluster.get(cluster) for name in names]
            lines.append(f"  {cluster[:24]:24}" + "".join(_cell(cell) for cell in cells))
        lines.append(f"  {'pooled':24}" + "".join(_cell(systems[name].pooled) for name in names))
        lines.append(f"  {'mean of clusters':24}" + "".join(_cell(systems[name].clusters) for name in names))
        spread = [systems[name].between_raters for name in names]
        lines.append(f"  {'deviation of raters':24}" + "".join(_cell(cell) for cell in spread))
        for test in scores.tests[question]:
            p = "p: none" if test.p is None else f"p = {test.p:.4g}"
            paired = "" if test.paired_p is None else f", over clusters p = {test.paired_p:.4g}"
            lines.append(f"  {test.name:24}{test.difference:+8.2f}  {p}{paired}")
        for name, found in scores.proxies[question].items():
            if found["pearson"] is not None:
                lines.append(
                    f"  proxy {name:18}{found['pearson']:+8.2f}  Pearson, {found['spearman']:+.2f} Spearman"
                )
        lines.append("")
    return [*lines, f"signature  {scores.signature}"]


def _cell(value: float | None) -> str:
    return f"{'–':>8}" if value is None else f"{value:8.2f}"
