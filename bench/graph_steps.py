"""Paraphrases of the graph by hand-given labels: the paper's table 1, and what each step keeps of the good ones.

    python bench/graph_steps.py table [--set test]
    python bench/graph_steps.py steps --work MODEL.work --config MODEL.toml --languages de,fr,es
    python bench/graph_steps.py lists [--set test] [--phrases 30] [--seed 23] [--languages de,fr,es]

``graph_labels.tsv`` (``--labels``) has a line per pair: set, phrase, paraphrase, the marks of two blind raters (0, 1, 2
or nothing), and the rank of the paraphrase in the list of each system named in the first line (nothing where it is
not among the first ten). ``table`` prints strict and lenient mean expected precision with bootstrap intervals and the
raters' agreement. ``steps`` runs the paper's method and discounted walks on the kept work of a training run.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.formats.phrase_labels import RankedLabels, read_ranked_labels

LABELS = Path(__file__).with_name("graph_labels.tsv")
RANKS = (1, 5, 10)


def print_table(labels: RankedLabels) -> None:
    """Table 1 of the paper, with intervals; and how far the raters agree."""
    from paraphrast.evaluate.phrases import expected_precision
    from paraphrast.judge.agreement import cohen_kappa

    both = [marks for marks in labels.marks.values() if len(marks) == 2]
    if both:
        first, second = zip(*both, strict=True)
        same = sum(a == b for a, b in both) / len(both)
        print(
            f"{len(labels.phrases)} phrases, {len(both):,} pairs marked twice, {same:.1%} alike, "
            f"kappa {cohen_kappa(first, second):.2f}\n"
        )
    print("| | strict @1 / @5 / @10 | 95 % | lenient @1 / @5 / @10 | 95 % | labelled |")
    print("|---|---|---|---|---|---|")
    for system, lists in labels.lists.items():
        score = expected_precision(lists, labels.phrases, labels.marks)
        cells = []
        for mode in ("strict", "lenient"):
            cells.append(" / ".join(_short(score.values[mode][k]) for k in RANKS))
            ends = [score.intervals[mode][k] for k in RANKS]
            cells.append(", ".join(f"{_short(e.low)}–{_short(e.high)}" for e in ends if e is not None))
        share = score.labelled / score.pairs if score.pairs else 0.0
        print(f"| {system} | {' | '.join(cells)} | {share:.0%} |")


def _short(value: float) -> str:
    return f"{value:.2f}".lstrip("0") if value < 1 else f"{value:.2f}"


def print_lists(labels: RankedLabels, phrases: int, seed: int, least: int, languages: str) -> None:
    """The best five of every system of these languages, unedited, as a table. The phrases are drawn by seed from those
    with at least ``least`` rows in each system."""
    joined = languages.replace(",", "+")
    systems = {name: lists for name, lists in labels.lists.items() if name.split()[-1] == joined}
    if not systems:
        sys.exit(f"--languages: expected those of a system in the labels, got {languages}")
    full = [
        phrase
        for phrase in labels.phrases
        if all(len(lists.get(phrase, ())) >= least for lists in systems.values())
    ]
    print(f"| phrase | {' | '.join(systems)} |\n|---|{'---|' * len(systems)}")
    for phrase in sorted(random.Random(seed).sample(sorted(full), min(phrases, len(full)))):
        cells = [", ".join(lists[phrase][:5]) for lists in systems.values()]
        print(f"| {phrase} | {' | '.join(cells)} |")


def print_steps(given: argparse.Namespace, labels: RankedLabels) -> None:
    """What is left of the labelled pairs after each step, then how rankings of the same rows compare."""
    import numpy as np

    from paraphrast.build.graph import as_graph, cluster_phrases, phrases_of
    from paraphrast.build.graph_input import side_features
    from paraphrast.build.graph_walks import as_translation_graph, row_filter
    from paraphrast.build.options import GraphTableOptions
    from paraphrast.graph import Idf
    from paraphrast.graph.counts import MixOptions, rank_paraphrases
    from paraphrast.graph.discounted import walk_paraphrases
    from paraphrast.graph.options import DiscountedOptions
    from paraphrast.graph.walks import walk
    from paraphrast.training.config import read_config
    from paraphrast.training.graph_input import from_work
    from paraphrast.training.recipe import make_recipe
    from paraphrast.types import Phrases

    recipe = make_recipe(read_config(given.config))
    pairs = from_work(recipe, Path(given.work), given.languages.split(","))
    side = pairs.source_side
    texts = phrases_of(side, range(len(side.words)))
    number: dict[str, int] = {}
    for phrase in np.argsort(-side.total, kind="stable").tolist():
        number.setdefault(texts[phrase], phrase)
    marked = Marked.of(labels, number)
    print(f"{len(marked.good):,} labelled pairs with both phrases known, {marked.good.sum():.0f} good\n")
    print("| step | good pairs left | other pairs left | precision |\n|---|---|---|---|")
    keep = row_filter(Phrases(side.words, side.glue), side.vocabulary, side.language, recipe.filters)

    def told(name: str, left: Any) -> None:
        marked.told(name, np.asarray(left, bool))

    sources = np.unique(marked.source)
    plain = DiscountedOptions(1, exponent=1.0, least=0.0, min_similarity=0.0, candidates=10**6, top=0)
    longer = DiscountedOptions(min_similarity=0.0, candidates=10**6, top=0)
    graph = as_translation_graph(pairs)
    one_step = walk_paraphrases(graph, None, plain, sources=sources, keep=keep)
    walks = walk_paraphrases(graph, None, longer, sources=sources, keep=keep)
    told("pass the filters, share a translation (pivot)", marked.among(one_step))
    told("pass the filters, two double steps", marked.among(walks))
    how = GraphTableOptions().walk
    clustered = cluster_phrases(as_graph(pairs)[0], how)
    in_tables, in_clusters = Idf(clustered.tables), Idf(clustered.tables, clustered.source)
    told("in one sub-table", in_tables.common(marked.source, marked.target) > 0)
    told("in one cluster", in_clusters.common(marked.source, marked.target) > 0)
    told("idf above 0.65", in_clusters(marked.source, marked.target) > how.graphs.sigma)
    features, _ = side_features(side)
    walked = walk(clustered, "source", features, how)
    ranked = rank_paraphrases(walked.graphs, walked.counts, features, MixOptions(top=0))
    rows = np.flatnonzero(np.isin(ranked.source, sources))
    rows = rows[keep(ranked.source[rows], ranked.target[rows])]
    paper = {name: getattr(ranked, name)[rows] for name in ("source", "target", "score", "phrase")}
    told(
        "in one graph of at most 20 phrases: rows", marked.among_keys(_keys(paper["source"], paper["target"]))
    )
    print("\n| rows | ranked by | strict @1 / @5 / @10 of labelled |\n|---|---|---|")
    marked.ranking("paper's", "eq. 21", paper["source"], paper["target"], paper["score"])
    marked.ranking(
        "paper's", "the first summand of eq. 21", paper["source"], paper["target"], paper["phrase"]
    )
    from paraphrast.graph.agreement import make_agreement

    agreement = make_agreement(features, side.category)
    weighted = walk_paraphrases(graph, agreement, longer, sources=sources, keep=keep)
    mixture = DiscountedOptions(exponent=1.0, min_similarity=0.0, candidates=10**6, top=0)
    mixed = walk_paraphrases(graph, agreement, mixture, sources=sources, keep=keep)
    keys = np.unique(_keys(paper["source"], paper["target"]))
    for name, table in (
        ("one double step (symmetric pivot)", one_step),
        ("discounted walks", walks),
        ("discounted walks, agreement", weighted),
    ):
        same = np.isin(_keys(table.source, table.target), keys)
        marked.ranking("paper's", name, table.source[same], table.target[same], table.score[same])
    for name, table in (
        ("one double step (symmetric pivot)", one_step),
        ("discounted walks", walks),
        ("discounted walks, agreement, mixture", mixed),
        ("discounted walks, agreement", weighted),
    ):
        marked.ranking("all", name, table.source, table.target, table.score)
    print(f"\nspread of scores (entropy relative to uniform): eq. 21 {_spread(paper):.3f}", end=", ")
    print(f"discounted walks {_spread({'source': weighted.source, 'score': weighted.score}):.3f}")


def _keys(source: Any, target: Any) -> Any:
    import numpy as np

    return (source.astype(np.int64) << 32) | target


def _spread(rows: dict[str, Any]) -> float:
    """Mean over phrases of the entropy of their ten best scores, as a share of the highest there could be."""
    import numpy as np

    values = []
    for phrase in np.unique(rows["source"]):
        scores = np.sort(rows["score"][rows["source"] == phrase])[::-1][:10]
        if len(scores) > 1:
            share = scores / scores.sum()
            values.append(float(-(share * np.log(share)).sum() / np.log(len(share))))
    return float(np.mean(values))


@dataclass(frozen=True)
class Marked:
    """Labelled pairs by phrase numbers; good: the share of raters who gave 2."""

    source: Any
    target: Any
    good: Any

    @classmethod
    def of(cls, labels: RankedLabels, number: dict[str, int]) -> Marked:
        """The pairs with both phrases in the table."""
        import numpy as np

        rows = [
            (number[phrase], number[text], sum(mark == 2 for mark in marks) / len(marks))
            for (phrase, text), marks in labels.marks.items()
            if phrase in number and text in number
        ]
        source, target, good = zip(*rows, strict=True)
        return cls(np.array(source, np.int32), np.array(target, np.int32), np.array(good))

    def told(self, name: str, left: Any) -> None:
        """Print a line of the table of steps."""
        good, bad = self.good, 1 - self.good
        share = good[left].sum() / max(left.sum(), 1)
        print(
            f"| {name} | {good[left].sum() / good.sum():.3f} | {bad[left].sum() / bad.sum():.3f} | {share:.3f} |"
        )

    def among(self, rows: Any) -> Any:
        """Which pairs are rows of a table."""
        return self.among_keys(_keys(rows.source, rows.target))

    def among_keys(self, keys: Any) -> Any:
        """Which pairs have one of these keys."""
        import numpy as np

        return np.isin(_keys(self.source, self.target), keys)

    def ranking(self, rows: str, name: str, source: Any, target: Any, score: Any) -> None:
        """Print strict precision of rows in an order, those without a label left out."""
        import numpy as np

        value = dict(zip(_keys(self.source, self.target).tolist(), self.good.tolist(), strict=True))
        phrases = np.unique(self.source)
        sums = dict.fromkeys(RANKS, 0.0)
        rank_of: dict[int, int] = {}
        order = np.lexsort((target, -score, source))
        for key in _keys(source[order], target[order]).tolist():
            if key in value:
                rank = rank_of[key >> 32] = rank_of.get(key >> 32, 0) + 1
                for most in RANKS:
                    sums[most] += value[key] if rank <= most else 0.0
        cells = " / ".join(_short(total / most / len(phrases)) for most, total in sums.items())
        print(f"| {rows} | {name} | {cells} |")


def main(arguments: Iterable[str] | None = None) -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("table", "steps", "lists"))
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--set", default="test", help="dev, test or all")
    parser.add_argument("--phrases", type=int, default=30, help="lists: how many phrases")
    parser.add_argument("--seed", type=int, default=23, help="lists: seed of the draw")
    parser.add_argument("--least", type=int, default=5, help="lists: rows that each system must have")
    parser.add_argument("--work", help="steps: kept work folder of a training run")
    parser.add_argument("--config", help="steps: its configuration")
    parser.add_argument("--languages", default="de,fr,es", help="steps, lists: pivots, by comma")
    given = parser.parse_args(None if arguments is None else list(arguments))
    labels = read_ranked_labels(given.labels, given.set)
    if not labels.phrases:
        sys.exit(f"no labels of the set {given.set!r} in {given.labels}")
    if given.what == "table":
        print_table(labels)
    elif given.what == "lists":
        print_lists(labels, given.phrases, given.seed, given.least, given.languages)
    else:
        if not given.work or not given.config:
            parser.error("steps needs --work and --config")
        print_steps(given, labels)


if __name__ == "__main__":
    main()
