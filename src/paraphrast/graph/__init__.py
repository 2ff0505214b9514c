"""Paraphrases from a phrase table seen as a graph (Martzoukos & Monz 2012)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.graph.cocluster import cocluster
    from paraphrast.graph.decompose import Round
    from paraphrast.graph.idf import Idf
    from paraphrast.graph.options import CoclusterOptions, DecomposeOptions
    from paraphrast.graph.phrase_graph import GraphReport, phrase_graph
    from paraphrast.graph.plots import draw_components, draw_sub_tables
    from paraphrast.graph.records import Clusters, PhraseGraph, SubTables
    from paraphrast.graph.residues import Leftovers, ResidueRound
    from paraphrast.graph.sub_tables import DecomposeReport, sub_tables

__all__ = [
    "Clusters",
    "CoclusterOptions",
    "DecomposeOptions",
    "DecomposeReport",
    "GraphReport",
    "Idf",
    "Leftovers",
    "PhraseGraph",
    "ResidueRound",
    "Round",
    "SubTables",
    "cocluster",
    "draw_components",
    "draw_sub_tables",
    "phrase_graph",
    "sub_tables",
]

resolve_lazily(
    __name__,
    {
        "Clusters": "records",
        "CoclusterOptions": "options",
        "DecomposeOptions": "options",
        "DecomposeReport": "sub_tables",
        "GraphReport": "phrase_graph",
        "Idf": "idf",
        "Leftovers": "residues",
        "PhraseGraph": "records",
        "ResidueRound": "residues",
        "Round": "decompose",
        "SubTables": "records",
        "cocluster": "cocluster",
        "draw_components": "plots",
        "draw_sub_tables": "plots",
        "phrase_graph": "phrase_graph",
        "sub_tables": "sub_tables",
    },
)
