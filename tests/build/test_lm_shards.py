"""The language model by workers: the bytes of one machine for any shards."""

from __future__ import annotations

from pathlib import Path

import pytest

import random_pairs
from paraphrast import lm
from paraphrast.build.lm_shards import build_on_workers
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.sentences import save_sentences
from paraphrast.lm import LmOptions
from paraphrast.types import FIRST_WORD, Sentences

WORDS = FIRST_WORD + 25


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("prune", [(0,), (0, 0, 1)])
def test_shards_of_any_size_give_one_model(tmp_path: Path, prune: tuple[int, ...]) -> None:
    corpora = random_pairs.bitext(60)[:2]
    options = LmOptions(order=4, prune=prune, discount_fallback=(0.5, 1.0, 1.5))
    lm.save(lm.build(corpora, WORDS, options), tmp_path / "one")
    folders = [tmp_path / "source", tmp_path / "target"]
    for sentences, folder in zip(corpora, folders, strict=True):
        save_sentences(sentences, folder)
    for tokens in (1, 50, 10_000):
        with Engine(threads=1) as engine:
            model = build_on_workers(engine, folders, WORDS, options, tmp_path / "scratch", tokens=tokens)
        lm.save(model, tmp_path / f"many-{tokens}")
        assert tree(tmp_path / f"many-{tokens}") == tree(tmp_path / "one")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_no_text_is_told(tmp_path: Path) -> None:
    save_sentences(Sentences.from_lists([]), tmp_path / "text")
    with Engine(threads=1) as engine, pytest.raises(InputError, match="no sentences"):
        build_on_workers(engine, [tmp_path / "text"], WORDS, LmOptions(), tmp_path / "scratch")
