"""Texts as users have them: tables are refused with the column to pass, missing values with their row."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

import paraphrast
from paraphrast.errors import InputError
from paraphrast.model.texts import check_texts, checked_texts


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one", "got one"),
        (3, "expected several texts, got int"),
        ({"text": ["a"], "label": [1]}, "data['text']"),
        (SimpleNamespace(columns=["id", "body"]), "id, body\n  pass the column that has the texts, for example data["),
        (SimpleNamespace(column_names=["id", "sentence"]), "data['sentence']"),
        (SimpleNamespace(column_names={"train": ["text", "n"], "test": ["text", "n"]}), "columns text, n"),
    ],
)  # fmt: skip
def test_what_is_no_column_is_refused(texts: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        check_texts(texts)
    assert message in str(error.value)


@pytest.mark.parametrize("texts", [[], ["a"], iter(["a"]), ("a",), {"a"}])
def test_iterables_of_texts_pass(texts: object) -> None:
    check_texts(texts)


@pytest.mark.parametrize(
    ("value", "message"),
    [(None, "a missing value (None)"), (math.nan, "a missing value (nan)"), (7, "int '7'"), (b"a", "bytes")],
)
def test_what_is_no_text_names_its_row(value: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        list(checked_texts(["a", "b", value]))
    assert str(error.value).startswith("row 2: expected a text, got")
    assert message in str(error.value)


def test_the_model_checks_its_texts(toy_model: Path) -> None:
    model = paraphrast.load(toy_model)
    with pytest.raises(InputError, match="column of texts"):
        model.paraphrase_many({"text": ["a"]})
    with pytest.raises(InputError, match="row 1"):
        list(model.paraphrase_many(["a", None]))  # type: ignore[list-item]
