"""Sentence + tables + language model → n-best rewrites (see docs/decode.md)."""

from paraphrast.decode.arrays import DecoderArrays, OptionArrays
from paraphrast.decode.batch import DecodeBatch, DecodeOptions, HypEdit, Hypothesis
from paraphrast.decode.decoder import Decoder
from paraphrast.decode.pack import pack
from paraphrast.decode.weights import Weights

__all__ = [
    "DecodeBatch",
    "DecodeOptions",
    "Decoder",
    "DecoderArrays",
    "HypEdit",
    "Hypothesis",
    "OptionArrays",
    "Weights",
    "pack",
]
