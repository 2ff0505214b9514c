"""Aligning and extracting by Python workers: the same links, pairs and counts as on one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import random_pairs
import toy
from bench_module import bench_module
from paraphrast.align import AlignOptions, align, train
from paraphrast.build.align import align_text
from paraphrast.build.em import align_on_workers
from paraphrast.build.lm_shards import build_on_workers
from paraphrast.build.shards import align_ids, align_lines, extract_shards
from paraphrast.cli import run
from paraphrast.engine import Engine
from paraphrast.engine.spark import SparkEngine
from paraphrast.extract import Extraction, ExtractOptions, extract_pairs
from paraphrast.formats.sentences import save_sentences
from paraphrast.lm import LmOptions, build
from paraphrast.training.work_folder import load_links
from paraphrast.types import FIRST_WORD, Links

Standalone = bench_module("standalone").Standalone


def same_links(found: Links, expected: Links) -> None:
    for name in ("starts", "source", "target", "posterior"):
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert (ours is None) == (theirs is None), name
        if theirs is not None:
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)


def same_extraction(found: Extraction, expected: Extraction) -> None:
    for name in ("source", "target", "sentence", "source_start"):
        ours, theirs = getattr(found.pairs, name), getattr(expected.pairs, name)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    for name in ("source_words", "target_words", "target_start"):
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("size", [1, 7, 50, 1000])
def test_shards_of_any_size_give_one_result(tmp_path: Path, size: int) -> None:
    source, target, links = random_pairs.bitext(50)
    words = FIRST_WORD + 25
    aligner = train(source, target, words, words, AlignOptions(posteriors=True))
    with Engine(threads=1) as engine:
        same_links(
            align_ids(engine, aligner, source, target, tmp_path, size=size), aligner.align(source, target)
        )
        options = ExtractOptions(max_length=4, attach_unaligned="both")
        same_extraction(
            extract_shards(engine, source, target, links, options, tmp_path, size=size),
            extract_pairs(source, target, links, options),
        )
    assert list(tmp_path.iterdir()) == []


def test_no_sentence_is_no_error(tmp_path: Path) -> None:
    source, target, links = random_pairs.bitext(0)
    with Engine(threads=1) as engine:
        found = extract_shards(engine, source, target, links, ExtractOptions(), tmp_path)
        same_extraction(found, extract_pairs(source, target, links))
        assert len(align_lines(engine, tmp_path, [], [], tmp_path)) == 0


def test_workers_give_the_links_and_pairs_of_one_machine(
    spark: SparkEngine, spark_folder: Path, tmp_path: Path
) -> None:
    rows = toy.rows(90)
    source, target = [row[0] for row in rows], [row[1] for row in rows]
    links, model = align_text(source, target, target_language="de")
    assert model is not None
    model.save(tmp_path / "model")
    options = AlignOptions(symmetrise="union", posteriors=True)
    found = align_lines(spark, tmp_path / "model", source, target, spark_folder, options=options, size=25)
    same_links(found, model.with_options(options).align(source, target))
    ours, theirs = model.source.encode(source), model.target.encode(target)
    same_extraction(
        extract_shards(spark, ours, theirs, links, ExtractOptions(), spark_folder, size=25),
        extract_pairs(ours, theirs, links),
    )


def test_workers_train_the_aligner_of_one_machine(spark: SparkEngine, spark_folder: Path) -> None:
    source, target, _ = random_pairs.bitext(40)
    words = FIRST_WORD + 25
    expected = align(source, target, words, words)
    folder = spark_folder / "em"
    save_sentences(source, folder / "source")
    save_sentences(target, folder / "target")
    corpora, sizes = [(folder / "source", folder / "target")], (words, words)
    align_on_workers(spark, corpora, sizes, AlignOptions(), folder / "scratch", folder, shard=20, blocks=2)
    same_links(load_links(folder), expected)


def test_workers_build_the_language_model_of_one_machine(spark: SparkEngine, spark_folder: Path) -> None:
    source, _, _ = random_pairs.bitext(40)
    folder = spark_folder / "lm"
    save_sentences(source, folder / "text")
    options = LmOptions(order=3, discount_fallback=(0.5, 1.0, 1.5))
    words = FIRST_WORD + 25
    found = build_on_workers(spark, [folder / "text"], words, options, folder / "scratch", tokens=100)
    for ours, theirs in zip(found, build([source], words, options), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_commands_take_the_engine(
    cluster: Any, spark: SparkEngine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within the running application: what a command starts of its own is what the fixture starts."""
    rows = toy.rows(60)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{row[0]}\t{row[1]}\n" for row in rows), encoding="utf-8")

    def command(*arguments: str) -> None:
        assert run([*arguments, "--threads", "1"]) == 0, capsys.readouterr().err

    model = str(tmp_path / "model")
    command("align", str(pairs), "--save", model, "-o", str(tmp_path / "trained"))
    for engine in ("duckdb", cluster.url):
        name = engine[:5]
        links = str(tmp_path / f"links-{name}")
        command("align", str(pairs), "--model", model, "--engine", engine, "-o", links)
        command("extract", str(pairs), links, "--engine", engine, "-o", str(tmp_path / f"table-{name}"))
    for kind in ("links", "table"):
        expected = (tmp_path / f"{kind}-duckd").read_bytes()
        assert len(expected) > 100
        assert (tmp_path / f"{kind}-spark").read_bytes() == expected
    assert run(["align", str(pairs), "--engine", cluster.url]) == 2
    assert "training runs on this machine" in capsys.readouterr().err
