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


def run(name: str, content: bytes) -> str:
    """Read an input: ``result``, or the name of the error's class. Any other exception is a finding, and is raised."""
    file, function = TARGETS[name]
    path = place() / file
    path.write_bytes(content[:LONGEST])
    try:
        function(path)
    except ParaphrastError as error:
        str(error)
        return type(error).__name__
    return "result"


def json_bytes(value: object) -> bytes:
    """A line of JSON."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
