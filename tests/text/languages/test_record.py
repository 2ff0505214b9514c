from __future__ import annotations

import logging

import pytest

from paraphrast.text import LANGUAGES, get_language


def test_an_unknown_code_gets_a_record_and_one_notice(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="paraphrast"):
        language = get_language("qy")
        assert get_language("qy") is language
        assert get_language("QY-yy") is language
    assert language.code == "qy"
    assert language.segmented
    assert [record.name for record in caplog.records] == ["paraphrast"]


def test_region_and_case_are_ignored() -> None:
    assert get_language("en_GB") is get_language("EN") is get_language("en")


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_records_keep_their_conventions(code: str) -> None:
    language = get_language(code)
    assert language.code == code
    assert language.segmented == (code not in ("zh", "ja", "th"))
    for listed in (language.function_words, language.negations, language.number_words, language.titles):
        assert all(word == word.lower() and "’" not in word for word in listed)
    assert all(not word.endswith(".") for word in language.titles | language.abbreviations)
    assert language.articles <= language.function_words
    if language.function_words:
        assert language.negations <= language.function_words
    assert all(clitic.endswith("'") for clitic in language.prefix_clitics)


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "it"])
def test_the_five_have_full_records(code: str) -> None:
    language = get_language(code)
    assert len(language.function_words) > 150
    assert len(language.number_words) > 40
    assert len(language.negations) > 10
    assert len(language.months) >= 12
