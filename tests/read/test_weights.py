from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import FormatError
from paraphrast.read.weights import read_safetensors
from tiny_encoder import write_encoder


def test_arrays_by_name(tmp_path: Path) -> None:
    arrays = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(2, np.float32)}
    found = read_safetensors(write_encoder(tmp_path, arrays, [], 1) / "model.safetensors")
    assert found.keys() == arrays.keys()
    for name, value in arrays.items():
        np.testing.assert_array_equal(found[name], value)


@pytest.mark.parametrize(
    "content", [b"", struct.pack("<Q", 1 << 40) + b"{}", struct.pack("<Q", (1 << 63) + 1) + b"{}", None]
)
def test_damaged_files_are_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "model.safetensors"
    if content is None:  # cut off in the middle of an array
        write_encoder(tmp_path, {"w": np.ones(100, np.float32)}, [], 1)
        content = path.read_bytes()[:-8]
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"model\.safetensors: expected arrays in the safetensors format"):
        read_safetensors(path)
