"""The register of targets: functions that read a file from outside as a command would.

A target gets the path of a file with the bytes of an input. ``target`` takes its name, and the name that the file has,
where readers look at it.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from paraphrast.errors import ParaphrastError

Target = Callable[[Path], object]
#: Name → name of the file, function.
TARGETS: dict[str, tuple[str, Target]] = {}
#: Longest input in bytes: longer ones are cut.
LONGEST = 1 << 16


def target(name: str, file: str = "input.txt") -> Callable[[Target], Target]:
    """Register a target."""

    def register(function: Target) -> Target:
        TARGETS[name] = (file, function)
        return function

    return register


def drain(rows: Iterable[object], most: int = 100_000) -> int:
    """Read everything."""
    count = 0
    for count, _ in enumerate(rows, 1):
        if count > most:
            raise AssertionError(f"more than {most} rows from a small file")
    return count


@cache
def place() -> Path:
    """A folder for inputs, in memory where there is one."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if os.access(memory, os.W_OK) else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _input_path(name: str) -> Path:
    return place() / TARGETS[name][0]


def run_to_line(name: str, content: bytes) -> tuple[str, int]:
    """Read an input: ``result`` and 0, or the name of the error's class, and a hash of the lines that it came through.

    Any other exception is a finding, and is raised.
    """
    path = _input_path(name)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, content[:LONGEST])
    finally:
        os.close(file)
    try:
        TARGETS[name][1](path)
    except ParaphrastError as error:
        str(error)
        lines = []
        step = error.__traceback__
        while step is not None:
            lines.append((step.tb_frame.f_code, step.tb_lineno))
            step = step.tb_next
        return type(error).__name__, hash(tuple(lines))
    return "result", 0


def run(name: str, content: bytes) -> str:
    """As :func:`run_to_line`, without the lines."""
    return run_to_line(name, content)[0]


def json_bytes(value: object) -> bytes:
    """A line of JSON."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
