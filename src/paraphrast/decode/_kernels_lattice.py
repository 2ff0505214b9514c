"""An item's lattice: for every position, its identity edge and the options that begin there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.decode._kernels_scratch import grown_hashes, grown_rows, grown_scores, wide
from paraphrast.decode.arrays import OptionArrays

# Columns of the edge array.
E_START, E_END, E_OPTION, E_BITS, E_COLUMNS = 0, 1, 2, 3, 4
_MAX_SPAN = 7
_HASH_FACTOR = np.uint64(0xD1342543DE82EF95)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inline_kernel
def hash_word(word: int) -> np.uint64:
    """A word's 64 bits in the hash of an output, Σ_i hash(w_i) · factor^(length − i)."""
    mixed = (np.uint64(word) + np.uint64(1)) * _MIX
    return mixed ^ (mixed >> _SHIFT)


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
def _allowed(
    options: OptionArrays,
    option: int,
    category: int,
    banned: NDArray[np.uint8],
    min_log_prob: float,
    veto_mask: int,
    table_mask: int,
    keep_masks: bool,
) -> bool:
    """Whether an option may be used on a span of ``category`` (0 unknown)."""
    if options.log_prob[option] < min_log_prob or (options.veto[option] & veto_mask) != 0:
        return False
    if (wide(options.tables[option]) & table_mask) == 0:
        return False
    if keep_masks and options.masks_kept[option] == 0:
        return False
    if len(banned) > 0 and banned[option] != 0:
        return False
    mask = wide(options.category_mask[option])
    return category == 0 or mask == 0 or ((mask >> category) & 1) == 1


@kernel
def fill_edges(
    options: OptionArrays,
    tokens: NDArray[np.int32],
    breaks: NDArray[np.uint8],
    protected: NDArray[np.uint8],
    span_category: NDArray[np.uint8],
    feature_weights: NDArray[np.float64],
    edit_weight: float,
    word_weight: float,
    log_u: float,
    banned: NDArray[np.uint8],
    must_bits: NDArray[np.int32],
    min_log_prob: float,
    veto_mask: int,
    table_mask: int,
    keep_masks: bool,
    edge_begin: NDArray[np.int64],
    edges: NDArray[np.int32],
    edge_score: NDArray[np.float64],
    edge_hash: NDArray[np.uint64],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.uint64]]:
    """Edges of one item, by start; the identity edge (option −1) first (Quirk et al. 2004, §3.4).

    tokens … span_category: the item's own. edge_begin: int64[len + 1], filled. The edge arrays are scratch,
    returned because they may have grown: edges int32[·, 4], edge_score float64[·] (all of the model but the
    language model), edge_hash uint64[·, 2] (factor and addend an edge applies to the output's hash).
    """
    count = 0
    size = len(tokens)
    for start in range(size):
        edge_begin[start] = count
        if count == len(edges):
            edges = grown_rows(edges, count, 2 * count)
            edge_score = grown_scores(edge_score, count, 2 * count)
            edge_hash = grown_hashes(edge_hash, count, 2 * count)
        edges[count, E_START] = start
        edges[count, E_END] = start + 1
        edges[count, E_OPTION] = -1
        edges[count, E_BITS] = 0
        edge_score[count] = log_u + word_weight
        edge_hash[count, 0] = _HASH_FACTOR
        edge_hash[count, 1] = hash_word(tokens[start])
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
            category = wide(span_category[start, last - start]) if len(span_category) > 0 else wide(0)
            for option in range(first, stop):
                if not _allowed(
                    options, option, category, banned, min_log_prob, veto_mask, table_mask, keep_masks
                ):
                    continue
                score = edit_weight
                for feature in range(len(feature_weights)):
                    score += feature_weights[feature] * options.features[option, feature]
                factor, addend = np.uint64(1), np.uint64(0)
                for at in range(options.word_begin[option], options.word_begin[option + 1]):
                    factor *= _HASH_FACTOR
                    addend = addend * _HASH_FACTOR + hash_word(options.target_words[at])
                    score += word_weight
                edges[count, E_START] = start
                edges[count, E_END] = end
                edges[count, E_OPTION] = option
                edges[count, E_BITS] = must_bits[option] if len(must_bits) > 0 else 0
                edge_score[count] = score
                edge_hash[count, 0] = factor
                edge_hash[count, 1] = addend
                count += 1
    edge_begin[size] = count
    return edges, edge_score, edge_hash


@inline_kernel
def _occurrences(words: NDArray[np.int32], begin: int, end: int, sequence: NDArray[np.int32]) -> int:
    """How often ``sequence`` stands in ``words[begin:end]``."""
    found = 0
    for start in range(begin, end - len(sequence) + 1):
        same = True
        for offset in range(len(sequence)):
            if words[start + offset] != sequence[offset]:
                same = False
                break
        if same:
            found += 1
    return found


@kernel
def inserting_options(options: OptionArrays, sequence: NDArray[np.int32]) -> NDArray[np.uint8]:
    """uint8[options]: 1 where the target holds ``sequence`` more often than the source does."""
    inserting = np.zeros(len(options.target), dtype=np.uint8)
    source = np.empty(_MAX_SPAN, dtype=np.int32)
    for node in range(len(options.word)):
        first, stop = options.option_begin[node], options.option_begin[node + 1]
        if first == stop:
            continue
        begin = _MAX_SPAN
        above = wide(node)
        while above > 0:
            begin -= 1
            source[begin] = options.word[above]
            above = wide(options.parent[above])
        before = _occurrences(source, begin, _MAX_SPAN, sequence)
        for option in range(first, stop):
            words = options.target_words
            after = _occurrences(words, options.word_begin[option], options.word_begin[option + 1], sequence)
            if after > before:
                inserting[option] = 1
    return inserting
