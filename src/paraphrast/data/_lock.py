"""One process at a time: a lock file that the operating system frees when its holder dies."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock ``path`` for the length of the block, waiting for it as long as it takes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    stream.seek(0)
                    msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError:
                    time.sleep(0.2)
            try:
                yield
            finally:
                stream.seek(0)
                msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(stream.fileno(), fcntl.LOCK_UN)


def stamp() -> str:
    """A suffix no other process uses."""
    return f"{os.getpid()}-{os.urandom(4).hex()}"
