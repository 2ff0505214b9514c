"""Which lines of a page belong to the story, given a copy of the story, and similarity of two texts.

:func:`shingle_counts` follows the article extraction benchmark: runs of four words, counted with repetition; the counts
of a page are divided by their sum; precision and recall are means over pages, and F is computed from these means.
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
    """1 for every line in the story: most of its words are on the common subsequence of page and story and, if it is
    long enough, most of its runs of four words occur in the story."""
    from rapidfuzz.distance import LCSseq

    story_words = _WORD.findall(story)
    rows = [_WORD.findall(line.text) for line in lines]
    page = [word for row in rows for word in row]
    ids: dict[str, int] = {}
    numbered = [[ids.setdefault(word, len(ids)) for word in side] for side in (page, story_words)]
    on_path = np.zeros(len(page) + 1, dtype=np.int64)
    for step in LCSseq.opcodes(*numbered):
        if step.tag == "equal":
            on_path[step.src_start : step.src_end] = 1
    before = np.concatenate([[0], np.cumsum(on_path)])
    runs = {tuple(story_words[i : i + SHINGLE]) for i in range(len(story_words) - SHINGLE + 1)}
    labels = np.zeros(len(lines), dtype=np.int8)
    begin = 0
    for index, row in enumerate(rows):
        end = begin + len(row)
        if row and (before[end] - before[begin]) >= 0.6 * len(row):
            line_shingles = [tuple(row[i : i + SHINGLE]) for i in range(len(row) - SHINGLE + 1)]
            labels[index] = not line_shingles or sum(run in runs for run in line_shingles) >= 0.6 * len(
                line_shingles
            )
        begin = end
    return _without_strays(labels, rows)


def _without_strays(labels: NDArray[np.int8], rows: Sequence[Sequence[str]]) -> NDArray[np.int8]:
    """Remove short lines far from the rest of the story, which match by chance."""
    sure = [i for i, label in enumerate(labels) if label and len(rows[i]) >= SHINGLE]
    if not sure:
        return labels
    cleaned = labels.copy()
    cleaned[: max(sure[0] - 2, 0)] = 0
    cleaned[sure[-1] + 3 :] = 0
    return cleaned


def shingle_counts(story: str, found: str) -> tuple[float, float, float]:
    """Correct, wrong and missed shingles, as shares that sum to 1."""
    story_shingles, found_shingles = _shingles(story), _shingles(found)
    true = sum((story_shingles & found_shingles).values())
    extra, missed = (
        sum((found_shingles - story_shingles).values()),
        sum((story_shingles - found_shingles).values()),
    )
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
