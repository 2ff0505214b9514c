"""Where data of a language lies."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from paraphrast import data
from paraphrast.data import by_language as language_data
from paraphrast.data.by_language import folder_of, read_vectors


def test_data_is_fetched_only_where_asked_for_and_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here: set[str] = set()

    def get(name: str) -> Path:
        here.add(name)
        return tmp_path / name

    monkeypatch.setattr("paraphrast.data.is_cached", here.__contains__)
    monkeypatch.setattr("paraphrast.data.get", get)
    assert folder_of("moby") is None
    assert here == set()
    assert folder_of("moby", fetch=True) == tmp_path / "moby"
    assert folder_of("moby") == folder_of("moby", fetch=True) == tmp_path / "moby"
    assert caplog.text.count("fetching moby") == 1


def test_vectors_have_a_word_each(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", np.eye(2, dtype=np.float16))
    (tmp_path / "words.txt.gz").write_bytes(gzip.compress(b"of\nboat\n"))
    words, table = read_vectors(tmp_path)
    assert words == ["of", "boat"]
    assert table.tolist() == [[1, 0], [0, 1]]


def test_all_names_are_in_the_index() -> None:
    kinds = ("THESAURI", "LISTS", "RELATIONS", "VECTORS", "ENCODERS")
    names = {name for kind in kinds for own in getattr(language_data, kind).values() for name in own}
    assert names <= set(data.index())
