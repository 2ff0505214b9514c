"""The monolingual HMM: laws of its training, and what it does with sentences of one language."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma, gammaln

from one_vocabulary import encoded
from paraphrast.align.base import SMALLEST
from paraphrast.align.evidence import Resources
from paraphrast.align.evidence_kinds import choose
from paraphrast.align.monolingual import (
    MonolingualAligner,
    MonolingualHMM,
    MonolingualOptions,
    _bitext,
    _doubled,
    know,
    train_monolingual,
)
from paraphrast.align.monolingual_store import load_monolingual, save_monolingual
from paraphrast.errors import InputError, ModelError
from paraphrast.text import get_language
from paraphrast.types import Links, Sentences

ENGLISH = get_language("en")
PAIRS = [
    ("the committee bought a big house yesterday .", "yesterday the committee purchased a large house ."),
    ("the minister walks to the station", "the minister walked to the station in the rain"),
    ("a dog barks", "the dog barked loudly"),
    ("they paid 1,000 euros for it", "they paid 1000 euros"),
    (
        "prices rose sharply in the spring , analysts said",
        "analysts said that prices went up sharply in spring",
    ),
]
LISTED = Resources(synonyms=[("buy", "purchase"), ("big", "large")], names=("listed",))


def trained(
    pairs: list[tuple[str, str]], names: tuple[str, ...] = ("stem", "number", "synonyms")
) -> tuple[MonolingualAligner, Sentences, Sentences, list[str]]:
    source, target, words = encoded(pairs)
    return train_monolingual(source, target, words, choose(names, LISTED)), source, target, words


def named(pairs: list[tuple[str, str]], links: Links, index: int) -> set[tuple[str, str]]:
    source, target = (side.split() for side in pairs[index])
    return {(source[i], target[j]) for i, j in links.pair(index)}


def test_same_words_forms_and_synonyms_are_linked() -> None:
    aligner, source, target, words = trained(PAIRS)
    links = aligner.align(source, target, words)
    first = named(PAIRS, links, 0)
    assert {
        ("committee", "committee"),
        ("bought", "purchased"),
        ("big", "large"),
        ("house", "house"),
    } <= first
    assert ("walks", "walked") in named(PAIRS, links, 1)
    assert ("1,000", "1000") in named(PAIRS, links, 3)
    assert not any("rain" in pair for pair in named(PAIRS, links, 1))
    assert links.posterior is not None
    assert ((links.posterior >= aligner.links.threshold - 1e-6) & (links.posterior <= 1)).all()


def test_the_sides_may_change_places() -> None:
    aligner, source, target, words = trained(PAIRS)
    there = aligner.align(source, target, words)
    swapped = train_monolingual(target, source, words, choose(("stem", "number", "synonyms"), LISTED))
    back = swapped.align(target, source, words)
    for index in range(len(PAIRS)):
        assert set(there.pair(index)) == {(i, j) for j, i in back.pair(index)}


word_lists = st.lists(st.sampled_from(["a", "b", "the", "cats", "cat", "."]), min_size=1, max_size=4)


def divergence(hmm: MonolingualHMM) -> float:
    """Σ over words of KL(Dirichlet after the counts ‖ Dirichlet of the prior), by its formula."""
    total = 0.0
    lexicon = hmm.lexicon
    for e in range(len(lexicon.slot_start) - 2):
        row = slice(int(lexicon.slot_start[e]), int(lexicon.slot_start[e + 1]))
        used = lexicon.slot_word[row] >= 0
        prior = np.maximum(hmm.prior_counts[row][used], SMALLEST)
        after = prior + hmm.counts[row][used]
        total += gammaln(after.sum()) - gammaln(prior.sum()) - (gammaln(after) - gammaln(prior)).sum()
        total += ((after - prior) * (digamma(after) - digamma(after.sum()))).sum()
    return float(total)


@given(st.lists(st.tuples(word_lists, word_lists), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_the_variational_bound_never_falls(pairs: list[tuple[list[str], list[str]]]) -> None:
    source, target, words = encoded([(" ".join(one), " ".join(two)) for one, two in pairs])
    options = MonolingualOptions(max_length=6, window=6)
    bitext = _bitext(source, target, len(words), options)
    shares = np.full(len(words), 1.0 / len(words))
    hmm = MonolingualHMM(know(bitext, words, shares, choose(["stem"], Resources()), ENGLISH), options)
    # Before the first M step t is the prior itself, which is no answer to any counts.
    hmm.fit(_doubled(bitext), 1)
    before = None
    for _ in range(6):
        distance = divergence(hmm)
        hmm.fit(_doubled(bitext), 1)
        bound = hmm.log_likelihoods[-1] - distance
        if before is not None:
            assert bound >= before - 1e-4 * max(abs(before), 1.0)
        before = bound


def test_the_prior_by_hand() -> None:
    source, target, words = encoded([("cats sleep", "cat sleep")])
    bitext = _bitext(source, target, len(words), MonolingualOptions())
    shares = np.array([0.25, 0.5, 0.25])
    assert words == ["cats", "sleep", "cat"]
    knowledge = know(bitext, words, shares, choose(["stem"], Resources()), ENGLISH)

    def prior(one: str, two: str) -> float:
        found = knowledge.lexicon.lookup(
            np.array([words.index(one)], dtype=np.int32), np.array([words.index(two)], dtype=np.int32)
        )
        return float(found[0])

    any_word = {"cats": 0.25, "sleep": 0.5, "cat": 0.25}
    assert prior("sleep", "sleep") == pytest.approx(0.6 + 0.15 * any_word["sleep"])
    assert prior("cats", "cat") == pytest.approx(0.03 + 0.15 * any_word["cat"])
    assert prior("cats", "sleep") == pytest.approx(0.15 * any_word["sleep"])


def test_odd_input_gives_a_defined_result() -> None:
    long = " ".join(f"w{number}" for number in range(400))
    pairs = [("", "a b"), ("a", "a"), (long, long), ("x y z", "p q r"), ("", ""), ("a b", "")]
    source, target, words = encoded(pairs)
    aligner = train_monolingual(source, target, words, choose(["stem", "spelling"], Resources()))
    links = aligner.align(source, target, words)
    assert len(links) == len(pairs)
    assert links.pair(0) == links.pair(4) == links.pair(5) == []
    assert links.pair(1) == [(0, 0)]
    assert set(links.pair(2)) >= {(k, k) for k in range(400)}
    assert np.isfinite(aligner.log_likelihoods).all()
    nothing = train_monolingual(Sentences.from_lists([]), Sentences.from_lists([]), [])
    assert len(nothing.align(Sentences.from_lists([]), Sentences.from_lists([]), [])) == 0


def test_many_copies_of_one_pair() -> None:
    source, target, words = encoded([("a big dog", "a large dog")] * 3000)
    aligner = train_monolingual(source, target, words)
    links = aligner.align(source, target, words)
    assert {tuple(links.pair(index)) for index in range(len(links))} == {((0, 0), (1, 1), (2, 2))}


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_change_nothing(threads: int) -> None:
    aligner, source, target, words = trained(PAIRS * 40)
    one, more = (aligner.align(source, target, words, threads=count) for count in (1, threads))
    for name in ("starts", "source", "target", "posterior"):
        assert getattr(one, name).tobytes() == getattr(more, name).tobytes()


def test_a_kept_model_gives_the_links_of_training(tmp_path: Path) -> None:
    aligner, source, target, words = trained(PAIRS)
    expected = aligner.align(source, target, words)
    save_monolingual(aligner, tmp_path / "kept")
    again = load_monolingual(tmp_path / "kept", lambda *_: LISTED)
    # Alone, in another order of words: a pair's links do not depend on its company.
    for index, pair in enumerate(PAIRS):
        one, two, own = encoded([pair])
        assert again.align(one, two, own).pair(0) == expected.pair(index)
    new_source, new_target, new_words = encoded([("striped zebras gallop", "striped zebras gallop away")])
    assert again.align(new_source, new_target, new_words).pair(0) == [(0, 0), (1, 1), (2, 2)]


def test_a_kept_model_is_checked(tmp_path: Path) -> None:
    aligner, *_ = trained(PAIRS)
    save_monolingual(aligner, tmp_path / "kept")
    with pytest.raises(ModelError, match="trained with listed; here are none"):
        load_monolingual(tmp_path / "kept", lambda *_: Resources())
    counts = np.load(tmp_path / "kept" / "counts.npy")
    np.save(tmp_path / "kept" / "counts.npy", counts[:-3])
    with pytest.raises(ModelError, match="do not match"):
        load_monolingual(tmp_path / "kept", lambda *_: LISTED)
    (tmp_path / "kept" / "counts.npy").write_bytes(b"short")
    with pytest.raises(ModelError, match="damaged"):
        load_monolingual(tmp_path / "kept", lambda *_: LISTED)
    with pytest.raises(ModelError, match=r"expected a folder with monolingual\.json"):
        load_monolingual(tmp_path / "nowhere", lambda *_: LISTED)


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="strength"):
        MonolingualOptions(strength=0.0)
    with pytest.raises(InputError, match="empty"):
        MonolingualOptions(empty=0.0)
