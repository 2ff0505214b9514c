"""Packing against rows kept in dicts."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.decode import pack
from paraphrast.errors import InputError


def found_rows(arrays):
    """(source words, target words) → option, by walking the arrays as documented."""
    return {(arrays.source_words_of(o), arrays.target_words_of(o)): o for o in range(len(arrays))}


def lookup(options, words):
    """The node of a phrase by plain search among children, or None."""
    node = 0
    for word in words:
        children = range(options.child_begin[node], options.child_begin[node + 1])
        matches = [child for child in children if options.word[child] == word]
        if not matches:
            return None
        (node,) = matches
    return node


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), limit=st.integers(1, 6))
def test_options_are_the_best_rows_of_all_tables(lab, seed, limit):
    rng = random.Random(seed)
    phrases = sorted({tuple(rng.choices(range(3, 16), k=rng.randint(1, 4))) for _ in range(12)})
    rng.shuffle(phrases)
    rows = {
        name: {
            (rng.randrange(len(phrases)), rng.randrange(len(phrases))): (
                float(np.float32(-rng.choice((0.5, 1, rng.random())))),
                -1.0,
            )
            for _ in range(25)
        }
        for name in ("a", "b", "c")
    }
    vetoes = {
        "a": {key: rng.randrange(8) for key in rows["a"]},
        "c": {key: rng.randrange(8) for key in rows["c"]},
    }
    tables = {name: lab.table(table) for name, table in rows.items()}
    bits = {
        name: np.array(
            [
                by_row[key]
                for key in zip(tables[name].source.tolist(), tables[name].target.tolist(), strict=True)
            ],
            np.uint8,
        )
        for name, by_row in vetoes.items()
    }
    categories = np.array([rng.randrange(2**32) for _ in phrases], dtype=np.uint32)
    arrays = pack(
        tables, lab.phrases(phrases), vetoes=bits, target_category_mask=categories, options_per_phrase=limit
    )

    expected = {}
    for source in range(len(phrases)):
        merged = {}
        for table in rows.values():
            for (left, right), (score, _) in table.items():
                if left == source != right:
                    merged[right] = max(merged.get(right, -np.inf), score)
        for target in sorted(merged, key=lambda target: (-merged[target], target))[:limit]:
            expected[phrases[source], phrases[target]] = (source, target, merged[target])
    found = found_rows(arrays)
    assert set(found) == set(expected)
    options = arrays.options
    for pair, (source, target, log_prob) in expected.items():
        option = found[pair]
        node = lookup(options, pair[0])
        assert options.option_begin[node] <= option < options.option_begin[node + 1]
        assert options.log_prob[option] == np.float32(log_prob)
        assert options.target[option] == target
        assert options.category_mask[option] == categories[target]
        holders = [bit for bit, name in enumerate(rows) if (source, target) in rows[name]]
        assert options.tables[option] == sum(1 << bit for bit in holders)
        veto = 0
        for by_row in vetoes.values():
            veto |= by_row.get((source, target), 0)
        assert options.veto[option] == veto
        for column, name in enumerate(arrays.feature_names):
            table, feature = name.split(".")
            row = rows[table].get((source, target), (0.0, 0.0))
            assert options.features[option, column] == np.float32(row[feature == "extra"])
        same = sorted(w for w in pair[0] if w < 11) == sorted(w for w in pair[1] if w < 11)
        assert options.masks_kept[option] == same
    for node in range(len(options.word)):
        children = options.word[options.child_begin[node] : options.child_begin[node + 1]].tolist()
        assert children == sorted(set(children))
        run = slice(int(options.option_begin[node]), int(options.option_begin[node + 1]))
        order = list(zip(-options.log_prob[run], options.target[run], strict=True))
        assert order == sorted(order)


def test_rows_without_use_are_dropped(lab):
    phrases = lab.phrases([(11,), (12,), (0,), (1, 11), (12, 2), ()])
    rows = {(0, target): (-1.0, 0.0) for target in range(6)} | {
        (source, 1): (-1.0, 0.0) for source in range(6)
    }
    arrays = pack({"t": lab.table(rows)}, phrases)
    assert list(found_rows(arrays)) == [((11,), (12,))]


def test_unknown_features_are_zero_unless_told(lab):
    table = lab.table({(0, 1): (-1.0, float("nan"))})
    other = lab.table({(1, 0): (-2.0, -3.0)})
    phrases = lab.phrases([(11,), (12,)])
    assert pack({"t": table, "o": other}, phrases).options.features.tolist() == [
        [-1, 0, 0, 0],
        [0, 0, -2, -3],
    ]
    floored = pack({"t": table, "o": other}, phrases, missing=-9.0).options.features.tolist()
    assert floored == [[-1, -9, -9, -9], [-9, -9, -2, -3]]


def test_no_tables_make_an_empty_trie(lab):
    arrays = pack({}, lab.phrases([]))
    assert len(arrays) == 0
    assert arrays.options.word.tolist() == [-1]
    assert arrays.options.child_begin.tolist() == [1, 1]
    assert arrays.options.option_begin.tolist() == [0, 0]


def test_what_does_not_fit_is_refused(lab):
    table = lab.table({(0, 1): (-1.0, 0.0)})
    phrases = lab.phrases([(11,), (12,)])
    with pytest.raises(InputError, match="32"):
        pack({f"t{number}": table for number in range(33)}, phrases)
    with pytest.raises(InputError, match="phrase ids"):
        pack({"t": table}, lab.phrases([(11,)]))
    with pytest.raises(InputError, match="veto"):
        pack({"t": table}, phrases, vetoes={"t": np.zeros(2, np.uint8)})
    with pytest.raises(InputError, match="veto"):
        pack({"t": table}, phrases, vetoes={"u": np.zeros(1, np.uint8)})
    with pytest.raises(InputError, match="category"):
        pack({"t": table}, phrases, target_category_mask=np.zeros(1, np.uint32))
    with pytest.raises(InputError, match="option"):
        pack({"t": table}, phrases, options_per_phrase=0)
    with pytest.raises(InputError, match="shape"):
        pack({"t": table}, replace(phrases, words=phrases.words[:, :3]))
    with pytest.raises(InputError, match="feature"):
        pack({"t": replace(table, features={"u.score": table.score}), "t.u": table}, phrases)
