"""Pages → articles → clusters → sentence pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.acquire.classifier import (
        PairClassifier,
        bootstrap,
        default_classifier,
        pair_features,
        train_classifier,
    )
    from paraphrast.acquire.clusters import (
        ClusterState,
        b_cubed,
        comparable_documents,
        find_clusters,
    )
    from paraphrast.acquire.duplicates import find_duplicates, mark_duplicates
    from paraphrast.acquire.extractors import EXTRACTORS, extract_article
    from paraphrast.acquire.heldout import hold_out
    from paraphrast.acquire.keyterms import KeyTermOptions, SentenceCluster, sentence_clusters
    from paraphrast.acquire.labels import label_lines, shingle_counts, shingle_score
    from paraphrast.acquire.options import (
        AcquireOptions,
        ClusterOptions,
        DuplicateOptions,
        ExtractOptions,
        HoldOutOptions,
        PairOptions,
    )
    from paraphrast.acquire.pages import Page, decode, read_pages
    from paraphrast.acquire.pairs import SentencePair, cluster_groups, find_pairs
    from paraphrast.acquire.report import PairReport, make_report
    from paraphrast.acquire.tagger import LineTagger, TaggerOptions, default_tagger, train_tagger
    from paraphrast.acquire.workers import extract_pages

_MODULES = {
    "classifier": ("PairClassifier", "bootstrap", "default_classifier", "pair_features", "train_classifier"),
    "clusters": ("ClusterState", "b_cubed", "comparable_documents", "find_clusters"),
    "duplicates": ("find_duplicates", "mark_duplicates"),
    "extractors": ("EXTRACTORS", "extract_article"),
    "heldout": ("hold_out",),
    "keyterms": ("KeyTermOptions", "SentenceCluster", "sentence_clusters"),
    "labels": ("label_lines", "shingle_counts", "shingle_score"),
    "pages": ("Page", "decode", "read_pages"),
    "options": (
        "AcquireOptions",
        "ClusterOptions",
        "DuplicateOptions",
        "ExtractOptions",
        "HoldOutOptions",
        "PairOptions",
    ),
    "pairs": ("SentencePair", "cluster_groups", "find_pairs"),
    "report": ("PairReport", "make_report"),
    "tagger": ("LineTagger", "TaggerOptions", "default_tagger", "train_tagger"),
    "workers": ("extract_pages",),
}

__all__ = [
    "EXTRACTORS",
    "AcquireOptions",
    "ClusterOptions",
    "ClusterState",
    "DuplicateOptions",
    "ExtractOptions",
    "HoldOutOptions",
    "KeyTermOptions",
    "LineTagger",
    "Page",
    "PairClassifier",
    "PairOptions",
    "PairReport",
    "SentenceCluster",
    "SentencePair",
    "TaggerOptions",
    "b_cubed",
    "bootstrap",
    "cluster_groups",
    "comparable_documents",
    "decode",
    "default_classifier",
    "default_tagger",
    "extract_article",
    "extract_pages",
    "find_clusters",
    "find_duplicates",
    "find_pairs",
    "hold_out",
    "label_lines",
    "make_report",
    "mark_duplicates",
    "pair_features",
    "read_pages",
    "sentence_clusters",
    "shingle_counts",
    "shingle_score",
    "train_classifier",
    "train_tagger",
]

resolve_lazily(__name__, {name: module for module, names in _MODULES.items() for name in names})
