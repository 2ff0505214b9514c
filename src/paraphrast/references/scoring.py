"""Scores of outputs with the original references and with several kinds of paraphrased ones.

``single``: the original references. ``one``: also all references with one substitution (Owczarzak et al. 2006, §3.4).
``best``: also the k most probable different ones. ``lattice``: also, for each output, the closest path through each
reference's lattice. Every kind includes the original references, so without substitutions all kinds are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.references.lattices import (
    Reference,
    ReferenceLattice,
    best_references,
    one_at_a_time,
    path_reference,
)
from paraphrast.references.metric import Metric
from paraphrast.references.moves import moved_edges, with_edges
from paraphrast.references.ngrams import ngrams
from paraphrast.references.nist import Nist, nist_words
from paraphrast.references.options import ScoreOptions
from paraphrast.references.search import ORDER, Closest, LatticeBatch, closest_paths
from paraphrast.references.words import split_words
from paraphrast.types import LatticeEdge

Floats = NDArray[np.float64]
KINDS = ("single", "one", "best", "lattice")
#: Objective of the search for each metric.
OBJECTIVE = {"nist": "nist", "ter": "ter", "cder": "cder"}
#: Objectives that count word order in full. TER has shifts of its own, CDER jumps.
MOVABLE = ("bleu", "nist")


@dataclass(frozen=True, slots=True)
class Cell:
    """One output of one system for one segment. human: its human score, or None."""

    segment: int
    system: str
    text: str
    human: float | None = None


@dataclass(frozen=True)
class Scored:
    """rows: float64[cells, columns], the metric's statistics; scores: float64[cells], of each cell.

    used: for ``lattice``, each cell's closest paths, one per reference. references: mean number per segment.
    exact: share of searches that the beam did not cut.
    """

    kind: str
    rows: Floats
    scores: Floats
    references: float
    used: list[list[Reference]] | None = None
    exact: float = 1.0

    def corpus(self, metric: Metric, chosen: NDArray[np.int64]) -> float:
        """The corpus score of some cells."""
        return metric.corpus_score(self.rows[chosen].sum(axis=0).tolist())


def score_cells(
    metric: Metric,
    kind: str,
    lattices: Sequence[Sequence[ReferenceLattice]],
    cells: Sequence[Cell],
    options: ScoreOptions | None = None,
) -> Scored:
    """Score every cell. lattices: of the references of each segment."""
    options = options or ScoreOptions()
    if kind not in KINDS:
        raise InputError(f"unknown kind of reference {kind!r}", remedy=f"known: {', '.join(KINDS)}")
    for cell in cells:
        if not 0 <= cell.segment < len(lattices):
            raise InputError(f"expected segments below {len(lattices)}, got {cell.segment}")
    if kind == "lattice":
        return _with_paths(metric, lattices, cells, options)
    texts = [_texts(segment_lattices, kind, options) for segment_lattices in lattices]
    prepared: dict[int, Any] = {}
    rows = []
    for cell in cells:
        if cell.segment not in prepared:
            prepared[cell.segment] = metric.prepare(texts[cell.segment])
        rows.append(metric.statistics(cell.text, prepared[cell.segment]))
    mean = sum(len(segment_lattices) for segment_lattices in texts) / max(len(texts), 1)
    return _scored(metric, kind, rows, mean)


def _texts(lattices: Sequence[ReferenceLattice], kind: str, options: ScoreOptions) -> list[str]:
    texts = [lattice.text for lattice in lattices]
    for lattice in lattices:
        if kind == "one":
            texts += [paraphrased.text for paraphrased in one_at_a_time(lattice, most=options.most)[1:]]
        elif kind == "best":
            texts += [paraphrased.text for paraphrased in best_references(lattice, options.count)[1:]]
    return list(dict.fromkeys(texts))


def rescored(metric: Metric, scored: Scored) -> Scored:
    """The scores of another metric with the same statistics, such as BLEU with another smoothing."""
    scores = np.array([metric.segment_score(row) for row in scored.rows.tolist()], dtype=np.float64)
    return replace(scored, scores=scores)


def _scored(
    metric: Metric,
    kind: str,
    rows: Sequence[Sequence[float]],
    references: float,
    used: list[list[Reference]] | None = None,
    exact: float = 1.0,
) -> Scored:
    scores = np.array([metric.segment_score(row) for row in rows], dtype=np.float64)
    return Scored(kind, np.array(rows, dtype=np.float64), scores, references, used, exact)


def _with_paths(
    metric: Metric,
    lattices: Sequence[Sequence[ReferenceLattice]],
    cells: Sequence[Cell],
    options: ScoreOptions,
) -> Scored:
    flat = [lattice for segment_lattices in lattices for lattice in segment_lattices]
    first = np.cumsum([0, *(len(segment_lattices) for segment_lattices in lattices)])
    tasks = [(number, at) for number, cell in enumerate(cells) for at in _range(first, cell.segment)]
    outputs, lattice_of = [cells[number].text for number, _ in tasks], [at for _, at in tasks]
    closest = find_closest(metric, flat, outputs, lattice_of, options)
    if options.moved > 0 and OBJECTIVE.get(metric.name, "bleu") in MOVABLE:
        flat = _with_moves(flat, outputs, lattice_of, closest, options)
        closest = find_closest(metric, flat, outputs, lattice_of, options)
    used: list[list[Reference]] = [[] for _ in cells]
    for (number, at), edges in zip(tasks, closest.paths, strict=True):
        used[number].append(path_reference(flat[at], edges))
    prepared: dict[int, Any] = {}
    rows: list[Sequence[float]] = []
    for cell, paths in zip(cells, used, strict=True):
        if cell.segment not in prepared:
            prepared[cell.segment] = metric.prepare([lattice.text for lattice in lattices[cell.segment]])
        base = prepared[cell.segment]
        changed = [path for path in paths if path.edits]
        if not changed:
            rows.append(metric.statistics(cell.text, base))
            continue
        more = base
        for path in changed:
            more = metric.grow(more, path.text)
        row = metric.statistics(cell.text, more)
        rows.append(_credited(metric.statistics(cell.text, base), row, changed, options.credit))
    mean = sum(1 + bool(path.edits) for paths in used for path in paths) / max(len(cells), 1)
    return _scored(metric, "lattice", rows, mean, used, float(closest.exact.mean()) if len(cells) else 1.0)


def _with_moves(
    lattices: Sequence[ReferenceLattice],
    outputs: Sequence[str],
    lattice_of: Sequence[int],
    closest: Closest,
    options: ScoreOptions,
) -> list[ReferenceLattice]:
    """The lattices with the moved phrases that bring closest paths closer to their outputs."""
    edges: list[list[LatticeEdge]] = [[] for _ in lattices]
    for text, at, path in zip(outputs, lattice_of, closest.paths, strict=True):
        edges[at] += moved_edges(lattices[at], path, split_words(text), options.moved)
    return [with_edges(lattice, moved) for lattice, moved in zip(lattices, edges, strict=True)]


def _range(first: NDArray[np.int64], segment: int) -> range:
    return range(int(first[segment]), int(first[segment + 1]))


def _credited(
    base: Sequence[float], row: Sequence[float], paths: Sequence[Reference], credit: float
) -> Sequence[float]:
    if credit == 0:
        return row
    share = max(path.probability for path in paths) ** credit
    return [
        original + share * (paraphrased - original) for original, paraphrased in zip(base, row, strict=True)
    ]


def find_closest(
    metric: Metric,
    lattices: Sequence[ReferenceLattice],
    outputs: Sequence[str],
    lattice_of: Sequence[int],
    options: ScoreOptions,
) -> Closest:
    """The closest paths for a metric, with its objective and its tokeniser."""
    objective = OBJECTIVE.get(metric.name, "bleu")
    lowercase = objective in ("nist", "ter")
    rows = [nist_words(text) if lowercase else split_words(text) for text in outputs]
    information = None
    if isinstance(metric, Nist):
        information = {gram: metric.information(gram) for row in rows for gram in ngrams(row, ORDER)}
    search = replace(options.search, objective=objective, lowercase=lowercase)
    batch = LatticeBatch.of(lattices, lowercase=lowercase)
    return closest_paths(batch, rows, lattice_of, search, information)
