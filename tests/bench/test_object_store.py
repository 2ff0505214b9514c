"""The benchmark of the object store: how paths of a task are moved between private folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench_module import bench_module

for _needed in ("common", "spark"):
    bench_module(_needed)
moved = bench_module("object_store").moved


@dataclass(frozen=True)
class Task:
    folder: str
    places: tuple[Path, ...]
    number: int = 0


def test_paths_below_the_driver_are_moved_and_named() -> None:
    named: list[str] = []
    task = Task("/driver/a", (Path("/driver/b/c"), Path("/drivers/x")), 3)
    assert moved([task, {"k": "/driver"}], "/driver", "/own", named) == [
        Task("/own/a", (Path("/own/b/c"), Path("/drivers/x")), 3),
        {"k": "/own"},
    ]
    assert named == ["a", "b/c", ""]
    assert moved(task, "/other", "/own") is task
