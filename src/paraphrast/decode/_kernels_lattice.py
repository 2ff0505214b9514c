"""An item's lattice: for every position, its identity edge and the options that begin there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.decode._kernels_scratch import grown_hashes, grown_rows, grown_scores, grown_words, wide
from paraphrast.decode.arrays import OptionArrays
from paraphrast.decode.scoring import EdgeScores, Limits, Scoring

# Columns of the edge array. An edge of two swapped phrases has its option and the second one's (−1 for words
# that are kept) and the place between them, E_SPLIT, which is −1 for all other edges. Its words are
# E_LENGTH of the word array from E_WORDS on. E_BITS: demands met, and above them tables with a minimum.
E_START, E_END, E_OPTION, E_SECOND, E_SPLIT, E_BITS, E_WORDS, E_LENGTH, E_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7, 8
_MAX_SPAN = 7
_HASH_FACTOR = np.uint64(0xD1342543DE82EF95)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inline_kernel
def hash_word(word: int) -> np.uint64:
    """A word's 64 bits in the hash of an output, Σ_i hash(w_i) · factor^(length − i)."""
    mixed = (np.uint64(word) + np.uint64(1)) * _MIX
    return mixed ^ (mixed >> _SHIFT)


@kernel
def hash_words(
    words: NDArray[np.int32], begin: int, length: int, edge_hash: NDArray[np.uint64], edge: int
) -> None:
    """Enter the factor and the addend that an edge's words apply to the output's hash."""
    factor, addend = np.uint64(1), np.uint64(0)
    for at in range(begin, begin + length):
        factor *= _HASH_FACTOR
        addend = addend * _HASH_FACTOR + hash_word(words[at])
    edge_hash[edge, 0] = factor
    edge_hash[edge, 1] = addend


@inline_kernel
def find_edge(word: NDArray[np.int32], begin: int, end: int, wanted: int) -> int:
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


@inline_kernel
def _allowed(options: OptionArrays, option: int, category: int, limits: Limits) -> bool:
    """Whether an option may be used on a span of ``category`` (0 unknown)."""
    if options.log_prob[option] < limits.min_log_prob or (options.veto[option] & limits.veto_mask) != 0:
        return False
    if (wide(options.tables[option]) & limits.table_mask) == 0:
        return False
    if limits.keep_masks and options.masks_kept[option] == 0:
        return False
    if len(limits.banned) > 0 and limits.banned[option] != 0:
        return False
    mask = wide(options.category_mask[option])
    return category == 0 or mask == 0 or ((mask >> category) & 1) == 1


@kernel
def _option_score(options: OptionArrays, option: int, scoring: Scoring) -> float:
    """An option's part of the score but for the language model: features, edit counts, words."""
    score = scoring.edit
    for feature in range(len(scoring.features)):
        score += scoring.features[feature] * options.features[option, feature]
    for table in range(len(scoring.table_edits)):
        if (wide(options.tables[option]) >> table) & 1 == 1:
            score += scoring.table_edits[table]
    for _ in range(options.word_begin[option], options.word_begin[option + 1]):
        score += scoring.word
    return score


@kernel
def _option_bits(options: OptionArrays, option: int, scoring: Scoring, limits: Limits) -> int:
    """The demands an option meets, and the tables with a minimum that it is from."""
    bits = wide(limits.must_bits[option]) if len(limits.must_bits) > 0 else wide(0)
    for index in range(len(scoring.first_table)):
        if (wide(options.tables[option]) >> wide(scoring.first_table[index])) & 1 == 1:
            bits |= wide(1) << wide(limits.must_count + index)
    return int(bits)


@kernel
def fill_edges(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    span_category: NDArray[np.uint8],
    scoring: Scoring,
    limits: Limits,
    extra: EdgeScores,
    item: int,
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    edge_hash: NDArray[np.uint64],
    words: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.uint64], NDArray[np.int32]]:
    """Edges of one item, by start; the identity edge (option −1) first (Quirk et al. 2004, §3.4).

    tokens … span_category: the item's own. edge_begin: int64[len + 1], filled. The edge arrays are scratch,
    returned because they may have grown: edges int32[·, 8], edge_score float64[·] (all of the model but the
    language model and minima), edge_hash uint64[·, 2] (factor and addend an edge applies to the output's hash),
    words int32[·] (what the edges are labelled with).
    """
    count, used, outside = 0, 0, 0
    size = len(tokens)
    for start in range(size):
        edge_begin[start] = count
        if count == len(edges):
            edges = grown_rows(edges, count, 2 * count)
            edge_score = grown_scores(edge_score, count, 2 * count)
            edge_hash = grown_hashes(edge_hash, count, 2 * count)
        if used == len(words):
            words = grown_words(words, used, 2 * used)
        edges[count, E_START] = start
        edges[count, E_END] = start + 1
        edges[count, E_OPTION] = -1
        edges[count, E_SECOND] = -1
        edges[count, E_SPLIT] = -1
        edges[count, E_BITS] = 0
        edges[count, E_WORDS] = used
        edges[count, E_LENGTH] = 1
        edge_score[count] = scoring.identity + scoring.word
        words[used] = tokens[start]
        hash_words(words, used, 1, edge_hash, count)
        used += 1
        count += 1
        node = 0
        for end in range(start + 1, min(size, start + _MAX_SPAN) + 1):
            last = end - 1
            if protected[last] != 0 or tokens[last] <= 0 or (last > start and breaks[last] != 0):
                break
            node = find_edge(
                options.word, options.child_begin[node], options.child_begin[node + 1], tokens[last]
            )
            if node < 0:
                break
            first, stop = options.option_begin[node], options.option_begin[node + 1]
            if count + stop - first > len(edges):
                larger = 2 * len(edges) + stop - first
                edges = grown_rows(edges, count, larger)
                edge_score = grown_scores(edge_score, count, larger)
                edge_hash = grown_hashes(edge_hash, count, larger)
            if used + _MAX_SPAN * (stop - first) > len(words):
                words = grown_words(words, used, 2 * len(words) + _MAX_SPAN * (stop - first))
            category = wide(span_category[start, last - start]) if len(span_category) > 0 else wide(0)
            for option in range(first, stop):
                if not _allowed(options, option, category, limits):
                    continue
                score = _option_score(options, option, scoring)
                if len(extra.begin) > 0:
                    score += extra.score[extra.begin[item] + outside]
                outside += 1
                length = options.word_begin[option + 1] - options.word_begin[option]
                for offset in range(length):
                    words[used + offset] = options.target_words[options.word_begin[option] + offset]
                edges[count, E_START] = start
                edges[count, E_END] = end
                edges[count, E_OPTION] = option
                edges[count, E_SECOND] = -1
                edges[count, E_SPLIT] = -1
                edges[count, E_BITS] = _option_bits(options, option, scoring, limits)
                edges[count, E_WORDS] = used
                edges[count, E_LENGTH] = length
                edge_score[count] = score
                hash_words(words, used, length, edge_hash, count)
                used += length
                count += 1
    edge_begin[size] = count
    return edges, edge_score, edge_hash, words


@kernel
def list_edges(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    starts: NDArray[np.int64],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    span_category: NDArray[np.uint8],
    scoring: Scoring,
    limits: Limits,
    extra: EdgeScores,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """The option edges of all items: ``(begin int64[items + 1], int32[e, 3] start, end, option, score)``."""
    items = len(starts) - 1
    begin = np.zeros(items + 1, dtype=np.int64)
    found = np.empty((1024, 3), dtype=np.int32)
    found_score = np.empty(1024, dtype=np.float64)
    edges = np.empty((1024, E_COLUMNS), dtype=np.int32)
    edge_score = np.empty(1024, dtype=np.float64)
    edge_hash = np.empty((1024, 2), dtype=np.uint64)
    words = np.empty(1024, dtype=np.int32)
    count = 0
    for item in range(items):
        left, right = starts[item], starts[item + 1]
        edge_begin = np.zeros(right - left + 1, dtype=np.int64)
        edges, edge_score, edge_hash, words = fill_edges(
            options,
            tokens[left:right],
            breaks[left:right],
            protected[left:right],
            span_category[left:right] if len(span_category) > 0 else span_category,
            scoring,
            limits,
            extra,
            item,
            edge_begin,
            edges,
            edge_score,
            edge_hash,
            words,
        )
        number = edge_begin[right - left]
        if count + number > len(found):
            found = grown_rows(found, count, 2 * len(found) + number)
            found_score = grown_scores(found_score, count, 2 * len(found_score) + number)
        for edge in range(number):
            if edges[edge, E_OPTION] >= 0:
                found[count, 0] = edges[edge, E_START]
                found[count, 1] = edges[edge, E_END]
                found[count, 2] = edges[edge, E_OPTION]
                found_score[count] = edge_score[edge]
                count += 1
        begin[item + 1] = count
    return begin, found[:count].copy(), found_score[:count].copy()
