"""Scores candidate rewrites with translation and language models (extra ``precise``). See docs/read.md."""

from paraphrast.read.acceptability import Acceptability
from paraphrast.read.encoder import SentenceEncoder
from paraphrast.read.language_model import LanguageModel
from paraphrast.read.reader import GROUPS, Pivot, Reader, RoundTrip, columns
from paraphrast.read.translator import PieceScores, Translation, Translator

__all__ = [
    "GROUPS",
    "Acceptability",
    "LanguageModel",
    "PieceScores",
    "Pivot",
    "Reader",
    "RoundTrip",
    "SentenceEncoder",
    "Translation",
    "Translator",
    "columns",
]
