"""Tables → the decoder's arrays: one option per phrase pair, whichever tables have it.

Zhao et al. (2008, §3) read several tables side by side, each with its own feature functions (eq. 2–3), and
keep the 20 best paraphrases of a phrase. A pair that several tables have is one option here, with the
features of all of them, so that agreement between tables raises its score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from paraphrast.decode.arrays import SWAP_ODDS, DecoderArrays, OptionArrays
from paraphrast.decode.features import with_features
from paraphrast.errors import InputError
from paraphrast.types import (
    FIRST_WORD,
    MAX_PHRASE,
    SENTENCE_END,
    ParaphraseTable,
    Phrases,
    SwapOdds,
    pair_keys,
)

MAX_TABLES = 32
FIRST_MASK = SENTENCE_END + 1


def pack(
    tables: Mapping[str, ParaphraseTable],
    phrases: Phrases,
    *,
    vetoes: Mapping[str, NDArray[np.uint8]] | None = None,
    rank: Mapping[str, NDArray[np.float32]] | None = None,
    target_category_mask: NDArray[np.uint32] | None = None,
    options_per_phrase: int = 20,
    missing: float = 0.0,
    features: Iterable[str] = (),
    orientation: SwapOdds | None = None,
) -> DecoderArrays:
    """The union of ``tables`` as a trie with at most ``options_per_phrase`` options per source phrase.

    vetoes: table name → uint8[rows of that table]; the bits of a pair are the union over its tables.
    rank: table name → float32[rows of that table], by which the options of a phrase are chosen, the highest first and
    vetoed pairs last; by default the probability.
    target_category_mask: uint32[phrases], the categories each phrase can be of; 0 for unknown.
    missing: the value of a feature whose table lacks the pair, or that is NaN.
    features: names of registered features to store as further columns.
    orientation: how likely phrases are to swap, in the same vocabulary.

    Feature columns are ``<table>.score`` and then ``<table>.<feature>``, tables in the order given.
    Dropped: pairs of a phrase with itself, and pairs with ``<unk>``, ``<s>``, ``</s>`` or no word.
    """
    _check(tables, phrases, vetoes or {}, target_category_mask, options_per_phrase)
    if rank is not None and {name: len(values) for name, values in rank.items()} != {
        name: len(table) for name, table in tables.items()
    }:
        raise InputError("expected a rank for every row of every table")
    usable = _usable_phrases(phrases)
    rows = {name: _usable_rows(table, usable) for name, table in tables.items()}
    keys = {
        name: pair_keys(table.source[rows[name]], table.target[rows[name]]) for name, table in tables.items()
    }
    pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *keys.values()]))
    log_prob = np.full(len(pairs), -np.inf, dtype=np.float32)
    for name, table in tables.items():
        np.maximum.at(log_prob, np.searchsorted(pairs, keys[name]), table.score[rows[name]])
    kept = _best(pairs, _rank(pairs, keys, rows, log_prob, rank, vetoes or {}), options_per_phrase)

    sources = (pairs[kept] >> 32).astype(np.int32)
    word, parent, child_begin, node = _trie(phrases.words, sources)
    order = np.lexsort((pairs[kept] & 0xFFFFFFFF, -log_prob[kept].astype(np.float64), node))
    kept, node, sources = kept[order], node[order], sources[order]
    targets = (pairs[kept] & 0xFFFFFFFF).astype(np.int32)
    option_of_pair = np.full(len(pairs), -1, dtype=np.int64)
    option_of_pair[kept] = np.arange(len(kept))

    feature_names = tuple(f"{name}.{feature}" for name in tables for feature in _columns(tables[name]))
    values_of = np.full((len(kept), len(feature_names)), missing, dtype=np.float32)
    table_bits = np.zeros(len(kept), dtype=np.uint32)
    veto = np.zeros(len(kept), dtype=np.uint8)
    column = 0
    for bit, (name, table) in enumerate(tables.items()):
        option = option_of_pair[np.searchsorted(pairs, keys[name])]
        option, row = option[option >= 0], rows[name][option >= 0]
        table_bits[option] |= np.uint32(1 << bit)
        if vetoes is not None and name in vetoes:
            np.bitwise_or.at(veto, option, vetoes[name][row])
        for values in _columns(table).values():
            values_of[option, column] = np.nan_to_num(values[row], nan=missing)
            column += 1

    target_rows = phrases.words[targets]
    lengths = (target_rows >= 0).sum(axis=1)
    categories = np.zeros(len(phrases), np.uint32) if target_category_mask is None else target_category_mask
    options = OptionArrays(
        word=word,
        parent=parent,
        child_begin=child_begin,
        option_begin=np.searchsorted(node, np.arange(len(word) + 1)).astype(np.int64),
        target=targets,
        word_begin=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        target_words=target_rows[target_rows >= 0].astype(np.int32),
        log_prob=log_prob[kept],
        features=values_of,
        tables=table_bits,
        veto=veto,
        category_mask=categories[targets].astype(np.uint32),
        masks_kept=_masks_kept(phrases.words, sources, targets),
        swap=np.zeros(0, dtype=np.float32) if orientation is None else _swap(word, parent, orientation),
    )
    odds = SWAP_ODDS if orientation is None else orientation.overall_swap - orientation.overall_mono
    return with_features(DecoderArrays(options, feature_names, tuple(tables), float(odds)), features)


def _rank(
    pairs: NDArray[np.int64],
    keys: Mapping[str, NDArray[np.int64]],
    rows: Mapping[str, NDArray[np.int64]],
    log_prob: NDArray[np.float32],
    given: Mapping[str, NDArray[np.float32]] | None,
    vetoes: Mapping[str, NDArray[np.uint8]],
) -> NDArray[np.float32]:
    """The order in which options are chosen: as given, with vetoed pairs last; by default the probability."""
    if given is None:
        return log_prob
    rank = np.full(len(pairs), -np.inf, dtype=np.float32)
    vetoed = np.zeros(len(pairs), dtype=np.bool_)
    for name, table_keys in keys.items():
        place = np.searchsorted(pairs, table_keys)
        np.maximum.at(rank, place, given[name][rows[name]])
        if name in vetoes:
            vetoed[place] |= vetoes[name][rows[name]] != 0
    return np.where(vetoed, rank - np.float32(100.0), rank).astype(np.float32)


def _swap(word: NDArray[np.int32], parent: NDArray[np.int32], orientation: SwapOdds) -> NDArray[np.float32]:
    """float32[nodes]: log p(swap) − log p(monotone), NaN if the phrase was never seen."""
    odds = np.full(len(word), np.nan, dtype=np.float32)
    keys = (parent[1:].astype(np.int64) << 32) | word[1:]  # nodes are numbered by (parent, word)
    for words, values in orientation.odds():
        node = np.zeros(len(words), dtype=np.int64)
        for column in range(words.shape[1] if len(keys) else 0):
            going = (words[:, column] >= 0) & (node >= 0)
            wanted = (node[going] << 32) | words[going, column]
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            node[going] = np.where(keys[place] == wanted, place + 1, -1)
        in_trie = node > 0
        odds[node[in_trie]] = values[in_trie]
    return odds


def _check(
    tables: Mapping[str, ParaphraseTable],
    phrases: Phrases,
    vetoes: Mapping[str, NDArray[np.uint8]],
    target_category_mask: NDArray[np.uint32] | None,
    options_per_phrase: int,
) -> None:
    if len(tables) > MAX_TABLES:
        raise InputError(
            f"expected at most {MAX_TABLES} tables, got {len(tables)}", remedy="merge some of them first"
        )
    if options_per_phrase < 1:
        raise InputError(f"expected at least one option per phrase, got {options_per_phrase}")
    if phrases.words.ndim != 2 or phrases.words.shape[1] != MAX_PHRASE:
        raise InputError(f"expected phrases as rows of {MAX_PHRASE} words, got shape {phrases.words.shape}")
    for name, table in tables.items():
        for side in (table.source, table.target):
            if len(side) and not (int(side.min()) >= 0 and int(side.max()) < len(phrases)):
                raise InputError(
                    f"expected phrase ids below {len(phrases)}, got {int(side.min())} to {int(side.max())}",
                    where=f"table {name!r}",
                    remedy="remap the table to the model's phrases first",
                )
    names = [f"{name}.{feature}" for name, table in tables.items() for feature in _columns(table)]
    names += [f"{name}.edits" for name in tables]  # counted by the decoder
    if len(set(names)) < len(names):
        raise InputError(f"expected each feature name once, got {', '.join(sorted(names))}")
    for name, bits in vetoes.items():
        if name not in tables or len(bits) != len(tables[name]):
            raise InputError(
                f"expected veto bits for every row of a table, got {len(bits)} for {name!r}",
                remedy=f"tables and rows: { {key: len(table) for key, table in tables.items()} }",
            )
    if target_category_mask is not None and len(target_category_mask) != len(phrases):
        raise InputError(
            f"expected a category mask for each of {len(phrases)} phrases, got {len(target_category_mask)}"
        )


def _columns(table: ParaphraseTable) -> dict[str, NDArray[np.float32]]:
    """A table's feature columns by name, ``score`` first."""
    return {"score": table.score, **{key: value for key, value in table.features.items() if key != "score"}}


def _usable_phrases(phrases: Phrases) -> NDArray[np.bool_]:
    """Phrases of at least one word without ``<unk>`` and sentence boundaries."""
    special = ((phrases.words >= 0) & (phrases.words < FIRST_MASK)).any(axis=1)
    return np.asarray(~special & (phrases.words[:, 0] >= 0), dtype=np.bool_)


def _usable_rows(table: ParaphraseTable, usable: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Rows that change something and whose score is a number."""
    keep = usable[table.source] & usable[table.target] & (table.source != table.target)
    return np.flatnonzero(keep & ~np.isnan(table.score))


def _best(pairs: NDArray[np.int64], log_prob: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Indices of the ``limit`` best pairs of each source, ties by target id."""
    source = pairs >> 32
    order = np.lexsort((pairs & 0xFFFFFFFF, -log_prob.astype(np.float64), source))
    ordered = source[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    return np.asarray(order[rank < limit], dtype=np.int64)


def _trie(
    words: NDArray[np.int32], sources: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Nodes by depth, then (parent, word); and the node at which each of ``sources`` ends."""
    distinct, which = np.unique(sources, return_inverse=True)
    unsorted = words[distinct]
    order = np.lexsort(unsorted.T[::-1])
    rows = unsorted[order]
    node = np.zeros(len(rows), dtype=np.int64)
    node_words, parents = [np.full(1, -1, np.int32)], [np.full(1, -1, np.int64)]
    count = 1
    for depth in range(MAX_PHRASE):
        reach = np.flatnonzero(rows[:, depth] >= 0)
        if not len(reach):
            break
        above, here = node[reach], rows[reach, depth]
        first = np.ones(len(reach), dtype=np.bool_)
        first[1:] = (above[1:] != above[:-1]) | (here[1:] != here[:-1])
        node[reach] = count + np.cumsum(first) - 1
        node_words.append(here[first])
        parents.append(above[first])
        count += int(first.sum())
    parent = np.concatenate(parents)
    child_begin = 1 + np.searchsorted(parent[1:], np.arange(count + 1))
    end_of_distinct = np.empty(len(rows), dtype=np.int64)
    end_of_distinct[order] = node
    return (
        np.concatenate(node_words).astype(np.int32),
        parent.astype(np.int32),
        child_begin.astype(np.int64),
        end_of_distinct[which],
    )


def _masks_kept(
    words: NDArray[np.int32], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> NDArray[np.uint8]:
    """1 where both have every entity mask equally often, so that an edit neither drops nor adds a number."""
    has_mask = np.any((words >= FIRST_MASK) & (words < FIRST_WORD), axis=1)
    kept = np.ones(len(sources), dtype=np.uint8)
    touched = np.flatnonzero(has_mask[sources] | has_mask[targets])
    before, after = words[sources[touched]], words[targets[touched]]
    for mask in range(FIRST_MASK, FIRST_WORD):
        same = (before == mask).sum(axis=1) == (after == mask).sum(axis=1)
        kept[touched] &= same.astype(np.uint8)
    return kept
