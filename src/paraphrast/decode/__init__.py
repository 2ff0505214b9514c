"""Finds the n best rewrites of a sentence with paraphrase tables and a language model (see docs/decode.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.decode.arrays import DecoderArrays, OptionArrays
    from paraphrast.decode.batch import DecodeBatch, DecodeOptions, Edges, HypEdit, Hypothesis, SearchLoss
    from paraphrast.decode.decoder import Decoder
    from paraphrast.decode.features import FEATURES
    from paraphrast.decode.lattices import lattice_of
    from paraphrast.decode.pack import pack
    from paraphrast.decode.scoring import CONTEXT_COLUMNS
    from paraphrast.decode.weights import Weights, preset_tables

__all__ = [
    "CONTEXT_COLUMNS",
    "FEATURES",
    "DecodeBatch",
    "DecodeOptions",
    "Decoder",
    "DecoderArrays",
    "Edges",
    "HypEdit",
    "Hypothesis",
    "OptionArrays",
    "SearchLoss",
    "Weights",
    "lattice_of",
    "pack",
    "preset_tables",
]

resolve_lazily(
    __name__,
    {
        "CONTEXT_COLUMNS": "scoring",
        "DecodeBatch": "batch",
        "DecodeOptions": "batch",
        "Decoder": "decoder",
        "DecoderArrays": "arrays",
        "Edges": "batch",
        "FEATURES": "features",
        "HypEdit": "batch",
        "Hypothesis": "batch",
        "OptionArrays": "arrays",
        "SearchLoss": "batch",
        "Weights": "weights",
        "lattice_of": "lattices",
        "pack": "pack",
        "preset_tables": "weights",
    },
)
