"""A batch's lattices as records to save and to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from paraphrast.decode.batch import DecodeBatch, DecodeOptions
from paraphrast.decode.decoder import Decoder
from paraphrast.types import Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT, KEPT, SWAP


def lattice_of(
    decoder: Decoder,
    batch: DecodeBatch,
    item: int,
    words: Sequence[str],
    options: DecodeOptions | None = None,
    *,
    surfaces: Sequence[str] | None = None,
) -> Lattice:
    """The search space of one item without the language model: states between tokens, kept words, options.

    words: the vocabulary, to spell options. surfaces: the item's tokens as text; by default spelled by ``words``.
    The weight of an edge is its part of the score without the language model and minima. A kept word has the
    probability u; an option has its largest probability in any table, and the names of its tables. If ``options`` has a
    window, two neighbours that swap are one edge, with the probability of both and of the swap.
    """
    chosen = options or DecodeOptions()
    edges = decoder.edges(batch, chosen)
    begin, end = int(batch.starts[item]), int(batch.starts[item + 1])
    tokens = batch.tokens[begin:end].tolist()
    spelled = [words[token] for token in tokens] if surfaces is None else list(surfaces)
    log_u = decoder.weights.identity if chosen.log_u is None else chosen.log_u
    lattice_edges = [
        LatticeEdge(at, at + 1, (word,), log_u + decoder.weights.word, math.exp(log_u), KEPT, (at, at + 1))
        for at, word in enumerate(spelled)
    ]
    arrays = decoder.arrays
    for row in range(int(edges.begin[item]), int(edges.begin[item + 1])):
        option, start, stop = int(edges.option[row]), int(edges.start[row]), int(edges.end[row])
        lattice_edges.append(
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
    if chosen.window > 1:
        free = (batch.protected[begin:end] == 0) & (batch.tokens[begin:end] > 0)
        lattice_edges += _swaps(
            decoder, lattice_edges, tokens, free.tolist(), batch.breaks[begin:end].tolist(), chosen.window
        )
    return Lattice.from_edges(lattice_edges, [len(tokens)], states=len(tokens) + 1)


def _swaps(
    decoder: Decoder,
    edges: Sequence[LatticeEdge],
    tokens: list[int],
    free: Sequence[bool],
    breaks: Sequence[int],
    window: int,
) -> list[LatticeEdge]:
    """Every two neighbouring phrases of at most ``window`` words together, kept or replaced, in the other order."""
    sides: dict[tuple[int, int], list[LatticeEdge]] = {}
    for edge in edges:
        if edge.kind == EDIT:
            sides.setdefault((edge.tail, edge.head), []).append(edge)
    kept = [edge for edge in edges if edge.kind == KEPT]

    def side(start: int, end: int) -> list[LatticeEdge]:
        """The edges of a span; words that only move have the probability 1, as in the decoder's results."""
        words = tuple(word for edge in kept[start:end] for word in edge.words)
        weight = math.fsum(edge.weight for edge in kept[start:end])
        return [LatticeEdge(start, end, words, weight, 1.0, KEPT), *sides.get((start, end), [])]

    lattice_edges = []
    for start in range(len(tokens)):
        reach = start
        while (
            reach < min(len(tokens), start + window) and free[reach] and (reach == start or not breaks[reach])
        ):
            reach += 1
        for middle in range(start + 1, reach):
            odds = decoder.swap_odds(tokens[start:middle])
            for end in range(middle + 1, reach + 1):
                for left, right in product(side(start, middle), side(middle, end)):
                    lattice_edges.append(
                        LatticeEdge(
                            start,
                            end,
                            right.words + left.words,
                            left.weight + right.weight + decoder.weights.swap * odds,
                            left.probability * right.probability / (1 + math.exp(-odds)),
                            SWAP,
                            (start, end),
                            "+".join(dict.fromkeys(part.name for part in (left, right) if part.name)),
                        )
                    )
    return lattice_edges
