"""The records that pass between rooms. They use only numpy and the standard library."""

from paraphrast.types.corpus import (
    FIRST_WORD,
    MASKS,
    SENTENCE_END,
    SENTENCE_START,
    SPECIALS,
    UNKNOWN,
    Sentences,
    Vocabulary,
    concatenate,
)
from paraphrast.types.encoding import Encoder
from paraphrast.types.lattice import Lattice, LatticeEdge
from paraphrast.types.lexicon import WordLexicon
from paraphrast.types.links import Links
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table
from paraphrast.types.ngrams import NgramArrays, PackedNgrams
from paraphrast.types.orientation import Orientation, SwapOdds
from paraphrast.types.phrases import MAX_PHRASE, PhrasePairs, Phrases
from paraphrast.types.results import Edit, Paraphrase, ParaphraseList
from paraphrast.types.table import ParaphraseTable, TableInfo, TextRow, pair_keys

__all__ = [
    "FIRST_WORD",
    "MASKS",
    "MAX_PHRASE",
    "SENTENCE_END",
    "SENTENCE_START",
    "SPECIALS",
    "UNKNOWN",
    "Edit",
    "Encoder",
    "Lattice",
    "LatticeEdge",
    "Links",
    "LooseTable",
    "NgramArrays",
    "Orientation",
    "PackedNgrams",
    "Paraphrase",
    "ParaphraseList",
    "ParaphraseTable",
    "PhrasePairs",
    "PhraseRow",
    "Phrases",
    "Sentences",
    "SwapOdds",
    "TableInfo",
    "TextRow",
    "Vocabulary",
    "WordLexicon",
    "concatenate",
    "loose_table",
    "pair_keys",
]
