"""Options are defined once: checks, TOML values, text values and docs rows come from the field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from paraphrast._options import (
    check,
    from_mapping,
    from_text,
    full_help,
    is_finite_number,
    nested,
    option,
    options_of,
    rows_of,
    values_of,
)
from paraphrast.errors import InputError


@dataclass(frozen=True)
class Inner:
    """The record inside."""

    size: int = option(3, help="Size of it.", minimum=1, maximum=7)
    share: float = option(0.5, help="Share of it.", above=0, maximum=1, name="part")

    def __post_init__(self) -> None:
        check(self)
        if self.size == 2 and self.share == 1:
            raise InputError("size 2 has no whole share", remedy="change one of them")


@dataclass(frozen=True)
class Outer:
    """The record outside."""

    method: str = option("plain", help="How.", choices=("plain", "fancy"))
    inner: Inner = nested(Inner)
    words: tuple[str, ...] = option((), help="Words.")
    limit: int | None = option(None, help="Limit.", minimum=0)
    weights: Mapping[str, float] = option({}, help="Weights.")
    secret: bool = option(False, help="Not for files.", toml=False)
    plain: int = 9

    def __post_init__(self) -> None:
        check(self)


def test_nested_options_are_options_of_the_outer_record() -> None:
    assert [entry.name for entry in options_of(Outer)] == [
        "method", "size", "part", "words", "limit", "weights", "secret",
    ]  # fmt: skip
    record = from_mapping(Outer, {"part": 1, "words": ["a"], "weights": {"de": 2}})
    assert (record.inner, record.words, record.weights) == (Inner(share=1), ("a",), {"de": 2})
    assert values_of(record)["part"] == 1
    assert "plain" not in values_of(record)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sice": 3}, "[room]: unknown option 'sice'"),
        ({"plain": 3}, "unknown option 'plain'"),
        ({"secret": True}, "unknown option 'secret'"),
        ({"size": "x"}, "[room] size: expected a whole number from 1 to 7, got 'x'"),
        ({"size": True}, "expected a whole number"),
        ({"size": 8}, "from 1 to 7, got 8"),
        ({"part": 0}, "[room] part: expected a number above 0 and up to 1, got 0"),
        ({"words": "en,de"}, "[room] words: expected a list of texts, got 'en,de'"),
        ({"words": [1]}, "a list of texts, got (1,)"),
        ({"method": "odd"}, "expected plain or fancy, got 'odd'"),
        ({"weights": {"de": "x"}}, "a table of names and numbers"),
        ({"limit": -1}, "a whole number from 0, got -1"),
        ({"size": 2, "part": 1}, "[room]: size 2 has no whole share\n  change one of them"),
        (3, "[room]: expected a table of options, got 3"),
    ],
)
def test_a_wrong_value_is_reported_with_its_place(values: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        from_mapping(Outer, values, place="[room]", where="file.toml")
    assert str(error.value).startswith("file.toml: ")
    assert message in str(error.value)


def test_a_record_made_in_python_is_checked_too() -> None:
    with pytest.raises(InputError, match="size: expected a whole number from 1 to 7, got 0"):
        Inner(size=0)
    with pytest.raises(InputError, match="words: expected a list of texts"):
        Outer(words="ab")  # type: ignore[arg-type]


def test_texts_become_values() -> None:
    entries = {entry.name: entry for entry in options_of(Outer)}
    assert from_text(entries["size"], "4") == 4
    assert from_text(entries["part"], "0.25") == 0.25
    assert from_text(entries["secret"], "yes") is True
    assert from_text(entries["limit"], "7") == 7
    with pytest.raises(InputError, match="size: expected a whole number from 1 to 7, got 'many'"):
        from_text(entries["size"], "many")


def test_rows_for_the_docs() -> None:
    rows = {name: (default, text) for name, default, text in rows_of(Outer)}
    assert rows["method"] == ('"plain"', "How. One of: plain, fancy.")
    assert rows["limit"][0] == "unset"
    assert rows["weights"][0] == "{}"
    assert "secret" not in rows
    assert full_help(options_of(Outer)[0]).endswith("fancy.")


def test_two_options_of_one_name_are_refused() -> None:
    @dataclass(frozen=True)
    class Twice:
        size: int = option(1, help="Size.")
        inner: Inner = nested(Inner)

    Twice.__annotations__.update(size=int, inner=Inner)
    with pytest.raises(TypeError, match="one name"):
        options_of(Twice)


def test_numbers_beyond_floats_are_no_numbers() -> None:
    assert is_finite_number(3)
    assert is_finite_number(-0.5)
    assert not any(map(is_finite_number, (True, "1", None, math.nan, math.inf, 10**400)))
