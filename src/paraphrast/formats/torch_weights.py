"""Arrays from PyTorch checkpoints, read without PyTorch and without executing anything in the file.

A checkpoint is a pickle, and a pickle is a program. The unpickler here knows an ordered dictionary, the two functions
that rebuild a tensor or a parameter, and the storage types. Each is replaced by a function of this module; every other
name is rejected before it is looked up. There are two layouts: a zip archive with ``data.pkl`` (PyTorch 1.6 and
later), and a chain of pickles followed by the raw storages (earlier).
"""

from __future__ import annotations

import io
import math
import mmap
import pickle
import pickletools
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_DTYPES: Mapping[str, np.dtype[Any]] = {
    "DoubleStorage": np.dtype("<f8"),
    "FloatStorage": np.dtype("<f4"),
    "HalfStorage": np.dtype("<f2"),
    "LongStorage": np.dtype("<i8"),
    "IntStorage": np.dtype("<i4"),
    "ShortStorage": np.dtype("<i2"),
    "CharStorage": np.dtype("<i1"),
    "ByteStorage": np.dtype("<u1"),
    "BoolStorage": np.dtype("?"),
}
#: Size limit of the state dictionary, which is small because the arrays are outside the pickle.
_MAX_PICKLE = 64 << 20
#: Operations of a pickle that store a value under a number.
_STORE = {"PUT", "BINPUT", "LONG_BINPUT"}


@dataclass(frozen=True, slots=True)
class _Storage:
    """A run of numbers stored in the file under ``key``."""

    key: str
    dtype: np.dtype[Any]
    count: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    """A view of a storage; shape and strides count elements."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def over(self, numbers: NDArray[Any]) -> NDArray[Any]:
        last = self.offset + sum(
            (size - 1) * step for size, step in zip(self.shape, self.strides, strict=True)
        )
        if 0 in self.shape:
            return np.zeros(self.shape, numbers.dtype)
        if self.offset < 0 or min((*self.strides, 0)) < 0 or last >= len(numbers):
            raise ValueError(f"a tensor reaches outside its storage {self.storage.key!r}")
        if math.prod(self.shape) > len(numbers):
            raise ValueError(f"a tensor has more numbers than its storage {self.storage.key!r}")
        view: NDArray[Any] = np.lib.stride_tricks.as_strided(
            numbers[self.offset :],
            self.shape,
            [step * numbers.itemsize for step in self.strides],
            writeable=False,
        )
        return view


class _Dictionary(OrderedDict[Any, Any]):
    """Checkpoints attach metadata to their dictionary; it is ignored."""

    def __setstate__(self, state: Any) -> None:
        pass


def _rebuild_tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> _Tensor:
    numbers = [offset, *shape, *strides]
    if not isinstance(storage, _Storage) or len(shape) != len(strides):
        raise pickle.UnpicklingError("a tensor without a storage")
    if any(type(number) is not int for number in numbers) or min(numbers) < 0:
        raise pickle.UnpicklingError(f"a tensor of shape {shape!r}")
    return _Tensor(storage, offset, tuple(shape), tuple(strides))


def _rebuild_parameter(tensor: Any, *_: Any) -> _Tensor:
    if not isinstance(tensor, _Tensor):
        raise pickle.UnpicklingError("a parameter without a tensor")
    return tensor


_KNOWN: Mapping[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): _Dictionary,
    ("torch._utils", "_rebuild_tensor_v2"): _rebuild_tensor,
    ("torch._utils", "_rebuild_parameter"): _rebuild_parameter,
}


class _StorageType:
    """Represents ``torch.FloatStorage`` and similar types inside a pickle; it cannot be called."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype


class _ArraysOnly(pickle.Unpickler):
    """An unpickler that rejects all names except those of arrays."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _KNOWN:
            return _KNOWN[module, name]
        if module == "torch" and name in _DTYPES:
            return _StorageType(_DTYPES[name])
        raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is not an array")

    def persistent_load(self, pid: Any) -> _Storage:
        if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage":
            raise pickle.UnpicklingError("it refers to something that is not a storage")
        _, kind, key, _, count, *view = pid
        if (
            not isinstance(kind, _StorageType)
            or not isinstance(key, str)
            or type(count) is not int
            or count < 0
        ):
            raise pickle.UnpicklingError("it refers to a storage without type, key or length")
        if any(part is not None for part in view):
            raise pickle.UnpicklingError(
                "it refers to a part of a storage, an old layout that is not supported"
            )
        return _Storage(key, kind.dtype, count)


def _load(stream: BinaryIO) -> Any:
    """The value of the next pickle of a stream, after a check of the numbers in it.

    A pickle may store a value under any number, and Python makes room for all smaller ones: ten bytes would take all
    memory. Real pickles count from 0.
    """
    begin = stream.tell()
    for count, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
        if opcode.name in _STORE and not 0 <= int(argument or 0) <= count:
            raise pickle.UnpicklingError(f"it stores a value under {argument}, before it has as many values")
        if isinstance(argument, str | bytes | bytearray) and len(argument) > _MAX_PICKLE:
            raise pickle.UnpicklingError(f"it has a value of {len(argument):,} bytes")
    stream.seek(begin)
    return _ArraysOnly(stream).load()


def read_torch_weights(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a checkpoint's state dictionary by name, in the order of the file; read-only.

    Anything else in the dictionary, and any pickle that uses a function or class beyond arrays, is a FormatError, and
    nothing of it is executed.
    """
    try:
        with path.open("rb") as stream:
            is_zip = stream.read(2) == b"PK"
            stream.seek(0)
            tensors, storages = _read_zip(path) if is_zip else _read_chain(stream)
        return {name: tensor.over(storages[tensor.storage.key]) for name, tensor in tensors.items()}
    except FormatError:
        raise
    except (OSError, zipfile.BadZipFile, EOFError, struct.error, pickle.UnpicklingError) as error:
        raise _refused(path, error) from error
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: Exception) -> FormatError:
    return FormatError(
        f"expected arrays in PyTorch's format: {error}",
        where=path,
        remedy="use a file whose origin you trust; weights in safetensors need no such care",
    )


def _state(content: Any) -> dict[str, _Tensor]:
    if not isinstance(content, dict):
        raise pickle.UnpicklingError(f"expected a dictionary of arrays, got {type(content).__name__}")
    for name, value in content.items():
        if not isinstance(name, str) or not isinstance(value, _Tensor):
            raise pickle.UnpicklingError(f"{name!r} is {type(value).__name__}, not an array")
    return dict(content)


def _read_zip(path: Path) -> tuple[dict[str, _Tensor], dict[str, NDArray[Any]]]:
    with zipfile.ZipFile(path) as archive:
        members = {entry.filename: entry for entry in archive.infolist()}
        (pickled,) = [name for name in members if name.endswith("/data.pkl")]
        base = pickled.removesuffix("data.pkl")
        if members[pickled].file_size > _MAX_PICKLE:
            raise pickle.UnpicklingError(f"its dictionary has {members[pickled].file_size} bytes")
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in members.values()):
            raise ValueError("it is compressed, which PyTorch never does")
        if members.get(f"{base}byteorder") and archive.read(f"{base}byteorder") != b"little":
            raise ValueError("its numbers are big-endian")
        tensors = _state(_load(io.BytesIO(archive.read(pickled))))
        storages = {}
        for storage in {tensor.storage for tensor in tensors.values()}:
            name = f"{base}data/{storage.key}"
            if members[name].file_size != storage.count * storage.dtype.itemsize:
                raise ValueError(f"storage {storage.key!r} has {members[name].file_size} bytes")
            storages[storage.key] = np.frombuffer(archive.read(name), storage.dtype)
    return tensors, storages


def _read_chain(stream: BinaryIO) -> tuple[dict[str, _Tensor], dict[str, NDArray[Any]]]:
    if _load(stream) != _MAGIC:
        raise ValueError("its first number is not PyTorch's")
    if _load(stream) != _PROTOCOL:
        raise ValueError("its protocol is unknown")
    if _load(stream).get("little_endian") is not True:
        raise ValueError("its numbers are big-endian")
    tensors = _state(_load(stream))
    keys = _load(stream)
    by_key = {tensor.storage.key: tensor.storage for tensor in tensors.values()}
    if not isinstance(keys, list) or set(keys) != set(by_key):
        raise ValueError("its storages are not those its tensors ask for")
    data = np.frombuffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    place = stream.tell()
    storages = {}
    for key in keys:
        storage = by_key[key]
        (count,) = struct.unpack("<q", data[place : place + 8].tobytes())
        end = place + 8 + count * storage.dtype.itemsize
        if count != storage.count or end > len(data):
            raise ValueError(f"storage {key!r} is cut short")
        storages[key] = data[place + 8 : end].view(storage.dtype)
        place = end
    return tensors, storages
