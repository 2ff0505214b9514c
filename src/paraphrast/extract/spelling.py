"""How a phrase is written: where its words stand without a space between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.extract import _kernels
from paraphrast.extract.spans import Extraction
from paraphrast.types import Sentences
from paraphrast.types.corpus import writable


def source_glue(source: Sentences, extraction: Extraction) -> NDArray[np.uint8]:
    """The most frequent spelling of every source phrase over its occurrences: uint8[phrases].

    Bit k is set where no space stands between words k and k + 1 (``types.Phrases.glue``); of two equally
    frequent spellings the one with the smaller mask, which has its first spaces, is taken.
    """
    pairs = extraction.pairs
    sizes = np.asarray((extraction.source_words >= 0).sum(axis=1), dtype=np.int64)
    return _kernels.commonest_glue(
        pairs.source,
        pairs.sentence,
        pairs.source_start,
        writable(source.starts),
        writable(source.space_before),
        sizes,
    )
