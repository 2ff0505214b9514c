"""Files that are mapped into memory: has one been cut since?

The operating system ends a process that reads beyond the end of a mapped file. So whoever computes with mapped arrays
checks the sizes of their files before and after. That is one system call per file. A file that is cut between these
two checks still ends the process if one of the missing pages is read before the second.

Replacing a file by renaming another over it is harmless: the mapped content stays.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from paraphrast.errors import ModelError

P = ParamSpec("P")
R = TypeVar("R")
#: A map, its file, and the size that the file had.
Mapped = tuple[mmap.mmap, Path, int]

_maps: WeakKeyDictionary[mmap.mmap, tuple[Path, int]] = WeakKeyDictionary()


def remember_map(array: Any, path: Path) -> None:
    """Remember the map of a ``numpy.memmap``."""
    source = getattr(array, "_mmap", None)
    if isinstance(source, mmap.mmap):
        _maps[source] = (path, source.size())


def maps_below(folder: Path) -> list[Mapped]:
    """The maps of the files of a folder that arrays still use."""
    return [(source, path, size) for source, (path, size) in list(_maps.items()) if folder in path.parents]


def check_maps(maps: list[Mapped]) -> None:
    """A :class:`ModelError` if a mapped file has become smaller."""
    for source, path, size in maps:
        if source.size() < size:
            raise ModelError(
                f"the file was cut while it was in use: expected {size:,} bytes, got {source.size():,}",
                where=path,
                remedy="copy the model again, and load it again",
            )


@contextmanager
def uncut(maps: list[Mapped]) -> Iterator[None]:
    """Check files before and after a block that computes with them. If the block fails, a cut file is the reason."""
    check_maps(maps)
    try:
        yield
    except Exception:
        check_maps(maps)
        raise
    check_maps(maps)


def checking_maps(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A method that computes with the files in ``self.mapped``, which are checked as by :func:`uncut`."""

    @wraps(method)
    def checked(self: Any, /, *arguments: P.args, **options: P.kwargs) -> R:
        with uncut(self.mapped):
            return method(self, *arguments, **options)

    return checked
