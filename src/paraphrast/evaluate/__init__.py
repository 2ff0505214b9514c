"""Hypotheses and gold → figures with intervals and signatures."""

from paraphrast.evaluate.aer import AlignmentScore, Part, compare_alignments, score_alignment
from paraphrast.evaluate.annotation import Agreement, Disagreement, agreement, disagreements, merge
from paraphrast.evaluate.bootstrap import (
    BootstrapOptions,
    Difference,
    Interval,
    bootstrap,
    paired_difference,
)
from paraphrast.evaluate.links import WordPairs
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
