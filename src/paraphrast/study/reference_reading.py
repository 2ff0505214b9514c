"""Substitutions of references, read in their sentences by translation models (extra ``precise``).

A table gives a paraphrase one probability, and a bitext of a few hundred sentences a poor one. The substitutions that
an output uses are few, so each of them is read in its sentence: P(accepted), as in precise rewriting, replaces its
probability. The sentences are also translated and translated back, and the differences are additional edits
(Owczarzak et al.'s bitext, made on the spot).

1. The differences of round trips become edges of the lattices.
2. The closest path to each output is found; all its substitutions that were not yet read are read, one at a time.
3. Again, because a path with other substitutions may now be closer; at most ``ROUNDS`` times.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from paraphrast import data
from paraphrast.errors import InputError
from paraphrast.model.parts import ROUND_TRIP, Part, Workshop
from paraphrast.model.precise import LANGUAGE_MODELS, PIVOTS
from paraphrast.read import Reader
from paraphrast.read.acceptability import shipped
from paraphrast.read.reader import FIRST
from paraphrast.references.function_words import ORIGIN as FUNCTION_WORDS
from paraphrast.references.lattices import ReferenceLattice
from paraphrast.references.metrics import get_metric
from paraphrast.references.moves import with_edges
from paraphrast.references.options import ScoreOptions
from paraphrast.references.scoring import Cell, find_closest
from paraphrast.references.words import joined, split_words
from paraphrast.text import Language, split_sentences
from paraphrast.types import LatticeEdge
from paraphrast.types.lattice import EDIT

#: How often closest paths are found and their substitutions read.
ROUNDS = 2
#: Substitutions that are not read: written variants are certain, function words too many to read.
UNREAD_ORIGINS = frozenset({"spelling", FUNCTION_WORDS})
#: Probability of a difference of a round trip until it is read.
UNREAD = 0.5


class SentenceReader(Protocol):
    """Reads rewrites of one sentence, and makes round trips of it."""

    def probabilities(self, sentence: str, rewrites: Sequence[str]) -> list[float] | None:
        """P(accepted) of each rewrite; None if the sentence cannot be read."""

    def parts(self, sentence: str) -> list[Part]:
        """Differences between the sentence and its round trips."""


class ModelReader:
    """A :class:`SentenceReader` with translation models: one translation, the cheap groups of features."""

    def __init__(self, reader: Reader, language: Language, trips: int) -> None:
        self._reader, self._language, self._trips = reader, language, trips
        self._acceptability = shipped("first")

    @classmethod
    def open(cls, language: Language, *, trips: int = 4, threads: int = 1) -> ModelReader:
        """With translation models and a language model of the registry; an error names what is missing."""
        if language.code not in PIVOTS:
            raise InputError(
                f"precise: no translation models for language {language.code!r}",
                remedy=f"remove precise; available for {', '.join(sorted(PIVOTS))}",
            )
        pivots = {
            pivot: (data.require(there), data.require(back))
            for pivot, (there, back) in PIVOTS[language.code].items()
        }
        causal = data.require(LANGUAGE_MODELS[language.code])
        reader = Reader.open(pivots, causal, threads=threads, translations=1, beam=1, groups=FIRST)
        return cls(reader, language, trips)

    def probabilities(self, sentence: str, rewrites: Sequence[str]) -> list[float] | None:
        if not all(map(self._reader.readable, (sentence, *rewrites))):
            return None
        features = self._reader.read(sentence, rewrites, FIRST, translations=1)
        return [float(one) for one in self._acceptability.probability(self._reader.columns, features)]

    def parts(self, sentence: str) -> list[Part]:
        if not self._trips or not self._reader.readable(sentence):
            return []
        trips = self._reader.round_trips(sentence, self._trips)
        return Workshop(sentence, self._language).trip_parts(trips)


def read_lattices(
    lattices: Sequence[Sequence[ReferenceLattice]],
    cells: Sequence[Cell],
    reader: SentenceReader,
    language: Language,
    *,
    rounds: int = ROUNDS,
) -> list[list[ReferenceLattice]]:
    """The lattices of each segment, with round trips as edges, and with read probabilities of what outputs use."""
    flat = [lattice for segment_lattices in lattices for lattice in segment_lattices]
    first = np.cumsum([0, *(len(segment_lattices) for segment_lattices in lattices)])
    flat = [with_edges(lattice, trip_edges(lattice, reader, language)) for lattice in flat]
    tasks = [
        (cell.text, at)
        for cell in cells
        for at in range(int(first[cell.segment]), int(first[cell.segment + 1]))
    ]
    metric = get_metric("bleu")
    read: list[set[int]] = [set() for _ in flat]
    for _ in range(rounds):
        closest = find_closest(
            metric, flat, [text for text, _ in tasks], [at for _, at in tasks], ScoreOptions()
        )
        used: dict[int, set[int]] = {}
        for (_, at), path in zip(tasks, closest.paths, strict=True):
            used.setdefault(at, set()).update(edge for edge in path if edge not in read[at])
        for at in sorted(used):
            flat[at] = _read(flat[at], sorted(used[at]), reader, language)
            read[at] |= used[at]
    return [flat[int(low) : int(high)] for low, high in itertools.pairwise(first)]


def trip_edges(reference: ReferenceLattice, reader: SentenceReader, language: Language) -> list[LatticeEdge]:
    """The differences of round trips of a reference's sentences that begin and end with its words."""
    words = reference.words
    begins = {start: place for place, start in enumerate(words.starts)}
    ends = {end: place + 1 for place, end in enumerate(words.ends)}
    known = {(edge.tail, edge.head, edge.words) for edge in reference.lattice.edges()}
    edges = []
    for start, end in split_sentences(reference.text, language):
        for part in reader.parts(reference.text[start:end]):
            tail, head = begins.get(start + part.start), ends.get(start + part.end)
            target = tuple(split_words(part.after))
            if tail is None or head is None or not target or (tail, head, target) in known:
                continue
            edges.append(
                LatticeEdge(tail, head, target, math.log(UNREAD), UNREAD, EDIT, (tail, head), ROUND_TRIP)
            )
    return edges


def _read(
    reference: ReferenceLattice, edges: Sequence[int], reader: SentenceReader, language: Language
) -> ReferenceLattice:
    """The lattice with the read probabilities of some edges, each alone in its sentence."""
    lattice, words, text = reference.lattice, reference.words, reference.text
    sentences = split_sentences(text, language)
    rewrites: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for edge in edges:
        names = lattice.names[edge].split("+") if lattice.names else []
        if lattice.kind[edge] != EDIT or UNREAD_ORIGINS & set(names):
            continue
        first, last = lattice.span[edge].tolist()
        start, end = words.starts[first], words.ends[last - 1]
        for low, high in sentences:
            if low <= start and end <= high:
                rewrite = f"{text[low:start]}{joined(lattice.label(edge))}{text[end:high]}"
                rewrites.setdefault((low, high), []).append((edge, rewrite))
    probability = lattice.probability.copy()
    for (low, high), rows in rewrites.items():
        values = reader.probabilities(text[low:high], [rewrite for _, rewrite in rows])
        if values is not None:
            for (edge, _), value in zip(rows, values, strict=True):
                probability[edge] = value
    weight = np.where(lattice.kind == EDIT, np.log(np.maximum(probability, 1e-9)), lattice.weight)
    return replace(reference, lattice=replace(lattice, probability=probability, weight=weight))
