"""Packed models: what goes in comes out, exactly or nearly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast._numeric import score_tokens
from paraphrast.errors import InputError
from paraphrast.formats.arpa import read_arpa, write_arpa
from paraphrast.lm import LmOptions, build, counting, estimate, load, pack, prune_entropy, save, store, unpack
from paraphrast.lm.space import Space
from paraphrast.types import NgramArrays, Sentences, Vocabulary

VOCABULARY = 40
TEXTS = st.lists(st.lists(st.sampled_from([0, 11, 12, 13, 14]), max_size=7), min_size=1, max_size=8)


def random_text(seed: int, sentences: int = 60) -> Sentences:
    rng = np.random.default_rng(seed)
    return Sentences.from_lists(
        (11 + rng.integers(0, 5, 9) * rng.integers(1, 6, 9)).tolist() for _ in range(sentences)
    )


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.integers(1, 5), st.sampled_from([(0,), (0, 1)]))
def test_packing_and_unpacking_change_nothing(
    text: list[list[int]], order: int, prune: tuple[int, ...]
) -> None:
    arrays = estimate([Sentences.from_lists(text)], VOCABULARY, LmOptions(order=order, prune=prune[:order]))
    again = unpack(pack(arrays))
    for name, before, after in zip(arrays._fields, list[Any](arrays), list[Any](again), strict=True):
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after, err_msg=name)


def test_a_model_without_some_suffixes_is_packed_too(tmp_path: Path) -> None:
    text = random_text(1)
    arrays = prune_entropy(estimate([text], VOCABULARY, LmOptions(order=4)), 1e-3)
    first = int(arrays.order_start[2])
    assert (arrays.suffix[first:] < arrays.order_start[1]).any()
    for before, after in zip(arrays, unpack(pack(arrays)), strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("bits", [None, 4])
def test_a_model_packed_in_files_has_the_same_bytes(
    tmp_path: Path, bits: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "BLOCK", 16)
    monkeypatch.setattr(store, "SAVED_AT_ONCE", 100)
    arrays = estimate([random_text(4)], VOCABULARY, LmOptions(order=4))
    save(pack(arrays, bits), tmp_path / "memory")
    in_files = pack(arrays, bits, Space(tmp_path))
    assert not isinstance(in_files.data.base, np.ndarray), "the model is a mapped file"
    save(in_files, tmp_path / "files")
    for name in ("data.npy", "layout.npy"):
        assert (tmp_path / "files" / name).read_bytes() == (tmp_path / "memory" / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "memory"]


def test_quantised_values_are_those_of_the_codebooks(tmp_path: Path) -> None:
    text = random_text(2)
    arrays = estimate([text], VOCABULARY, LmOptions(order=3))
    ngrams = pack(arrays, 4)
    coarse = unpack(ngrams)
    np.testing.assert_array_equal(coarse.word, arrays.word)
    np.testing.assert_array_equal(coarse.suffix, arrays.suffix)
    np.testing.assert_array_equal(coarse.log_prob[:VOCABULARY], arrays.log_prob[:VOCABULARY])
    for level, books in ((1, ngrams.log_prob_codes[:16]), (2, ngrams.log_prob_codes[16:])):
        here = slice(int(arrays.order_start[level]), int(arrays.order_start[level + 1]))
        assert set(coarse.log_prob[here].tolist()) <= set(books.tolist())
        nearest = np.abs(arrays.log_prob[here, None] - books).min(axis=1)
        np.testing.assert_allclose(np.abs(coarse.log_prob[here] - arrays.log_prob[here]), nearest, atol=1e-6)
    save(ngrams, tmp_path / "lm")
    for before, after in zip(ngrams, load(tmp_path / "lm"), strict=True):
        np.testing.assert_array_equal(before, after)
    vocabulary = Vocabulary(
        tuple(f"w{word}" for word in range(VOCABULARY)), np.zeros(VOCABULARY, dtype=np.int64)
    )
    write_arpa(tmp_path / "lm.arpa", vocabulary, coarse)
    _, written = read_arpa(tmp_path / "lm.arpa", vocabulary)
    np.testing.assert_array_equal(written.log_prob, coarse.log_prob)


def test_many_bits_change_nothing_and_few_change_little() -> None:
    text = random_text(3, 200)
    arrays = estimate([text], VOCABULARY, LmOptions(order=4))
    scores = {
        bits: score_tokens(pack(arrays, bits), text.tokens, text.starts) for bits in (None, 2, 4, 8, 16)
    }
    np.testing.assert_array_equal(scores[16], scores[None])
    errors = [float(np.abs(scores[bits] - scores[None]).mean()) for bits in (8, 4, 2)]
    assert 0 < errors[0] < 0.02
    assert errors == sorted(errors)


def test_at_most_eight_bytes_per_ngram() -> None:
    """Of text that gives every order many n-grams; the codebooks weigh little then."""
    rng = np.random.default_rng(4)
    text = Sentences.from_lists((11 + rng.zipf(1.3, 20) % 5000).tolist() for _ in range(3000))
    ngrams = build([text], 5100, LmOptions(order=4, quantise=8))
    assert ngrams.nbytes <= 8 * ngrams.nodes


def test_building_twice_gives_the_same_bytes() -> None:
    text = random_text(5)
    first, second = (
        build([text], VOCABULARY, LmOptions(order=4, entropy=1e-4, quantise=6)) for _ in range(2)
    )
    assert [array.tobytes() for array in first] == [array.tobytes() for array in second]


@pytest.mark.parametrize("bits", [1, 17, -8])
def test_bits_out_of_range(bits: int) -> None:
    arrays = estimate([random_text(0)], VOCABULARY, LmOptions(order=2))
    with pytest.raises(InputError, match="2 to 16 bits"):
        pack(arrays, bits)
    with pytest.raises(InputError, match="2 to 16 bits"):
        LmOptions(quantise=bits)


def test_an_empty_context_with_a_weight_is_a_state() -> None:
    """A file of another tool may give a weight to an n-gram that has no children."""
    arrays = estimate([Sentences.from_lists([[11, 12, 13]])], VOCABULARY, LmOptions(order=2))
    backoff = arrays.backoff.copy()
    backoff[20] = -1.5
    weighted: NgramArrays = arrays._replace(backoff=backoff)
    text = Sentences.from_lists([[20, 11]])
    plain, changed = (score_tokens(pack(model), text.tokens, text.starts) for model in (arrays, weighted))
    np.testing.assert_allclose(changed - plain, [0, -1.5, 0], atol=1e-6)
