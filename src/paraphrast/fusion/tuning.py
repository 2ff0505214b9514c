"""Tunes the parameters of figure 4 on clusters (section 4.1.3), by language model and content.

The paper used human judges. Here the sum of two measures replaces them: the log-probability of new sentences relative
to that of the cluster's sentences, and the share of their pairs of content words that some sentence has. All settings
are tried on the training clusters, the best few on the development clusters, and the best of these is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from paraphrast.errors import InputError
from paraphrast.fusion.resources import WordModel
from paraphrast.fusion.sentences import Prepared, lm_view
from paraphrast.msa.align import align_cluster
from paraphrast.msa.automaton import automaton_of
from paraphrast.msa.generate import novel_paths
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import MatchOptions, Version
from paraphrast.msa.proxies import fidelity, grammaticality


@dataclass(frozen=True)
class TuneGrid:
    """The values to try, in all combinations. keep: number of settings tried on the development clusters."""

    position: tuple[float, ...] = (0.2, 0.3, 0.4, 0.5, 0.7)
    length_discount: tuple[float, ...] = (0.25, 0.5, 1.0)
    exact: tuple[float, ...] = (0.5, 1.0, 2.0)
    partial: tuple[float, ...] = (-0.5, 0.0, 0.5)
    keep: int = 5

    def settings(self) -> list[MatchOptions]:
        """All combinations whose IOB scores descend (exact, partial, none)."""
        return [
            MatchOptions(position=position, length_discount=discount, exact=exact, partial=partial)
            for position, discount, exact, partial in product(
                self.position, self.length_discount, self.exact, self.partial
            )
            if exact >= partial
        ]


@dataclass(frozen=True)
class Tried:
    """The result of one setting: means over new sentences, and the share of clusters with a new sentence."""

    match: MatchOptions
    score: float
    grammaticality: float
    fidelity: float
    yielded: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "match": self.match.to_dict(),
            "score": self.score,
            "grammaticality": self.grammaticality,
            "fidelity": self.fidelity,
            "clusters_with_sentences": self.yielded,
        }


def try_setting(
    clusters: Sequence[Prepared],
    version: Version,
    match: MatchOptions,
    lm: WordModel | None,
    *,
    drawn: int = 50,
    seed: int = 0,
) -> Tried:
    """Align all clusters with a setting, draw new sentences, and score them."""
    likely: list[float] = []
    faithful: list[float] = []
    yielded = 0
    for prepared in clusters:
        cluster = prepared.cluster
        automaton = automaton_of(word_graph(cluster, align_cluster(cluster, version, match)))
        paths, _ = novel_paths(automaton, cluster.words, drawn=drawn, seed=seed)
        if paths:
            yielded += 1
            likely += grammaticality(paths, cluster, lm_view(cluster, lm))
            faithful += [fidelity(path, cluster) for path in paths]
    count = max(len(likely), 1)
    means = sum(likely) / count, sum(faithful) / count
    share = yielded / len(clusters)
    # A setting that aligns almost nothing makes few sentences, and few bad ones: half the clusters must give one.
    score = sum(means) if share >= 0.5 else sum(means) - 10 * (0.5 - share)
    return Tried(match, score if likely else -100.0, means[0], means[1], share)


def tune(
    train: Sequence[Prepared],
    dev: Sequence[Prepared],
    version: Version,
    lm: WordModel | None = None,
    grid: TuneGrid | None = None,
    *,
    seed: int = 0,
) -> dict[str, Any]:
    """The best setting, the results of the best few on both sets, and those of the defaults."""
    if not train or not dev:
        raise InputError(
            f"expected training and development clusters, got {len(train)} and {len(dev)}",
            remedy="give at least two clusters",
        )
    if not version.syntactic:
        raise InputError(f"{version.name} has no parameters to tune", remedy="tune V4 or V5")
    tried_grid = grid or TuneGrid()
    tried = [try_setting(train, version, match, lm, seed=seed) for match in tried_grid.settings()]
    order = sorted(range(len(tried)), key=lambda index: (-tried[index].score, index))
    best = [tried[index] for index in order[: tried_grid.keep]]
    chosen = [try_setting(dev, version, trial.match, lm, seed=seed) for trial in best]
    winner = max(range(len(chosen)), key=lambda index: (chosen[index].score, -index))
    default = MatchOptions()
    return {
        "version": version.name,
        "match": chosen[winner].match.to_dict(),
        "tried": len(tried),
        "train": [trial.to_dict() for trial in best],
        "dev": [trial.to_dict() for trial in chosen],
        "default": {
            "train": try_setting(train, version, default, lm, seed=seed).to_dict(),
            "dev": try_setting(dev, version, default, lm, seed=seed).to_dict(),
        },
    }
