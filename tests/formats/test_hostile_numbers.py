"""Headers with absurd numbers are refused before anything is allocated: found by fuzzing."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import torch_files
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.gguf import read_gguf
from paraphrast.formats.lattices import read_lattice
from paraphrast.formats.torch_weights import read_torch_weights
from paraphrast.types import Lattice, LatticeEdge


@pytest.mark.parametrize("pickled", [b"\x80\x02}r\xff\xff\xff\x3f.", b"\x80\x02}p999999999\n."])
def test_a_pickle_may_not_store_under_a_number_beyond_its_values(tmp_path: Path, pickled: bytes) -> None:
    """Python would make room for a thousand million values: eight gigabytes for ten bytes."""
    path = torch_files.write_zip(tmp_path / "x.bin", None, [], raw=pickled)
    with pytest.raises(FormatError, match="stores a value under"):
        read_torch_weights(path)


def test_a_tensor_may_not_repeat_its_storage(tmp_path: Path) -> None:
    storage = torch_files.Storage("0", np.ones(1, dtype="<f4"))
    tensor = torch_files.Tensor(storage, (10**12,), (0,))
    path = torch_files.write_zip(tmp_path / "x.bin", {"w": tensor}, [storage])
    with pytest.raises(FormatError, match="more numbers than its storage"):
        read_torch_weights(path)


def test_gguf_with_an_alignment_of_zero(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    name = b"general.alignment"
    setting = struct.pack("<Q", len(name)) + name + struct.pack("<II", 4, 0)
    path.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + setting)
    with pytest.raises(FormatError, match="multiples of 0"):
        read_gguf(path)


def test_a_lattice_may_not_have_states_without_edges_beyond_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="states that edges connect"):
        Lattice.from_edges([LatticeEdge(0, 10**9, ("a",), 0.0)], [10**9])
    (tmp_path / "x.fst.txt").write_text("0\t999999999999\ta\ta\n1\n")
    with pytest.raises(FormatError, match="states that edges connect"):
        read_lattice(tmp_path / "x.fst.txt")
    values = {"format": "lattice", "version": 1, "states": 10**12, "start": 0, "finals": [0], "edges": []}
    (tmp_path / "x.json").write_text(json.dumps(values))
    with pytest.raises(FormatError):
        read_lattice(tmp_path / "x.json")
