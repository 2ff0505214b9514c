"""The search against a twin that writes out every path, and the promises of each option."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.decode import DecodeBatch, DecodeOptions, Decoder, DecoderArrays, Weights, pack
from paraphrast.errors import InputError

SEEDS = st.integers(0, 10**6)


def outputs(tokens, hypotheses):
    return [tuple(hypothesis.apply(tokens)) for hypothesis in hypotheses]


@settings(max_examples=120, deadline=None)
@given(seed=SEEDS, length=st.integers(1, 6), order=st.integers(1, 4), n=st.integers(1, 200))
def test_exact_search_finds_what_writing_out_every_path_finds(lab, seed, length, order, n):
    world = lab.world(seed, order=order)
    tokens = lab.sentence(seed, world, length)
    rng = random.Random(seed)
    breaks = {p for p in range(length) if rng.random() < 0.2}
    protected = {p for p in range(length) if rng.random() < 0.1}
    expected = world.every_output(tokens, -0.3, breaks, protected)
    (found,) = world.decoder.decode(lab.batch([tokens], breaks, protected), lab.exact(n))
    best = sorted(expected.values(), reverse=True)[:n]
    assert [h.score for h in found] == pytest.approx(best, abs=1e-4)
    for output, hypothesis in zip(outputs(tokens, found), found, strict=True):
        assert hypothesis.score == pytest.approx(expected[output], abs=1e-4)
    assert len(set(outputs(tokens, found))) == len(found)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, limit=st.integers(1, 3))
def test_a_limit_on_edits_gives_the_best_paths_within_it(lab, seed, limit):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, 5)
    best = {}
    for path in world.every_path(tokens):
        if sum(edit is not None for _, edit, _ in path) <= limit:
            output = tuple(word for words, _, _ in path for word in words)
            best[output] = max(best.get(output, -np.inf), world.score(path, set(), -0.3))
    base = best.pop(tuple(tokens), None)
    base = world.score([((t,), None, 1) for t in tokens], set(), -0.3)
    (found,) = world.decoder.decode(lab.batch([tokens]), lab.exact(1000, max_edits=limit))
    assert all(len(h.edits) <= limit for h in found)
    assert [h.score for h in found] == pytest.approx(
        sorted((s - base for s in best.values()), reverse=True), abs=1e-4
    )


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_avoided_words_are_never_inserted_and_demanded_ones_always(lab, seed):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, 5)
    word, other = world.phrases[0], world.phrases[1]
    everything = world.decoder.decode(lab.batch([tokens]), lab.exact(2000))[0]

    def inserts(hypothesis, sequence):
        return any(
            edit.target_words.count(sequence[0])
            > tokens[edit.start_token : edit.end_token].count(sequence[0])
            for edit in hypothesis.edits
        )

    avoiding = world.decoder.decode(lab.batch([tokens]), lab.exact(2000, avoid=(word,)))[0]
    assert not any(inserts(h, word) for h in avoiding)
    using = world.decoder.decode(lab.batch([tokens]), lab.exact(2000, must_use=(word, other)))[0]
    assert all(inserts(h, word) and inserts(h, other) for h in using)
    # Nothing that satisfies a demand is lost: strings whose best derivation satisfies it must all be there.
    kept = {tuple(h.apply(tokens)) for h in everything if not inserts(h, word)}
    assert kept <= set(outputs(tokens, avoiding))
    wanted = {tuple(h.apply(tokens)) for h in everything if inserts(h, word) and inserts(h, other)}
    assert wanted <= set(outputs(tokens, using))


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, beam=st.integers(1, 6))
def test_a_beam_never_scores_above_exact_search(lab, seed, beam):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, 8)
    exact = world.decoder.decode(lab.batch([tokens]), lab.exact(20))[0]
    pruned = world.decoder.decode(lab.batch([tokens]), lab.exact(20, beam=beam))[0]
    assert len(pruned) <= len(exact)
    for high, low in zip(exact, pruned, strict=False):
        assert low.score <= high.score
    wide = world.decoder.decode(lab.batch([tokens]), lab.exact(20, beam=100_000))[0]
    assert wide == exact


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_a_higher_u_never_keeps_fewer_words(lab, seed):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, 7)
    kept = []
    for log_u in np.linspace(-6, 4, 21):
        found = world.decoder.decode(lab.batch([tokens]), lab.exact(1, log_u=float(log_u)))[0]
        if found:
            kept.append(len(tokens) - sum(e.end_token - e.start_token for e in found[0].edits))
    assert kept == sorted(kept)


def test_log_u_of_the_options_overrides_that_of_the_weights(lab):
    world = lab.world(3)
    tokens = lab.sentence(3, world, 6)
    other = Decoder(world.arrays, world.model.arrays(), replace(world.weights, identity=1.5))
    batch = lab.batch([tokens])
    assert other.decode(batch, lab.exact()) == world.decoder.decode(batch, lab.exact(log_u=1.5))
    assert other.decode(batch, lab.exact()) != world.decoder.decode(batch, lab.exact())


def test_threads_and_company_never_change_the_result(lab):
    world = lab.world(5, words=6, rows=30)
    items = [lab.sentence(seed, world, seed % 13) for seed in range(150)]
    options = DecodeOptions(n=5, beam=4)
    one = world.decoder.decode(lab.batch(items), options, threads=1)
    assert one == world.decoder.decode(lab.batch(items), options, threads=2)
    assert one == world.decoder.decode(lab.batch(items), options, threads=4)
    assert one == [world.decoder.decode(lab.batch([item]), options)[0] for item in items]
    assert sum(map(len, one)) > 300


def test_nothing_to_rewrite_gives_empty_lists(lab):
    world = lab.world(7)
    options = lab.exact()
    assert world.decoder.decode(lab.batch([]), options) == []
    assert world.decoder.decode(lab.batch([[], [0, 0, 0], []]), options) == [[], [], []]
    empty = Decoder(pack({}, lab.phrases([(11,)])), world.model.arrays(), Weights())
    assert empty.decode(lab.batch([[11, 12, 11]]), options) == [[]]
    tokens = [token for phrase in world.phrases for token in phrase]
    assert world.decoder.decode(lab.batch([tokens]), DecodeOptions())[0]
    assert world.decoder.decode(lab.batch([tokens], protected=set(range(len(tokens)))), DecodeOptions()) == [
        []
    ]


def one_option(lab, *, vetoes=0, mask=0, source=(11,), target=(12,), options=None, categories=None):
    """The hypotheses where one pair of one table is the only thing to do."""
    arrays = pack(
        {"only": lab.table({(0, 1): (-0.5, 0.0)})},
        lab.phrases([source, target]),
        vetoes={"only": np.array([vetoes], dtype=np.uint8)},
        target_category_mask=np.array([0, mask], dtype=np.uint32),
    )
    model = lab.world(0).model
    plain = DecodeBatch.from_lists([list(source)])
    batch = replace(plain, span_category=categories)
    return Decoder(arrays, model.arrays(), Weights.uniform(arrays.feature_names)).decode(batch, options)[0]


def test_options_are_refused_by_veto_probability_table_category_and_mask(lab):
    assert len(one_option(lab)) == 1
    assert one_option(lab, vetoes=4) == []
    assert len(one_option(lab, vetoes=4, options=DecodeOptions(veto_mask=3))) == 1
    assert one_option(lab, options=DecodeOptions(min_log_prob=-0.4)) == []
    assert one_option(lab, options=DecodeOptions(table_mask=2)) == []
    noun = np.full((1, 7), 3, dtype=np.uint8)
    assert one_option(lab, mask=1 << 2, categories=noun) == []
    assert len(one_option(lab, mask=1 << 3 | 1 << 31, categories=noun)) == 1
    assert len(one_option(lab, mask=1 << 31, categories=np.full((1, 7), 31, dtype=np.uint8))) == 1
    assert len(one_option(lab, mask=0, categories=noun)) == 1
    assert len(one_option(lab, mask=1 << 2, categories=np.zeros((1, 7), dtype=np.uint8))) == 1
    assert (
        len(one_option(lab, mask=1 << 2, categories=noun, options=DecodeOptions(use_categories=False))) == 1
    )
    assert one_option(lab, target=(12, 3)) == []
    assert len(one_option(lab, source=(3, 11), target=(12, 3))) == 1
    assert one_option(lab, source=(3, 11), target=(12, 4)) == []
    assert len(one_option(lab, target=(12, 3), options=DecodeOptions(must_keep_masks=False))) == 1


def test_an_edit_says_where_it_comes_from(lab):
    (hypothesis,) = one_option(lab)
    (edit,) = hypothesis.edits
    assert (edit.start_token, edit.end_token, edit.option) == (0, 1, 0)
    assert (edit.target_words, edit.target, edit.table_mask) == ((12,), 1, 1)
    assert edit.log_prob == pytest.approx(-0.5)


def test_a_break_ends_the_sentence_for_the_language_model(lab):
    world = lab.world(11)
    tokens = lab.sentence(11, world, 4)
    apart = world.decoder.decode(lab.batch([tokens[:2], tokens[2:]]), lab.exact(100))
    joined = world.decoder.decode(lab.batch([tokens], breaks={2}), lab.exact(1000))[0]
    sums = [first.score + second.score for first in apart[0] for second in apart[1]]
    sums += [h.score for half in apart for h in half]
    assert [h.score for h in joined] == pytest.approx(sorted(sums, reverse=True)[: len(joined)], abs=1e-6)
    assert len(joined) == len(sums) > 0


def test_tables_out_of_use_do_not_score(lab):
    world = lab.world(13)
    tokens = [token for phrase in world.phrases[:5] for token in phrase]
    alone = {name: lab.table(rows) for name, rows in world.rows.items() if name == "pivot"}
    weights = replace(
        world.weights, features={k: v for k, v in world.weights.features.items() if k[0] == "p"}
    )
    decoder = Decoder(pack(alone, lab.phrases(world.phrases)), world.model.arrays(), weights)
    expected = decoder.decode(lab.batch([tokens]), lab.exact(5))[0]
    mask = world.arrays.table_mask(("pivot",))
    found = world.decoder.decode(lab.batch([tokens]), lab.exact(5, table_mask=mask))[0]
    assert [(h.score, h.apply(tokens)) for h in found] == [(h.score, h.apply(tokens)) for h in expected]
    assert found


@pytest.mark.parametrize("distinct", [0.3, 0.6, 1.0])
def test_distinct_rewrites_share_few_edits(lab, distinct):
    world = lab.world(17, rows=25)
    tokens = lab.sentence(17, world, 8)
    found = world.decoder.decode(lab.batch([tokens]), lab.exact(5, distinct=distinct))[0]
    assert len(found) > 1
    assert found[0] == world.decoder.decode(lab.batch([tokens]), lab.exact(5))[0][0]
    for index, first in enumerate(found):
        for second in found[:index]:
            a, b = set(first.edits), set(second.edits)
            assert 1 - len(a & b) / len(a | b) >= distinct - 1e-12


def test_little_effort_gives_a_shorter_list_of_the_same_best(lab):
    world = lab.world(19, words=6, rows=60)
    tokens = lab.sentence(19, world, 12)
    whole = world.decoder.decode(lab.batch([tokens]), lab.exact(50))[0]
    short = world.decoder.decode(lab.batch([tokens]), lab.exact(50, effort=1))[0]
    assert short == whole[: len(short)]
    assert short


def test_scratch_arrays_grow(lab):
    """Long items of many options, so that every scratch array is outgrown."""
    world = lab.world(23, words=8, rows=120, order=4)
    tokens = lab.sentence(23, world, 150)
    batch = lab.batch([tokens, tokens[:3], tokens])
    found = world.decoder.decode(batch, lab.exact(300))
    assert found[0] == found[2]
    assert len({tuple(h.apply(tokens)) for h in found[0]}) == 300
    for hypothesis in found[0][:3]:
        pieces, at = [], 0
        options = world.options()
        for edit in hypothesis.edits:
            pieces += [((t,), None, 1) for t in tokens[at : edit.start_token]]
            source = tuple(tokens[edit.start_token : edit.end_token])
            pieces.append((edit.target_words, options[source][edit.target_words], len(source)))
            at = edit.end_token
        pieces += [((t,), None, 1) for t in tokens[at:]]
        base = world.score([((t,), None, 1) for t in tokens], set(), -0.3)
        assert hypothesis.score == pytest.approx(world.score(pieces, set(), -0.3) - base, abs=1e-3)


def test_wrong_arguments_are_named(lab):
    world = lab.world(29)
    with pytest.raises(InputError, match="thread"):
        world.decoder.decode(lab.batch([[11]]), threads=0)
    with pytest.raises(InputError, match="unknown feature"):
        Decoder(world.arrays, world.model.arrays(), Weights(features={"nowhere.score": 1.0}))


def test_an_item_of_many_tokens_without_options_is_passed_by(lab):
    world = lab.world(31)
    short = [token for phrase in world.phrases for token in phrase]
    found = world.decoder.decode(
        lab.batch([[0] * 10_000, short, [*short, *[0] * 5000]]), lab.exact(2, beam=4)
    )
    assert found[0] == []
    assert found[1]
    assert [e.option for e in found[2][0].edits]


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_a_score_is_the_weighted_sum_of_its_components(lab, seed):
    world = lab.world(seed)
    tokens = lab.sentence(seed, world, 7)
    batch = lab.batch([[11], tokens], breaks={0, 3})
    hypotheses = world.decoder.decode(batch, lab.exact(5))[1]
    assert hypotheses
    for hypothesis in hypotheses:
        parts = world.decoder.components(batch, 1, hypothesis)
        weights = world.weights
        total = sum(weights.features[name] * parts.pop(name) for name in world.arrays.feature_names)
        total += weights.lm * parts.pop("lm") + weights.edit * parts.pop("edit")
        total += weights.word * parts.pop("word") + weights.identity * parts.pop("identity")
        assert parts.pop("swap") == 0.0
        assert parts == {
            f"{table}.edits": sum(e.table_mask >> bit & 1 for e in hypothesis.edits)
            for bit, table in enumerate(world.arrays.table_names)
        }
        assert total == pytest.approx(hypothesis.score, abs=1e-4)


def test_mapped_and_built_arrays_compile_once(lab, tmp_path):
    from paraphrast.decode._kernels import decode_items

    world = lab.world(37)
    world.arrays.save(tmp_path / "decoder")
    loaded = DecoderArrays.load(tmp_path / "decoder")
    for arrays in (world.arrays, loaded):
        categories = np.zeros((2, 7), dtype=np.uint8)
        batch = replace(lab.batch([[11, 12]]), span_category=categories)
        decoder = Decoder(arrays, world.model.arrays(), world.weights)
        decoder.decode(batch, lab.exact(3, avoid=((11,),), must_use=((12,),), log_u=0))
        decoder.decode(lab.batch([[11, 12]]))
    assert len(decode_items.signatures) == 1


def test_sequences_of_several_words_are_inserted_only_when_the_source_lacks_them(lab):
    phrases = [(11, 12), (13, 11, 12), (11, 12, 11, 12), (12, 11)]
    rows = {(0, 1): (-1.0, 0.0), (0, 2): (-1.0, 0.0), (0, 3): (-1.0, 0.0), (3, 0): (-1.0, 0.0)}
    arrays = pack({"t": lab.table(rows)}, lab.phrases(phrases))
    decoder = Decoder(arrays, lab.world(0).model.arrays(), Weights())

    def targets(tokens, **wishes):
        found = decoder.decode(lab.batch([tokens]), lab.exact(**wishes))[0]
        return {h.edits[0].target_words for h in found}

    assert targets([11, 12]) == {phrases[1], phrases[2], phrases[3]}
    assert targets([11, 12], avoid=((11, 12),)) == {phrases[1], phrases[3]}
    assert targets([11, 12], must_use=((11, 12),)) == {phrases[2]}
    assert targets([12, 11], must_use=((11, 12),)) == {phrases[0]}
    assert targets([11, 12], must_use=((14,),)) == set()
