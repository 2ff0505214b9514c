"""Arrays from ``.npy`` files that may be damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from paraphrast.errors import ModelError
from paraphrast.formats.mapped import remember_map

_REMEDY = "the folder is damaged: copy it again, or build it again"
#: Of an array up to this size all values are checked at loading; of a larger one, this many in equal steps.
FULLY_CHECKED_BYTES = 1 << 25
SAMPLES = 1024
_everything: ContextVar[bool] = ContextVar("everything", default=False)


@contextmanager
def checking_everything() -> Iterator[None]:
    """Check all values of large arrays too, during the block."""
    token = _everything.set(True)
    try:
        yield
    finally:
        _everything.reset(token)


def checks_everything() -> bool:
    """Whether large arrays are checked completely."""
    return _everything.get()


def _step(array: NDArray[Any]) -> int:
    """In which steps the rows of an array are checked."""
    if array.nbytes <= FULLY_CHECKED_BYTES or checks_everything():
        return 1
    return max(len(array) // SAMPLES, 1)


def check_range(path: Path, array: NDArray[Any], low: float, high: float) -> None:
    """A :class:`ModelError` if a number is below ``low``, not below ``high``, or NaN."""
    values = array[:: _step(array)]
    if values.size and not (values.min() >= low and values.max() < high):
        raise ModelError(
            f"expected numbers from {low} and below {high}, got {values.min()} to {values.max()}",
            where=path,
            remedy=_REMEDY,
        )


def check_finite(path: Path, array: NDArray[Any]) -> None:
    """A :class:`ModelError` if a number is infinite or NaN."""
    if not np.isfinite(array[:: _step(array)]).all():
        raise ModelError("expected finite numbers, got infinity or NaN", where=path, remedy=_REMEDY)


def check_bounds(path: Path, begin: NDArray[Any], total: int) -> None:
    """A :class:`ModelError` if ``begin`` does not rise from 0 to ``total``."""
    step = _step(begin)
    rises = len(begin) > 0 and begin[0] == 0 and begin[-1] == total
    if not rises or not (begin[:-1:step] <= begin[1::step]).all() or int(begin[::step].max()) > total:
        raise ModelError(f"expected numbers that rise from 0 to {total}", where=path, remedy=_REMEDY)


def load_array(path: Path, dtype: DTypeLike, *, dimensions: int = 1, mapped: bool = True) -> NDArray[Any]:
    """The array in a ``.npy`` file, with this type and number of dimensions, or a :class:`ModelError` that names it.

    mapped: a read-only view of the file, whose pages are read when first used; otherwise a copy in memory.
    """
    array = load_any_array(path, mapped=mapped)
    if array.dtype != dtype or array.ndim != dimensions:
        raise ModelError(
            f"expected {dimensions} dimension{'s' * (dimensions > 1)} of {np.dtype(dtype)}, "
            f"got {array.ndim} of {array.dtype}",
            where=path,
            remedy=_REMEDY,
        )
    return array


def load_any_array(path: Path, *, mapped: bool = True) -> NDArray[Any]:
    """As :func:`load_array`, of any type and shape. A file that is too short for its array is an error."""
    try:
        content = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
        remember_map(content, path)
        return np.asarray(content)
    except PermissionError as error:
        raise ModelError(
            f"cannot be read: {error.strerror}", where=path, remedy="give yourself permission to read it"
        ) from error
    except Exception as error:  # numpy raises many kinds of errors for a damaged header
        raise ModelError(f"cannot be read: {error}", where=path, remedy=_REMEDY) from error


class _Writer:
    """Only ``write``: numpy writes to a real file itself, and does not notice that the end of a small array is lost."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write = stream.write


def write_array(stream: BinaryIO, array: NDArray[Any]) -> None:
    """Write an array to a stream, as ``numpy.save`` does; an ``OSError`` if it does not fit on the disk.

    ``numpy.save`` hands a file to the C library, and ignores what closing it reports. On a full disk, an array of a few
    kilobytes is cut without an error.
    """
    np.lib.format.write_array(cast(Any, _Writer(stream)), np.asanyarray(array), allow_pickle=False)


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write a ``.npy`` file; see :func:`write_array`."""
    with path.open("wb") as stream:
        write_array(stream, array)


def save_joined(path: Path, pieces: Callable[[], Iterable[NDArray[Any]]]) -> None:
    """Write the pieces, one after the other, as one ``.npy`` file, the same as of their concatenation.

    pieces: called twice, first for the sizes; at least one piece. Only one piece is in memory at a time.
    """
    size, dtype = 0, None
    for piece in pieces():
        size, dtype = size + len(piece), piece.dtype
    assert dtype is not None
    if not size:
        save_array(path, np.zeros(0, dtype))
        return
    with path.open("wb") as stream:
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (size,)}
        np.lib.format.write_array_header_1_0(stream, header)
        for piece in pieces():
            stream.write(np.ascontiguousarray(piece, dtype).data)


class ArrayWriter:
    """Writes a ``.npy`` file piece by piece, the same as :func:`save_array` of the concatenation.

    tail: all dimensions but the first.
    """

    def __init__(self, path: Path, dtype: DTypeLike, tail: tuple[int, ...] = ()) -> None:
        self._dtype, self._tail, self._size = np.dtype(dtype), tail, 0
        self._stream = path.open("wb")
        self._write_header()
        self._data = self._stream.tell()

    def __enter__(self) -> ArrayWriter:
        return self

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        self.close()

    def add(self, piece: NDArray[Any]) -> None:
        """Write some rows more."""
        self._stream.write(np.ascontiguousarray(piece, self._dtype).data)
        self._size += len(piece)

    def close(self) -> None:
        """Write the size; an ``OSError`` if the disk is full."""
        if self._stream.closed:
            return
        with self._stream:
            self._stream.seek(0)
            self._write_header()
            if self._stream.tell() != self._data:
                raise AssertionError("numpy leaves no room in a header for more rows")

    def _write_header(self) -> None:
        descr = np.lib.format.dtype_to_descr(self._dtype)
        header = {"descr": descr, "fortran_order": False, "shape": (self._size, *self._tail)}
        np.lib.format.write_array_header_1_0(self._stream, header)


def take_stored(path: Path, places: NDArray[np.int64], at_once: int = 1 << 10) -> NDArray[Any]:
    """Some values of a ``.npy`` file. Few pages of the file are in memory at a time, wherever the values are."""
    order = np.argsort(places, kind="stable")
    values: NDArray[Any] | None = None
    for begin in range(0, max(len(places), 1), at_once):
        some = order[begin : begin + at_once]
        stored = np.load(path, mmap_mode="r", allow_pickle=False)  # the pages go with each map
        if values is None:
            values = np.empty(len(places), stored.dtype)
        values[some] = stored[places[some]]
    assert values is not None
    return values


def stored_slice(path: Path, begin: int, end: int) -> NDArray[Any]:
    """A copy of some rows of a ``.npy`` file."""
    return np.array(np.load(path, mmap_mode="r", allow_pickle=False)[begin:end])


def stored_length(path: Path) -> int:
    """The number of rows of a ``.npy`` file."""
    return len(np.load(path, mmap_mode="r", allow_pickle=False))
