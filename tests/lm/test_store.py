"""Folders of arrays: what goes in comes out, and damage is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import InputError, ModelError
from paraphrast.lm import LmOptions, estimate, load, load_words, perplexity, save, with_index
from paraphrast.types import NgramArrays, Sentences


@pytest.fixture(scope="module")
def arrays() -> NgramArrays:
    return estimate([Sentences.from_lists([[11, 12, 11], [12]])], 13, LmOptions(order=3))


def test_round_trip_is_mapped_and_read_only(tmp_path: Path, arrays: NgramArrays) -> None:
    save(arrays, tmp_path / "lm")
    again = load(tmp_path / "lm")
    for name in arrays._fields:
        before, after = getattr(with_index(arrays), name), getattr(again, name)
        assert name != "table" or len(after)
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)
        assert not after.flags.writeable
    assert [path.name for path in tmp_path.iterdir()] == ["lm"]
    text = Sentences.from_lists([[12, 11], [11, 11, 12]])
    assert perplexity(again, text) == perplexity(arrays, text)


def test_an_existing_folder_is_refused_unless_forced(tmp_path: Path, arrays: NgramArrays) -> None:
    (tmp_path / "lm").mkdir()
    (tmp_path / "lm" / "old.txt").write_text("old")
    with pytest.raises(InputError, match="already"):
        save(arrays, tmp_path / "lm")
    with pytest.raises(InputError, match="something else"):
        save(arrays, tmp_path / "lm", force=True)
    assert (tmp_path / "lm" / "old.txt").exists()
    (tmp_path / "lm" / "lm.json").write_text("{}")
    save(arrays, tmp_path / "lm", force=True)
    assert not (tmp_path / "lm" / "old.txt").exists()
    assert load(tmp_path / "lm").order == 3
    assert [path.name for path in tmp_path.iterdir()] == ["lm"]


def test_a_failed_replacement_puts_the_old_folder_back(
    tmp_path: Path, arrays: NgramArrays, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(arrays, tmp_path / "lm")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.endswith(".tmp"):
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="no"):
        save(arrays, tmp_path / "lm", force=True)
    assert load(tmp_path / "lm").order == 3
    assert [path.name for path in tmp_path.iterdir()] == ["lm"]


def test_damage_is_told(tmp_path: Path, arrays: NgramArrays) -> None:
    with pytest.raises(ModelError, match=r"lm\.json"):
        load(tmp_path)
    folder = tmp_path / "lm"
    save(arrays, folder)
    np.save(folder / "suffix.npy", arrays.suffix[:-1])
    with pytest.raises(ModelError, match="belong together"):
        load(folder)
    np.save(folder / "suffix.npy", arrays.suffix.astype(np.int64))
    with pytest.raises(ModelError, match=r"suffix\.npy: expected 1 dimension of int32"):
        load(folder)
    (folder / "suffix.npy").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="cannot be read"):
        load(folder)
    (folder / "lm.json").write_text(json.dumps({"format_version": 99}))
    with pytest.raises(ModelError, match="got 99"):
        load(folder)
    (folder / "lm.json").write_text("{")
    with pytest.raises(ModelError, match=r"lm\.json cannot be read"):
        load(folder)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("word", -1, 99),
        ("word", -1, -1),
        ("word", 3, 5),
        ("suffix", -1, 10**6),
        ("suffix", -1, -1),
        ("suffix", 4, 2),
        ("child_begin", 1, 10**9),
        ("child_begin", 2, 0),
        ("child_begin", -2, 3),
        ("log_prob", -1, np.nan),
        ("log_prob", 0, 0.5),
        ("backoff", 0, np.inf),
        ("order_start", 1, 1),
        ("order_start", 0, 1),
        ("table", 0, 3),
        ("table", slice(5, None, 4), 10**6),
    ],
)
@pytest.mark.parametrize("small", [True, False])
def test_links_that_lead_nowhere_are_told(
    tmp_path: Path,
    arrays: NgramArrays,
    name: str,
    place: int,
    value: float,
    small: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Checked in full on loading, and of a large model on request."""
    if not small:
        monkeypatch.setattr("paraphrast.lm.store.FULLY_CHECKED_BYTES", 0)
    folder = tmp_path / "lm"
    save(arrays, folder)
    assert load(folder, check=not small).order == 3
    damaged = np.load(folder / f"{name}.npy")
    damaged[place] = value
    np.save(folder / f"{name}.npy", damaged)
    with pytest.raises(ModelError, match="belong together"):
        load(folder, check=not small)


def test_an_index_can_be_left_out(tmp_path: Path, arrays: NgramArrays) -> None:
    save(arrays, tmp_path / "lm", index=False, words=["ü"])
    assert not (tmp_path / "lm" / "table.npy").exists()
    again = load(tmp_path / "lm")
    assert len(again.table) == 0
    assert load_words(tmp_path / "lm") == ("ü",)
    text = Sentences.from_lists([[12, 11], [11, 11, 12]])
    assert perplexity(again, text) == perplexity(with_index(arrays), text)


def test_a_file_cut_short(tmp_path: Path, arrays: NgramArrays) -> None:
    save(arrays, tmp_path / "lm")
    path = tmp_path / "lm" / "word.npy"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ModelError, match="cannot be read"):
        load(tmp_path / "lm")
