"""Lattices as files: JSON, OpenFst text, Moses PLF.

- **JSON** (``.json``): everything about a lattice, as one object.
- **OpenFst text** (``.fst.txt``, AT&T format): ``from to input output weight`` per line, the first line from the start
  state, then the final states; words by name, weight −log score. An edge with several words becomes several, through
  new states, with the weight on the first; one without words has ``<eps>``. Beside it, ``.fst.syms.txt`` has the symbol
  table: ``fstcompile --isymbols=x.fst.syms.txt --osymbols=x.fst.syms.txt x.fst.txt``.
- **PLF** (``.plf``, Moses' Python lattice format): one line, one tuple per state, with entries ``('word', probability,
  distance)``. The probability is that of the edge, or e to the power of its weight if it has none. Paths end at the
  last state, which several final states reach by ``*EPS*``.

Readers read the output of the writers. Weights in OpenFst text are single numbers (the log or tropical semiring).
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import atomic_write, open_text
from paraphrast.formats.json_text import parse_json
from paraphrast.types import Lattice, LatticeEdge

EPSILON = "<eps>"
PLF_EPSILON = "*EPS*"


def write_lattice(path: str | Path, lattice: Lattice) -> None:
    """Write in the format of the file name's suffix."""
    for ending, write in _WRITERS.items():
        if str(path).endswith(ending):
            write(path, lattice)
            return
    raise InputError(
        f"expected a file name with the suffix of a format, got {str(path)!r}",
        remedy=f"end it with {', '.join(_WRITERS)}",
    )


def read_lattice(path: str | Path) -> Lattice:
    """Read a file written by :func:`write_lattice`, by the suffix of its name."""
    for ending, read in _READERS.items():
        if str(path).endswith(ending):
            return read(path)
    raise InputError(
        f"expected a file name with the suffix of a format, got {str(path)!r}",
        remedy=f"end it with {', '.join(_READERS)}",
    )


def single_words(lattice: Lattice, *, empty: str = EPSILON) -> Iterator[LatticeEdge]:
    """The edges with one word each. States are renumbered to make room for the words within an edge.

    State s becomes s + the number of words within edges that leave lower states, so the order stays topological. The
    weight and probability of an edge are on its first word.
    """
    moved = _moved(lattice)
    inside = dict(enumerate(moved))  # next free state after each old one
    for edge in lattice.edges():
        words = edge.words or (empty,)
        at = moved[edge.tail]
        for index, word in enumerate(words):
            last = index == len(words) - 1
            if last:
                to = moved[edge.head]
            else:
                inside[edge.tail] += 1
                to = inside[edge.tail]
            yield LatticeEdge(
                at,
                to,
                (word,),
                edge.weight if index == 0 else 0.0,
                edge.probability if index == 0 else 1.0,
                edge.kind,
                edge.span,
                edge.name,
            )
            at = to


def _moved(lattice: Lattice) -> list[int]:
    """The new number of each state after the words within edges get separate states."""
    within = [0] * (lattice.states + 1)
    for edge in lattice.edges():
        within[edge.tail + 1] += max(len(edge.words) - 1, 0)
    moved, before = [], 0
    for state in range(lattice.states):
        before += within[state]
        moved.append(state + before)
    return moved


def _write_json(path: str | Path, lattice: Lattice) -> None:
    with atomic_write(path) as stream:
        stream.write(json.dumps(lattice.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _read_json(path: str | Path) -> Lattice:
    with open_text(path) as reader:
        text = "\n".join(reader)
    try:
        values = parse_json(text)
    except ValueError as error:
        raise FormatError(f"expected JSON: {error}", where=path) from error
    if not isinstance(values, dict):
        raise FormatError(f"expected a JSON object, got {type(values).__name__}", where=path)
    try:
        return Lattice.from_dict(values)
    except InputError as error:
        raise FormatError(error.message, where=path, remedy=error.remedy) from error
    except OverflowError as error:
        raise FormatError(f"a number is too large: {error}", where=path) from error


def symbols_path(path: str | Path) -> str:
    """The path of the symbol table of an OpenFst text file: ``x.fst.txt`` → ``x.fst.syms.txt``."""
    return str(path).removesuffix(".txt") + ".syms.txt"


def _write_fst(path: str | Path, lattice: Lattice) -> None:
    moved = _moved(lattice)
    edges = sorted(single_words(lattice), key=lambda edge: edge.tail)  # stable: the order of the edges
    bad = next(
        (word for edge in edges for word in edge.words if not word or any(map(str.isspace, word))), None
    )
    if bad is not None:
        raise InputError(f"OpenFst text cannot hold the word {bad!r}: it is empty or has white space")
    edges.sort(key=lambda edge: edge.tail != moved[lattice.start])
    with atomic_write(path) as stream:
        for edge in edges:
            (word,) = edge.words
            stream.write(f"{edge.tail}\t{edge.head}\t{word}\t{word}\t{_number(-edge.weight)}\n")
        for final in lattice.finals.tolist():
            stream.write(f"{moved[final]}\n")
    symbols = dict.fromkeys([EPSILON, *(word for edge in edges for word in edge.words)])
    with atomic_write(symbols_path(path)) as stream:
        for number, symbol in enumerate(symbols):
            stream.write(f"{symbol}\t{number}\n")


def _read_fst(path: str | Path) -> Lattice:
    edges: list[LatticeEdge] = []
    finals: list[int] = []
    start: int | None = None
    with open_text(path) as reader:
        for number, line in enumerate(reader, 1):
            fields = line.split()
            if not fields:
                continue
            try:
                if len(fields) <= 2:
                    finals.append(int(fields[0]))
                    start = finals[0] if start is None else start
                    if len(fields) == 2 and float(fields[1]) != 0:
                        raise FormatError(
                            f"expected final states without weights, got {fields[1]}", where=At(path, number)
                        )
                    continue
                tail, head, output = int(fields[0]), int(fields[1]), fields[3]
                cost = float(fields[4]) if len(fields) == 5 else 0.0
            except (ValueError, IndexError) as error:
                raise FormatError(
                    f"expected from, to, input, output, weight; got {line!r}", where=At(path, number)
                ) from error
            start = tail if start is None else start
            edges.append(LatticeEdge(tail, head, () if output == EPSILON else (output,), -cost))
    if start is None:
        raise FormatError("expected a lattice, got an empty file", where=path)
    try:
        return Lattice.from_edges(edges, finals, start=start)
    except InputError as error:
        raise FormatError(error.message, where=path, remedy=error.remedy) from error
    except OverflowError as error:
        raise FormatError(f"a number is too large: {error}", where=path) from error


def _write_plf(path: str | Path, lattice: Lattice) -> None:
    if lattice.start != 0:
        raise InputError(f"PLF begins at state 0, the lattice at {lattice.start}")
    moved = _moved(lattice)
    edges = list(single_words(lattice, empty=PLF_EPSILON))
    states = moved[-1] + 1
    finals = [moved[final] for final in lattice.finals.tolist()]
    if finals != [states - 1]:
        edges += [LatticeEdge(final, states, (PLF_EPSILON,), 0.0, 1.0) for final in finals]
        states += 1
    columns: list[list[str]] = [[] for _ in range(states - 1)]
    for edge in edges:
        probability = math.exp(edge.weight) if math.isnan(edge.probability) else edge.probability
        columns[edge.tail].append(
            f"({_quoted(edge.words[0])}, {_number(probability)}, {edge.head - edge.tail})"
        )
    if not all(columns):
        raise InputError(
            "PLF cannot represent a state before the last that no edge leaves", remedy="prune it first"
        )
    line = "(" + "".join("(" + "".join(f"{cell}, " for cell in cells) + "), " for cells in columns) + ")"
    with atomic_write(path) as stream:
        stream.write(line + "\n")


def _read_plf(path: str | Path) -> Lattice:
    with open_text(path) as reader:
        lines = [line for line in reader if line.strip()]
    if len(lines) != 1:
        raise FormatError(f"expected one lattice, got {len(lines)} lines", where=path)
    try:
        columns = ast.literal_eval(lines[0])
        edges = [
            LatticeEdge(
                tail,
                tail + distance,
                () if word == PLF_EPSILON else (str(word),),
                math.log(probability) if probability > 0 else -1e9,
                float(probability),
            )
            for tail, cells in enumerate(columns)
            for word, probability, distance in cells
        ]
        return Lattice.from_edges(edges, [len(columns)], states=len(columns) + 1)
    except (
        ValueError,
        TypeError,
        SyntaxError,
        RecursionError,
        MemoryError,
        ArithmeticError,
        InputError,
    ) as error:
        raise FormatError(f"expected a lattice in PLF: {error}", where=path) from error


def _quoted(word: str) -> str:
    """A word in single quotes. Moses and Python both accept a backslash before a quote or a backslash."""
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _number(value: float) -> str:
    return f"{value:.9g}" if value else "0"


_WRITERS: dict[str, Callable[[str | Path, Lattice], None]] = {
    ".json": _write_json,
    ".fst.txt": _write_fst,
    ".plf": _write_plf,
}
_READERS: dict[str, Callable[[str | Path], Lattice]] = {
    ".json": _read_json,
    ".fst.txt": _read_fst,
    ".plf": _read_plf,
}
#: Suffixes of file names, by format.
ENDINGS = tuple(_WRITERS)
