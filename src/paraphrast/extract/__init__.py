"""Word alignments to phrase pairs with counts (Quirk, Brockett and Dolan 2004, §3.3)."""

from __future__ import annotations

from paraphrast.extract.count import CountedPairs, count_pairs
from paraphrast.extract.index import PhraseIndex
from paraphrast.extract.merge import merge_phrases
from paraphrast.extract.spans import Extraction, ExtractOptions, extract_pairs
from paraphrast.extract.spelling import source_glue

__all__ = [
    "CountedPairs",
    "ExtractOptions",
    "Extraction",
    "PhraseIndex",
    "count_pairs",
    "extract_pairs",
    "merge_phrases",
    "source_glue",
]
