"""Regular expressions of the tokeniser, built from a language record and compiled once.

There are two. :func:`entity_pattern` is applied to sentences that may contain an entity (with a digit, an @, an
address) and finds what is masked. :func:`word_pattern` splits one white-space separated chunk into tokens. Repetitions
that a later part of a pattern can reject are bounded, so no text takes quadratic time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from paraphrast.text.languages.record import Language

#: Represents a combining mark in a chunk's shape, so that ``\w`` matches it.
MARK = "ˑ"
_HAN = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_SOUTH_EAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"

_SPACE = "[ \u00a0\u2009\u202f]"
_SIGN = r"(?:(?<![^\s(\[])[-+−])?"
_CURRENCY = "[$€£¥₹₽₩]"
_CURRENCY_CODE = "(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|CNY)"


def _any_of(parts: Iterable[str]) -> str:
    """An alternation of patterns, longest first; a pattern that never matches if there are none."""
    ordered = sorted(parts, key=lambda part: (-len(part), part))
    return f"(?:{'|'.join(ordered)})" if ordered else "(?!)"


def _or(patterns: Iterable[str]) -> str:
    """An alternation in the given order."""
    return f"(?:{'|'.join(patterns)})"


@cache
def entity_pattern(language: Language) -> re.Pattern[str]:
    """Groups named after the masks, and ``word`` for abbreviations that are such only before a digit."""
    number = r"\d+(?:[.,]\d+)*"
    if language.space_groups:
        number = rf"(?:\d{{1,3}}(?:{_SPACE}\d{{3}})+(?!\d)(?:[.,]\d+)?|{number})"
    month = _any_of(language.months) + r"(?!\w)"
    dates = [pattern.replace("{month}", month) for pattern in language.date_patterns]
    dates += [
        r"\d{4}-\d{2}-\d{2}",
        r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})",
        r"\d{1,2}\.\d{1,2}\.\d{4}",
        r"\d{1,2}-\d{1,2}-\d{4}",
    ]
    times = [*language.time_patterns, r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?"]
    magnitude = rf"(?:{_SPACE}?{_any_of(language.magnitudes)}(?!\w))?"
    money = [
        rf"(?:US|C|A|HK|NZ)?{_CURRENCY}{_SPACE}?{number}{magnitude}",
        rf"{_CURRENCY_CODE}{_SPACE}?{number}{magnitude}",
        rf"{number}{magnitude}{_SPACE}?{_CURRENCY}",
        rf"{number}{magnitude}{_SPACE}{_CURRENCY_CODE}",
    ]
    codes = [
        r"[A-Z]{1,4}\d{0,2}-\d{3,}(?:/\d{2,4})?",
        r"[A-Z]{2,4}\(\d{2,4}\)\s?\d+",
        r"\d{4}/\d{1,5}\([A-Z]{2,4}\)",
        r"\d{2,4}/\d{1,5}/[A-Z]{2,4}",
        r"\d{4}/\d{4}",
        r"[A-Z]{1,5}\d[A-Z\d]{0,20}(?:[-/][A-Z\d]{1,20}){0,4}",
    ]
    ordinal = f"{_any_of(language.ordinal_suffixes)}?" if language.ordinal_suffixes else ""
    numbers = [r"\d+/\d+(?!/)", number + ordinal]
    if language.ordinal_dot:
        numbers.insert(0, r"\d{1,2}\.(?=\s+[^\W\d_])")
    ends = rf"(?![^\W_{_HAN}])(?![.,]\d)"
    numeric = rf"(?<![^\W\d_]-){_SIGN}"
    case_free = _any_of(re.escape(word) for word in language.numeric_abbreviations)
    groups = [
        r"(?P<url>(?:https?|ftp)://[^\s<>\"“”«»]{0,2000}[^\s<>\"“”«».,;:!?)\]'’]"
        r"|www\.[^\s<>\"“”«»]{0,2000}[^\s<>\"“”«».,;:!?)\]'’])",
        r"(?P<email>[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})",
        rf"(?P<date>(?<![^\W\d_]-){_or(dates)}){ends}",
        rf"(?P<time>(?<![^\W\d_]-){_or(times)}){ends}",
        rf"(?P<money>{numeric}{_or(money)}){ends}",
        rf"(?P<percent>{numeric}{number}{_SPACE}?[%‰])",
        rf"(?P<code>{_or(codes)}){ends}",
        rf"(?P<number>{numeric}{_or(numbers)}){ends}",
        rf"(?P<word>(?i:{case_free})\.(?=\s*\d))",
    ]
    return re.compile(rf"(?<![^\W_{_HAN}])(?<!\d[.,])(?:{'|'.join(groups)})")


@cache
def word_pattern(language: Language, final: bool) -> re.Pattern[str]:
    """Splits a chunk's shape into tokens, which cover every character except white space.

    ``final``: the chunk ends its sentence, so the full stop after a single letter is a separate token.
    """
    apart = _HAN if language.segmented else _HAN + _SOUTH_EAST
    letter = rf"[^\W_{apart}]"
    here, ended = rf"(?<!{letter})", rf"(?!{letter})"
    joined = [re.escape(part) for part in language.suffix_clitics if not part[0].isalpha()]
    fused = [re.escape(part) for part in language.suffix_clitics if part[0].isalpha()]
    clitic = f"{_any_of(joined)}{ended}"
    abbreviations = [re.escape(part) for part in language.titles | language.abbreviations]
    dotted = r"(?:[^\W\d_]\.){2,}(?:[^\W\d_](?!\w))?|(?:[^\W\d_]\.)+[^\W\d_](?!\w)"
    initial = r"(?!)" if final else r"[^\W\d_a-zß-öø-ÿ]\.(?!\w)"
    parts = [
        rf"{here}(?i:{_any_of(map(re.escape, language.unsplit))}){ended}",
        rf"{here}(?i:{_any_of(map(re.escape, language.prefix_clitics))})(?=[^\W_])",
        rf"(?<={letter})(?i:{clitic})",
        rf"(?<={letter})(?i:{_any_of(fused)}){ended}",
        rf"{here}(?:{dotted}|(?i:{_any_of(abbreviations)})\.{ended}|{initial})",
        rf"[{apart}]{MARK}*",
        *([rf"{letter}+?(?=(?i:{_any_of(fused)}){ended})"] if fused else []),
        rf"{letter}+(?:(?!(?i:{clitic}))['\-·&](?=[^\W_]){letter}+)*",
        r"\.{2,}|-{2,}|[!?]{2,}",
        rf"[\U0001f1e6-\U0001f1ff]{{2}}|[^\s]{MARK}*[\U0001f3fb-\U0001f3ff]?{MARK}*"
        rf"(?:\u200d[^\s]{MARK}*[\U0001f3fb-\U0001f3ff]?)*",
    ]
    return re.compile("|".join(parts))
