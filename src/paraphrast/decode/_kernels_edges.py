"""The edges of a batch: which options may replace which tokens of each item, and their scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inner_inline_kernel, inner_kernel, kernel
from paraphrast.decode._kernels_scratch import grown_scores, grown_words, wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import EdgeRows, Items, Limits, Scoring

MAX_SPAN = 7
_FIRST_ROWS = 1024


@inner_inline_kernel
def find_child(word: NDArray[np.int32], begin: int, end: int, wanted: int) -> int:
    """The trie node among ``begin … end`` (sorted by word) whose word is ``wanted``, or −1."""
    low, high = begin, end
    while low < high:
        middle = (low + high) >> 1
        if word[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < end and word[low] == wanted:
        return low
    return -1


@inner_inline_kernel
def _allowed(options: OptionArrays, option: int, category: int, limits: Limits) -> bool:
    """Whether an option may replace a span of ``category`` (0 if unknown)."""
    if float(options.log_prob[option]) < limits.min_log_prob:
        return False
    if (wide(options.veto[option]) & limits.veto_mask) != 0:
        return False
    if (wide(options.tables[option]) & limits.table_mask) == 0:
        return False
    if limits.keep_masks and options.masks_kept[option] == 0:
        return False
    if len(limits.banned) > 0 and limits.banned[option] != 0:
        return False
    mask = wide(options.category_mask[option])
    return category == 0 or mask == 0 or ((mask >> category) & 1) == 1


@inner_inline_kernel
def _option_score(options: OptionArrays, option: int, scoring: Scoring) -> float:
    """The score of an option without the language model: features, edit counts, words."""
    score = scoring.edit
    for feature in range(len(scoring.features)):
        score += scoring.features[feature] * options.features[option, feature]
    for table in range(len(scoring.table_edits)):
        if (wide(options.tables[option]) >> table) & 1 == 1:
            score += scoring.table_edits[table]
    for _ in range(options.word_begin[option], options.word_begin[option + 1]):
        score += scoring.word
    return score


@inner_kernel
def _grown(rows: EdgeRows, count: int, room: int) -> EdgeRows:
    """The rows with room for ``room`` more than ``count``."""
    size = 2 * len(rows.option) + room
    return EdgeRows(
        rows.begin,
        grown_words(rows.start, count, size),
        grown_words(rows.end, count, size),
        grown_words(rows.option, count, size),
        grown_scores(rows.score, count, size),
    )


@kernel
def list_edges(
    options: OptionArrays, items: Items, first_item: int, last_item: int, scoring: Scoring, limits: Limits
) -> EdgeRows:
    """The options that may be used in items ``first_item … last_item`` (Quirk et al. 2004, §3.4)."""
    rows = EdgeRows(
        np.zeros(last_item - first_item + 1, dtype=np.int64),
        np.empty(_FIRST_ROWS, dtype=np.int32),
        np.empty(_FIRST_ROWS, dtype=np.int32),
        np.empty(_FIRST_ROWS, dtype=np.int32),
        np.empty(_FIRST_ROWS, dtype=np.float64),
    )
    count = 0
    for item in range(first_item, last_item):
        begin, item_end = items.starts[item], items.starts[item + 1]
        for start in range(begin, item_end):
            node = 0
            for last in range(start, min(item_end, start + MAX_SPAN)):
                token = items.tokens[last]
                if items.protected[last] != 0 or token <= 0 or (last > start and items.breaks[last] != 0):
                    break
                node = find_child(
                    options.word, options.child_begin[node], options.child_begin[node + 1], token
                )
                if node < 0:
                    break
                first, stop = options.option_begin[node], options.option_begin[node + 1]
                if count + stop - first > len(rows.option):
                    rows = _grown(rows, count, stop - first)
                category = wide(0)
                if len(items.span_category) > 0:
                    category = wide(items.span_category[start, last - start])
                for option in range(first, stop):
                    if _allowed(options, option, category, limits):
                        rows.start[count] = start - begin
                        rows.end[count] = last + 1 - begin
                        rows.option[count] = option
                        rows.score[count] = _option_score(options, option, scoring)
                        count += 1
        rows.begin[item - first_item + 1] = count
    return EdgeRows(
        rows.begin,
        rows.start[:count],
        rows.end[:count],
        rows.option[:count],
        rows.score[:count],
    )
