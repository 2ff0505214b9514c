from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraphrast.errors import FormatError
from paraphrast.formats.torch_weights import read_torch_weights
from torch_files import Storage, Tensor, tensors, write_chain, write_zip

ARRAYS = {
    "a.weight": np.arange(12, dtype=np.float32).reshape(3, 4),
    "b": np.array([1.5, -2.0], np.float32),
    "scalar": np.array(7.0, np.float32),
}
LAYOUTS = pytest.mark.parametrize("write", [write_zip, write_chain])
Write = Callable[..., Path]


@LAYOUTS
def test_arrays_come_back(tmp_path: Path, write: Write) -> None:
    arrays = read_torch_weights(write(tmp_path / "x.bin", *tensors(ARRAYS)))
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)


@LAYOUTS
def test_a_view_of_a_shared_storage(tmp_path: Path, write: Write) -> None:
    storage = Storage("0", np.arange(6, dtype=np.float32))
    state = {"whole": Tensor(storage, (2, 3), (3, 1)), "turned": Tensor(storage, (3, 2), (1, 3), 0)}
    arrays = read_torch_weights(write(tmp_path / "x.bin", state, [storage]))
    np.testing.assert_array_equal(arrays["turned"], arrays["whole"].T)


class _Call:
    def __init__(self, function: Any, *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> Any:
        return self.function, self.arguments


@LAYOUTS
@pytest.mark.parametrize("function", [os.mkdir, eval, exec, getattr, __import__], ids=lambda f: f.__name__)
def test_a_pickle_that_calls_a_function_is_refused_unrun(tmp_path: Path, write: Write, function: Any) -> None:
    target = tmp_path / "was_run"
    arguments = (f"__import__('os').mkdir({str(target)!r})",) if function in (eval, exec) else (str(target),)
    raw = pickle.dumps({"a": _Call(function, *arguments)}, 2)
    with pytest.raises(FormatError, match="which is not an array"):
        read_torch_weights(write(tmp_path / "x.bin", None, [], raw=raw))
    assert not target.exists()


@LAYOUTS
@pytest.mark.parametrize(
    "raw",
    [
        b"\x80\x02cos\nsystem\n.",
        b"\x80\x02ctorch\nload\n.",
        b"\x80\x02ctorch._utils\n_rebuild_tensor\n.",
        b"\x80\x02ccollections\nOrderedDict.update\n.",
        b"\x80\x02X\x01\x00\x00\x00xQ.",  # a persistent id that is no storage
        b"\x80\x02}X\x01\x00\x00\x00aK\x01s.",  # a number instead of an array
        b"\x80\x02].",  # a list instead of a dictionary
        b"\x80\x02(",
        b"",
    ],
)
def test_other_pickles_are_refused(tmp_path: Path, write: Write, raw: bytes) -> None:
    with pytest.raises(FormatError, match="expected arrays in PyTorch's format"):
        read_torch_weights(write(tmp_path / "x.bin", None, [], raw=raw))


@LAYOUTS
@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [((3, 4), (4, 1), 1), ((13,), (1,), 0), ((2,), (20,), 0), ((2,), (1,), 11)],
)
def test_a_tensor_outside_its_storage_is_refused(
    tmp_path: Path, write: Write, shape: tuple[int, ...], strides: tuple[int, ...], offset: int
) -> None:
    storage = Storage("0", np.zeros(12, np.float32))
    with pytest.raises(FormatError, match="outside its storage"):
        read_torch_weights(
            write(tmp_path / "x.bin", {"a": Tensor(storage, shape, strides, offset)}, [storage])
        )


@LAYOUTS
def test_a_cut_file_is_refused(tmp_path: Path, write: Write) -> None:
    path = write(tmp_path / "x.bin", *tensors(ARRAYS))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatError, match="expected arrays in PyTorch's format"):
        read_torch_weights(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_torch_weights(tmp_path / "none.bin")
