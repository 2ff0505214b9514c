"""Aligns a cluster of sentences, and makes an automaton, new sentences and a table from it (Shen and others 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.msa.align import Alignment, align_cluster
    from paraphrast.msa.automaton import Automaton, automaton_of
    from paraphrast.msa.cluster import Cluster, make_cluster, raw_tokens
    from paraphrast.msa.conflicts import Conflict, facts_of, find_conflicts, mixes_conflict
    from paraphrast.msa.generate import Fused, Span, draw_paths, fused_of, novel_paths
    from paraphrast.msa.graph import WordGraph, word_graph
    from paraphrast.msa.match import VERSIONS, AlignOptions, MatchOptions, Version, get_version
    from paraphrast.msa.options import SlotOptions
    from paraphrast.msa.rank import LmView, RankOptions, rank_sentences
    from paraphrast.msa.slots import clusters_table, slot_pairs

_MODULES = {
    "VERSIONS": "match",
    "AlignOptions": "match",
    "Alignment": "align",
    "Automaton": "automaton",
    "Cluster": "cluster",
    "Conflict": "conflicts",
    "Fused": "generate",
    "LmView": "rank",
    "MatchOptions": "match",
    "RankOptions": "rank",
    "SlotOptions": "options",
    "Span": "generate",
    "Version": "match",
    "WordGraph": "graph",
    "align_cluster": "align",
    "automaton_of": "automaton",
    "clusters_table": "slots",
    "draw_paths": "generate",
    "facts_of": "conflicts",
    "find_conflicts": "conflicts",
    "fused_of": "generate",
    "get_version": "match",
    "make_cluster": "cluster",
    "mixes_conflict": "conflicts",
    "novel_paths": "generate",
    "rank_sentences": "rank",
    "raw_tokens": "cluster",
    "slot_pairs": "slots",
    "word_graph": "graph",
}
__all__ = [
    "VERSIONS",
    "AlignOptions",
    "Alignment",
    "Automaton",
    "Cluster",
    "Conflict",
    "Fused",
    "LmView",
    "MatchOptions",
    "RankOptions",
    "SlotOptions",
    "Span",
    "Version",
    "WordGraph",
    "align_cluster",
    "automaton_of",
    "clusters_table",
    "draw_paths",
    "facts_of",
    "find_conflicts",
    "fused_of",
    "get_version",
    "make_cluster",
    "mixes_conflict",
    "novel_paths",
    "rank_sentences",
    "raw_tokens",
    "slot_pairs",
    "word_graph",
]

resolve_lazily(__name__, _MODULES)
