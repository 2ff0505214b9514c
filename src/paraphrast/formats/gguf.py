"""Arrays and settings from GGUF files, the format of llama.cpp, with quantised blocks converted to float32.

Layout (GGUF specification, version 2 and 3, little-endian): magic, version, counts; settings as key, type, value;
for each array its name, shape (fastest axis first), type and offset; then the data, aligned.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
#: Longer strings and lists mean that the file is damaged.
_MAX_LENGTH = 1 << 28


@dataclass(frozen=True, slots=True)
class Gguf:
    """A model file: its settings by name, and its arrays, quantised as in the file."""

    settings: Mapping[str, Any]
    path: Path
    _places: Mapping[str, tuple[tuple[int, ...], int, int]]
    _data: NDArray[np.uint8]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all arrays, in the file's order."""
        return tuple(self._places)

    def array(self, name: str) -> NDArray[np.float32]:
        """One array as float32, slowest axis first."""
        if name not in self._places:
            raise FormatError(f"expected an array {name!r}", where=self.path)
        shape, kind, offset = self._places[name]
        if kind not in _BLOCKS:
            raise FormatError(
                f"array {name!r} is quantised in a way that is not supported (type {kind})",
                where=self.path,
                remedy="use a file quantised as Q4_0, Q4_1, Q8_0, F16 or F32",
            )
        numbers, size, decode = _BLOCKS[kind]
        count = math.prod(shape)
        end = offset + count // numbers * size
        if count % numbers or end > len(self._data):
            raise FormatError(f"array {name!r} is cut short", where=self.path, remedy="fetch it again")
        try:
            return decode(self._data[offset:end].reshape(-1, size)).reshape(shape)
        except ValueError as error:  # for example, an axis of 0 beside one of 2 to the power of 63
            raise FormatError(f"array {name!r} has an impossible shape: {error}", where=self.path) from error


def read_gguf(path: Path) -> Gguf:
    """Open a GGUF file. Arrays are read when needed."""
    try:
        data = np.memmap(path, np.uint8, "r")
        reader = _Reader(data)
        magic, version, arrays, settings = struct.unpack("<4sIQQ", reader.take(24))
        if magic != b"GGUF" or version not in (2, 3):
            raise ValueError(f"it begins with {magic!r}, version {version}")
        values = {reader.string(): reader.value(*reader.unpack("<I")) for _ in range(settings)}
        places = {}
        for _ in range(arrays):
            name = reader.string()
            (axes,) = reader.unpack("<I")
            shape = reader.unpack(f"<{axes}Q")[::-1]
            places[name] = (shape, *reader.unpack("<IQ"))
        step = int(values.get("general.alignment", 32))
        if step < 1:
            raise ValueError(f"arrays begin at multiples of {step}")
        begin = -(-reader.place // step) * step
    except (OSError, ValueError, OverflowError, RecursionError, struct.error, KeyError, TypeError) as error:
        raise FormatError(f"expected a GGUF file: {error}", where=path) from error
    return Gguf(values, path, places, data[begin:])


class _Reader:
    """Reads values in sequence."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self.place = 0

    def take(self, count: int) -> bytes:
        if count > _MAX_LENGTH or self.place + count > len(self._data):
            raise ValueError("it is truncated or damaged")
        self.place += count
        return self._data[self.place - count : self.place].tobytes()

    def unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def string(self) -> str:
        (length,) = self.unpack("<Q")
        return self.take(length).decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            inner, count = self.unpack("<IQ")
            if inner in _SCALARS:
                return (
                    list(self.unpack(f"<{count}{_SCALARS[inner]}"))
                    if count <= _MAX_LENGTH
                    else self.take(count)
                )
            return [self.value(inner) for _ in range(count)]
        return self.unpack(f"<{_SCALARS[kind]}")[0]


def _float16(blocks: NDArray[np.uint8], begin: int) -> NDArray[np.float32]:
    """A half-precision number of each block: float32[blocks, 1]."""
    return blocks[:, begin : begin + 2].copy().view("<f2").astype(np.float32)


def _nibbles(packed: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The low halves of all bytes, followed by the high halves."""
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


def _q4_0(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _float16(blocks, 0) * (_nibbles(blocks[:, 2:]) - 8)


def _q4_1(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _float16(blocks, 0) * _nibbles(blocks[:, 4:]) + _float16(blocks, 2)


def _q8_0(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _float16(blocks, 0) * blocks[:, 2:].view(np.int8).astype(np.float32)


#: Type → numbers per block, bytes per block, function that decodes blocks.
_BLOCKS: Mapping[int, tuple[int, int, Callable[[NDArray[np.uint8]], NDArray[np.float32]]]] = {
    0: (1, 4, lambda blocks: blocks.copy().view("<f4")),
    1: (1, 2, lambda blocks: blocks.copy().view("<f2").astype(np.float32)),
    2: (32, 18, _q4_0),
    3: (32, 20, _q4_1),
    8: (32, 34, _q8_0),
}
