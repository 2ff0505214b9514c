"""The path through a reference's lattice that is closest to an output, for many outputs.

BLEU and NIST: the path whose n-grams in the output gain most (for BLEU 1 each, for NIST their information), minus
``tax`` · −log p and a ``price`` for each substitution. An n-gram gains at most as often as the output has it, so a path
does not repeat words that match once. A substitution is tried only if the output has all its words in sequence. The
value is that of the path; nearly always no path has a higher one. ``exact`` is False if more than ``beam`` contexts met
in a state. TER and CDER: the smallest edit distance, for TER without its shifts, for CDER with its jumps; exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.references import _kernels
from paraphrast.references.lattices import ReferenceLattice
from paraphrast.references.options import SearchOptions
from paraphrast.types.lattice import KEPT

ORDER = 4
#: Start of the name of edges that need only one word of an output; the others need all of theirs in sequence.
MOVED_PHRASE = "moved"
_NO_INTS = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True)
class Closest:
    """paths: the edges for each output. values: of the objective. exact: False if the beam was too narrow."""

    paths: list[list[int]]
    values: NDArray[np.float64]
    exact: NDArray[np.bool_]


@dataclass(frozen=True)
class LatticeBatch:
    """Lattices as flat arrays for the kernels, with one vocabulary."""

    states: NDArray[np.int32]
    edge_begin: NDArray[np.int64]
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    word_begin: NDArray[np.int64]
    words: NDArray[np.int32]
    weight: NDArray[np.float64]
    kept: NDArray[np.uint8]
    whole: NDArray[np.uint8]
    ids: dict[str, int]
    lowercase: bool

    @classmethod
    def of(cls, references: Sequence[ReferenceLattice], *, lowercase: bool = False) -> LatticeBatch:
        """Concatenate the lattices."""
        ids: dict[str, int] = {}
        words: list[NDArray[np.int32]] = []
        edge_begin, word_begin = [0], [np.zeros(1, dtype=np.int64)]
        total = 0
        for reference in references:
            lattice = reference.lattice
            symbols = (word.lower() for word in lattice.symbols) if lowercase else lattice.symbols
            symbol_ids = np.array([ids.setdefault(word, len(ids)) for word in symbols], dtype=np.int32)
            words.append(symbol_ids[lattice.words] if len(symbol_ids) else np.zeros(0, np.int32))
            word_begin.append(lattice.word_begin[1:] + total)
            total += len(lattice.words)
            edge_begin.append(edge_begin[-1] + len(lattice))
        lattices = [reference.lattice for reference in references]
        return cls(
            np.array([lattice.states for lattice in lattices], dtype=np.int32),
            np.array(edge_begin, dtype=np.int64),
            np.concatenate([_NO_INTS, *(lattice.tail for lattice in lattices)]),
            np.concatenate([_NO_INTS, *(lattice.head for lattice in lattices)]),
            np.concatenate(word_begin),
            np.concatenate([_NO_INTS, *words]),
            np.concatenate([np.zeros(0), *(lattice.weight for lattice in lattices)]),
            np.concatenate(
                [
                    np.zeros(0, np.uint8),
                    *((lattice_arrays.kind == KEPT).astype(np.uint8) for lattice_arrays in lattices),
                ]
            ),
            np.array(
                [
                    not name.startswith(MOVED_PHRASE)
                    for lattice in lattices
                    for name in lattice.names or [""] * len(lattice)
                ],
                dtype=np.uint8,
            ),
            ids,
            lowercase,
        )


def closest_paths(
    batch: LatticeBatch,
    outputs: Sequence[Sequence[str]],
    lattice_of: Sequence[int],
    options: SearchOptions | None = None,
    information: Mapping[tuple[str, ...], float] | None = None,
) -> Closest:
    """For each output (its words), the closest path through its lattice.

    lattice_of: the lattice that each output is compared with. information: of n-grams, for the objective ``nist``.
    """
    options = options or SearchOptions()
    if len(outputs) != len(lattice_of):
        raise InputError(f"expected one lattice per output, got {len(lattice_of)} for {len(outputs)} outputs")
    if len(lattice_of) and not 0 <= min(lattice_of) <= max(lattice_of) < len(batch.states):
        raise InputError(f"expected lattices below {len(batch.states)}, got {max(lattice_of)}")
    rows = [[word.lower() for word in row] for row in outputs] if batch.lowercase else outputs
    unknown = len(batch.ids)
    # All words that the lattices lack share one id: no path has it.
    flat = np.array([batch.ids.get(word, unknown) for row in rows for word in row], dtype=np.int32)
    begin = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=begin[1:])
    owner = np.array(lattice_of, dtype=np.int32)
    path_begin = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(batch.states[owner] - 1, out=path_begin[1:])
    path = np.empty(int(path_begin[-1]), dtype=np.int32)
    lengths = np.zeros(len(rows), dtype=np.int32)
    values = np.zeros(len(rows), dtype=np.float64)
    exact = np.ones(len(rows), dtype=np.uint8)
    # Slightly more than 0, so that a substitution without a gain is not made.
    cost = np.where(batch.kept == 1, 0.0, -batch.weight * options.tax + options.price + 1e-6)
    arrays = (batch.states, batch.edge_begin, batch.tail, batch.head, batch.word_begin, batch.words, cost)
    if options.objective in ("bleu", "nist"):
        gain = np.ones((len(flat), ORDER))
        if options.objective == "nist":
            gain = _information_gain(rows, information or {}, len(flat))
        _kernels.ngram_paths(
            *arrays, batch.kept, batch.whole, owner, begin, flat, gain, unknown + 1, options.beam,
            path_begin, path, lengths, values, exact,
        )  # fmt: skip
    else:
        _kernels.edit_paths(
            *arrays, owner, begin, flat, options.objective == "cder", path_begin, path, lengths, values
        )
    starts, sizes = path_begin.tolist(), lengths.tolist()
    paths = [path[start : start + size].tolist() for start, size in zip(starts[:-1], sizes, strict=True)]
    return Closest(paths, values, exact.astype(bool))


def _information_gain(
    rows: Sequence[Sequence[str]], information: Mapping[tuple[str, ...], float], size: int
) -> NDArray[np.float64]:
    gain = np.zeros((size, ORDER))
    at = 0
    for row in rows:
        for place in range(len(row)):
            for n in range(min(place + 1, ORDER)):
                gain[at, n] = information.get(tuple(row[place - n : place + 1]), 0.0)
            at += 1
    return gain
