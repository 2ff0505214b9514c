"""Both directions together, on text with a known answer and on text that has none."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from paraphrast.align import METHODS, AlignOptions, align, hmm, train
from paraphrast.errors import InputError
from paraphrast.types import Links, Sentences

SIZE = 30


def toy_bitext(pairs: int, seed: int = 0) -> tuple[Sentences, Sentences, list[set[tuple[int, int]]]]:
    """Word w becomes w + 30; neighbours are swapped now and then; the true links are known."""
    rng = random.Random(seed)
    sources, targets, gold = [], [], []
    for _ in range(pairs):
        source = [rng.randrange(SIZE) for _ in range(rng.randrange(1, 9))]
        order = list(range(len(source)))
        for k in range(len(order) - 1):
            if rng.random() < 0.2:
                order[k], order[k + 1] = order[k + 1], order[k]
        sources.append(source)
        targets.append([source[k] + SIZE for k in order])
        gold.append({(k, j) for j, k in enumerate(order)})
    return Sentences.from_lists(sources), Sentences.from_lists(targets), gold


def run(source: list[list[int]], target: list[list[int]], **options: object) -> Links:
    return align(
        Sentences.from_lists(source),
        Sentences.from_lists(target),
        2 * SIZE,
        2 * SIZE,
        AlignOptions(**options),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("decode", ["posterior", "viterbi"])
def test_finds_the_known_links(decode: str) -> None:
    source, target, gold = toy_bitext(400)
    links = align(source, target, SIZE, 2 * SIZE, AlignOptions(decode=decode))
    right = sum(len(set(links.pair(k)) & gold[k]) for k in range(len(gold)))
    assert right / len(links.source) > 0.97
    assert right / sum(map(len, gold)) > 0.97


def test_the_hmm_beats_model_1_where_order_matters() -> None:
    source, target, gold = toy_bitext(400, seed=3)

    def wrong(options: AlignOptions) -> int:
        links = align(source, target, SIZE, 2 * SIZE, options)
        return sum(len(set(links.pair(k)) ^ gold[k]) for k in range(len(gold)))

    assert wrong(AlignOptions()) < wrong(AlignOptions(hmm_iterations=0))


@pytest.mark.parametrize(("hmm_iterations", "agreement"), [(0, False), (3, False), (3, True)])
def test_threads_never_change_links(
    hmm_iterations: int, agreement: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hmm, "CELLS", 500)
    source, target, _ = toy_bitext(200, seed=1)
    options = AlignOptions(hmm_iterations=hmm_iterations, agreement=agreement, posteriors=True)
    one, *others = (align(source, target, SIZE, 2 * SIZE, options, threads=threads) for threads in (1, 2, 4))
    for other in others:
        assert one.starts.tobytes() == other.starts.tobytes()
        assert one.source.tobytes() == other.source.tobytes()
        assert one.target.tobytes() == other.target.tobytes()
        if hmm_iterations:
            assert one.posterior is not None
            assert other.posterior is not None
            assert one.posterior.tobytes() == other.posterior.tobytes()
            assert ((one.posterior > 0) & (one.posterior <= 1.0001)).all()


def test_a_trained_model_aligns_new_text() -> None:
    source, target, _ = toy_bitext(400)
    new_source, new_target, gold = toy_bitext(50, seed=7)
    aligner = train(source, target, SIZE, 2 * SIZE)
    links = aligner.align(new_source, new_target)
    assert sum(len(set(links.pair(k)) ^ gold[k]) for k in range(50)) < 20
    assert dataclasses.replace(aligner).align(new_source, new_target).source.tolist() == links.source.tolist()


def test_arrays_that_are_read_only() -> None:
    source, target, _ = toy_bitext(20)
    expected = align(source, target, SIZE, 2 * SIZE)
    for side in (source, target):
        side.tokens.flags.writeable = False
        side.starts.flags.writeable = False
    assert align(source, target, SIZE, 2 * SIZE).target.tolist() == expected.target.tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("hmm_iterations", [0, 2])
def test_degenerate_input(method: str, hmm_iterations: int) -> None:
    options = {"symmetrise": method, "hmm_iterations": hmm_iterations}
    assert len(run([], [], **options)) == 0
    assert run([[]], [[]], **options).pair(0) == []
    links = run([[], [1], [2, 2, 2], [3], [5] * 1001], [[1], [], [2], [3], [6] * 1001], **options)
    assert len(links) == 5
    assert [len(links.pair(k)) for k in (0, 1, 4)] == [0, 0, 0]
    assert links.pair(2)
    assert all(0 <= i < 3 and j == 0 for i, j in links.pair(2))


@pytest.mark.parametrize("decode", ["posterior", "viterbi"])
def test_sentences_of_500_words(decode: str) -> None:
    rng = random.Random(5)
    long = [rng.randrange(SIZE) for _ in range(500)]
    source, target, _ = toy_bitext(200)
    together = Sentences.from_lists([*source, long])
    mirrored = Sentences.from_lists([*target, [word + SIZE for word in long]])
    links = align(together, mirrored, SIZE, 2 * SIZE, AlignOptions(decode=decode, posteriors=True))
    assert links.posterior is not None
    assert np.isfinite(links.posterior).all()
    right = len(set(links.pair(200)) & {(k, k) for k in range(500)})
    assert right > 490


def test_one_word_a_side_is_linked() -> None:
    assert run([[4]] * 3, [[7]] * 3).pair(1) == [(0, 0)]


def test_many_copies_of_one_pair_stay_finite() -> None:
    copies = 300
    aligner = train(
        Sentences.from_lists([[1, 2, 3]] * copies), Sentences.from_lists([[4, 5, 6]] * copies), 10, 10
    )
    for model in (aligner.forward, aligner.backward):
        assert np.isfinite(model.log_likelihoods).all()
    links = aligner.align(Sentences.from_lists([[1, 2, 3]]), Sentences.from_lists([[4, 5, 6]]))
    assert links.pair(0) == [(0, 0), (1, 1), (2, 2)]


def test_disjoint_vocabularies_stay_finite() -> None:
    source = Sentences.from_lists([[k] for k in range(20)])
    target = Sentences.from_lists([[19 - k] * 2 for k in range(20)])
    aligner = train(source, target, 20, 20, AlignOptions(prior=0.0))
    links = aligner.align(source, target)
    assert all({i for i, _ in links.pair(k)} == {0} for k in range(20))
    unseen = aligner.align(Sentences.from_lists([[0, 1]]), Sentences.from_lists([[0, 1]]))
    assert len(unseen) == 1
    assert np.isfinite(aligner.forward.log_likelihoods).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"symmetrise": "sideways"},
        {"decode": "guess"},
        {"empty": 1.0},
        {"window": 0},
        {"model1_iterations": 0},
        {"prior": -1.0},
        {"model1_prior": -1.0},
        {"prior": float("inf")},
        {"model1_prior": float("nan")},
        {"tolerance": float("nan")},
        {"max_length": 10**9},
    ],
)
def test_options_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=str(next(iter(wrong.values()))).replace(".", r"\.")):
        AlignOptions(**wrong)  # type: ignore[arg-type]


def test_progress_names_stage_and_direction() -> None:
    source, target, _ = toy_bitext(5)
    seen: list[str] = []
    align(
        source,
        target,
        SIZE,
        2 * SIZE,
        AlignOptions(model1_iterations=1, hmm_iterations=1),
        progress=lambda stage, done, total: seen.append(f"{stage} {done}/{total}"),
    )
    assert seen == ["Model 1 → 1/1", "Model 1 ← 1/1", "HMM ↔ 1/1"]
