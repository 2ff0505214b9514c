"""Paraphrased references, and scores with them (Owczarzak et al. 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.references.correlation import (
        Correlation,
        Gain,
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
    from paraphrast.references.options import OBJECTIVES, Resampling, ScoreOptions, SearchOptions, SetOptions
    from paraphrast.references.report import ReportRow, make_report
    from paraphrast.references.samples import accuracy, draw_samples, read_samples, write_samples
    from paraphrast.references.scoring import KINDS, Cell, Scored, score_cells
    from paraphrast.references.search import Closest, LatticeBatch, closest_paths

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

resolve_lazily(
    __name__,
    {
        "Cell": "scoring",
        "Closest": "search",
        "Correlation": "correlation",
        "EquivalenceSet": "equivalents",
        "Gain": "correlation",
        "Item": "equivalents",
        "KINDS": "scoring",
        "LatticeBatch": "search",
        "METRICS": "metrics",
        "Metric": "metric",
        "OBJECTIVES": "options",
        "Reference": "lattices",
        "ReferenceLattice": "lattices",
        "ReportRow": "report",
        "Resampling": "options",
        "Rise": "correlation",
        "ScoreOptions": "options",
        "Scored": "scoring",
        "SearchOptions": "options",
        "SetOptions": "options",
        "Substitute": "equivalents",
        "Substitutions": "equivalents",
        "accuracy": "samples",
        "best_references": "lattices",
        "closest_paths": "search",
        "count_sets": "equivalents",
        "draw_samples": "samples",
        "equivalence_sets": "equivalents",
        "gain_of": "correlation",
        "get_metric": "metrics",
        "inflection_substitutions": "inflections",
        "loose_rows": "equivalents",
        "make_report": "report",
        "merge_substitutions": "equivalents",
        "one_at_a_time": "lattices",
        "path_reference": "lattices",
        "read_samples": "samples",
        "reference_lattice": "lattices",
        "rise_of": "correlation",
        "row_substitutions": "equivalents",
        "score_cells": "scoring",
        "segment_correlation": "correlation",
        "set_substitutions": "equivalents",
        "system_correlation": "correlation",
        "text_rows": "equivalents",
        "williams": "correlation",
        "write_samples": "samples",
    },
)
