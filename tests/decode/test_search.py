"""Minima, counts, swaps, outside scores and cube pruning against a twin that writes out every path."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.decode import DecodeOptions, Decoder, pack
from paraphrast.errors import InputError
from paraphrast.types import Orientation

SEEDS = st.integers(0, 10**6)


@dataclass(frozen=True)
class Step:
    """An edge of the twin: source span, output words, score without language model, tables, edit or not."""

    start: int
    end: int
    words: tuple[int, ...]
    score: float
    tables: frozenset[str] = frozenset()
    edit: bool = False


class Twin:
    """Zhao et al. (2008), eqs. 2–4 and footnote 2, read off the page: every path, each scored as a whole."""

    def __init__(self, world, weights, *, window=0, odds=None, outside=None):
        self.world, self.weights, self.window = world, weights, window
        self.odds = odds or {}
        self.outside = outside or {}

    def sides(self, tokens, start, end):
        """What may stand for a span: options of all tables."""
        source = tuple(tokens[start:end])
        found = {}
        for name, rows in self.world.rows.items():
            for (left, right), (score, extra) in rows.items():
                if left == right or self.world.phrases[left] != source:
                    continue
                target = self.world.phrases[right]
                value, tables = found.get(target, (self.weights.edit, frozenset()))
                value += self.weights.features.get(f"{name}.score", 0) * score
                value += self.weights.features.get(f"{name}.extra", 0) * extra
                value += self.weights.features.get(f"{name}.edits", 0)
                found[target] = (value, tables | {name})
        return [
            Step(start, end, target, value + self.outside.get((start, end, target), 0.0), tables, True)
            for target, (value, tables) in found.items()
        ]

    def steps(self, tokens, start, breaks, log_u):
        found = [Step(start, start + 1, (tokens[start],), log_u)]

        def clear(left, right):
            span = range(left, right)
            return all(tokens[p] > 0 for p in span) and not any(p in breaks for p in span[1:])

        for end in range(start + 1, len(tokens) + 1):
            if clear(start, end):
                found += self.sides(tokens, start, end)
            if not clear(start, end) or end - start > self.window:
                continue
            for middle in range(start + 1, end):
                kept = [Step(start, middle, tuple(tokens[start:middle]), log_u * (middle - start))]
                moved = [Step(middle, end, tuple(tokens[middle:end]), log_u * (end - middle))]
                odds = self.odds.get(tuple(tokens[start:middle]), -3.0) if self.odds else -3.0
                for first in kept + self.sides(tokens, start, middle):
                    for second in moved + self.sides(tokens, middle, end):
                        found.append(
                            Step(
                                start,
                                end,
                                second.words + first.words,
                                first.score + second.score + self.weights.swap * odds,
                                first.tables | second.tables,
                                True,
                            )
                        )
        return found

    def paths(self, tokens, breaks, log_u, start=0):
        if start == len(tokens):
            return [[]]
        return [
            [step, *rest]
            for step in self.steps(tokens, start, breaks, log_u)
            for rest in self.paths(tokens, breaks, log_u, step.end)
        ]

    def score(self, path, breaks):
        """Of a whole path: a minimum in every sentence for each table none of whose pairs is used."""
        sentences, used = [[]], [set()]
        total = 0.0
        for step in path:
            if step.start in breaks and step.start > 0:
                sentences.append([])
                used.append(set())
            sentences[-1] += step.words
            used[-1] |= step.tables
            total += step.score + self.weights.word * len(step.words)
        for tables in used:
            for name, minimum in self.weights.minimum.items():
                table, _, feature = name.partition(".")
                if table not in tables:
                    total += self.weights.features.get(f"{table}.{feature or 'score'}", 0) * minimum
        return total + self.weights.lm * sum(self.world.model.sentence(tuple(words)) for words in sentences)

    def outputs(self, tokens, log_u, breaks=frozenset(), max_edits=99):
        """Output → score less that of the input; the input itself left out."""
        best = {}
        for path in self.paths(tokens, breaks, log_u):
            if sum(step.edit for step in path) <= max_edits:
                output = tuple(word for step in path for word in step.words)
                best[output] = max(best.get(output, -math.inf), self.score(path, breaks))
        kept = [Step(at, at + 1, (token,), log_u) for at, token in enumerate(tokens)]
        base = self.score(kept, breaks)
        return {output: score - base for output, score in best.items() if output != tuple(tokens)}


def check(found, expected, tokens, n):
    """The n best, sorted, distinct, complete."""
    outputs = [tuple(hypothesis.apply(tokens)) for hypothesis in found]
    assert len(set(outputs)) == len(outputs)
    scores = [hypothesis.score for hypothesis in found]
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx(sorted(expected.values(), reverse=True)[:n], abs=1e-4)
    for output, score in zip(outputs, scores, strict=True):
        assert score == pytest.approx(expected[output], abs=1e-4)


def rich_weights(world, seed, *, minima=True):
    rng = random.Random(seed)
    features = dict(world.weights.features)
    features["news.edits"] = rng.uniform(-1, 1)
    minimum = {"news": -rng.uniform(0, 6), "pivot.extra": -rng.uniform(0, 3), "pivot": -rng.uniform(0, 3)}
    return replace(
        world.weights,
        features=features,
        minimum=minimum if minima else {},
        swap=rng.uniform(0.2, 1.5),
        identity=-0.3,
    )


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, length=st.integers(1, 6), n=st.integers(1, 100), limit=st.sampled_from([0, 0, 1, 2]))
def test_minima_apply_once_a_sentence_that_lacks_a_table(lab, seed, length, n, limit):
    world = lab.world(seed)
    weights = rich_weights(world, seed)
    tokens = lab.sentence(seed, world, length)
    breaks = {p for p in range(1, length) if random.Random(seed).random() < 0.2}
    decoder = world.decoder.with_weights(weights)
    (found,) = decoder.decode(lab.batch([tokens], breaks), lab.exact(n, max_edits=limit))
    check(found, Twin(world, weights).outputs(tokens, -0.3, breaks, limit or 99), tokens, n)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, length=st.integers(1, 5), n=st.integers(1, 100), window=st.integers(0, 4))
def test_swaps_are_searched_exactly(lab, seed, length, n, window):
    world = lab.world(seed, rows=6)
    rng = random.Random(seed)
    weights = rich_weights(world, seed, minima=seed % 2 == 0)
    odds = {phrase: -rng.uniform(0, 3) for phrase in world.phrases[::2]}
    swap = np.array([-1.0 + value / 2 for value in odds.values()], dtype=np.float32)
    mono = np.array([-1.0 - value / 2 for value in odds.values()], dtype=np.float32)
    orientation = Orientation(lab.phrases(list(odds)), mono, swap, -1.0, -4.0)
    arrays = pack(
        {name: lab.table(rows) for name, rows in world.rows.items()},
        lab.phrases(world.phrases),
        options_per_phrase=100,
        orientation=orientation,
    )
    known = {world.phrases[left] for rows in world.rows.values() for left, right in rows if left != right}
    prefixes = {source[:size] for source in known for size in range(1, len(source) + 1)}
    decoder = Decoder(arrays, world.model.arrays(), weights)
    tokens = lab.sentence(seed, world, length)
    breaks = {p for p in range(1, length) if rng.random() < 0.2}
    (found,) = decoder.decode(lab.batch([tokens], breaks), lab.exact(n, window=window))
    twin = Twin(
        world,
        weights,
        window=window,
        odds={p: value for p, value in odds.items() if p in prefixes} or {(): 0.0},
    )
    check(found, twin.outputs(tokens, -0.3, breaks), tokens, n)
    batch = lab.batch([tokens], breaks)
    for hypothesis in found[:5]:
        assert_components(decoder, batch, 0, hypothesis)


def assert_components(decoder, batch, item, hypothesis):
    parts = decoder.components(batch, item, hypothesis)
    weights = decoder.weights
    scalars = {name: getattr(weights, name) for name in ("lm", "edit", "word", "identity", "swap")}
    total = sum(
        value * (scalars[name] if name in scalars else weights.features.get(name, 0.0))
        for name, value in parts.items()
    )
    assert total == pytest.approx(hypothesis.score, abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_a_score_with_minima_is_the_sum_of_its_components(lab, seed):
    world = lab.world(seed)
    decoder = world.decoder.with_weights(rich_weights(world, seed))
    batch = lab.batch([[11], lab.sentence(seed, world, 7)], breaks={0, 3})
    for hypothesis in decoder.decode(batch, lab.exact(5))[1]:
        assert_components(decoder, batch, 1, hypothesis)


def test_a_swap_is_one_edit_with_two_parts(lab):
    world = lab.world(2)
    weights = replace(world.weights, swap=0.0, lm=0.0, features={}, edit=0.0, word=0.0)
    arrays = pack({"t": lab.table({(0, 1): (-0.5, 0.0)})}, lab.phrases([(11,), (12,)]))
    decoder = Decoder(arrays, world.model.arrays(), weights)
    (found,) = decoder.decode(lab.batch([[11, 13]]), lab.exact(10, window=2))
    by_output = {tuple(h.apply([11, 13])): h for h in found}
    assert set(by_output) == {(12, 13), (13, 11), (13, 12)}
    (edit,) = by_output[13, 12].edits
    assert (edit.start_token, edit.end_token, edit.option, edit.target_words) == (0, 2, -1, (13, 12))
    assert edit.options == (0,)
    kept, replaced = edit.swapped
    assert (kept.start_token, kept.end_token, kept.option, kept.target_words) == (1, 2, -1, (13,))
    assert (replaced.start_token, replaced.end_token, replaced.option) == (0, 1, 0)
    (edit,) = by_output[13, 11].edits
    assert edit.options == ()
    assert edit.log_prob == pytest.approx(math.log(1 / (1 + math.exp(3.0))))
    assert edit.table_mask == 0
    protected = decoder.decode(lab.batch([[11, 13]], protected={1}), lab.exact(10, window=2))[0]
    assert [h.apply([11, 13]) for h in protected] == [[12, 13]]
    unknown = decoder.decode(lab.batch([[11, 0]]), lab.exact(10, window=2))[0]
    assert [h.apply([11, 0]) for h in unknown] == [[12, 0]]


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, beam=st.integers(1, 6), pops=st.integers(1, 12), limit=st.integers(0, 3))
def test_cube_pruning_finds_true_scores_and_all_of_them_with_room_enough(lab, seed, beam, pops, limit):
    world = lab.world(seed)
    decoder = world.decoder.with_weights(rich_weights(world, seed, minima=seed % 2 == 0))
    tokens = lab.sentence(seed, world, 8)
    batch = lab.batch([tokens, tokens[:4]], breaks={3})
    exact = decoder.decode(batch, lab.exact(2000, max_edits=limit, window=seed % 3))
    pruned = decoder.decode(batch, lab.exact(30, max_edits=limit, window=seed % 3, beam=beam, pops=pops))
    for whole, part, item in zip(exact, pruned, (tokens, tokens[:4]), strict=True):
        best = {tuple(h.apply(item)): h.score for h in whole}
        scores = [h.score for h in part]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(h.apply(item)) for h in part}) == len(part)
        if len(whole) < 2000:
            assert all(h.score <= best[tuple(h.apply(item))] + 1e-6 for h in part)
    wide = decoder.decode(
        batch, lab.exact(2000, max_edits=limit, window=seed % 3, beam=100_000, pops=1_000_000)
    )
    for whole, part in zip(exact, wide, strict=True):
        assert [h.score for h in part] == pytest.approx([h.score for h in whole], abs=1e-9)


def test_the_loss_of_a_beam_is_reported(lab):
    world = lab.world(41, words=8, rows=80)
    decoder = world.decoder.with_weights(rich_weights(world, 41))
    batch = lab.batch([lab.sentence(seed, world, 12) for seed in range(40)])
    narrow = decoder.loss(batch, DecodeOptions(beam=1, pops=0))
    cube = decoder.loss(batch, DecodeOptions(beam=4, pops=6))
    wide = decoder.loss(batch, DecodeOptions(beam=1000, pops=0))
    assert wide.mean == wide.relative == wide.share == wide.list_mean == 0.0
    assert narrow.items == wide.items == cube.items > 30
    assert 0 < cube.mean < narrow.mean <= narrow.largest
    assert 0 < narrow.share <= 1
    assert narrow.relative > 0


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, length=st.integers(1, 6))
def test_scores_from_outside_are_added_edge_by_edge(lab, seed, length):
    world = lab.world(seed)
    items = [lab.sentence(seed + shift, world, length) for shift in range(3)]
    batch = lab.batch(items)
    options = lab.exact(50)
    edges = world.decoder.edges(batch, options)
    rng = np.random.default_rng(seed)
    outside = rng.normal(size=len(edges))
    found = world.decoder.decode(batch, options, edges=edges.with_scores(outside))
    for item, tokens in enumerate(items):
        rows = range(int(edges.begin[item]), int(edges.begin[item + 1]))
        added = {
            (
                int(edges.start[r]),
                int(edges.end[r]),
                world.arrays.target_words_of(int(edges.option[r])),
            ): outside[r]
            for r in rows
        }
        twin = Twin(world, replace(world.weights, identity=-0.3), outside=added)
        check(found[item], twin.outputs(tokens, -0.3), tokens, 50)
        assert len(added) == sum(
            len(twin.sides(tokens, i, j)) for i in range(length) for j in range(i + 1, length + 1)
        )


def test_outside_scores_must_fit_the_lattice(lab):
    world = lab.world(43)
    with pytest.raises(InputError, match="edges"):
        world.decoder.edges(lab.batch([[11, 12, 13]])).with_scores(np.zeros(999))
    other = world.decoder.edges(lab.batch([[11, 12, 13], [11]]))
    with pytest.raises(InputError, match="edges of 1 items"):
        world.decoder.decode(lab.batch([[11, 12, 13]]), edges=other)


def test_a_minimum_needs_a_table(lab):
    world = lab.world(47)
    with pytest.raises(InputError, match="minimum"):
        world.decoder.with_weights(replace(world.weights, minimum={"nowhere": -1.0}))
    with pytest.raises(InputError, match="not the feature of a table"):
        world.decoder.with_weights(replace(world.weights, features={"longer": 1.0}, minimum={"longer": -1.0}))


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_raising_u_never_adds_an_edit_where_sources_are_single_words(lab, seed):
    """With sources of one word, kept words and edits add up to the sentence: more of one is less of the other."""
    world = lab.world(seed)
    rows = {name: {k: v for k, v in table.items() if k[0] < 4} for name, table in world.rows.items()}
    arrays = pack({name: lab.table(table) for name, table in rows.items()}, lab.phrases(world.phrases))
    decoder = Decoder(arrays, world.model.arrays(), rich_weights(world, seed))
    tokens = lab.sentence(seed, world, 8)
    edits = []
    for log_u in np.linspace(-6, 6, 25):
        found = decoder.decode(lab.batch([tokens]), lab.exact(1, log_u=float(log_u)))[0]
        edits.append(len(found[0].edits) if found else 0)
    assert edits == sorted(edits, reverse=True)


def test_a_swap_uses_the_tables_and_meets_the_demands_of_both_its_parts(lab):
    world = replace(
        lab.world(2),
        phrases=[(11,), (12,), (13,), (14,)],
        rows={"news": {(0, 2): (-0.5, 0.0)}, "pivot": {(1, 3): (-0.75, 0.0)}},
    )
    weights = replace(
        world.weights,
        features={"news.score": 1.0, "pivot.score": 1.0},
        minimum={"news": -4.0, "pivot": -3.0},
        identity=-0.3,
    )
    arrays = pack({name: lab.table(rows) for name, rows in world.rows.items()}, lab.phrases(world.phrases))
    decoder = Decoder(arrays, world.model.arrays(), weights)
    batch = lab.batch([[11, 12]])
    (found,) = decoder.decode(batch, lab.exact(50, window=2))
    expected = Twin(world, weights, window=2).outputs([11, 12], -0.3)
    assert len(expected) == 7
    check(found, expected, [11, 12], 50)
    for word in (13, 14):
        (using,) = decoder.decode(batch, lab.exact(50, window=2, must_use=((word,),)))
        outputs = {tuple(h.apply([11, 12])) for h in using}
        assert outputs == {output for output in expected if word in output}
