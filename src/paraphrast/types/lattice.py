"""A lattice: words on the edges between states, from a start to final states, without cycles.

One record is used for the decoder's lattices, lattices of references and automata of comparable sentences. It has flat
arrays for kernels, and its own words, so that a file of it is self-contained.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError

#: Kinds of edges, by their number in :attr:`Lattice.kind`.
KINDS = ("kept", "edit", "swap", "other")
KEPT, EDIT, SWAP, OTHER = range(4)
FORMAT_VERSION = 1
#: A lattice has at most this many states, and this many more for each edge and final state.
_SPARE_STATES, _STATES_PER_EDGE = 1000, 10


@dataclass(frozen=True)
class LatticeEdge:
    """One edge, for building or reading a lattice edge by edge; see :class:`Lattice` for the fields."""

    tail: int
    head: int
    words: tuple[str, ...]
    weight: float = 0.0
    probability: float = math.nan
    kind: int = OTHER
    span: tuple[int, int] = (-1, -1)
    name: str = ""


@dataclass(frozen=True)
class Lattice:
    """States 0 … ``states`` − 1 in topological order (every edge leads to a higher one); edges sorted by tail.

    tail, head:  int32[e], the states an edge leaves and enters.
    word_begin:  int64[e + 1] into words. words: int32[w] into ``symbols``; an edge may have none, or several.
    symbols:     the distinct words.
    weight:      float64[e], natural log score; higher is better.
    probability: float64[e], NaN if unknown.
    kind:        uint8[e], index into :data:`KINDS`.
    span:        int32[e, 2], the source tokens that an edge replaces, −1 for none.
    names:       one text per edge (its tables, its cluster), or empty.
    finals:      int32[f], ascending.
    """

    states: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    word_begin: NDArray[np.int64]
    words: NDArray[np.int32]
    symbols: tuple[str, ...]
    weight: NDArray[np.float64]
    probability: NDArray[np.float64]
    kind: NDArray[np.uint8]
    span: NDArray[np.int32]
    finals: NDArray[np.int32]
    start: int = 0
    names: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        count = len(self.tail)
        lengths = [len(self.head), len(self.word_begin) - 1, len(self.weight), len(self.probability)]
        lengths += [len(self.kind), len(self.span), len(self.names) or count]
        if any(length != count for length in lengths):
            raise InputError(f"expected as many of each part as edges, {count}, got {lengths}")
        if not 0 <= self.start < self.states:
            raise InputError(f"expected a start below {self.states} states, got {self.start}")
        if len(self.finals) and not (
            self.finals[0] >= 0 and self.finals[-1] < self.states and (np.diff(self.finals) > 0).all()
        ):
            raise InputError(
                f"expected ascending final states below {self.states}, got {self.finals.tolist()}"
            )
        if not count:
            return
        if self.tail.min() < 0 or self.head.max() >= self.states or (self.tail >= self.head).any():
            raise InputError(
                "expected every edge to end in a higher state than it starts in",
                remedy="Lattice.from_edges numbers the states so, and refuses cycles",
            )
        if (np.diff(self.tail) < 0).any():
            raise InputError("expected the edges sorted by the state they leave")
        if (
            self.word_begin[0] != 0
            or self.word_begin[-1] != len(self.words)
            or (np.diff(self.word_begin) < 0).any()
        ):
            raise InputError(f"expected word_begin to ascend from 0 to {len(self.words)}")
        if len(self.words) and not 0 <= self.words.min() <= self.words.max() < len(self.symbols):
            raise InputError(f"expected words below {len(self.symbols)} symbols")
        if self.kind.max() >= len(KINDS) or np.isnan(self.weight).any():
            raise InputError(f"expected kinds below {len(KINDS)} and weights that are numbers")

    def __len__(self) -> int:
        return len(self.tail)

    @classmethod
    def from_edges(
        cls, edges: Iterable[LatticeEdge], finals: Iterable[int], *, start: int = 0, states: int = 0
    ) -> Lattice:
        """Number the states topologically (if they are not yet) and sort the edges. A cycle is an error."""
        rows = list(edges)
        ends = set(finals)
        size = max(
            [states, start + 1, *(final + 1 for final in ends), *(max(e.tail, e.head) + 1 for e in rows)]
        )
        if min([start, *ends, *(min(edge.tail, edge.head) for edge in rows)]) < 0:
            raise InputError("expected states of at least 0")
        if size > _SPARE_STATES + _STATES_PER_EDGE * (len(rows) + len(ends)):
            raise InputError(
                f"expected states that edges connect, got {size:,} states and {len(rows):,} edges"
            )
        number = _topological(rows, size)
        rows.sort(key=lambda edge: (number[edge.tail], number[edge.head]))
        symbol: dict[str, int] = {}
        words = [symbol.setdefault(word, len(symbol)) for edge in rows for word in edge.words]
        begin = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(edge.words) for edge in rows], out=begin[1:])
        return cls(
            states=size,
            tail=np.array([number[edge.tail] for edge in rows], dtype=np.int32),
            head=np.array([number[edge.head] for edge in rows], dtype=np.int32),
            word_begin=begin,
            words=np.array(words, dtype=np.int32),
            symbols=tuple(symbol),
            weight=np.array([edge.weight for edge in rows], dtype=np.float64),
            probability=np.array([edge.probability for edge in rows], dtype=np.float64),
            kind=np.array([edge.kind for edge in rows], dtype=np.uint8),
            span=np.array([edge.span for edge in rows], dtype=np.int32).reshape(len(rows), 2),
            finals=np.array(sorted(number[final] for final in ends), dtype=np.int32),
            start=number[start],
            names=tuple(edge.name for edge in rows) if any(edge.name for edge in rows) else (),
        )

    def edges(self) -> Iterator[LatticeEdge]:
        """The edges in order."""
        for edge in range(len(self)):
            yield LatticeEdge(
                int(self.tail[edge]),
                int(self.head[edge]),
                self.label(edge),
                float(self.weight[edge]),
                float(self.probability[edge]),
                int(self.kind[edge]),
                (int(self.span[edge, 0]), int(self.span[edge, 1])),
                self.names[edge] if self.names else "",
            )

    def label(self, edge: int) -> tuple[str, ...]:
        """The words of an edge."""
        ids = self.words[self.word_begin[edge] : self.word_begin[edge + 1]]
        return tuple(self.symbols[word] for word in ids.tolist())

    def out_begin(self) -> NDArray[np.int64]:
        """int64[states + 1]: the edges that leave state s are ``out_begin[s] … out_begin[s + 1]``."""
        return np.searchsorted(self.tail, np.arange(self.states + 1)).astype(np.int64)

    def path_count(self) -> int:
        """Number of paths from the start to a final state."""
        ways = [0] * self.states
        finals = set(self.finals.tolist())
        begin = self.out_begin()
        for state in range(self.states - 1, -1, -1):
            heads = self.head[begin[state] : begin[state + 1]].tolist()
            ways[state] = (state in finals) + sum(ways[head] for head in heads)
        return ways[self.start]

    def paths(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """The words and weight of every path, lazily, because there may be very many."""
        begin = self.out_begin()
        finals = set(self.finals.tolist())
        stack: list[tuple[int, tuple[str, ...], float]] = [(self.start, (), 0.0)]
        while stack:
            state, words, weight = stack.pop()
            if state in finals:
                yield words, weight
            for edge in range(int(begin[state + 1]) - 1, int(begin[state]) - 1, -1):
                stack.append(
                    (int(self.head[edge]), words + self.label(edge), weight + float(self.weight[edge]))
                )

    def max_marginals(self) -> NDArray[np.float64]:
        """float64[e]: the weight of the best path through each edge; −∞ for an edge that is on no path."""
        forward = np.full(self.states, -np.inf)
        backward = np.full(self.states, -np.inf)
        forward[self.start] = 0.0
        backward[self.finals] = 0.0
        for edge in range(len(self)):
            value = forward[self.tail[edge]] + self.weight[edge]
            forward[self.head[edge]] = max(forward[self.head[edge]], value)
        for edge in range(len(self) - 1, -1, -1):
            value = backward[self.head[edge]] + self.weight[edge]
            backward[self.tail[edge]] = max(backward[self.tail[edge]], value)
        marginals: NDArray[np.float64] = forward[self.tail] + self.weight + backward[self.head]
        return marginals

    def top(self, k: int, *, by: str = "marginal") -> Lattice:
        """The ``k`` best edges and the kept ones, without those that are then on no path. States keep their numbers.

        by: ``marginal`` (the best path through an edge) or ``probability`` (unknown values last). Ties go to the edge
        that comes first.
        """
        if k < 0 or by not in ("marginal", "probability"):
            raise InputError(f"expected k from 0 and marginal or probability, got {k} and {by!r}")
        value = self.max_marginals() if by == "marginal" else np.nan_to_num(self.probability, nan=-np.inf)
        others = np.flatnonzero(self.kind != KEPT)
        best = others[np.argsort(-value[others], kind="stable")[:k]]
        chosen = self.kind == KEPT
        chosen[best] = True
        return self._chosen(chosen).on_paths()

    def on_paths(self) -> Lattice:
        """The lattice without edges that are on no path from start to end."""
        reach = Lattice(**{**self.__dict__, "weight": np.zeros(len(self))}).max_marginals()
        on_path = np.isfinite(reach)
        return self if on_path.all() else self._chosen(on_path)

    def _chosen(self, chosen: NDArray[np.bool_]) -> Lattice:
        rows = np.flatnonzero(chosen)
        lengths = np.diff(self.word_begin)[rows]
        begin = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=begin[1:])
        pieces = [self.words[self.word_begin[row] : self.word_begin[row + 1]] for row in rows]
        return Lattice(
            states=self.states,
            tail=self.tail[rows],
            head=self.head[rows],
            word_begin=begin,
            words=np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int32),
            symbols=self.symbols,
            weight=self.weight[rows],
            probability=self.probability[rows],
            kind=self.kind[rows],
            span=self.span[rows],
            finals=self.finals,
            start=self.start,
            names=tuple(self.names[row] for row in rows) if self.names else (),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON. Empty values are left out."""
        edges = []
        for edge in self.edges():
            record: dict[str, Any] = {
                "from": edge.tail,
                "to": edge.head,
                "words": list(edge.words),
                "weight": edge.weight,
                "kind": KINDS[edge.kind],
            }
            if not math.isnan(edge.probability):
                record["probability"] = edge.probability
            if edge.span[0] >= 0:
                record["span"] = list(edge.span)
            if edge.name:
                record["name"] = edge.name
            edges.append(record)
        return {
            "format": "lattice",
            "version": FORMAT_VERSION,
            "states": self.states,
            "start": self.start,
            "finals": self.finals.tolist(),
            "edges": edges,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Lattice:
        """A lattice from the values of :meth:`to_dict`."""
        if values.get("format") != "lattice" or values.get("version") != FORMAT_VERSION:
            raise InputError(
                f"expected a lattice of version {FORMAT_VERSION}, "
                f"got {values.get('format')!r} of version {values.get('version')!r}"
            )
        try:
            edges = [
                LatticeEdge(
                    int(edge["from"]),
                    int(edge["to"]),
                    tuple(str(word) for word in edge["words"]),
                    float(edge["weight"]),
                    float(edge.get("probability", math.nan)),
                    KINDS.index(edge.get("kind", "other")),
                    (int(edge.get("span", (-1, -1))[0]), int(edge.get("span", (-1, -1))[1])),
                    str(edge.get("name", "")),
                )
                for edge in values["edges"]
            ]
            finals = [int(final) for final in values["finals"]]
            start, states = int(values["start"]), int(values["states"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise InputError(f"expected a lattice's states, finals and edges: {error!r}") from error
        return cls.from_edges(edges, finals, start=start, states=states)


def _topological(edges: Sequence[LatticeEdge], states: int) -> list[int]:
    """New numbers of the states; the old ones if they are already in order (Kahn 1962, lowest first)."""
    if all(edge.tail < edge.head for edge in edges):
        return list(range(states))
    import heapq

    waiting = [0] * states
    after: list[list[int]] = [[] for _ in range(states)]
    for edge in edges:
        waiting[edge.head] += 1
        after[edge.tail].append(edge.head)
    ready = [state for state in range(states) if waiting[state] == 0]
    number = [-1] * states
    count = 0
    while ready:
        state = heapq.heappop(ready)
        number[state] = count
        count += 1
        for head in after[state]:
            waiting[head] -= 1
            if waiting[head] == 0:
                heapq.heappush(ready, head)
    if count < states:
        raise InputError(f"expected no cycle, found one through state {number.index(-1)}")
    return number
