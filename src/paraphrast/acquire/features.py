"""Lines → features: density of text and links, tags, punctuation, position, stop words.

Every feature is the number of a bin, so that one table of log-odds per feature can be used by the hidden Markov model,
naive Bayes, the perceptron and logistic regression.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.lines import Line
from paraphrast.text.languages.registry import LANGUAGES, get_language

#: Feature → number of bins.
BINS: dict[str, int] = {
    "words": 10,
    "link density": 6,
    "tag": 10,
    "ends": 5,
    "punctuation": 5,
    "stop words": 6,
    "capitals": 6,
    "position": 8,
    "group words": 8,
    "group share": 8,
    "group links": 6,
    "inside": 12,
    "names": 8,
    "near names": 8,
    "words before": 8,
    "words after": 8,
    "links around": 6,
    "emphasis": 4,
    "digits": 4,
    "phrase": 9,
    "hidden": 2,
    "repeated": 3,
    "heading distance": 7,
    "length and tag": 40,
    "other extractor": 8,
    "other around": 9,
}
NAMES = tuple(BINS)
#: Where the bins of each feature begin in one row of weights.
STARTS = np.concatenate([[0], np.cumsum(list(BINS.values()))]).astype(np.int64)
#: The features that exist only if another extractor was used too.
OTHER = ("other extractor", "other around")

_WORD = re.compile(r"\w+")
_TAGS = {"p": 0, "li": 1, "h1": 2, "h2": 3, "h3": 3, "h4": 4, "h5": 4, "h6": 4, "td": 5, "th": 5, "blockquote": 6,
         "div": 7, "figcaption": 8}  # fmt: skip
_INSIDE = (
    "nav",
    "footer",
    "aside",
    "figcaption",
    "figure",
    "form",
    "header",
    "table",
    "li",
    "article",
    "main",
)
_GOOD = re.compile(r"article|story|entry|post|content|body|text|main")
_BODY = re.compile(
    r"(article|story|entry|post|content|main)[-_]*(body|text|content|copy|main)|articlebody|paragraph"
)
_BAD = re.compile(
    r"comment|foot|nav|menu|share|social|relat|promo|side|widget|subscri|newsletter|cookie|banner|sponsor|advert"
    r"|\bads?\b|popup|modal|recommend|popular|trend|taboola|outbrain|disqus|breadcrumb|login|copyright|legal|tags?\b"
)
_ABOUT = re.compile(
    r"byline|author|\bdate\b|time|meta|credit|caption|title|headline|kicker|summary|dek\b|subtitle|lede"
)
_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"©|copyright|all rights reserved",
        r"^(read|see|watch|click|learn|find)\b.{0,20}\b(more|also|here|now|full)\b"
        r"|^(related|more|also|read)\b.{0,30}:",
        r"\b(sign up|subscribe|newsletter|log in|follow (us|him|her|me)|e-?mail address|privacy policy|cookies?)\b",
        r"^(by|photo|image|credit|source|published|updated|posted|written|last modified|getty|file photo)\b",
        r"\b(getty|reuters|ap photo|shutterstock|afp|associated press)\b.{0,30}$|\((image|photo|pic|credit)",
        r"\b(comments?|replies|reply|share|tweet|facebook|twitter|whatsapp|pinterest|print)\b",
        r"\b(19|20)\d\d\b.{0,25}\d{1,2}[:.]\d\d|\d{1,2}[:.]\d\d\s?(am|pm|et|gmt|est)\b"
        r"|\b\d+ (hours?|days?|minutes?) ago",
        r"\b(tel|phone|fax|contact|e-?mail)\b\s*[:.]|\S@\S+\.\S",
    )
)


def _stop_words() -> frozenset[str]:
    """Function words of all known languages."""
    stop_words: set[str] = set()
    for code in LANGUAGES:
        stop_words |= get_language(code).function_words
    return frozenset(stop_words)


_STOP: frozenset[str] = frozenset()


def _bin(value: float, edges: Sequence[float]) -> int:
    return sum(value >= edge for edge in edges)


_WORDS = (2, 4, 7, 11, 16, 23, 35, 60, 100)
_SHARE = (0.001, 0.1, 0.3, 0.6, 0.9)
_GROUP = (5, 20, 50, 100, 200, 400, 800)


def line_features(lines: Sequence[Line], other: str | None = None) -> NDArray[np.int32]:
    """Bins of all features, [lines, features]. ``other``: the text from another extractor."""
    global _STOP
    if not _STOP:
        _STOP = _stop_words()
    count = len(lines)
    table = np.zeros((count, len(NAMES)), dtype=np.int32)
    if not count:
        return table
    column = {name: table[:, index] for index, name in enumerate(NAMES)}
    tokens = [_WORD.findall(line.text) for line in lines]
    words = np.array([len(row) for row in tokens], dtype=np.float64)
    chars = np.array([max(len(line.text) - line.text.count(" "), 1) for line in lines], dtype=np.float64)
    linked = np.minimum(np.array([line.linked for line in lines]) / chars, 1.0)
    group_words: Counter[int] = Counter()
    group_linked: Counter[int] = Counter()
    group_chars: Counter[int] = Counter()
    seen: Counter[str] = Counter()
    for index, line in enumerate(lines):
        prose = words[index] * (1 - linked[index]) * (words[index] >= 5)
        group_words[line.group] += int(prose)
        group_linked[line.group] += min(line.linked, int(chars[index]))
        group_chars[line.group] += int(chars[index])
        seen[line.text] += 1
    total = max(sum(group_words.values()), 1)
    cumulated = np.cumsum(words)
    heading = next((i for i, line in enumerate(lines) if line.tag == "h1"), -1)
    for i, line in enumerate(lines):
        row, size = tokens[i], max(len(tokens[i]), 1)
        column["words"][i] = _bin(words[i], _WORDS)
        column["link density"][i] = _bin(linked[i], _SHARE)
        tag = _TAGS.get(line.tag, 9)
        column["tag"][i] = tag
        column["ends"][i] = _ending(line.text)
        marks = sum(map(line.text.count, ",;.!?"))
        column["punctuation"][i] = _bin(marks / size, (0.001, 0.05, 0.1, 0.2))
        column["stop words"][i] = _bin(
            sum(word.lower() in _STOP for word in row) / size, (0.001, 0.15, 0.25, 0.35, 0.5)
        )
        column["capitals"][i] = _bin(
            sum(word[0].isupper() for word in row) / size, (0.001, 0.1, 0.2, 0.4, 0.8)
        )
        column["position"][i] = min(int(8 * (cumulated[i] - words[i]) / max(cumulated[-1], 1)), 7)
        words_in_group = group_words[line.group]
        column["group words"][i] = _bin(words_in_group, _GROUP)
        column["group share"][i] = _bin(words_in_group / total, (0.01, 0.03, 0.08, 0.15, 0.3, 0.5, 0.7))
        column["group links"][i] = _bin(group_linked[line.group] / max(group_chars[line.group], 1), _SHARE)
        column["inside"][i] = next((k for k, name in enumerate(_INSIDE) if name in line.tags), 11)
        column["names"][i] = _names(line.names)
        column["near names"][i] = _names(line.near)
        column["emphasis"][i] = _bin(line.emphasis / chars[i], (0.001, 0.5, 0.95))
        column["digits"][i] = _bin(sum(map(str.isdigit, line.text)) / chars[i], (0.001, 0.05, 0.2))
        column["phrase"][i] = next((k for k, what in enumerate(_PHRASES) if what.search(line.text)), 8)
        column["hidden"][i] = line.hidden
        column["repeated"][i] = min(seen[line.text] - 1, 2)
        column["heading distance"][i] = (
            6 if heading < 0 else 0 if i < heading else _bin(i - heading, (1, 2, 6, 16, 60))
        )
        column["length and tag"][i] = tag * 4 + _bin(words[i], (6, 14, 30))
    _neighbours(column, words, linked)
    if other is not None:
        _others(column, tokens, other)
    return table


def _ending(text: str) -> int:
    last = text.rstrip("\"'”’»)] ")[-1:]
    return {".": 0, "!": 1, "?": 1, ":": 2, "…": 3}.get(last, 4)


def _names(names: str) -> int:
    return 4 * bool(_BAD.search(names)) + (
        3 if _BODY.search(names) else 2 if _ABOUT.search(names) else 1 if _GOOD.search(names) else 0
    )


def _neighbours(
    column: dict[str, NDArray[np.int32]], words: NDArray[np.float64], linked: NDArray[np.float64]
) -> None:
    """Number of words of prose before and after, and links around."""
    prose = words * (1 - linked)
    before = np.concatenate([[0.0], prose[:-1]])
    after = np.concatenate([prose[1:], [0.0]])
    around = (np.concatenate([[1.0], linked[:-1]]) + np.concatenate([linked[1:], [1.0]])) / 2
    edges = (1, 3, 7, 12, 20, 40, 80)
    for i in range(len(words)):
        column["words before"][i] = _bin(before[i], edges)
        column["words after"][i] = _bin(after[i], edges)
        column["links around"][i] = _bin(around[i], _SHARE)


def _others(column: dict[str, NDArray[np.int32]], tokens: Sequence[Sequence[str]], other: str) -> None:
    """How much of a line the other extractor kept: by its runs of three words, or as a whole for a short line."""
    other_words = _WORD.findall(other)
    runs = set(zip(other_words, other_words[1:], other_words[2:], strict=False))
    two, one = set(pairwise(other_words)), set(other_words)
    shares = np.zeros(len(tokens))
    for i, row in enumerate(tokens):
        if len(row) >= 3:
            line_runs = list(zip(row, row[1:], row[2:], strict=False))
            shares[i] = sum(run in runs for run in line_runs) / len(line_runs)
        elif len(row) == 2:
            shares[i] = 0.9 * ((row[0], row[1]) in two)
        elif row:
            shares[i] = 0.4 * (row[0] in one)
    state = np.where(shares >= 0.7, 2, np.where(shares >= 0.3, 1, 0))
    for i, row in enumerate(tokens):
        short = len(row) < 5
        column["other extractor"][i] = state[i] + 4 * short if len(other_words) else 3 + 4 * short
        before = state[i - 1] if i else 0
        after = state[i + 1] if i + 1 < len(tokens) else 0
        column["other around"][i] = before * 3 + after
