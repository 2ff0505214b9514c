"""Arrays from files that may be damaged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from paraphrast.errors import ModelError
from paraphrast.formats.arrays import ArrayWriter, load_array, save_array, stored_slice, take_stored


@pytest.mark.parametrize("mapped", [True, False])
def test_an_array_comes_back(tmp_path: Path, mapped: bool) -> None:
    np.save(tmp_path / "a.npy", np.arange(6, dtype=np.int32))
    array = load_array(tmp_path / "a.npy", np.int32, mapped=mapped)
    assert type(array) is np.ndarray
    assert array.tolist() == [0, 1, 2, 3, 4, 5]


def test_another_type_or_shape_is_told(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 3), dtype=np.int32))
    assert load_array(tmp_path / "a.npy", np.int32, dimensions=2).shape == (2, 3)
    with pytest.raises(ModelError, match=r"a\.npy.*1 dimension of int32, got 2 of int32"):
        load_array(tmp_path / "a.npy", np.int32)
    with pytest.raises(ModelError, match="2 dimensions of int64"):
        load_array(tmp_path / "a.npy", np.int64, dimensions=2)


@pytest.mark.parametrize("mapped", [True, False])
def test_whatever_the_damage_it_is_told_by_name(tmp_path: Path, mapped: bool) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.arange(50, dtype=np.int32))
    whole = path.read_bytes()
    rng = random.Random(5)
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.randrange(128)] = rng.randrange(256)
        path.write_bytes(damaged if rng.random() < 0.8 else damaged[: rng.randrange(len(whole))])
        try:
            array = load_array(path, np.int32, mapped=mapped)
        except ModelError as error:
            refused += "a.npy" in str(error)
        else:
            assert array.dtype == np.int32
    assert 100 < refused < 300
    with pytest.raises(ModelError, match="cannot be read"):
        load_array(tmp_path / "none.npy", np.int32)


def test_a_saved_array_has_the_bytes_of_numpy(tmp_path: Path) -> None:
    arrays: list[NDArray[Any]] = [np.arange(7, dtype=np.int16), np.zeros((3, 0)), np.ones((4, 5)).T]
    for number, array in enumerate(arrays):
        save_array(tmp_path / "ours.npy", array)
        np.save(tmp_path / "numpy.npy", array)
        assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "numpy.npy").read_bytes(), number


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
def test_a_full_disk_is_noticed_even_for_a_small_array() -> None:
    """numpy.save itself reports nothing here."""
    with pytest.raises(OSError, match="No space left"):
        save_array(Path("/dev/full"), np.arange(100))


@pytest.mark.parametrize("sizes", [(), (0,), (3, 0, 9), (12,)])
@pytest.mark.parametrize("tail", [(), (2,), (2, 2)])
def test_an_array_in_pieces_has_the_bytes_of_the_whole(
    tmp_path: Path, sizes: tuple[int, ...], tail: tuple[int, ...]
) -> None:
    pieces = [np.arange(size * 2 ** len(tail), dtype=np.int64).reshape(size, *tail) for size in sizes]
    with ArrayWriter(tmp_path / "pieces.npy", np.int32, tail) as writer:
        for piece in pieces:
            writer.add(piece)
    save_array(tmp_path / "whole.npy", np.concatenate([np.zeros((0, *tail)), *pieces]).astype(np.int32))
    assert (tmp_path / "pieces.npy").read_bytes() == (tmp_path / "whole.npy").read_bytes()


def test_values_are_read_wherever_they_are(tmp_path: Path) -> None:
    values = np.arange(1000, dtype=np.int32) * 7
    save_array(tmp_path / "a.npy", values)
    places = np.array([999, 0, 5, 5, 998, 17])
    assert take_stored(tmp_path / "a.npy", places, at_once=2).tolist() == values[places].tolist()
    assert take_stored(tmp_path / "a.npy", places[:0]).tolist() == []
    assert stored_slice(tmp_path / "a.npy", 998, 1200).tolist() == values[998:].tolist()
