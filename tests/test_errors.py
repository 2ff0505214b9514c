"""A message says what, where and what to do."""

from __future__ import annotations

from paraphrast.errors import At, FormatError, InputError, MissingExtra, ParaphrastError


def test_messages_have_place_and_remedy() -> None:
    error = FormatError("expected two columns, got 1", where=At("a.tsv", 7), remedy="mend it")
    assert str(error) == "a.tsv:7: expected two columns, got 1\n  mend it"
    assert isinstance(error, InputError)
    assert isinstance(error, ParaphrastError)
    assert str(ParaphrastError("nothing more to say")) == "nothing more to say"


def test_a_missing_extra_says_how_to_get_it() -> None:
    assert "pip install 'paraphrast[spark]'" in str(MissingExtra("the Spark engine", "spark"))
    with_data = str(MissingExtra("the encoder", "precise", ["ctranslate2"], ["minilm-en"]))
    assert with_data.endswith("pip install 'paraphrast[precise]' && paraphrast data get minilm-en")
