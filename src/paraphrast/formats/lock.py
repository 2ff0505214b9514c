"""A lock file for one process at a time, which the operating system releases when its holder dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from paraphrast.errors import ParaphrastError


def _try_lock(stream: BinaryIO) -> bool:
    """Take the lock if it is free."""
    try:
        if sys.platform == "win32":
            import msvcrt

            stream.seek(0)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise ParaphrastError(
            f"this file system cannot lock files: {error.strerror}",
            where=stream.name,
            remedy="use a folder on a local disk (for the cache: set PARAPHRAST_CACHE)",
        ) from error
    return True


def _unlock(stream: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt

        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(stream.fileno(), fcntl.LOCK_UN)


@contextlib.contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock ``path`` during the block.

    With ``wait``, the block starts when the lock is free, and gets True. Without ``wait``, it starts immediately, and
    gets False if another process has the lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        has_lock = _try_lock(stream)
        while wait and not has_lock:
            time.sleep(0.1)
            has_lock = _try_lock(stream)
        try:
            yield has_lock
        finally:
            if has_lock:
                _unlock(stream)


def stamp() -> str:
    """A suffix that no other process uses."""
    return f"{os.getpid()}-{os.urandom(4).hex()}"
