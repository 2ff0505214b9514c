"""Temporary files of processes that were killed: found by their names, and removed by the next run.

A temporary name is ``.NAME.PID-RANDOM.tmp`` (``.old`` for a folder that is being replaced). A writer holds a lock on
its temporary file or folder, which the operating system releases when the process ends. So a temporary file can be
removed if its process does not exist any more and nobody holds its lock.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from paraphrast._processes import process_exists
from paraphrast.formats.lock import stamp

_PATTERN = re.compile(r"\.(\d+)-[0-9a-f]{8}\.(?:tmp|old)")


def temporary_name(target: Path, ending: str = "tmp") -> Path:
    """A new name beside ``target``."""
    return target.with_name(f".{target.name}.{stamp()}.{ending}")


def remove_leftovers(target: Path) -> None:
    """Remove what killed processes left of ``target``."""
    prefix = f".{target.name}"
    try:
        names = [name for name in os.listdir(target.parent) if name.startswith(prefix)]
    except OSError:
        return
    for name in names:
        match = _PATTERN.fullmatch(name, len(prefix))
        if match and not process_exists(int(match[1])):
            _remove_unless_locked(target.with_name(name))


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of a temporary file or folder during the block, where the system allows it."""
    descriptor = _lock(path)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(path: Path) -> int | None:
    """A descriptor that holds the lock of ``path``; None if it is taken or cannot be locked."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_unless_locked(path: Path) -> None:
    descriptor = _lock(path)
    if descriptor is None and sys.platform != "win32":
        return
    try:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    finally:
        if descriptor is not None:
            os.close(descriptor)
