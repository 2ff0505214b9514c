"""Word alignments to phrase pairs with counts and scores (Quirk, Brockett and Dolan 2004, §3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.extract.count import CountedPairs, PairKinds, count_pairs
    from paraphrast.extract.discount import pair_probabilities
    from paraphrast.extract.index import PhraseIndex
    from paraphrast.extract.lexical import (
        alignment_codes,
        alignment_points,
        lexical_weights,
        link_lexicons,
        pair_alignments,
    )
    from paraphrast.extract.merge import merge_phrases
    from paraphrast.extract.model1 import Model1Options, model1_log_prob
    from paraphrast.extract.options import DISCOUNTS, ExtractOptions
    from paraphrast.extract.orientation import (
        Orientations,
        estimate_orientation,
        orient_pairs,
        orientation_counts,
        overall_orientation,
        pool_orientations,
        smoothed_orientation,
    )
    from paraphrast.extract.significance import (
        SentenceCounts,
        prune_by_significance,
        sentence_counts,
        significance,
    )
    from paraphrast.extract.spans import Extraction, extract_pairs
    from paraphrast.extract.spelling import phrase_glue, source_glue

__all__ = [
    "DISCOUNTS",
    "CountedPairs",
    "ExtractOptions",
    "Extraction",
    "Model1Options",
    "Orientations",
    "PairKinds",
    "PhraseIndex",
    "SentenceCounts",
    "alignment_codes",
    "alignment_points",
    "count_pairs",
    "estimate_orientation",
    "extract_pairs",
    "lexical_weights",
    "link_lexicons",
    "merge_phrases",
    "model1_log_prob",
    "orient_pairs",
    "orientation_counts",
    "overall_orientation",
    "pair_alignments",
    "pair_probabilities",
    "phrase_glue",
    "pool_orientations",
    "prune_by_significance",
    "sentence_counts",
    "significance",
    "smoothed_orientation",
    "source_glue",
]

resolve_lazily(
    __name__,
    {
        "CountedPairs": "count",
        "DISCOUNTS": "options",
        "ExtractOptions": "options",
        "Extraction": "spans",
        "Model1Options": "model1",
        "Orientations": "orientation",
        "PairKinds": "count",
        "PhraseIndex": "index",
        "SentenceCounts": "significance",
        "alignment_codes": "lexical",
        "alignment_points": "lexical",
        "count_pairs": "count",
        "estimate_orientation": "orientation",
        "extract_pairs": "spans",
        "lexical_weights": "lexical",
        "link_lexicons": "lexical",
        "merge_phrases": "merge",
        "model1_log_prob": "model1",
        "orient_pairs": "orientation",
        "orientation_counts": "orientation",
        "overall_orientation": "orientation",
        "pair_alignments": "lexical",
        "pair_probabilities": "discount",
        "phrase_glue": "spelling",
        "pool_orientations": "orientation",
        "smoothed_orientation": "orientation",
        "prune_by_significance": "significance",
        "sentence_counts": "significance",
        "significance": "significance",
        "source_glue": "spelling",
    },
)
