"""Writes checkpoints as PyTorch does, in both of its layouts, without PyTorch."""

from __future__ import annotations

import io
import pickle
import struct
import sys
import types
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np


class _Named:
    """Pickles as the global ``module.name``."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __reduce__(self) -> str:
        return self.name


class Storage:
    """A storage, which a pickle refers to by a persistent id."""

    def __init__(self, key: str, array: np.ndarray, kind: str = "FloatStorage") -> None:
        self.key, self.array, self.kind = key, np.ascontiguousarray(array), kind


class Tensor:
    """Pickles as a call of torch._utils._rebuild_tensor_v2."""

    def __init__(
        self, storage: Storage, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0
    ) -> None:
        self.parts: tuple[Any, ...] = (storage, offset, shape, strides, False, OrderedDict())

    def __reduce__(self) -> Any:
        return rebuild, self.parts


def rebuild(*parts: Any) -> None:
    """Stands for torch._utils._rebuild_tensor_v2."""


rebuild.__module__, rebuild.__qualname__, rebuild.__name__ = (
    "torch._utils",
    "_rebuild_tensor_v2",
    "_rebuild_tensor_v2",
)


class FloatStorage:
    """Stands for torch.FloatStorage."""


FloatStorage.__module__ = "torch"


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, Storage):
            view = () if self.zipped else (None,)  # type: ignore[attr-defined]
            return ("storage", FloatStorage, value.key, "cpu", value.array.size, *view)
        return None


def _pickled(value: Any, *, zipped: bool) -> bytes:
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    torch.FloatStorage, utils._rebuild_tensor_v2 = FloatStorage, rebuild  # type: ignore[attr-defined]
    hidden = {name: sys.modules.get(name) for name in ("torch", "torch._utils")}
    sys.modules.update({"torch": torch, "torch._utils": utils})
    try:
        stream = io.BytesIO()
        pickler = _Pickler(stream, protocol=2)
        pickler.zipped = zipped  # type: ignore[attr-defined]
        pickler.dump(value)
    finally:
        for name, module in hidden.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return stream.getvalue()


def tensors(arrays: dict[str, np.ndarray]) -> tuple[OrderedDict[str, Tensor], list[Storage]]:
    """A state dictionary and its storages, one for each array."""
    state, storages = OrderedDict(), []
    for number, (name, array) in enumerate(arrays.items()):
        storage = Storage(str(number), array.astype("<f4"))
        strides = tuple(step // 4 for step in storage.array.reshape(array.shape).strides)
        state[name] = Tensor(storage, array.shape, strides)
        storages.append(storage)
    return state, storages


def write_zip(path: Path, state: Any, storages: list[Storage], raw: bytes | None = None) -> Path:
    """The layout since PyTorch 1.6. raw: a pickle to write instead of the state's."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", raw if raw is not None else _pickled(state, zipped=True))
        archive.writestr("archive/byteorder", "little")
        for storage in storages:
            archive.writestr(f"archive/data/{storage.key}", storage.array.tobytes())
    return path


def write_chain(path: Path, state: Any, storages: list[Storage], raw: bytes | None = None) -> Path:
    """The layout before PyTorch 1.6. raw: a pickle to write instead of the state's."""
    info = {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}
    content = b"".join(pickle.dumps(part, 2) for part in (0x1950A86A20F9469CFC6C, 1001, info))
    content += raw if raw is not None else _pickled(state, zipped=False)
    content += pickle.dumps([storage.key for storage in storages], 2)
    for storage in storages:
        content += struct.pack("<q", storage.array.size) + storage.array.tobytes()
    path.write_bytes(content)
    return path
