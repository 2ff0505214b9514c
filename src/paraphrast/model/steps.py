"""Work on many texts in step, so that the models read all of them in common batches.

Work on a text is a generator. Before a step reads texts, it yields what it is going to read; it ends with its result.
The requests of all texts are read together (``Reader.prepare``), then every text takes its next step.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from paraphrast.read import Reader
from paraphrast.read.reader import Reading, Trips

R = TypeVar("R")
Work = Generator[Sequence[Reading | Trips], None, R]


def run(reader: Reader, work: Work[R]) -> R:
    """Do work: read what each step asks for, and return the result."""
    while True:
        try:
            requests = next(work)
        except StopIteration as end:
            result: R = end.value
            return result
        reader.prepare(requests)


def in_step(works: Sequence[Work[R]], pool: ThreadPoolExecutor | None = None) -> Work[list[R]]:
    """All works as one, a step of each at a time; with a pool, the steps of different works run in parallel."""
    results: dict[int, R] = {}
    asked: dict[int, Sequence[Reading | Trips]] = {}

    def step(place: int) -> None:
        try:
            asked[place] = next(works[place])
        except StopIteration as end:
            results[place] = end.value

    live = list(range(len(works)))
    while live:
        list(pool.map(step, live) if pool else map(step, live))
        live = [place for place in live if place not in results]
        if live:
            yield [one for place in live for one in asked[place]]
    return [results[place] for place in range(len(works))]
