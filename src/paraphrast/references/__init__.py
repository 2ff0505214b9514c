"""One reference becomes many: paraphrased references, and scores with them (Owczarzak et al. 2006)."""

from __future__ import annotations

from paraphrast.references.correlation import (
    Correlation,
    Gain,
    Resampling,
    Rise,
    gain_of,
    rise_of,
    segment_correlation,
    system_correlation,
    williams,
)
from paraphrast.references.equivalents import (
    EquivalenceSet,
    Item,
    SetOptions,
    Substitute,
    Substitutions,
    count_sets,
    equivalence_sets,
    loose_rows,
    merge_substitutions,
    row_substitutions,
    set_substitutions,
    text_rows,
)
from paraphrast.references.inflections import inflection_substitutions
from paraphrast.references.lattices import (
    Reference,
    ReferenceLattice,
    best_references,
    one_at_a_time,
    path_reference,
    reference_lattice,
)
from paraphrast.references.metric import Metric
from paraphrast.references.metrics import METRICS, get_metric
from paraphrast.references.report import ReportRow, make_report
from paraphrast.references.samples import accuracy, draw_samples, read_samples, write_samples
from paraphrast.references.scoring import KINDS, Cell, Scored, ScoreOptions, score_cells
from paraphrast.references.search import (
    OBJECTIVES,
    Closest,
    LatticeBatch,
    SearchOptions,
    closest_paths,
)

__all__ = [
    "KINDS",
    "METRICS",
    "OBJECTIVES",
    "Cell",
    "Closest",
    "Correlation",
    "EquivalenceSet",
    "Gain",
    "Item",
    "LatticeBatch",
    "Metric",
    "Reference",
    "ReferenceLattice",
    "ReportRow",
    "Resampling",
    "Rise",
    "ScoreOptions",
    "Scored",
    "SearchOptions",
    "SetOptions",
    "Substitute",
    "Substitutions",
    "accuracy",
    "best_references",
    "closest_paths",
    "count_sets",
    "draw_samples",
    "equivalence_sets",
    "gain_of",
    "get_metric",
    "inflection_substitutions",
    "loose_rows",
    "make_report",
    "merge_substitutions",
    "one_at_a_time",
    "path_reference",
    "read_samples",
    "reference_lattice",
    "rise_of",
    "row_substitutions",
    "score_cells",
    "segment_correlation",
    "set_substitutions",
    "system_correlation",
    "text_rows",
    "williams",
    "write_samples",
]
