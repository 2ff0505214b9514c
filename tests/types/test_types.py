"""The records that flow between rooms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.types import (
    FIRST_WORD,
    MASKS,
    SPECIALS,
    Edit,
    Links,
    Paraphrase,
    ParaphraseList,
    Phrases,
    Sentences,
    Vocabulary,
)
from paraphrast.types.results import apply_edits


def test_a_vocabulary_is_ordered_by_count_then_bytes() -> None:
    vocabulary = Vocabulary.from_counts([("b", 2), ("é", 2), ("a", 2), ("z", 9), ("<number>", 4)])
    assert vocabulary.words[: len(SPECIALS)] == SPECIALS
    assert vocabulary.words[FIRST_WORD:] == ("z", "a", "b", "é")
    assert vocabulary.counts[vocabulary.ids[MASKS[0]]] == 4
    assert len(vocabulary) == FIRST_WORD + 4


@given(st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=6))
def test_sentences_come_back(rows: list[list[int]]) -> None:
    sentences = Sentences.from_lists(rows)
    assert [sentence.tolist() for sentence in sentences] == rows
    assert int(sentences.space_before.sum()) == sum(max(0, len(row) - 1) for row in rows)


@given(st.lists(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=5))
def test_links_come_back(rows: list[set[tuple[int, int]]]) -> None:
    links = Links.from_lists(rows)
    assert [links.pair(index) for index in range(len(links))] == [sorted(row) for row in rows]


def test_phrases_know_their_words() -> None:
    words = np.array([[5, 6, -1, -1, -1, -1, -1]], np.int32)
    phrases = Phrases(words, np.zeros(1, np.uint8))
    assert phrases.ids_of(0) == [5, 6]
    assert phrases.lengths.tolist() == [2]


def test_a_paraphrase_shows_its_edits() -> None:
    edit = Edit(4, 7, 4, 9, "dog", "hound", 0.25, ("pivot",))
    result = Paraphrase("the dog <b>", "the hound <b>", -1.0, (edit,))
    assert apply_edits(result.source, result.edits) == result.text
    assert result.marked() == "the [hound] <b>"
    assert result._repr_html_() == (
        '<p>the <mark style="background:#c8f0d0;color:#000" title="dog → hound · p = 0.250 · pivot">'
        "hound</mark> &lt;b&gt;</p>"
    )
    assert result.to_dict()["edits"][0]["tables"] == ["pivot"]


def test_a_list_of_paraphrases_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    edit = Edit(4, 7, 4, 9, "dog", "hound", 0.25, ("pivot",))
    result = Paraphrase("the dog <b>", "the hound <b>", -1.0, (edit,))
    results = ParaphraseList([result, result])
    assert results == [result, result]
    assert repr(results) == "  1  1.00  the [hound] <b>\n  2  1.00  the [hound] <b>"
    unsure = replace(result, probability=0.49)
    sure = replace(result, probability=0.5)
    assert repr(ParaphraseList([unsure, sure])) == "  1  0.49? the [hound] <b>\n  2  0.50  the [hound] <b>"
    assert "<td>0.49?</td>" in ParaphraseList([unsure])._repr_html_()
    assert str(result) == "the [hound] <b>"
    page = results._repr_html_()
    assert page.count("<mark style=") == page.count("<tr>") == 2
    assert page.startswith("<p>the dog &lt;b&gt;</p>")
    assert repr(ParaphraseList()) == "[]"
    assert "no paraphrase" in ParaphraseList()._repr_html_()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;32m[hound]\x1b[0m" in repr(results)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in repr(results)
