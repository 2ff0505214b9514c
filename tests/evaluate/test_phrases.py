"""MEP by hand; blank files hide the tables and repeat by seed."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.evaluate.options import BlankOptions, BootstrapOptions
from paraphrast.evaluate.phrases import blank_pairs, choose_phrases, expected_precision, is_part

FEW = BootstrapOptions(samples=50)


def test_parts_are_runs_of_whole_words() -> None:
    assert is_part("look at", "Look at it")
    assert is_part("the big house", "big")
    assert is_part("same", "same")
    assert not is_part("the big house", "the house")
    assert not is_part("art", "party")


def test_mep_by_hand() -> None:
    table = {"p": ["a", "b", "p q"], "q": ["c"]}
    labels = {("p", "a"): [2, 1], ("p", "b"): [0, 2], ("p", "p q"): [2, 2], ("q", "zzz"): [2]}
    found = expected_precision(table, ["p", "q"], labels, FEW, ranks=(1, 2, 4))
    # p: lenient 1, .5, 0 (a part), nothing; strict .5, .5. q: c has no label.
    assert found.values["lenient"] == {1: 0.5, 2: pytest.approx(0.375), 4: pytest.approx(1.5 / 4 / 2)}
    assert found.values["strict"] == {1: 0.25, 2: pytest.approx(0.25), 4: pytest.approx(1.0 / 4 / 2)}
    assert (found.phrases, found.pairs, found.labelled) == (2, 4, 3)
    interval = found.intervals["lenient"][1]
    assert interval is not None
    assert interval.low <= 0.5 <= interval.high
    assert found.to_dict()["lenient"] == {"1": 0.5, "2": 0.375, "4": 0.1875}


TABLES = {
    "pivot": {f"w{n}": [f"x{n}", f"y{n}", f"w{n} more"] for n in range(9)}
    | {f"two w{n}": [f"z{n}"] for n in range(5)},
    "graph": {f"w{n}": [f"y{n}", f"v{n}"] for n in range(2, 9)} | {f"two w{n}": [f"z{n}"] for n in range(5)},
}


def test_phrases_are_chosen_evenly_by_seed() -> None:
    options = BlankOptions(phrases=3, lengths=(1, 2))
    chosen = choose_phrases(TABLES, options)
    assert [len(phrase.split()) for phrase in chosen] == [1, 1, 1, 2, 2, 2]
    assert not {"w0", "w1"} & set(chosen)
    assert choose_phrases(TABLES, options) == chosen
    assert choose_phrases(TABLES, BlankOptions(phrases=3, lengths=(1, 2), seed=9)) != chosen
    with pytest.raises(InputError, match="of 3 words"):
        choose_phrases(TABLES, BlankOptions(phrases=1, lengths=(3,)))
    with pytest.raises(InputError, match="at least one table"):
        choose_phrases({})


def test_blank_pairs_merge_the_tables_and_leave_parts_out() -> None:
    phrases = choose_phrases(TABLES, BlankOptions(phrases=4, lengths=(1,)))
    pairs = blank_pairs(TABLES, phrases)
    assert len(pairs) == len(set(pairs)) == 12
    assert {text[0] for _, text in pairs} == {"x", "y", "v"}
    assert blank_pairs(TABLES, phrases) == pairs
    # Unmarked: paraphrases of a phrase stand in no table's order.
    orders = {tuple(text[0] for phrase, text in pairs if phrase == one) for one in phrases}
    assert len(orders) > 1


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="from 1"):
        BlankOptions(phrases=0)
    with pytest.raises(InputError, match="one phrase"):
        expected_precision({}, [], {})
