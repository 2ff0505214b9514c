"""Outputs and gold standards → figures with intervals and signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.evaluate.aer import AlignmentScore, Part, compare_alignments, score_alignment
    from paraphrast.evaluate.annotation import Agreement, Disagreement, agreement, disagreements, merge
    from paraphrast.evaluate.bootstrap import Difference, Interval, bootstrap, paired_difference
    from paraphrast.evaluate.links import WordPairs
    from paraphrast.evaluate.options import BootstrapOptions
    from paraphrast.evaluate.signature import signature

__all__ = [
    "Agreement",
    "AlignmentScore",
    "BootstrapOptions",
    "Difference",
    "Disagreement",
    "Interval",
    "Part",
    "WordPairs",
    "agreement",
    "bootstrap",
    "compare_alignments",
    "disagreements",
    "merge",
    "paired_difference",
    "score_alignment",
    "signature",
]

resolve_lazily(
    __name__,
    {
        "Agreement": "annotation",
        "AlignmentScore": "aer",
        "BootstrapOptions": "options",
        "Difference": "bootstrap",
        "Disagreement": "annotation",
        "Interval": "bootstrap",
        "Part": "aer",
        "WordPairs": "links",
        "agreement": "annotation",
        "bootstrap": "bootstrap",
        "compare_alignments": "aer",
        "disagreements": "annotation",
        "merge": "annotation",
        "paired_difference": "bootstrap",
        "score_alignment": "aer",
        "signature": "signature",
    },
)
