"""Folders of arrays: what goes in comes out, and damage is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraphrast.errors import InputError, ModelError
from paraphrast.lm import LmOptions, estimate, load, load_words, pack, perplexity, save
from paraphrast.types import PackedNgrams, Sentences


@pytest.fixture(scope="module")
def arrays() -> PackedNgrams:
    return pack(estimate([Sentences.from_lists([[11, 12, 11], [12]])], 13, LmOptions(order=3)))


def damage(folder: Path, section: str, place: int | slice, value: float) -> None:
    """Overwrite a part of a stored model."""
    ngrams = PackedNgrams(np.load(folder / "data.npy"), np.load(folder / "layout.npy"))
    getattr(ngrams, section)[place] = value
    np.save(folder / "data.npy", ngrams.data)
    np.save(folder / "layout.npy", ngrams.layout)


def test_round_trip_is_mapped_and_read_only(tmp_path: Path, arrays: PackedNgrams) -> None:
    save(arrays, tmp_path / "lm")
    again = load(tmp_path / "lm")
    for name, before, after in zip(arrays._fields, list[Any](arrays), list[Any](again), strict=True):
        assert (tmp_path / "lm" / f"{name}.npy").exists()
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)
        assert not after.flags.writeable
    assert [path.name for path in tmp_path.iterdir()] == ["lm"]
    text = Sentences.from_lists([[12, 11], [11, 11, 12]])
    assert perplexity(again, text) == perplexity(arrays, text)


def test_an_existing_folder_is_refused_unless_forced(tmp_path: Path, arrays: PackedNgrams) -> None:
    (tmp_path / "lm").mkdir()
    (tmp_path / "lm" / "old.txt").write_text("old")
    with pytest.raises(InputError, match="already"):
        save(arrays, tmp_path / "lm")
    about = tmp_path / "lm" / "lm.json"
    for text in ("", "{}", '{"format_version": 2, "kind": "ngram", "order": 3}'):
        if text:
            about.write_text(text)
        with pytest.raises(InputError, match="not replaced"):
            save(arrays, tmp_path / "lm", force=True)
        assert (tmp_path / "lm" / "old.txt").exists()
    (tmp_path / "lm" / "old.txt").unlink()
    save(arrays, tmp_path / "lm", force=True, words=["a"] * 9)
    save(arrays, tmp_path / "lm", force=True)
    assert load(tmp_path / "lm").order == 3
    assert [path.name for path in tmp_path.iterdir()] == ["lm"]


def test_a_failed_replacement_puts_the_old_folder_back(
    tmp_path: Path, arrays: PackedNgrams, monkeypatch: pytest.MonkeyPatch
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


def test_damage_is_told(tmp_path: Path, arrays: PackedNgrams) -> None:
    with pytest.raises(ModelError, match=r"lm\.json"):
        load(tmp_path)
    folder = tmp_path / "lm"
    save(arrays, folder)
    np.save(folder / "data.npy", arrays.data[:-1])
    with pytest.raises(ModelError, match="belong together"):
        load(folder)
    np.save(folder / "data.npy", arrays.data.astype(np.int64))
    with pytest.raises(ModelError, match=r"data\.npy: expected 1 dimension of uint8"):
        load(folder)
    (folder / "data.npy").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="cannot be read"):
        load(folder)
    (folder / "lm.json").write_text(json.dumps({"format_version": 99}))
    with pytest.raises(ModelError, match="got 99"):
        load(folder)
    (folder / "lm.json").write_text(json.dumps({"format_version": 1}))
    with pytest.raises(ModelError, match=r"got 1, which older releases wrote\s+build it again"):
        load(folder)
    (folder / "lm.json").write_text("{")
    with pytest.raises(ModelError, match=r"lm\.json cannot be read"):
        load(folder)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("records", slice(-16, -8), 255),  # a word outside the vocabulary
        ("contexts", slice(0, 3), 255),  # children beyond the last node
        ("contexts", slice(0, 3), 0),  # children among the words
        ("contexts", slice(-16, -8), 255),
        ("is_context", -1, 2**50),
        ("unigram", 3, np.nan),
        ("unigram", 0, 0.5),
        ("order_start", 1, 1),
        ("order_start", 0, 1),
        ("order_start", -1, 10**6),
        ("context_start", -1, 10**6),
        ("context_start", 0, 1),
        ("layout", 0, 8),
        ("layout", 1, 57),
        ("layout", 3, -1),
        ("layout", 4, 30),
        ("layout", 8, 10**6),
    ],
)
@pytest.mark.parametrize("small", [True, False])
def test_links_that_lead_nowhere_are_told(
    tmp_path: Path,
    arrays: PackedNgrams,
    name: str,
    place: int | slice,
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
    damage(folder, name, place, value)
    with pytest.raises(ModelError, match="belong together"):
        load(folder, check=not small)


@pytest.mark.parametrize("name", ["log_prob_codes", "backoff_codes"])
def test_codes_that_mean_nothing_are_reported(tmp_path: Path, name: str) -> None:
    arrays = estimate([Sentences.from_lists([[11, 12, 11], [12]])], 13, LmOptions(order=3))
    folder = tmp_path / "lm"
    save(pack(arrays, 8), folder)
    assert load(folder).order == 3
    damage(folder, name, -1, np.inf)
    with pytest.raises(ModelError, match="out of range"):
        load(folder)


def test_words_are_kept(tmp_path: Path, arrays: PackedNgrams) -> None:
    save(arrays, tmp_path / "lm", words=["ü"])
    assert load_words(tmp_path / "lm") == ("ü",)


def test_an_unpacked_model_is_saved_with_its_exact_values(tmp_path: Path) -> None:
    arrays = estimate([Sentences.from_lists([[11, 12, 11], [12]])], 13, LmOptions(order=3))
    save(arrays, tmp_path / "lm")
    for before, after in zip(pack(arrays), load(tmp_path / "lm"), strict=True):
        np.testing.assert_array_equal(before, after)


def test_a_file_cut_short(tmp_path: Path, arrays: PackedNgrams) -> None:
    save(arrays, tmp_path / "lm")
    path = tmp_path / "lm" / "data.npy"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ModelError, match="cannot be read"):
        load(tmp_path / "lm")
