"""A scored phrase table, written and read back."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraphrast.build.options import TableOptions
from paraphrast.build.phrase_table import _ranks, links_of_lines, moses_rows, score_pairs
from paraphrast.build.word_lexicons import model1_lexicons
from paraphrast.extract import ExtractOptions
from paraphrast.formats.moses import format_row, read_phrase_table, write_phrase_table
from paraphrast.types import FIRST_WORD, Links, Sentences, Vocabulary

WORDS = ("a", "a\x01", "ab", "a-b", "b", "|", "~x", "é", "&")
VOCABULARY = Vocabulary(
    (*Vocabulary.from_counts([]).words, *WORDS), np.zeros(FIRST_WORD + len(WORDS), np.int64)
)


def side(*sentences: str) -> Sentences:
    return Sentences.from_lists([VOCABULARY.ids[word] for word in text.split()] for text in sentences)


def test_rows_have_moses_scores_and_come_back(tmp_path: Path) -> None:
    source = side("a b", "a b", "a")
    target = side("b a", "a b", "a")
    links = Links.from_lists([[(0, 1), (1, 0)], [(0, 0)], [(0, 0)]])
    size = len(VOCABULARY)
    scored = score_pairs(source, target, links, size, size)
    rows = list(moses_rows(scored, VOCABULARY, VOCABULARY))
    by_pair = {(row.source, row.target): row for row in rows}
    assert set(by_pair) == {("a b", "b a"), ("a", "a"), ("b", "b")}
    assert by_pair["a", "a"].counts == (3, 3, 3)
    pair = by_pair["a b", "b a"]
    assert pair.alignment == ((0, 1), (1, 0))
    # The second b of the source is unaligned, and so is the target's: each was linked once with the empty word.
    assert pair.scores == pytest.approx((1.0, 1.0, 1.0, 1.0))
    path = tmp_path / "table.gz"
    assert write_phrase_table(path, rows) == 3
    read = list(read_phrase_table(path))
    assert [(row.source, row.target, row.alignment, row.counts) for row in read] == [
        (row.source, row.target, row.alignment, row.counts) for row in rows
    ]
    for ours, theirs in zip(rows, read, strict=True):
        assert theirs.scores == pytest.approx(ours.scores, rel=1e-5)


def test_inverse_scores_come_first() -> None:
    source = side("a", "a", "b")
    target = side("a", "b", "b")
    links = Links.from_lists([[(0, 0)]] * 3)
    size = len(VOCABULARY)
    rows = {
        (row.source, row.target): row
        for row in moses_rows(score_pairs(source, target, links, size, size), VOCABULARY, VOCABULARY)
    }
    # p(s|t) lex(s|t) p(t|s) lex(t|s), then n(t) n(s) n(s,t)
    assert rows["a", "a"].scores == pytest.approx((1.0, 1.0, 0.5, 0.5))
    assert rows["b", "b"].scores == pytest.approx((0.5, 0.5, 1.0, 1.0))
    assert rows["a", "a"].counts == (1, 2, 1)
    assert rows["b", "b"].counts == (2, 1, 1)


def test_model1_scores_follow_the_four_of_moses() -> None:
    source, target = side("a b", "a", "b a"), side("b a", "a", "a b")
    links = Links.from_lists([[(0, 1), (1, 0)], [(0, 0)], [(0, 1), (1, 0)]])
    size = len(VOCABULARY)
    plain = list(moses_rows(score_pairs(source, target, links, size, size), VOCABULARY, VOCABULARY))
    scored = score_pairs(source, target, links, size, size, TableOptions(model1=True))
    rows = list(moses_rows(scored, VOCABULARY, VOCABULARY))
    assert [(row.source, row.target, row.scores[:4]) for row in rows] == [
        (row.source, row.target, row.scores) for row in plain
    ]
    forward, backward = model1_lexicons(source, target, size, size)
    for row in rows:
        for score, lexicon, generated, given_words in (
            (row.scores[4], backward, row.source, row.target),
            (row.scores[5], forward, row.target, row.source),
        ):
            expected = 1.0
            for word in generated.split():
                given_ids = [
                    *(VOCABULARY.ids[other] for other in given_words.split()),
                    size,
                ]  # the last: the empty word
                words = np.full(len(given_ids), VOCABULARY.ids[word], np.int32)
                expected *= float(lexicon.lookup(np.array(given_ids, np.int32), words).sum())
            assert score == pytest.approx(expected, rel=1e-5)


def test_options_reach_the_rooms() -> None:
    source = side("a b", "a b", "a")
    links = Links.from_lists([[(0, 0), (1, 1)]] * 2 + [[(0, 0)]])
    size = len(VOCABULARY)
    plain = score_pairs(source, source, links, size, size)
    assert len(plain) == 3
    few = TableOptions(ExtractOptions(max_length=1), min_count=3)
    assert len(score_pairs(source, source, links, size, size, few)) == 1
    lower = score_pairs(source, source, links, size, size, TableOptions(discount="kneser-ney"))
    assert (lower.target_given_source < plain.target_given_source).all()
    sharp = TableOptions(ExtractOptions(significance=math.log(3) - 0.1))
    kept = score_pairs(source, source, links, size, size, sharp)
    assert len(kept) == 2


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), min_size=1, max_size=12))
@settings(max_examples=100, deadline=None)
def test_ranks_are_the_order_of_lines(phrases: list[list[str]]) -> None:
    distinct = sorted(set(map(tuple, phrases)))
    matrix = np.full((len(distinct), 7), -1, np.int32)
    for row, phrase in zip(matrix, distinct, strict=True):
        row[: len(phrase)] = [VOCABULARY.ids[word] for word in phrase]
    ranks = _ranks(matrix, VOCABULARY)
    from paraphrast.formats.moses import MosesRow

    lines = [format_row(MosesRow(" ".join(phrase), "x", (1.0,))).encode() for phrase in distinct]
    assert sorted(range(len(lines)), key=lines.__getitem__) == np.argsort(ranks).tolist()


def test_links_of_lines() -> None:
    links = Links.from_lists([[(0, 0)], [(1, 1), (2, 2)], [], [(3, 3)]])
    chosen = links_of_lines(links, [2, 3, 4])
    assert [chosen.pair(n) for n in range(len(chosen))] == [[(1, 1), (2, 2)], [], [(3, 3)]]
    assert len(links_of_lines(links, [])) == 0
