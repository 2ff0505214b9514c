"""Texts as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import ModelError
from paraphrast.formats.strings import StringsWriter, load_strings, save_strings


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "é日本", "x\ny"]])
def test_texts_come_back(tmp_path: Path, texts: list[str]) -> None:
    save_strings(tmp_path, "names", texts)
    loaded = load_strings(tmp_path, "names")
    assert list(loaded) == texts
    assert loaded[:2] == texts[:2]
    if texts:
        assert loaded[-1] == texts[-1]
    with pytest.raises(IndexError):
        loaded[len(texts)]


def test_other_lengths_are_refused(tmp_path: Path) -> None:
    save_strings(tmp_path, "names", ["one", "two"])
    np.save(tmp_path / "names_begin.npy", np.array([0, 3], np.int64))
    with pytest.raises(ModelError, match="6 bytes"):
        load_strings(tmp_path, "names")


def test_texts_in_pieces_have_the_bytes_of_all_texts(tmp_path: Path) -> None:
    save_strings(tmp_path, "whole", ["a", "é日本", "", "b"])
    with StringsWriter(tmp_path, "pieces") as writer:
        for piece in (["a"], [], ["é日本", ""], ["b"]):
            writer.add(piece)
    for end in (".npy", "_begin.npy"):
        assert (tmp_path / f"pieces{end}").read_bytes() == (tmp_path / f"whole{end}").read_bytes()
