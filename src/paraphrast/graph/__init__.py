"""A phrase table as a graph, to a table of paraphrases (Martzoukos & Monz 2012)."""

from __future__ import annotations

from paraphrast.graph.cocluster import CoclusterOptions, cocluster
from paraphrast.graph.decompose import DecomposeOptions, Round
from paraphrast.graph.idf import Idf
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
