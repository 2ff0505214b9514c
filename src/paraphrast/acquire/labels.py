"""Which lines of a page belong to the story, given a copy of the story, and how similar two texts are.

:func:`shingle_counts` follows the article extraction benchmark: runs of four words, counted with repetition; a
page's counts are divided by their sum; precision and recall are means over pages, F is of these means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.acquire.lines import Line

_WORD = re.compile(r"\w+")
SHINGLE = 4


def label_lines(lines: Sequence[Line], story: str) -> NDArray[np.int8]:
    """1 for every line that is in the story: most of its words lie on the common subsequence of page and story,
    and, where it is long enough to have them, most of its runs of four words occur in it."""
    from rapidfuzz.distance import LCSseq

    wanted = _WORD.findall(story)
    rows = [_WORD.findall(line.text) for line in lines]
    page = [word for row in rows for word in row]
    ids: dict[str, int] = {}
    numbered = [[ids.setdefault(word, len(ids)) for word in side] for side in (page, wanted)]
    on_path = np.zeros(len(page) + 1, dtype=np.int64)
    for step in LCSseq.opcodes(*numbered):
        if step.tag == "equal":
            on_path[step.src_start : step.src_end] = 1
    before = np.concatenate([[0], np.cumsum(on_path)])
    runs = {tuple(wanted[i : i + SHINGLE]) for i in range(len(wanted) - SHINGLE + 1)}
    labels = np.zeros(len(lines), dtype=np.int8)
    begin = 0
    for index, row in enumerate(rows):
        end = begin + len(row)
        if row and (before[end] - before[begin]) >= 0.6 * len(row):
            mine = [tuple(row[i : i + SHINGLE]) for i in range(len(row) - SHINGLE + 1)]
            labels[index] = not mine or sum(run in runs for run in mine) >= 0.6 * len(mine)
        begin = end
    return _without_strays(labels, rows)


def _without_strays(labels: NDArray[np.int8], rows: Sequence[Sequence[str]]) -> NDArray[np.int8]:
    """Short lines far from the rest of the story are chance matches."""
    sure = [i for i, label in enumerate(labels) if label and len(rows[i]) >= SHINGLE]
    if not sure:
        return labels
    cleaned = labels.copy()
    cleaned[: max(sure[0] - 2, 0)] = 0
    cleaned[sure[-1] + 3 :] = 0
    return cleaned


def shingle_counts(story: str, found: str) -> tuple[float, float, float]:
    """Shingles found, found in vain and missed; shares that sum to 1."""
    wanted, got = _shingles(story), _shingles(found)
    true = sum((wanted & got).values())
    extra, missed = sum((got - wanted).values()), sum((wanted - got).values())
    total = true + extra + missed
    return (true / total, extra / total, missed / total) if total else (0.0, 0.0, 0.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    if not words:
        return Counter()
    return Counter(tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1)))


def shingle_score(counts: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    """Precision, recall and F of pages, from their :func:`shingle_counts`."""
    precisions = [true / (true + extra) for true, extra, _ in counts if true + extra > 0]
    recalls = [true / (true + missed) for true, _, missed in counts if true + missed > 0]
    precision = sum(precisions) / max(len(precisions), 1)
    recall = sum(recalls) / max(len(recalls), 1)
    both = precision + recall
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / both if both else 0.0}
