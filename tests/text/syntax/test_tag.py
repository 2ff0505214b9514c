"""The tagger learns, is deterministic, and its kernels agree with plain twins."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.errors import InputError, ModelError
from paraphrast.text import _kernels as k
from paraphrast.text.syntax.tag import TAG_IDS, TAGS, Tagger, _encode, _hash_rows, _row_of_hash, _rows
from paraphrast.types import MASKS, Sentences

LESSONS = [
    ("the dog sees a cat .", "DT NN VBZ DT NN PUNCT"),
    ("a cat saw the dogs .", "DT NN VBD DT NNS PUNCT"),
    ("dogs see cats .", "NNS VBP NNS PUNCT"),
    ("they see the cat", "PRP VBP DT NN"),
    ("Anna will see the big dog .", "NNP MD VB DT JJ NN PUNCT"),
    ("the dogs will not see Anna .", "DT NNS MD NEG VB NNP PUNCT"),
    ("Anna 's dog saw <number> cats .", "NNP POS NN VBD CD NNS PUNCT"),
    ("they walked to the house quickly .", "PRP VBD IN DT NN RB PUNCT"),
    ("Anna wants to walk to the old house .", "NNP VBZ TO VB IN DT JJ NN PUNCT"),
    ("big dogs walked slowly .", "JJ NNS VBD RB PUNCT"),
    ("she talked and they listened .", "PRP VBD CC PRP VBD PUNCT"),
    ("walking dogs is hard .", "VBG NNS VBZ JJ PUNCT"),
    ("she stopped suddenly .", "PRP VBD RB PUNCT"),
    ("she climbed badly .", "PRP VBD RB PUNCT"),
]
PINNED_ROW = [
    -1,
    2066217,
    1816166,
    1824280,
    414276,
    1149822,
    1364658,
    74560,
    645678,
    721516,
    1931773,
    1011575,
    914868,
    426420,
    1342351,
    1656454,
    212116,
]
SENTENCES = [(words.split(), tags.split()) for words, tags in LESSONS]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.train(SENTENCES, iterations=12, min_count=1)


def test_it_learns_what_it_is_taught(tagger: Tagger) -> None:
    assert [tagger.tag_words(words) for words, _ in SENTENCES] == [tags for _, tags in SENTENCES]


def test_unknown_words_are_tagged_by_their_form(tagger: Tagger) -> None:
    assert tagger.tag_words(["she", "jumped", "loudly", "."]) == ["PRP", "VBD", "RB", "PUNCT"]


def test_masks_punctuation_and_symbols_have_fixed_tags(tagger: Tagger) -> None:
    tags = tagger.tag_words([*MASKS, ",", "…", "»", "$", "%"])
    assert tags == ["CD", "NNP", "CD", "NNS", "NN", "NNP", "NNP", "NNP", *["PUNCT"] * 3, "SYM", "SYM"]


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    first, second, other = (Tagger.train(SENTENCES, iterations=2, seed=seed) for seed in (3, 3, 4))
    assert first.weights.tobytes() == second.weights.tobytes()
    assert first.keys.tobytes() == second.keys.tobytes()
    assert first.weights.tobytes() != other.weights.tobytes()


def test_hashes_never_change() -> None:
    """A saved model is worthless if a word's features move: pinned."""
    assert _hash_rows(["Examined"])[0].tolist() == PINNED_ROW


def test_figures_and_the_number_mask_look_alike_to_their_neighbours() -> None:
    figure, mask = _hash_rows(["1,200", "<number>"])[:2]
    columns = [k.AS_PREVIOUS, k.AS_NEXT, k.AS_PREVIOUS_2, k.AS_NEXT_2]
    assert figure[columns].tolist() == mask[columns].tolist()


def test_a_sentence_is_tagged_alike_alone_and_among_others(tagger: Tagger) -> None:
    words = tuple(dict.fromkeys(word for sentence, _ in SENTENCES for word in sentence))
    ids = [[words.index(word) for word in sentence] for sentence, _ in SENTENCES]
    together = tagger.tag_sentences(tagger.features(words), Sentences.from_lists([[], *ids, []]))
    alone = [TAG_IDS[tag] for sentence, _ in SENTENCES for tag in tagger.tag_words(sentence)]
    assert together.tolist() == alone


def test_no_words_no_tags(tagger: Tagger) -> None:
    assert tagger.tag_words([]) == []
    assert tagger.features([]).shape == (0, k.COLUMNS)


def test_save_and_load(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "tagger")
    loaded = Tagger.load(tmp_path / "tagger")
    assert np.array_equal(loaded.weights, tagger.weights)
    assert np.array_equal(loaded.keys, tagger.keys)
    words = ["the", "old", "cats", "will", "walk", "to", "Anna", "."]
    assert loaded.tag_words(words) == tagger.tag_words(words)


@pytest.mark.parametrize("key", [-1, 1 << 30])
def test_load_refuses_hashes_that_cannot_be(tagger: Tagger, tmp_path: Path, key: int) -> None:
    tagger.save(tmp_path)
    keys = tagger.keys.copy()
    keys[0] = key
    np.save(tmp_path / "keys.npy", keys)
    with pytest.raises(ModelError, match=r"keys\.npy"):
        Tagger.load(tmp_path)


def test_load_refuses_what_is_no_tagger(tagger: Tagger, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"meta\.json"):
        Tagger.load(tmp_path)
    tagger.save(tmp_path)
    meta = json.loads((tmp_path / "meta.json").read_text())
    (tmp_path / "meta.json").write_text(json.dumps({**meta, "hash_bits": 3}))
    with pytest.raises(ModelError, match="got another"):
        Tagger.load(tmp_path)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([], "got none"),
        ([(["a"], [])], "1 words and 0 tags"),
        ([(["a"], ["XYZ"])], "'XYZ'"),
    ],
)
def test_train_refuses_bad_lessons(sentences: list[tuple[list[str], list[str]]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tagger.train(sentences)


def test_train_refuses_no_iterations() -> None:
    with pytest.raises(InputError, match="at least one"):
        Tagger.train(SENTENCES, iterations=0)


def test_tag_sentences_refuses_foreign_ids(tagger: Tagger) -> None:
    with pytest.raises(InputError, match="token ids"):
        tagger.tag_sentences(tagger.features(["a"]), Sentences.from_lists([[0, 1]]))
    with pytest.raises(InputError, match="columns"):
        tagger.tag_sentences(np.zeros((2, 3), np.int32), Sentences.from_lists([[0]]))


# Plain twins of the kernels.


def active_rows(
    features: np.ndarray, row_of_hash: np.ndarray, ids: list[int], place: int, tags: list[int], opening: bool
) -> list[int]:
    """Weight rows that speak at one place of a sentence, in plain Python."""
    before, after = len(features) - 2, len(features) - 1

    def at(offset: int) -> np.ndarray:
        other = place + offset
        row = before if other < 0 else after if other >= len(ids) else ids[other]
        return np.asarray(features[row])

    own = at(0)
    tag_1 = tags[-1] if tags else k.NO_TAG
    tag_2 = tags[-2] if len(tags) > 1 else k.NO_TAG
    mixed = (int(own[k.WORD_HASH]) + (tag_1 + 1) * 0x9E3779B1) * 0x5F4915
    return [
        *own[k.OWN : k.OWN + k.OWN_COUNT].tolist(),
        *([int(own[k.OPENING])] if opening else []),
        int(at(-1)[k.AS_PREVIOUS]),
        int(at(1)[k.AS_NEXT]),
        int(at(1)[k.AS_NEXT_SUFFIX]),
        int(at(-2)[k.AS_PREVIOUS_2]),
        int(at(2)[k.AS_NEXT_2]),
        k.TAG_ROW + tag_1,
        k.TAG_PAIR_ROW + tag_2 * (k.TAG_COUNT + 1) + tag_1,
        int(row_of_hash[(mixed >> 15) % 2**k.HASH_BITS]),
    ]


def plain_tags(
    features: np.ndarray, row_of_hash: np.ndarray, weights: np.ndarray, ids: list[int]
) -> list[int]:
    tags: list[int] = []
    for place in range(len(ids)):
        fixed = int(features[ids[place], k.FIXED])
        opening = all(tag == k.PUNCT for tag in tags)
        rows = active_rows(features, row_of_hash, ids, place, tags, opening)
        scores = weights[rows].astype(np.int64).sum(axis=0)[: k.TAG_COUNT]
        tags.append(fixed if fixed >= 0 else int(scores.argmax()))
    return tags


ODD_WORDS = [
    "the",
    "dogs",
    "saw",
    "Anna",
    "'s",
    ",",
    "“",
    "<number>",
    "12",
    "to",
    "well-known",
    "USA",
    "I",
    "'",
    "&",
]
words_strategy = st.lists(
    st.sampled_from(ODD_WORDS),
    max_size=9,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(words_strategy, max_size=4), st.integers(0, 2**31))
def test_tagging_matches_its_twin(texts: list[list[str]], seed: int) -> None:
    words = tuple(dict.fromkeys(word for text in texts for word in text))
    hashed = _hash_rows(words)
    generator = np.random.default_rng(seed)
    keys = np.unique(hashed[:, k.OWN :])[::2].astype(np.int32)
    weights = np.zeros((k.FIRST_HASHED_ROW + len(keys), k.WIDTH), np.int8)
    weights[1:, : k.TAG_COUNT] = generator.integers(-127, 128, (len(weights) - 1, k.TAG_COUNT))
    tagger = Tagger(weights, keys, _row_of_hash(keys))
    features = _rows(hashed, tagger.row_of_hash)
    ids = [[words.index(word) for word in text] for text in texts]
    got = tagger.tag_sentences(tagger.features(words), Sentences.from_lists(ids))
    expected = [tag for row in ids for tag in plain_tags(features, tagger.row_of_hash, weights, row)]
    assert got.tolist() == expected


def test_training_matches_its_twin() -> None:
    words, tokens, starts, gold = _encode(SENTENCES)
    hashed = _hash_rows(words)
    counts = k.count_features(hashed, tokens, starts, gold)
    identity = np.arange(2**k.HASH_BITS)
    plain_counts: Counter[int] = Counter()
    for begin, end in pairwise(starts.tolist()):
        ids, tags = tokens[begin:end].tolist(), gold[begin:end].tolist()
        for place in range(len(ids)):
            opening = all(tag == k.PUNCT for tag in tags[:place])
            rows = active_rows(hashed, identity, ids, place, tags[:place], opening)
            plain_counts.update(rows[:-3] + rows[-1:])
    assert plain_counts == Counter(dict(enumerate(counts.tolist()))) - Counter()

    keys = np.flatnonzero(counts >= 2).astype(np.int32)
    row_of_hash = _row_of_hash(keys)
    features = _rows(hashed, row_of_hash)
    shape = (k.FIRST_HASHED_ROW + len(keys), k.WIDTH)
    weights, moments = np.zeros(shape, np.int32), np.zeros(shape, np.int64)
    order = np.arange(len(starts) - 1)[::-1].copy()
    first_step, errors = k.train_pass(features, row_of_hash, tokens, starts, order, gold, weights, moments, 0)
    k.train_pass(features, row_of_hash, tokens, starts, order, gold, weights, moments, first_step)

    plain: defaultdict[tuple[int, int], int] = defaultdict(int)
    plain_total: defaultdict[tuple[int, int], int] = defaultdict(int)
    step = 0
    plain_errors = []
    for _ in range(2):
        plain_errors.append(0)
        for sentence in order:
            ids = tokens[starts[sentence] : starts[sentence + 1]].tolist()
            tags = []
            for place, truth in enumerate(gold[starts[sentence] : starts[sentence + 1]].tolist()):
                guess = int(features[ids[place], k.FIXED])
                if guess < 0:
                    opening = all(tag == k.PUNCT for tag in tags)
                    rows = active_rows(features, row_of_hash, ids, place, tags, opening)
                    scores = [sum(plain[row, tag] for row in rows) for tag in range(k.TAG_COUNT)]
                    guess = scores.index(max(scores))
                    step += 1
                    if guess != truth:
                        plain_errors[-1] += 1
                        for row in rows:
                            if row:
                                plain[row, truth] += 1
                                plain[row, guess] -= 1
                                plain_total[row, truth] += step
                                plain_total[row, guess] -= step
                tags.append(guess)
    assert errors == plain_errors[0]
    assert {key: value for key, value in plain.items() if value} == {
        (int(row), int(tag)): int(weights[row, tag]) for row, tag in np.argwhere(weights)
    }
    assert {key: value for key, value in plain_total.items() if value} == {
        (int(row), int(tag)): int(moments[row, tag]) for row, tag in np.argwhere(moments)
    }


def test_rounding_keeps_order_and_drops_empty_rows() -> None:
    average = np.zeros((k.FIRST_HASHED_ROW + 3, k.WIDTH))
    average[-3, :2] = (1.0, -0.5)
    average[-1, 1] = 0.25
    tagger = Tagger._from_average(average, np.array([5, 6, 9], np.int32))
    assert tagger.keys.tolist() == [5, 9]
    assert tagger.weights[-2, :2].tolist() == [127, -64]
    assert tagger.weights[-1, 1] == 32
    assert tagger.row_of_hash[9] == len(tagger.weights) - 1
    assert tagger.row_of_hash[6] == 0


def test_the_tagset_fits_its_arrays() -> None:
    assert len(set(TAGS)) == k.TAG_COUNT <= k.WIDTH
    assert np.iinfo(np.int16).max > k.ACTIVE * 127
