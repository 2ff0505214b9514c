"""Aligners on disk: the same links after loading, and a clear word about folders that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paraphrast.align import Aligner, AlignOptions, train
from paraphrast.align.base import Lexicon
from paraphrast.errors import ModelError
from paraphrast.types import Sentences

SOURCE = Sentences.from_lists([[1, 2, 3], [2, 3], [1], [3, 1, 2, 2]] * 5)
TARGET = Sentences.from_lists([[4, 5, 6], [5, 6], [4], [6, 4, 5, 5]] * 5)


def make(hmm_iterations: int = 2) -> Aligner:
    return train(SOURCE, TARGET, 8, 9, AlignOptions(hmm_iterations=hmm_iterations, posteriors=True))


@pytest.mark.parametrize("hmm_iterations", [0, 2])
def test_a_loaded_aligner_links_as_the_saved_one(tmp_path: Path, hmm_iterations: int) -> None:
    aligner = make(hmm_iterations)
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert loaded.options == aligner.options
    assert loaded.forward.log_likelihoods == aligner.forward.log_likelihoods
    for source, target in (
        (SOURCE, TARGET),
        (Sentences.from_lists([[0, 7, 1]]), Sentences.from_lists([[0, 4]])),
    ):
        before, after = aligner.align(source, target), loaded.align(source, target)
        assert before.source.tobytes() == after.source.tobytes()
        assert before.target.tobytes() == after.target.tobytes()
        if before.posterior is not None:
            assert after.posterior is not None
            assert before.posterior.tobytes() == after.posterior.tobytes()
            assert np.isfinite(before.posterior).all()


def test_saving_replaces_what_stands_there_and_leaves_nothing_else(tmp_path: Path) -> None:
    make(0).save(tmp_path / "model")
    make(2).save(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert not list((tmp_path / "model").glob("*columns*"))


def edit(folder: Path, **changes: object) -> None:
    path = folder / "aligner.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**info, **changes}), encoding="utf-8")


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"aligner\.json"):
        Aligner.load(tmp_path / "none")
    folder = tmp_path / "model"
    make().save(folder)
    array = folder / "forward.prob.npy"
    whole = array.read_bytes()
    array.write_bytes(whole[:-8])
    with pytest.raises(ModelError, match="incomplete or damaged"):
        Aligner.load(folder)
    array.unlink()
    with pytest.raises(ModelError, match="missing"):
        Aligner.load(folder)
    np.save(array, np.zeros(3, np.float64), allow_pickle=False)
    with pytest.raises(ModelError, match="expected a row of float32"):
        Aligner.load(folder)
    np.save(array, np.zeros(3, np.float32), allow_pickle=False)
    with pytest.raises(ModelError, match="do not match"):
        Aligner.load(folder)
    for name in ("prob", "jump"):
        damaged = folder / f"forward.{name}.npy"
        lexicon = make().forward.lexicon
        assert isinstance(lexicon, Lexicon)
        kept = np.load(damaged) if name == "jump" else lexicon.prob
        for wrong in (np.inf, np.nan, -1.0):
            values = kept.copy()
            values[0] = wrong
            np.save(damaged, values, allow_pickle=False)
            with pytest.raises(ModelError, match="do not match"):
                Aligner.load(folder)
        np.save(damaged, kept, allow_pickle=False)
    assert array.read_bytes() == whole
    assert isinstance(Aligner.load(folder), Aligner)
    for changes, message in (
        ({"version": 2}, "format 1, got 2"),
        ({"format": "a poem"}, "expected a saved aligner"),
        ({"source_size": 80}, "do not match"),
        ({"forward": {}}, "incomplete"),
        ({"forward": {"kind": "oracle", "log_likelihoods": []}}, "oracle"),
    ):
        make().save(folder)
        edit(folder, **changes)
        with pytest.raises(ModelError, match=message):
            Aligner.load(folder)
    (folder / "aligner.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read"):
        Aligner.load(folder)


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04" + bytes(40), b"PK\x05\x06" + bytes(18), "cut", "large"], ids=str
)
def test_a_file_that_is_no_array_is_told(tmp_path: Path, content: bytes | str) -> None:
    make(0).save(tmp_path / "model")
    path = tmp_path / "model" / "forward.prob.npy"
    sound = path.read_bytes()
    if content == "cut":  # an open bracket in the header
        content = sound[:30].replace(b"{", b"((") + b" " * (len(sound) - 30)
    elif content == "large":
        content = sound.replace(b"(", b"(99999999999", 1)
    assert isinstance(content, bytes)
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"forward\.prob\.npy"):
        Aligner.load(tmp_path / "model")
