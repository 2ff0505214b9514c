"""Ratings of new sentences, by cluster, version and judge: tables 3–6 and figures 5–6 of Shen and others (2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paraphrast.draw.plot import Axis, Plot, Series, draw_plot
from paraphrast.errors import InputError
from paraphrast.evaluate.signature import signature

#: The paper's two hypotheses: syntax helps; leaving out stop words (and commas) helps. (name, better, than)
HYPOTHESES = (
    ("syntax", ("V4", "V5"), ("V1", "V2", "V3")),
    ("V4 over V1", ("V4",), ("V1",)),
    ("V4 over V2", ("V4",), ("V2",)),
    ("V4 over V3", ("V4",), ("V3",)),
    ("V5 over V1", ("V5",), ("V1",)),
    ("V5 over V2", ("V5",), ("V2",)),
    ("V5 over V3", ("V5",), ("V3",)),
    ("without stop words", ("V3", "V4"), ("V2", "V5")),
    ("V4 over V5", ("V4",), ("V5",)),
    ("V3 over V2", ("V3",), ("V2",)),
)


@dataclass(frozen=True)
class ClusterRating:
    """The rating of one sentence of one system by one judge."""

    cluster: str
    system: str
    item: str
    rater: str
    question: str
    value: float


@dataclass(frozen=True)
class SystemFigures:
    """Figures of one system and question.

    pooled: mean of all ratings (the paper's "Overall"). clusters: mean of the means of clusters. by_cluster: those
    means. by_rater: the mean of every judge. between_raters: their standard deviation (table 6), None for one judge.
    """

    ratings: int
    pooled: float
    clusters: float
    by_cluster: dict[str, float]
    by_rater: dict[str, float]
    between_raters: float | None


@dataclass(frozen=True)
class Test:
    """A one-sided t-test (Welch's) that the first systems' ratings are higher; also paired, by cluster means."""

    name: str
    difference: float
    t: float | None
    p: float | None
    paired_t: float | None
    paired_p: float | None
    clusters: int


@dataclass(frozen=True)
class ClusterScores:
    """All figures: question → system → figures, question → tests, question → proxy → correlations."""

    systems: dict[str, dict[str, SystemFigures]]
    tests: dict[str, list[Test]]
    proxies: dict[str, dict[str, dict[str, float | None]]]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "systems": {
                question: {name: vars(test) for name, test in tests.items()}
                for question, tests in self.systems.items()
            },
            "tests": {question: [vars(test) for test in tests] for question, tests in self.tests.items()},
            "proxies": self.proxies,
            "signature": self.signature,
        }


def score_clusters(
    ratings: Sequence[ClusterRating], figures: Mapping[str, Mapping[str, float]] | None = None
) -> ClusterScores:
    """Means, deviations, t-tests and correlations of the proxies."""
    questions = sorted({rating.question for rating in ratings})
    systems = {
        question: {
            system: _figures([r for r in ratings if r.question == question and r.system == system])
            for system in sorted({r.system for r in ratings if r.question == question})
        }
        for question in questions
    }
    tests = {
        question: _tests([r for r in ratings if r.question == question], systems[question])
        for question in questions
    }
    proxies = {
        question: _correlations([r for r in ratings if r.question == question], figures or {})
        for question in questions
    }
    fields = [
        ("ratings", len(ratings)),
        ("raters", len({rating.rater for rating in ratings})),
        ("clusters", len({rating.cluster for rating in ratings})),
        ("systems", "+".join(sorted({rating.system for rating in ratings}))),
        ("test", "welch-one-sided"),
    ]
    return ClusterScores(systems, tests, proxies, signature("clusters", fields))


def _grouped(ratings: Sequence[ClusterRating], by: str) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for rating in ratings:
        groups.setdefault(str(getattr(rating, by)), []).append(rating.value)
    return dict(sorted(groups.items()))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _figures(ratings: Sequence[ClusterRating]) -> SystemFigures:
    by_cluster = {name: _mean(values) for name, values in _grouped(ratings, "cluster").items()}
    by_rater = {name: _mean(values) for name, values in _grouped(ratings, "rater").items()}
    return SystemFigures(
        len(ratings),
        _mean([rating.value for rating in ratings]),
        _mean(list(by_cluster.values())),
        by_cluster,
        by_rater,
        float(np.std(list(by_rater.values()), ddof=1)) if len(by_rater) > 1 else None,
    )


def _tests(ratings: Sequence[ClusterRating], systems: Mapping[str, SystemFigures]) -> list[Test]:
    """The paper's hypotheses if its versions were rated, else every system against every other."""
    comparisons = [
        hypothesis
        for hypothesis in HYPOTHESES
        if all(any(name in systems for name in names) for names in (hypothesis[1], hypothesis[2]))
    ]
    if not comparisons:
        names = sorted(systems)
        comparisons = [(f"{a} over {b}", (a,), (b,)) for a in names for b in names if a < b]
    tests = []
    for name, better, than in comparisons:
        first = [rating.value for rating in ratings if rating.system in better]
        second = [rating.value for rating in ratings if rating.system in than]
        pairs = []
        for cluster in sorted({rating.cluster for rating in ratings}):
            hypothesis = [
                systems[s].by_cluster[cluster]
                for s in better
                if s in systems and cluster in systems[s].by_cluster
            ]
            two = [
                systems[s].by_cluster[cluster]
                for s in than
                if s in systems and cluster in systems[s].by_cluster
            ]
            if hypothesis and two:
                pairs.append((_mean(hypothesis), _mean(two)))
        paired = t_test([a for a, _ in pairs], [b for _, b in pairs], paired=True)
        tests.append(Test(name, _mean(first) - _mean(second), *t_test(first, second), *paired, len(pairs)))
    return tests


def t_test(
    first: Sequence[float], second: Sequence[float], *, paired: bool = False
) -> tuple[float | None, float | None]:
    """t and the one-sided p for a greater first mean; None if there are too few values, or no variance."""
    from scipy import stats

    first_values, second_values = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if len(first_values) < 2 or len(second_values) < 2:
        return None, None
    spread = np.std(first_values - second_values) if paired else np.std(first_values) + np.std(second_values)
    if spread < 1e-12:
        return None, None
    if paired:
        result = stats.ttest_rel(first_values, second_values, alternative="greater")
    else:
        result = stats.ttest_ind(first_values, second_values, equal_var=False, alternative="greater")
    return float(result.statistic), float(result.pvalue)


def _correlations(
    ratings: Sequence[ClusterRating], figures: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float | None]]:
    """Correlation of each automatic figure with the judges' mean of a sentence: Pearson and Spearman."""
    from scipy import stats

    means = {item: _mean(values) for item, values in _grouped(ratings, "item").items()}
    names = sorted({name for item_figures in figures.values() for name in item_figures})
    by_figure: dict[str, dict[str, float | None]] = {}
    for name in names:
        items = [item for item in means if name in figures.get(item, {})]
        x = [figures[item][name] for item in items]
        y = [means[item] for item in items]
        known = len(items) > 2 and float(np.std(x)) > 0 and float(np.std(y)) > 0
        by_figure[name] = {
            "pearson": float(stats.pearsonr(x, y).statistic) if known else None,
            "spearman": float(stats.spearmanr(x, y).statistic) if known else None,
            "items": float(len(items)),
        }
    return by_figure


def plot_clusters(
    scores: ClusterScores, question: str, *, order: Sequence[str] | None = None, width: float = 720
) -> str:
    """Figures 5 and 6: the mean of every version on each cluster, as SVG. order: of the clusters, such as by size."""
    systems = scores.systems.get(question)
    if systems is None:
        raise InputError(f"expected a question that was rated, got {question!r}")
    every = sorted({cluster for system_figures in systems.values() for cluster in system_figures.by_cluster})
    names = list(order) if order is not None else every
    unknown = sorted(set(every) - set(names))
    if unknown:
        raise InputError(f"expected an order of all clusters; it lacks {unknown}")
    series = []
    for system, system_figures in systems.items():
        places = [place for place, name in enumerate(names) if name in system_figures.by_cluster]
        means = [system_figures.by_cluster[names[place]] for place in places]
        series.append(Series(places, means, label=system, kind="line"))
    plot = Plot(
        series,
        Axis("cluster", names=names),
        Axis("mean rating", low=1.0, high=4.0),
        title=f"{question.capitalize()} by cluster",
    )
    return draw_plot(plot, width).to_svg()
