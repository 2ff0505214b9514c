from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraphrast.errors import InputError
from paraphrast.text import Encoded, analyse, encode, encode_block, get_language
from paraphrast.text.encode_block import merge
from paraphrast.types import SPECIALS

# The package exports the function under the name of its module.
module = sys.modules["paraphrast.text.encode"]
ENGLISH = get_language("en")
PIECES = (
    "don't",
    "EU's",
    "10",
    "%",
    "Mr.",
    "B.",
    ".",
    "?",
    "(",
    "end.",
    "你好。",
    "\u200b",
    "12 May",
    "No.",
    "a@b.org",
)
lines_of_pieces = st.lists(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "  ", "\u00a0"]))).map(
        lambda pairs: "".join(piece + space for piece, space in pairs)
    ),
    max_size=5,
)


def same(left: Encoded, right: Encoded) -> bool:
    arrays: list[tuple[Any, Any]] = [
        (left.initial, right.initial),
        (left.begins, right.begins),
        (left.sentences.tokens, right.sentences.tokens),
        (left.sentences.starts, right.sentences.starts),
        (left.sentences.space_before, right.sentences.space_before),
        (left.sentences.char_start, right.sentences.char_start),
        (left.sentences.char_end, right.sentences.char_end),
    ]
    return left.surface == right.surface and all(np.array_equal(a, b) for a, b in arrays)


@given(lines=st.one_of(lines_of_pieces, st.lists(st.text(), max_size=4)))
def test_encode_agrees_with_analyse(lines: list[str]) -> None:
    encoded = encode(lines, ENGLISH, offsets=True)
    plain = encode(lines, ENGLISH)
    assert plain.surface == encoded.surface
    assert np.array_equal(plain.sentences.tokens, encoded.sentences.tokens)
    assert np.array_equal(plain.sentences.space_before, encoded.sentences.space_before)
    assert len(encoded.sentences) == len(lines)
    assert encoded.sentences.char_start is not None
    assert encoded.sentences.char_end is not None
    for index, line in enumerate(lines):
        analysis = analyse(line, ENGLISH)
        span = slice(*encoded.sentences.starts[index : index + 2])
        assert [encoded.surface[token] for token in encoded.sentences[index]] == analysis.words
        assert encoded.sentences.space_before[span].tolist() == analysis.space_before
        assert encoded.sentences.char_start[span].tolist() == analysis.starts
        assert encoded.sentences.char_end[span].tolist() == analysis.ends
        assert np.flatnonzero(encoded.begins[span]).tolist() == analysis.sentence_starts


def test_surface_begins_with_the_specials_then_by_first_appearance() -> None:
    encoded = encode(["b 5 a", "a c"], ENGLISH)
    assert encoded.surface == [*SPECIALS, "b", "a", "c"]
    assert encoded.sentences.tokens.tolist() == [11, 3, 12, 12, 13]


def test_initial_skips_quotes_and_numbers() -> None:
    encoded = encode(["“ 5 Men came. “Good,” she said.", "...", "Yes"], ENGLISH)
    found = [encoded.surface[token] for token in encoded.sentences.tokens[encoded.initial == 1]]
    assert found == ["Men", "Good", "Yes"]


def test_no_lines_and_empty_lines() -> None:
    assert len(encode([], ENGLISH).sentences) == 0
    encoded = encode(["", "  ", "\u200b"], ENGLISH)
    assert encoded.sentences.starts.tolist() == [0, 0, 0, 0]
    assert encoded.surface == list(SPECIALS)


@pytest.mark.parametrize("offsets", [False, True])
def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch, offsets: bool) -> None:
    lines = [f"Line {n} says w{n % 7}, don't x{n}\n or “é{n % 3}”." for n in range(50)]
    whole = encode(lines, ENGLISH, offsets=offsets)
    monkeypatch.setattr(module, "BLOCK", 8)
    assert same(whole, encode(lines, ENGLISH, offsets=offsets))
    assert same(whole, encode(lines, ENGLISH, offsets=offsets, threads=2))


def test_forgetting_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"some w{n % 5} here" for n in range(30)]
    whole = encode(lines, ENGLISH)
    monkeypatch.setattr(module, "BLOCK", 4)
    monkeypatch.setattr(encode_block, "_REMEMBERED", 2)
    assert same(whole, encode(lines, ENGLISH))


def test_merge_shares_one_surface() -> None:
    merged = merge([encode(["b a"], ENGLISH), encode(["a c"], ENGLISH)])
    assert same(merged, encode(["b a", "a c"], ENGLISH))


def test_one_string_is_refused() -> None:
    with pytest.raises(InputError, match="one string"):
        encode("no list", ENGLISH)
