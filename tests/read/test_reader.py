from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import InputError
from paraphrast.read import GROUPS, Reader, columns
from paraphrast.read.features import CONTRAST, contrast, shift
from paraphrast.read.reader import FIRST, RANKED_BY, Reading, Trips
from tiny_models import SENTENCES

SOURCE = SENTENCES[0]
REWRITES = ["The old boat sank in the port.", "In the harbour sank the old boat.", SENTENCES[1]]


@pytest.fixture
def reader(marian: Path, marian_back: Path, llama: Path) -> Reader:
    return Reader.open({"fr": (marian, marian_back)}, llama, translations=2)


def test_columns_are_named(reader: Reader) -> None:
    features = reader.features(SOURCE, REWRITES)
    assert features.shape == (len(REWRITES), len(reader.columns))
    assert np.isfinite(features).all()
    assert reader.columns == columns(with_encoder=False)
    assert {name.partition("_")[0] for name in columns()} == set(GROUPS)
    assert reader.features(SOURCE, []).shape == (0, len(reader.columns))


def test_the_source_as_its_own_rewrite_changes_nothing(reader: Reader) -> None:
    (row,) = reader.features(SOURCE, [SOURCE])
    by_name = dict(zip(reader.columns, row, strict=True))
    for group in ("back", "forth", "fluency", "restated"):
        assert by_name[f"{group}_sum"] == by_name[f"{group}_mean"] == 0
    assert by_name["shape_new_words"] == 0


def test_translations_are_averaged(reader: Reader) -> None:
    pivot = reader._pivots[0]
    rows = []
    for translation in pivot.forth.translate([SOURCE], 2)[0]:
        back = pivot.back.score([(translation.text, text) for text in (SOURCE, REWRITES[0])])
        forth = pivot.forth.score([(text, translation.text) for text in (SOURCE, REWRITES[0])])
        rows.append(np.concatenate([contrast(*back), shift(*forth)]))
    features = reader.features(SOURCE, REWRITES)
    np.testing.assert_allclose(features[0, : len(rows[0])], np.mean(rows, axis=0), atol=1e-4)


def test_pivots_are_averaged(marian: Path, marian_back: Path) -> None:
    width = len(CONTRAST)
    one = Reader.open({"fr": (marian, marian_back)}).features(SOURCE, REWRITES)
    two = Reader.open({"de": (marian_back, marian)}).features(SOURCE, REWRITES)
    both = Reader.open({"fr": (marian, marian_back), "de": (marian_back, marian)}).features(SOURCE, REWRITES)
    np.testing.assert_allclose(both[:, :width], (one + two)[:, :width] / 2, atol=2e-4)


def test_nothing_else_asked_changes_a_row(
    reader: Reader, marian: Path, marian_back: Path, llama: Path
) -> None:
    features = reader.features(SOURCE, REWRITES)
    other = Reader.open({"fr": (marian, marian_back)}, llama, translations=2, threads=2)
    other.features(SENTENCES[1], REWRITES[::-1])
    for row, rewrite in zip(features, REWRITES, strict=True):
        np.testing.assert_array_equal(other.features(SOURCE, [rewrite])[0], row)


def test_what_is_prepared_for_many_sentences_is_the_same(
    marian: Path, marian_back: Path, llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {"fr": (marian, marian_back)}
    prepared = Reader.open(folders, llama, translations=2, threads=2)
    requests = [Trips(text, 6, ways) for text, ways in zip(SENTENCES, (2, 3, 2, None, 3), strict=False)]
    readings = [
        Reading(text, tuple(REWRITES), groups, few)
        for text, groups, few in ((SOURCE, FIRST, 1), (SENTENCES[1], GROUPS, None), (SENTENCES[2], GROUPS, 2))
    ]
    prepared.prepare([*requests, *readings, Reading(SOURCE, (), GROUPS)])
    for pivot in prepared._pivots:
        for model in (pivot.forth, pivot.back):
            monkeypatch.setattr(model, "_model", None)
    monkeypatch.setattr(prepared._language_model, "_model", None)
    for one in requests:
        alone = Reader.open(folders, llama, translations=2)
        assert prepared.round_trips(one.sentence, one.n, ways=one.ways) == alone.round_trips(
            one.sentence, one.n, ways=one.ways
        )
    for want in readings:
        alone = Reader.open(folders, llama, translations=2)
        np.testing.assert_array_equal(
            prepared.read(want.source, want.rewrites, want.groups, translations=want.translations),
            alone.read(want.source, want.rewrites, want.groups, translations=want.translations),
        )


def test_round_trips(reader: Reader) -> None:
    trips = reader.round_trips(SOURCE, 6)
    assert 0 < len(trips) <= 6
    texts = [trip.text for trip in trips]
    assert len(set(texts)) == len(texts)
    assert SOURCE not in texts
    likelihoods = [trip.forth + trip.back for trip in trips]
    assert likelihoods == sorted(likelihoods, reverse=True)
    assert all(trip.foreign and trip.language == "fr" for trip in trips)
    assert reader.round_trips(SOURCE, 6) == trips


def test_a_reader_needs_a_pivot(marian: Path, marian_back: Path) -> None:
    with pytest.raises(InputError, match="at least one pivot"):
        Reader([])
    with pytest.raises(InputError, match="at least 1 translation"):
        Reader.open({"fr": (marian, marian_back)}, translations=0)
    assert not Reader.open({"fr": (marian, marian_back)}).readable("")


def test_only_the_best_are_read_by_every_group(reader: Reader) -> None:
    whole = reader.features(SOURCE, REWRITES)
    first = [name.partition("_")[0] in FIRST for name in reader.columns]
    part = reader.features(SOURCE, REWRITES, best=1)
    np.testing.assert_array_equal(part[:, first], whole[:, first])
    chosen = int(np.argmax(whole[:, reader.columns.index(RANKED_BY)]))
    np.testing.assert_array_equal(part[chosen], whole[chosen])
    assert np.isnan(np.delete(part, chosen, axis=0)[:, np.logical_not(first)]).all()
    np.testing.assert_array_equal(reader.features(SOURCE, REWRITES, best=3), whole)
    assert reader.features(SOURCE, REWRITES, best=0).shape == whole.shape


def test_a_rank_chooses_the_best(reader: Reader) -> None:
    asked: list[np.ndarray] = []

    def last(features: np.ndarray) -> np.ndarray:
        asked.append(features)
        return np.arange(len(features), dtype=float)

    part = reader.features(SOURCE, REWRITES, best=1, rank=last)
    assert np.isnan(asked[0]).any(axis=1).all()
    assert np.isnan(part).any(axis=1).tolist() == [True, True, False]


def test_groups_can_be_left_out(marian: Path, marian_back: Path, llama: Path) -> None:
    folders = {"fr": (marian, marian_back)}
    some = Reader.open(folders, llama, groups=("back", "restated", "shape"))
    assert some.groups == ("back", "restated", "shape")
    whole = Reader.open(folders, llama)
    kept = [whole.columns.index(name) for name in some.columns]
    np.testing.assert_array_equal(some.features(SOURCE, REWRITES), whole.features(SOURCE, REWRITES)[:, kept])
    for groups in (("forth",), ("back", "sideways")):
        with pytest.raises(InputError, match="expected back"):
            Reader.open(folders, groups=groups)
