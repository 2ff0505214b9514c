"""Words compared where they stand: features against a plain twin, and what the aligner does with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from one_vocabulary import encoded
from paraphrast.align.context import CONTEXT_FEATURES, LAYER, LONGEST_RUN, SHARP, SOFT, Context, compare
from paraphrast.align.evidence import Resources
from paraphrast.align.evidence_kinds import choose, default_names
from paraphrast.align.linking import ALL_FEATURES, FEATURES, LinkModel, default_links
from paraphrast.align.monolingual import MonolingualAligner, train_monolingual
from paraphrast.align.monolingual_store import load_monolingual, save_monolingual
from paraphrast.errors import InputError, ModelError
from paraphrast.types import Sentences

PAIRS = [
    ("the old boat sank slowly .", "slowly , the old ship sank ."),
    ("a dog barks", "the new dog barks"),
    ("boat", "ship"),
    ("the boats sank", ""),
    ("the dog", "unheard-of dog of the old ship"),
]


class TinyEncoder:
    """Random vectors of words, each mixed with those of its neighbours, so that they depend on the sentence."""

    def words(
        self, texts: Sequence[Sequence[str]], *, layer: int | None = None, threads: int | None = None
    ) -> list[np.ndarray]:
        assert layer == LAYER
        return [self._encoded(text) for text in texts]

    def _encoded(self, text: Sequence[str]) -> np.ndarray:
        own = np.zeros((len(text) + 2, 8))
        for place, word in enumerate(text, 1):
            own[place] = np.random.default_rng(list(word.encode())).normal(size=8)
        mixed = (own + 0.3 * np.roll(own, 1, axis=0) + 0.2 * np.roll(own, -1, axis=0))[1:-1]
        lengths = np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9)
        return np.round(mixed / lengths, 4).astype(np.float32)


ENCODER: Any = TinyEncoder()
READING = Resources(names=("tiny",), encoder=ENCODER)


def trained(
    pairs: list[tuple[str, str]], links: LinkModel | None = None
) -> tuple[MonolingualAligner, Sentences, Sentences, list[str]]:
    source, target, words = encoded(pairs)
    pieces = choose(["stem", "context"], READING)
    return train_monolingual(source, target, words, pieces, links=links), source, target, words


def unit_rows(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.normal(size=(count, 5)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def plain(name: str, one: np.ndarray, two: np.ndarray, j: int, i: int) -> float:
    """Some features, by their words; one: source, two: target vectors."""
    source_len, target_len = len(one), len(two)

    def run_cosine(t0: int, t1: int, s0: int, s1: int) -> float:
        left, right = two[t0:t1].astype(float).sum(axis=0), one[s0:s1].astype(float).sum(axis=0)
        return float(left @ right / np.sqrt((left @ left) * (right @ right)))

    def choice(cosine: np.ndarray, heat: float) -> float:
        odds = np.exp(cosine / heat)
        return float(odds[j, i] ** 2 / odds[j].sum() / odds[:, i].sum())

    def block(kinds: list[tuple[int, int]]) -> float:
        best = -1.0 if source_len * target_len > 1 else 0.0
        for rows, columns in kinds:
            tops, lefts = range(target_len - rows + 1), range(source_len - columns + 1)
            if not len(tops) or not len(lefts):
                continue
            all_of = np.array([[run_cosine(t, t + rows, s, s + columns) for s in lefts] for t in tops])
            for t in tops:
                for s in lefts:
                    if t <= j < t + rows and s <= i < s + columns:
                        mean = 0.5 * all_of[t].mean() + 0.5 * all_of[:, s].mean()
                        best = max(best, float(all_of[t, s] - mean))
        return best

    sizes = range(1, LONGEST_RUN + 1)
    blocks = [(rows, columns) for rows in sizes for columns in sizes if rows * columns > 1]
    cosine = two.astype(float) @ one.astype(float).T
    rival_t = max([cosine[j, z] for z in range(source_len) if z != i], default=0.0)
    rival_s = max([cosine[y, i] for y in range(target_len) if y != j], default=0.0)
    around = np.array(
        [
            [
                run_cosine(max(y - 1, 0), min(y + 2, target_len), max(z - 1, 0), min(z + 2, source_len))
                for z in range(source_len)
            ]
            for y in range(target_len)
        ]
    )
    found = {
        "cosine": lambda: cosine[j, i],
        "cosine, less the mean": lambda: cosine[j, i] - cosine[j].mean() / 2 - cosine[:, i].mean() / 2,
        "smaller lead": lambda: cosine[j, i] - max(rival_t, rival_s),
        "larger lead": lambda: cosine[j, i] - min(rival_t, rival_s),
        "choice": lambda: choice(cosine, SHARP),
        "soft choice": lambda: choice(cosine, SOFT),
        "choice by three words around": lambda: choice(around, SHARP),
        "best block, less the mean": lambda: block(blocks),
        "best one-to-many block, less the mean": lambda: block([kind for kind in blocks if 1 in kind]),
        "that of the sentence that has less": lambda: min(
            cosine.max(axis=0).mean(), cosine.max(axis=1).mean()
        ),
    }
    return float(found[name]())


NAMED = (
    "cosine", "cosine, less the mean", "smaller lead", "larger lead", "choice", "soft choice",
    "choice by three words around", "best block, less the mean", "best one-to-many block, less the mean",
    "that of the sentence that has less",
)  # fmt: skip


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_features_are_what_their_names_say(source_len: int, target_len: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = unit_rows(rng, source_len), unit_rows(rng, target_len)
    same = rng.random((target_len, source_len)) < 0.3
    classes = [rng.integers(0, 3, count).astype(np.uint8) for count in (source_len, target_len)]
    found = compare(one, two, same, *classes).reshape(target_len, source_len, -1)
    assert found.shape[2] == len(CONTEXT_FEATURES)
    assert np.isfinite(found).all()
    for name in NAMED:
        column = CONTEXT_FEATURES.index(name)
        for j in range(target_len):
            for i in range(source_len):
                assert found[j, i, column] == pytest.approx(plain(name, one, two, j, i), abs=1e-5), name
    lead = found[:, :, CONTEXT_FEATURES.index("smaller lead")]
    np.testing.assert_array_equal(
        found[:, :, CONTEXT_FEATURES.index("smaller lead, same word")], np.where(same, lead, 0.0)
    )
    mirrored = compare(two, one, same.T, *classes[::-1]).reshape(source_len, target_len, -1)
    np.testing.assert_allclose(found, mirrored.transpose(1, 0, 2), rtol=1e-9, atol=1e-9)


def test_it_is_asked_for_by_name_and_needs_an_encoder() -> None:
    assert "context" not in default_names()
    assert "stem" in default_names()
    with pytest.raises(InputError, match="needs a sentence encoder"):
        choose(["context"], Resources())
    piece = choose(["context"], READING)[0]
    assert isinstance(piece, Context)
    assert piece.measure(["boat"]) is None
    assert piece.describe([], []).shape == (0, len(CONTEXT_FEATURES))


def test_the_features_of_a_text_are_those_of_its_pairs() -> None:
    aligner, source, target, words = trained(PAIRS)
    found = aligner.features(source, target, words)
    assert found.shape[1] == len(ALL_FEATURES)
    for name in ("cover × log choice", "smaller rival × best block, less the mean"):
        plain, contextual = name.split(" × ")
        np.testing.assert_allclose(
            found[:, ALL_FEATURES.index(name)],
            found[:, FEATURES.index(plain)] * found[:, len(FEATURES) + CONTEXT_FEATURES.index(contextual)],
        )
    columns = slice(len(FEATURES), len(FEATURES) + len(CONTEXT_FEATURES))
    row = 0
    for pair in PAIRS:
        source, target, words = encoded([pair])
        cells = len(source.tokens) * len(target.tokens)
        if cells:
            alone = aligner.features(source, target, words)[:, columns]
            np.testing.assert_allclose(found[row : row + cells, columns], alone, atol=2e-3)
        row += cells
    assert row == len(found)
    # A text without a cell has no rows, of as many features.
    assert aligner.features(*encoded([("the boats sank", "")])).shape == (0, len(ALL_FEATURES))


def test_what_the_encoder_says_decides_by_its_weights() -> None:
    weights = np.zeros((1, len(ALL_FEATURES)))
    weights[0, len(FEATURES) + CONTEXT_FEATURES.index("smaller lead")] = 1.0
    # Probability one half at no lead: links are the mutual best.
    aligner, source, target, words = trained(PAIRS, LinkModel(weights, 0.5))
    found = aligner.align(source, target, words)
    for index, pair in enumerate(PAIRS):
        one, two = ENCODER.words([side.split() for side in pair], layer=LAYER)
        wanted = [
            (i, j)
            for i in range(len(one))
            for j in range(len(two))
            if plain("smaller lead", one, two, j, i) >= 0
        ]
        assert found.pair(index) == wanted
    assert any(found.pair(index) for index in range(len(PAIRS)))


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_change_nothing(threads: int) -> None:
    aligner, source, target, words = trained(PAIRS * 30)
    one, more = (aligner.align(source, target, words, threads=count) for count in (1, threads))
    for name in ("starts", "source", "target", "posterior"):
        assert getattr(one, name).tobytes() == getattr(more, name).tobytes()


def test_a_kept_model_reads_context_again(tmp_path: Path) -> None:
    aligner, source, target, words = trained(PAIRS)
    assert aligner.links is default_links(True)
    expected = aligner.align(source, target, words)
    save_monolingual(aligner, tmp_path / "kept")
    asked = []

    def find(language: str, names: list[str]) -> Resources:
        asked.append((language, tuple(names)))
        return READING

    again = load_monolingual(tmp_path / "kept", find)  # type: ignore[arg-type]
    assert asked == [("en", ("stem", "context"))]
    assert again.links.reads_context
    found = again.align(source, target, words)
    assert [found.pair(k) for k in range(len(PAIRS))] == [expected.pair(k) for k in range(len(PAIRS))]
    with pytest.raises(ModelError, match="trained with tiny; here are none"):
        load_monolingual(tmp_path / "kept", lambda *_: Resources())


def test_weights_and_evidence_go_together(tmp_path: Path) -> None:
    source, target, words = encoded(PAIRS)
    pieces = choose(["stem"], READING)
    aligner = train_monolingual(source, target, words, pieces, links=default_links(True))
    with pytest.raises(InputError, match="need the evidence context"):
        aligner.align(source, target, words)
    with_context = default_links(True)
    with_context.save(tmp_path / "weights.json")
    assert LinkModel.load(tmp_path / "weights.json").features == ALL_FEATURES
    assert not default_links().reads_context
