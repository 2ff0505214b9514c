"""Options reach the stages they are for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast import lm
from paraphrast.decode import DecoderArrays
from paraphrast.engine import Engine
from paraphrast.extract.add_shards import ORIENTATION, SOURCES
from paraphrast.training.extracted import load_extracted
from paraphrast.types import MAX_PHRASE, PackedNgrams
from paraphrast.types.phrase_keys import PhraseKeys


def test_significance_prunes_before_the_pivot(tmp_path: Path) -> None:
    kept = {}
    for name, extra in (("all", ""), ("few", '[extract]\nsignificance = "a+e"\n')):
        folder = tmp_path / name
        model = paraphrast.train(toy.write_config(folder, 300, extra=extra), folder / "model", keep_work=True)
        stage = Path(f"{model}.work") / "extract-de"
        extracted = load_extracted(stage)
        kept[name] = len(extracted.pairs["source"])
        told = json.loads((stage / "stage.json").read_text())["note"]
        assert ("significant" in told) == (name == "few")
        assert extracted.pairs["source"].max() < len(extracted.source_words)
    assert 0 < kept["few"] < kept["all"]


def oriented(stage: Path) -> tuple[np.ndarray, np.ndarray]:
    """The words and outcomes of phrases that a stage wrote."""
    with Engine(threads=1) as engine:
        rows = engine.read_parquet(stage / ORIENTATION)
        keys = PhraseKeys(**engine.parquet_metadata(stage / SOURCES)["keys"])
    return keys.unpack(rows, "s"), np.column_stack([rows[name] for name in ("mono", "swap", "other")])


def test_a_model_learns_which_phrases_swap(tmp_path: Path) -> None:
    model = paraphrast.train(toy.write_config(tmp_path, 300), tmp_path / "model", keep_work=True)
    work = Path(f"{model}.work")
    seen: dict[tuple[int, ...], np.ndarray] = {}
    total = np.ones(3)  # add-one smoothed
    for language in ("de", "fr"):
        words, counts = oriented(work / f"extract-{language}")
        total += counts.sum(axis=0)
        for row, count in zip(words.tolist(), counts, strict=True):
            if row[0] >= 0:  # the empty phrase stands for those seen once
                assert count.sum() > 1
                seen[tuple(row)] = seen.get(tuple(row), 0) + count
    overall = total / total.sum()
    arrays = DecoderArrays.load(model / "decoder")
    assert arrays.swap_default == pytest.approx(float(np.log(overall[1] / overall[0])))
    learnt = np.flatnonzero(~np.isnan(arrays.options.swap))
    assert len(learnt) > 20
    for node in learnt:
        path: list[int] = []
        at = int(node)
        while at > 0:
            path.insert(0, int(arrays.options.word[at]))
            at = int(arrays.options.parent[at])
        count = seen[tuple(path + [-1] * (MAX_PHRASE - len(path)))]
        odds = (count[1] + 10 * overall[1]) / (count[0] + 10 * overall[0])
        assert arrays.options.swap[node] == pytest.approx(np.log(odds), abs=1e-5)


def test_reordering_can_be_left_out(tmp_path: Path) -> None:
    config = toy.write_config(tmp_path, 200, extra='[extract]\norientation = "none"\n')
    model = paraphrast.train(config, tmp_path / "model", keep_work=True)
    assert not (model / "decoder" / "swap.npy").exists()
    assert not (Path(f"{model}.work") / "reorder").exists()
    found = paraphrast.load(model).paraphrase(
        "The committee will examine a big proposal tomorrow.", reorder=4
    )
    assert found
    assert all(result.text != result.source for result in found)
    config.write_text(config.read_text().replace('"none"', '"sideways"'))
    with pytest.raises(paraphrast.InputError, match="sideways"):
        paraphrast.train(config, tmp_path / "other")


def test_the_language_model_stays_within_the_memory_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {}
    build = lm.build

    def spy(*arguments: Any, **limits: Any) -> PackedNgrams:
        given.update(limits)
        return build(*arguments, **{**limits, "memory": 1000})

    monkeypatch.setattr(lm, "build", spy)
    config = toy.write_config(tmp_path, 200)
    spilled = paraphrast.train(config, tmp_path / "spilled", memory="2GB", threads=1)
    assert given["memory"] == 2 * 10**9
    assert str(given["folder"]).startswith(str(tmp_path))
    monkeypatch.undo()
    plain = paraphrast.train(config, tmp_path / "plain", threads=1)
    for path in sorted((plain / "lm").iterdir()):
        assert path.read_bytes() == (spilled / "lm" / path.name).read_bytes()
