"""Features registered by name: computed, packed, weighed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from paraphrast.decode import FEATURES, pack
from paraphrast.decode.features import compute, longer, phrases_of, shared, with_features
from paraphrast.errors import InputError


def first_word_kept(source, target):
    return source[:, 0] == target[:, 0]


def broken(source, target):
    return np.full((len(source), 2), np.nan)


def test_the_words_of_every_option_are_found_again(lab):
    arrays = lab.world(3).arrays
    source, target = phrases_of(arrays)
    assert len(source) == len(arrays) > 10
    for option in range(len(arrays)):
        assert tuple(word for word in source[option] if word >= 0) == arrays.source_words_of(option)
        assert tuple(word for word in target[option] if word >= 0) == arrays.target_words_of(option)


def test_built_in_features():
    source = np.array([[5, 6, -1, -1], [5, -1, -1, -1]], dtype=np.int32)
    target = np.array([[6, -1, -1, -1], [7, 5, 8, -1]], dtype=np.int32)
    assert longer(source, target).tolist() == [-1, 2]
    assert shared(source, target).tolist() == pytest.approx([1.0, 1 / 3])


def test_a_weight_of_a_registered_name_is_all_it_takes(lab):
    FEATURES.register("first_word_kept", f"{__name__}:first_word_kept")
    world = lab.world(5)
    weights = replace(
        world.weights, features={**world.weights.features, "first_word_kept": 2.5, "longer": -0.5}
    )
    decoder = world.decoder.with_weights(weights)
    assert decoder.arrays.feature_names == (*world.arrays.feature_names, "first_word_kept", "longer")
    tokens = [token for phrase in world.phrases for token in phrase]
    batch = lab.batch([tokens])
    edges, plain = decoder.edges(batch), world.decoder.edges(batch)
    for row in range(len(edges)):
        source = tuple(tokens[edges.start[row] : edges.end[row]])
        target = decoder.arrays.target_words_of(int(edges.option[row]))
        gain = 2.5 * (source[0] == target[0]) - 0.5 * (len(target) - len(source))
        assert edges.score[row] - plain.score[row] == pytest.approx(gain, abs=1e-5)
    # It belongs to no table: a choice of tables leaves it in use.
    mask = world.arrays.table_mask(("pivot",))
    (best,) = decoder.decode(batch, lab.exact(3, table_mask=mask))
    assert best


def test_packed_features_are_not_computed_again(lab):
    tables = {"t": lab.table({(0, 1): (-0.5, 0.0)})}
    arrays = pack(tables, lab.phrases([(11,), (12, 13)]), features=["longer"])
    assert arrays.feature_names == ("t.score", "t.extra", "longer")
    assert arrays.options.features[0, 2] == 1.0
    assert with_features(arrays, ["longer"]) is arrays


def test_a_feature_that_gives_no_number_a_row_is_refused(lab):
    FEATURES.register("broken", f"{__name__}:broken")
    with pytest.raises(InputError, match="broken"):
        with_features(lab.world(7).arrays, ["broken"])
    with pytest.raises(InputError, match="unknown feature"):
        compute("nowhere", np.zeros((0, 7), np.int32), np.zeros((0, 7), np.int32))
