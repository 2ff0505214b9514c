"""The language of a text by its script and its function words."""

from __future__ import annotations

import pytest

from paraphrast.text import identify_language

SENTENCES = {
    "en": "The committee will examine the proposal of the minister in a week, but not before.",
    "fr": "Le comité examinera la proposition du ministre dans une semaine, mais pas avant.",
    "de": "Der Ausschuss wird den Vorschlag des Ministers in einer Woche prüfen, aber nicht vorher.",
    "es": "El comité examinará la propuesta del ministro en una semana, pero no antes.",
    "it": "Il comitato esaminerà la proposta del ministro in una settimana, ma non prima di allora.",
    "zh": "委员会将在一周内审查部长的提案。",
    "ja": "委員会は一週間以内に大臣の提案を審査するでしょう。",
    "th": "คณะกรรมการจะพิจารณาข้อเสนอในหนึ่งสัปดาห์",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_tells_its_language(code: str) -> None:
    assert identify_language([SENTENCES[code]]) == code


@pytest.mark.parametrize("texts", [[], [""], ["42"], ["Zażółć gęślą jaźń natychmiast, proszę uprzejmie."]])
def test_what_tells_nothing_is_not_guessed(texts: list[str]) -> None:
    assert identify_language(texts) is None
