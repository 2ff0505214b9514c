"""What ``import paraphrast`` offers."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import paraphrast
from paraphrast.model.control import Control, ControlOptions

SENTENCE = "The committee will examine the proposal tomorrow."


def test_the_door_is_small_and_every_name_is_there() -> None:
    assert len(paraphrast.__all__) <= 25
    for name in paraphrast.__all__:
        assert getattr(paraphrast, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        paraphrast.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_names_in_public_signatures_are_importable() -> None:
    """Every class of ours in the signature of a public function stands at the door."""
    for name in paraphrast.__all__:
        value = getattr(paraphrast, name)
        if not inspect.isfunction(value):
            continue
        words = {
            word
            for annotation in value.__annotations__.values()
            for word in re.findall(r"[A-Z]\w+", str(annotation))
        }
        known = {
            "Path",
            "Sequence",
            "Iterable",
            "Iterator",
            "Mapping",
            "Any",
            "None",
            "Unpack",
            "Texts",
            "Config",
        }
        assert words - known <= set(paraphrast.__all__), name


def test_control_options_are_the_fields_of_control() -> None:
    assert list(ControlOptions.__annotations__) == list(Control.__dataclass_fields__)
    assert ControlOptions.__total__ is False


def test_paraphrase_takes_a_text_or_many(toy_model: Path) -> None:
    results = paraphrast.paraphrase(SENTENCE, model=toy_model, n=2, strength=1)
    assert len(results) == 2
    assert results == paraphrast.load(toy_model).paraphrase(SENTENCE, n=2, strength=1)
    seen: list[str] = []

    def texts() -> object:
        for text in [SENTENCE] * 600:
            seen.append(text)
            yield text

    stream = paraphrast.paraphrase(texts(), model=toy_model, n=2, strength=1)  # type: ignore[call-overload]
    assert seen == []
    assert next(stream) == results
    assert 0 < len(seen) < 600
    assert list(paraphrast.paraphrase([SENTENCE], model=paraphrast.load(toy_model), n=2, strength=1)) == [
        results
    ]


def test_align_words() -> None:
    assert paraphrast.align_words(["a b"], ["x y"], pretokenized=True) == [[(0, 0), (1, 1)]]
    assert inspect.ismodule(__import__("paraphrast.align").align)
    assert not callable(__import__("paraphrast.align").align)
