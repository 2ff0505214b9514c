"""Chunks from tags: noun phrases, the same with a preposition before, verb groups, adjectives, adverbs.

Abney (1991), "Parsing by chunks": the cores of phrases, without attached phrases. For comparing sentences, patterns
over tags find them as well as a parser, and need none. If spaCy is installed,
:mod:`paraphrast.text.syntax.dependencies` finds them in its parses.

    NP    (PDT|DT|PRP$|CD|JJ…|VBN|VBG|NN…|POS)* NN…, or a pronoun; does not begin with a participle
    PP    IN|TO + NP
    VP    (TO)? (MD|VB…) with adverbs between, and a particle after
    ADJP  RB* JJ+
    ADVP  RB+
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.text.syntax._kernels_chunk import CHUNKS, find_chunks

__all__ = ["CHUNKS", "chunks_of_tags"]


def chunks_of_tags(
    tags: NDArray[np.uint8], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Chunks of tagged sentences: int32[n, 3] of begin and end in ``tags`` and kind (a number of ``CHUNKS``).

    starts: int64[sentences + 1]. Also returns int64[sentences + 1], where the chunks of each sentence begin.
    """
    if len(starts) == 0 or int(starts[0]) != 0 or int(starts[-1]) != len(tags):
        raise InputError(f"expected sentence starts that ascend from 0 to {len(tags)}")
    return find_chunks(np.ascontiguousarray(tags, np.uint8), np.asarray(starts, np.int64))
