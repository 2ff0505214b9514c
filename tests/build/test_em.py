"""EM by workers: the links of one machine, to the byte, for any shards and blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import random_pairs
from paraphrast.align import AlignOptions, align
from paraphrast.align.base import MOST_WORDS, check_words
from paraphrast.build.em import align_on_workers
from paraphrast.engine import Engine
from paraphrast.errors import ConvergenceWarning, InputError
from paraphrast.formats.arrays import save_array
from paraphrast.formats.sentences import save_sentences
from paraphrast.types import FIRST_WORD, Sentences

WORDS = FIRST_WORD + 25
NAMES = ("starts", "source", "target")


def files_of(folder: Path) -> list[bytes]:
    return [(folder / f"{name}.npy").read_bytes() for name in NAMES]


def part(sentences: Sentences, first: int, stop: int) -> Sentences:
    starts = sentences.starts[first : stop + 1]
    piece = slice(int(starts[0]), int(starts[-1]))
    return Sentences(sentences.tokens[piece], starts - starts[0], sentences.space_before[piece])


@pytest.mark.parametrize(
    "options",
    [
        AlignOptions(),
        AlignOptions(agreement=False, symmetrise="union", decode="viterbi", max_ratio=1.5),
        AlignOptions(hmm_iterations=0, model1_prior=0.0),
        AlignOptions(hmm_iterations=9, model1_iterations=9, tolerance=0.002, prune=0.01, agreement=False),
    ],
)
@pytest.mark.filterwarnings("ignore::paraphrast.errors.ConvergenceWarning")
def test_workers_give_the_bytes_of_one_machine(tmp_path: Path, options: AlignOptions) -> None:
    source, target, _ = random_pairs.bitext(60)
    links = align(source, target, WORDS, WORDS, options)
    (tmp_path / "one").mkdir()
    for name in NAMES:
        save_array(tmp_path / "one" / f"{name}.npy", getattr(links, name))
    corpora = []
    for number, (first, stop) in enumerate([(0, 23), (23, 60)]):  # two bitexts
        folders = tmp_path / f"source-{number}", tmp_path / f"target-{number}"
        for sentences, folder in zip((source, target), folders, strict=True):
            save_sentences(part(sentences, first, stop), folder)
        corpora.append(folders)
    for shard, blocks in [(7, 3), (60, 1), (0, 0)]:
        output = tmp_path / f"output-{shard}"
        output.mkdir()
        with Engine(threads=1) as engine:
            counted = align_on_workers(
                engine,
                corpora,
                (WORDS, WORDS),
                options,
                tmp_path / "scratch",
                output,
                shard=shard,
                blocks=blocks,
            )
        assert counted == (len(links.source), 60)
        assert files_of(output) == files_of(tmp_path / "one"), (shard, blocks)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_missed_tolerance_is_told_as_on_one_machine(tmp_path: Path) -> None:
    source, target, _ = random_pairs.bitext(10)
    save_sentences(source, tmp_path / "source")
    save_sentences(target, tmp_path / "target")
    options = AlignOptions(tolerance=1e-12, hmm_iterations=0, model1_prior=0.0)
    corpora, sizes = [(tmp_path / "source", tmp_path / "target")], (WORDS, WORDS)
    with Engine(threads=1) as engine, pytest.warns(ConvergenceWarning, match="Model 1"):
        align_on_workers(engine, corpora, sizes, options, tmp_path / "scratch", tmp_path)


def test_sides_that_do_not_match_are_told(tmp_path: Path) -> None:
    source, target, _ = random_pairs.bitext(10)
    save_sentences(source, tmp_path / "source")
    save_sentences(part(target, 0, 9), tmp_path / "target")
    corpora, sizes = [(tmp_path / "source", tmp_path / "target")], (WORDS, WORDS)
    with Engine(threads=1) as engine, pytest.raises(InputError, match="got 10 and 9"):
        align_on_workers(engine, corpora, sizes, AlignOptions(), tmp_path / "scratch", tmp_path)


def test_a_text_beyond_the_integers_is_told() -> None:
    check_words(MOST_WORDS - 1)
    with pytest.raises(InputError, match="sample"):
        check_words(MOST_WORDS)


def test_no_bit_depends_on_the_order_of_sentences() -> None:
    source, target, _ = random_pairs.bitext(60)
    order = np.random.default_rng(3).permutation(60)

    def shuffled(sentences: Sentences) -> Sentences:
        rows = [sentences.tokens[sentences.starts[n] : sentences.starts[n + 1]] for n in order]
        starts = np.cumsum([0, *map(len, rows)])
        return Sentences(np.concatenate(rows), starts, np.zeros(starts[-1], np.uint8))

    expected = align(source, target, WORDS, WORDS, AlignOptions(posteriors=True))
    found = align(shuffled(source), shuffled(target), WORDS, WORDS, AlignOptions(posteriors=True))
    assert expected.posterior is not None
    assert found.posterior is not None
    for place, n in enumerate(order.tolist()):
        theirs = slice(int(expected.starts[n]), int(expected.starts[n + 1]))
        ours = slice(int(found.starts[place]), int(found.starts[place + 1]))
        assert found.source[ours].tolist() == expected.source[theirs].tolist()
        assert found.posterior[ours].tolist() == expected.posterior[theirs].tolist()
