"""Scores of machine translation with paraphrased references, and their correlation with human scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._version import __version__
from paraphrast.errors import InputError
from paraphrast.formats.mt import MtSegment
from paraphrast.references.checks import AUTO, check_languages, check_order, target_language_of
from paraphrast.references.consensus import with_votes
from paraphrast.references.correlation import (
    Correlation,
    Gain,
    Rise,
    gain_of,
    rise_of,
    segment_correlation,
    spread_of,
    system_correlation,
)
from paraphrast.references.lattices import ReferenceLattice, reference_lattice
from paraphrast.references.metric import Metric
from paraphrast.references.metrics import METRICS, get_metric
from paraphrast.references.options import Resampling, ScoreOptions
from paraphrast.references.partial import CONTROLS, Partial, partial_correlation
from paraphrast.references.ranking import PairwiseAccuracy, pairwise_accuracy
from paraphrast.references.report import ReportRow, make_report
from paraphrast.references.scoring import KINDS, Cell, Scored, rescored, score_cells
from paraphrast.study.options import Origins
from paraphrast.study.references import ReferenceSubstitutions, find_substitutions
from paraphrast.text import get_language

#: Systems whose output is a human reference; left out of correlations.
HUMAN = "HUMAN"


@dataclass(frozen=True)
class Setup:
    """An evaluation that is ready for scoring: cells, and the lattices of each segment."""

    segments: Sequence[MtSegment]
    cells: tuple[Cell, ...]
    lattices: list[list[ReferenceLattice]]
    found: ReferenceSubstitutions
    origins: Origins

    @property
    def systems(self) -> list[str]:
        """The systems, in order of first appearance."""
        return list(dict.fromkeys(cell.system for cell in self.cells))

    def metric(self, name: str) -> Metric:
        """A metric by name, with the information of the original references."""
        return get_metric(name, [text for segment in self.segments for text in segment.references])

    def signature(self, metric: Metric, kind: str, scored: Scored, options: ScoreOptions) -> str:
        """sacreBLEU's signature, with the paraphrases that were used."""
        count = f"{scored.references:.1f}" if scored.references % 1 else int(scored.references)
        base_signature = metric.signature(count)
        if kind == "single":
            return f"{base_signature}|paraphrast:{__version__}"
        names = "+".join(self.found.names) or "none"
        fields = [
            f"para:{names}",
            f"kind:{kind}",
            f"thr:{max(self.origins.threshold, self.origins.sets.threshold):g}",
        ]
        fields.append(f"closed:{self.origins.sets.closed}")
        if self.origins.weight != 1:
            fields.append(f"weight:{self.origins.weight:g}")
        if self.origins.bitext and self.origins.tokeniser != AUTO:
            fields.append(f"source-tok:{self.origins.tokeniser}")
        if kind == "lattice":
            fields += [
                f"tax:{options.search.tax:g}",
                f"price:{options.search.price:g}",
                f"credit:{options.credit:g}",
                f"moved:{options.moved:g}",
            ]
        return "|".join([base_signature, *fields, f"paraphrast:{__version__}"])


def check_segments(segments: Sequence[MtSegment], origins: Origins) -> None:
    """Raise an error for data that cannot be scored sensibly: another language or script, outputs in another order."""
    references = [segment.references[0] for segment in segments]
    systems = dict.fromkeys(system for segment in segments for system in segment.outputs)
    outputs = {
        system: [segment.outputs[system].text if system in segment.outputs else "" for segment in segments]
        for system in systems
    }
    target_language = target_language_of(references, origins.target_language)
    check_languages(references, outputs, target_language=target_language)
    check_order(references, outputs, target_language=target_language)


def prepare(
    segments: Sequence[MtSegment],
    origins: Origins | None = None,
    *,
    top: int = 20,
    threads: int = 1,
    check: bool = True,
) -> Setup:
    """Find paraphrases for the references and build their lattices.

    top: number of substitutes per span. check: see :func:`check_segments`.
    """
    origins = origins or Origins()
    if check:
        check_segments(segments, origins)
    pairs = [(segment.source, text) for segment in segments for text in segment.references]
    cells = tuple(
        Cell(number, system, output.text, output.score)
        for number, segment in enumerate(segments)
        for system, output in segment.outputs.items()
    )
    substitutions = find_substitutions(
        [source for source, _ in pairs],
        [text for _, text in pairs],
        origins,
        outputs=[
            [output.text for output in segment.outputs.values()]
            for segment in segments
            for _ in segment.references
        ],
        threads=threads,
    )
    numbers = iter(range(len(pairs)))
    lattices = [
        [
            reference_lattice(text, substitutions.of(next(numbers), text), top=top)
            for text in segment.references
        ]
        for segment in segments
    ]
    if origins.precise:
        from paraphrast.study.reference_reading import ModelReader, read_lattices

        language = get_language(target_language_of([text for _, text in pairs], origins.target_language))
        reader = ModelReader.open(language, trips=origins.round_trips, threads=threads)
        lattices = read_lattices(lattices, cells, reader, language)
        names = (*substitutions.names, *(["roundtrip"] if origins.round_trips else []), "read")
        substitutions = replace(substitutions, names=names)
    if origins.consensus:
        lattices = [
            [with_votes(lattice, [output.text for output in segment.outputs.values()]) for lattice in own]
            for segment, own in zip(segments, lattices, strict=True)
        ]
        substitutions = replace(substitutions, names=(*substitutions.names, "consensus"))
    return Setup(segments, cells, lattices, substitutions, origins)


@dataclass(frozen=True)
class KindResult:
    """One metric with one kind of reference."""

    signature: str
    segment: Correlation
    system: Correlation
    gain: Gain | None
    rises: Mapping[str, Rise]
    per_system: Mapping[str, Correlation]
    human: Mapping[str, tuple[float, float]]
    references: float
    fixed_length: Mapping[str, Partial] = field(default_factory=dict)
    pairwise: PairwiseAccuracy | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        mean, variation = self.human[""]
        return {
            "segment": {**self.segment.to_dict(), "human_mean": mean, "human_variation": variation},
            "system": self.system.to_dict(),
            "gain": self.gain.to_dict() if self.gain else None,
            "rise": {name: rise.to_dict() for name, rise in self.rises.items()},
            "fixed_length": {name: partial.to_dict() for name, partial in self.fixed_length.items()},
            "pairwise": self.pairwise.to_dict() if self.pairwise else None,
            "per_system": {name: correlation.to_dict() for name, correlation in self.per_system.items()},
            "references": self.references,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Judged:
    """The cells with human scores, as arrays, without systems named HUMAN."""

    setup: Setup
    cells: tuple[Cell, ...]
    human: NDArray[np.float64] = field(repr=False)
    segment: NDArray[np.int64] = field(repr=False)
    system: NDArray[np.int64] = field(repr=False)
    systems: tuple[str, ...]

    @classmethod
    def of(cls, setup: Setup) -> Judged:
        """The judged cells of an evaluation."""
        cells = tuple(cell for cell in setup.cells if cell.human is not None and not is_human(cell.system))
        if not cells:
            raise InputError("no output has a human score", remedy='give each output a "score"')
        systems = tuple(dict.fromkeys(cell.system for cell in cells))
        return cls(
            setup,
            cells,
            np.array([cell.human for cell in cells], dtype=np.float64),
            np.array([cell.segment for cell in cells], dtype=np.int64),
            np.array([systems.index(cell.system) for cell in cells], dtype=np.int64),
            systems,
        )


def is_human(system: str) -> bool:
    """Whether a system is a human translator: HUMAN, HUMAN.0, Human-A."""
    return system.upper().startswith(HUMAN)


def evaluate_mt(
    setup: Setup,
    metrics: Sequence[str] = ("bleu",),
    kinds: Sequence[str] = KINDS,
    options: ScoreOptions | None = None,
    resampling: Resampling | None = None,
) -> dict[str, dict[str, KindResult]]:
    """Metric → kind of reference → correlations with human scores, gains over the original reference, rises."""
    options = options or ScoreOptions()
    resampling = resampling or Resampling()
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"unknown kind of reference {kind!r}", remedy=f"known: {', '.join(KINDS)}")
    for name in metrics:
        if name not in METRICS:
            raise InputError(f"unknown metric {name!r}", remedy=f"known: {', '.join(METRICS)}")
    judged = Judged.of(setup)
    results: dict[str, dict[str, KindResult]] = {}
    counted: dict[tuple[str, str], Scored] = {}

    def scores(metric: Metric, kind: str) -> Scored:
        """One count is enough for BLEU with any smoothing."""
        key = (metric.counted, kind)
        if key in counted:
            return rescored(metric, counted[key])
        counted[key] = score_cells(metric, kind, setup.lattices, judged.cells, options)
        return counted[key]

    for name in metrics:
        metric = setup.metric(name)
        single = scores(metric, "single")
        results[name] = {}
        for kind in kinds:
            scored = single if kind == "single" else scores(metric, kind)
            signature = setup.signature(metric, kind, scored, options)
            results[name][kind] = _result(judged, metric, single, scored, signature, resampling)
    return results


def _result(
    judged: Judged, metric: Metric, single: Scored, scored: Scored, signature: str, resampling: Resampling
) -> KindResult:
    sign = 1.0 if metric.higher else -1.0
    worth, base = sign * scored.scores, sign * single.scores
    human, segment = judged.human, judged.segment
    lengths = np.array(
        [len(judged.setup.segments[number].references[0]) for number in segment], dtype=np.float64
    )
    few = Resampling(samples=min(resampling.samples, 200), seed=resampling.seed, level=resampling.level)
    rises, own = {}, {}
    spreads = {"": spread_of(human)}
    for number, name in enumerate(judged.systems):
        chosen = np.flatnonzero(judged.system == number)
        spreads[name] = spread_of(human[chosen])
        own[name] = segment_correlation(human[chosen], worth[chosen], segment[chosen], Resampling(samples=0))
        if scored is not single:
            rises[name] = rise_of(
                single.rows[chosen], scored.rows[chosen], metric.corpus_score, few, higher=metric.higher
            )
    return KindResult(
        signature,
        segment_correlation(human, worth, segment, resampling),
        system_correlation(
            human,
            judged.system,
            segment,
            scored.rows,
            lambda sums: metric.worth(metric.corpus_score(sums)),
            resampling,
        ),
        None if scored is single else gain_of(human, base, worth, segment, resampling),
        rises,
        own,
        spreads,
        scored.references,
        {
            kind: partial_correlation(
                human,
                worth,
                lengths,
                segment,
                kind=kind,
                base=None if scored is single else base,
                resampling=resampling,
            )
            for kind in CONTROLS
        },
        pairwise_accuracy(human, worth, segment, resampling),
    )


@dataclass(frozen=True)
class SystemScore:
    """A system's corpus score by kind of reference."""

    system: str
    scores: Mapping[str, float]


def score_systems(
    setup: Setup, name: str, kinds: Sequence[str], options: ScoreOptions | None = None
) -> tuple[list[SystemScore], dict[str, str]]:
    """Corpus scores of every system with every kind of reference, and the kinds' signatures."""
    options = options or ScoreOptions()
    metric = setup.metric(name)
    systems = setup.systems
    place = {system: [] for system in systems}  # type: dict[str, list[int]]
    for number, cell in enumerate(setup.cells):
        place[cell.system].append(number)
    scores: dict[str, dict[str, float]] = {system: {} for system in systems}
    signatures = {}
    for kind in kinds:
        scored = score_cells(metric, kind, setup.lattices, setup.cells, options)
        signatures[kind] = setup.signature(metric, kind, scored, options)
        for system in systems:
            scores[system][kind] = scored.corpus(metric, np.array(place[system], dtype=np.int64))
    return [SystemScore(system, scores[system]) for system in systems], signatures


def report_page(
    setup: Setup, name: str, options: ScoreOptions | None = None, *, title: str, most: int = 2000
) -> str:
    """The page of outputs with their closest paraphrased references, with at most ``most`` outputs."""
    options = options or ScoreOptions()
    metric = setup.metric(name)
    cells = setup.cells[:most]
    single = score_cells(metric, "single", setup.lattices, cells, options)
    scored = score_cells(metric, "lattice", setup.lattices, cells, options)
    rows = []
    for number, cell in enumerate(cells):
        segment = setup.segments[cell.segment]
        paths = (scored.used or [])[number]
        best = max(range(len(paths)), key=lambda path_number: (len(paths[path_number].edits), -path_number))
        rows.append(
            ReportRow(
                segment.id,
                cell.system,
                segment.source,
                segment.references[best],
                cell.text,
                paths[best],
                float(single.scores[number]),
                float(scored.scores[number]),
                cell.human,
            )
        )
    return make_report(
        rows, title=title, metric=name, signature=setup.signature(metric, "lattice", scored, options)
    )
