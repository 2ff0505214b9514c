"""Language records by code."""

from __future__ import annotations

import logging
from functools import cache

from paraphrast.registry import Registry
from paraphrast.text.languages.record import Language

LANGUAGES = Registry(
    "language",
    {
        "en": "paraphrast.text.languages.english:ENGLISH",
        "de": "paraphrast.text.languages.german:GERMAN",
        "fr": "paraphrast.text.languages.french:FRENCH",
        "es": "paraphrast.text.languages.spanish:SPANISH",
        "it": "paraphrast.text.languages.italian:ITALIAN",
        "zh": "paraphrast.text.languages.unsegmented:CHINESE",
        "ja": "paraphrast.text.languages.unsegmented:JAPANESE",
        "th": "paraphrast.text.languages.unsegmented:THAI",
    },
)

#: Snowball's stemmers for languages without a record.
_SNOWBALL = {
    "da": "danish",
    "fi": "finnish",
    "hu": "hungarian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}


@cache
def get_language(code: str) -> Language:
    """The record of ``code`` (ISO 639-1, any case, a region is ignored).

    Any other code gives a record without clitics and lists, and one notice per code in the log.
    """
    short = code.lower().replace("_", "-").partition("-")[0]
    if short != code:
        return get_language(short)
    if short in LANGUAGES:
        language: Language = LANGUAGES.get(short)
        return language
    logging.getLogger("paraphrast").warning(
        "no record for language %r: tokenising by white space, letters and punctuation only", code
    )
    return Language(code=short, name=short, stemmer=_SNOWBALL.get(short, ""))
