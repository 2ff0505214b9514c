"""A reference as a lattice: its words in sequence, with substitutes beside them.

State i is before word i. A word leads from i to i + 1 at no cost; a substitute of words i … j − 1 leads from i to j and
weighs log p. So a path is the reference with any number of substitutions, and its weight is the log of the product of
their probabilities: the simultaneous substitutions of Owczarzak et al. (2006, §3.6) without listing them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.errors import InputError
from paraphrast.references.equivalents import Substitute, Substitutions, most_probable
from paraphrast.references.function_words import ORIGIN as FUNCTION_WORDS
from paraphrast.references.words import Words, joined, like_case, place_words
from paraphrast.types import Edit, Lattice, LatticeEdge
from paraphrast.types.lattice import EDIT, KEPT


@dataclass(frozen=True)
class ReferenceLattice:
    """The words of a reference with their positions, and the lattice over them."""

    words: Words
    lattice: Lattice

    @property
    def text(self) -> str:
        """The text of the reference."""
        return self.words.text

    def edits(self) -> list[int]:
        """The edges that are substitutions."""
        kinds = self.lattice.kind.tolist()
        return [edge for edge, kind in enumerate(kinds) if kind == EDIT]

    def written(self) -> list[int]:
        """The substitutions that may be written in a reference, and not only be recognised in an output."""
        names = self.lattice.names
        return [edge for edge in self.edits() if not names or names[edge] != FUNCTION_WORDS]


@dataclass(frozen=True, slots=True)
class Reference:
    """A paraphrased reference. probability: the product of its edits' probabilities."""

    text: str
    edits: tuple[Edit, ...]
    probability: float

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "text": self.text,
            "probability": self.probability,
            "edits": [edit.to_dict() for edit in self.edits],
        }


def reference_lattice(text: str, substitutions: Substitutions, *, top: int = 20) -> ReferenceLattice:
    """The lattice of a reference, with the ``top`` most probable substitutes of each span.

    Those that an output has are kept as well.
    """
    if not text.strip():
        raise InputError("expected a reference, got an empty text")
    words = place_words(text)
    size, longest = len(words), substitutions.longest
    lowered = [word.lower() for word in words.words]
    edges = []
    for first in range(size):
        edges.append(LatticeEdge(first, first + 1, (words.words[first],), 0.0, 1.0, KEPT, (first, first + 1)))
        for end in range(first + 1, min(first + longest, size) + 1):
            source = words.words[first:end]
            for substitute in most_probable(substitutions.of(tuple(lowered[first:end])), top):
                target = substitute.target if substitute.literal else like_case(substitute.target, source)
                if target != source:
                    edges.append(_edit(first, end, target, substitute))
    return ReferenceLattice(words, Lattice.from_edges(edges, [size], states=size + 1))


def _edit(first: int, end: int, target: tuple[str, ...], substitute: Substitute) -> LatticeEdge:
    weight = math.log(max(substitute.probability, 1e-9))
    return LatticeEdge(
        first, end, target, weight, substitute.probability, EDIT, (first, end), substitute.origin
    )


def path_reference(reference: ReferenceLattice, edges: Sequence[int]) -> Reference:
    """The text of a path: the reference with the path's substitutions, and everything else unchanged."""
    lattice, words, text = reference.lattice, reference.words, reference.text
    pieces: list[str] = []
    edits: list[Edit] = []
    done = length = 0
    probability = 1.0
    for edge in edges:
        if lattice.kind[edge] != EDIT:
            continue
        first, end = lattice.span[edge].tolist()
        start, stop = words.starts[first], words.ends[end - 1]
        target = joined(lattice.label(edge))
        unchanged = text[done:start]
        # "refund." with "yet ." for "." needs a space.
        written = unchanged or "".join(pieces)
        if _meet(written[-1:], target[:1]) and not _meet(text[start - 1 : start], text[start : start + 1]):
            target = f" {target}"
        if _meet(target[-1:], text[stop : stop + 1]) and not _meet(
            text[stop - 1 : stop], text[stop : stop + 1]
        ):
            target = f"{target} "
        pieces += [unchanged, target]
        at = length + len(unchanged)
        length = at + len(target)
        done = stop
        edge_probability = float(lattice.probability[edge])
        probability *= edge_probability
        origins = tuple(lattice.names[edge].split("+")) if lattice.names else ()
        edits.append(Edit(start, stop, at, length, text[start:stop], target, edge_probability, origins))
    return Reference("".join([*pieces, text[done:]]), tuple(edits), probability)


def _meet(before: str, after: str) -> bool:
    """Whether two characters would join two words to one."""
    return before.isalnum() and after.isalnum()


def one_at_a_time(reference: ReferenceLattice, *, most: int = 200) -> list[Reference]:
    """The reference, then every reference with one substitution (§3.4), most probable first, at most ``most``."""
    lattice = reference.lattice
    ranked = sorted(reference.written(), key=lambda edge: (-float(lattice.probability[edge]), edge))
    by_text = {reference.text: Reference(reference.text, (), 1.0)}
    for edge in ranked[:most]:
        variant = path_reference(reference, [edge])
        by_text.setdefault(variant.text, variant)
    return list(by_text.values())


def best_references(
    reference: ReferenceLattice, count: int, *, least: float = 0.05, spread: float = 1.0
) -> list[Reference]:
    """The reference, then ``count`` probable, different references, each with many substitutions.

    A path has the worth Σ (log p − log least) over its edits, so edits more probable than ``least`` have a positive
    worth. Each use of an edit lowers its worth by ``spread``. Returns fewer if no edit with a positive worth is left.
    """
    lattice = reference.lattice
    used = [0] * len(lattice)
    floor = math.log(max(least, 1e-9))
    worth = [-math.inf] * len(lattice)
    for edge in reference.written():
        worth[edge] = float(lattice.weight[edge]) - floor
    by_text = {reference.text: Reference(reference.text, (), 1.0)}
    for _ in range(2 * count):
        if len(by_text) > count:
            break
        edges = _worthiest(lattice, worth, used, spread)
        variant = path_reference(reference, edges)
        if not variant.edits:
            break
        by_text.setdefault(variant.text, variant)
        for edge in edges:
            used[edge] += 1
    return list(by_text.values())


def _worthiest(lattice: Lattice, worth: Sequence[float], used: Sequence[int], spread: float) -> list[int]:
    """The path with the highest worth. Ties go to the path with fewer edits to its left."""
    best = [-math.inf] * lattice.states
    back = [-1] * lattice.states
    best[lattice.start] = 0.0
    for edge in range(len(lattice)):
        edge_worth = worth[edge] - spread * used[edge] if lattice.kind[edge] == EDIT else 0.0
        tail, head = int(lattice.tail[edge]), int(lattice.head[edge])
        if best[tail] + edge_worth > best[head]:
            best[head] = best[tail] + edge_worth
            back[head] = edge
    path: list[int] = []
    state = int(lattice.finals[-1])
    while back[state] >= 0:
        path.append(back[state])
        state = int(lattice.tail[back[state]])
    return path[::-1]
