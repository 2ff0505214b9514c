"""A batch's lattices as records to save and to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence

from paraphrast.decode.batch import DecodeBatch, DecodeOptions
from paraphrast.decode.decoder import Decoder
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT, KEPT


def lattice_of(
    decoder: Decoder,
    batch: DecodeBatch,
    item: int,
    words: Sequence[str],
    options: DecodeOptions | None = None,
    *,
    surfaces: Sequence[str] | None = None,
) -> Lattice:
    """What the decoder searches in one item, before the language model: states between tokens, kept words, options.

    words: the vocabulary, to spell options. surfaces: the item's tokens, where they are not those of ``words``.
    An edge's weight is its part of the model's score but for the language model and minima; a kept word has the
    probability u, an option its largest probability in any table, its name says which. Swaps are left out: they
    are made of these edges.
    """
    chosen = options or DecodeOptions()
    edges = decoder.edges(batch, chosen)
    begin, end = int(batch.starts[item]), int(batch.starts[item + 1])
    tokens = batch.tokens[begin:end].tolist()
    spelled = [words[token] for token in tokens] if surfaces is None else list(surfaces)
    log_u = decoder.weights.identity if chosen.log_u is None else chosen.log_u
    found = [
        LatticeEdge(at, at + 1, (word,), log_u + decoder.weights.word, math.exp(log_u), KEPT, (at, at + 1))
        for at, word in enumerate(spelled)
    ]
    arrays = decoder.arrays
    for row in range(int(edges.begin[item]), int(edges.begin[item + 1])):
        option, start, stop = int(edges.option[row]), int(edges.start[row]), int(edges.end[row])
        found.append(
            LatticeEdge(
                start,
                stop,
                tuple(words[word] for word in arrays.target_words_of(option)),
                float(edges.score[row]),
                math.exp(float(arrays.options.log_prob[option])),
                EDIT,
                (start, stop),
                "+".join(arrays.tables_of(int(arrays.options.tables[option]))),
            )
        )
    return Lattice.from_edges(found, [len(tokens)], states=len(tokens) + 1)
