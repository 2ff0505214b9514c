from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from paraphrast.model.steps import Work, in_step, run
from paraphrast.read.reader import Reading, Trips


class Recorder:
    """Keeps what was requested together."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def prepare(self, requests: list[Reading | Trips]) -> None:
        self.asked.append([one.sentence for one in requests if isinstance(one, Trips)])


def work(name: str, steps: int) -> Work[str]:
    for step in range(steps):
        yield [Trips(f"{name}{step}", 1)]
    return name


def test_steps_of_all_works_are_read_together() -> None:
    with ThreadPoolExecutor(3) as threads:
        for pool in (None, threads):
            reader: Any = Recorder()
            assert run(reader, in_step([work("a", 2), work("b", 0), work("c", 3)], pool)) == ["a", "b", "c"]
            assert reader.asked == [["a0", "c0"], ["a1", "c1"], ["c2"]]


def test_no_work() -> None:
    reader: Any = Recorder()
    assert run(reader, in_step([])) == []
    assert reader.asked == []
