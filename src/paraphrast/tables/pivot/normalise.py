"""Trim pairs to what differs: "examine the proposal ," → "look at the proposal" becomes "examine" → "look at".

Phrase pairs from alignments have all lengths, so one paraphrase has many rows. Each row has a part of the probability
mass and different articles, commas and neighbours. Before ranking, words that both sides share at either end and
punctuation at the outer ends are trimmed. Rows that become the same pair are merged: the row of highest rank represents
all of them, with its scores and its evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.tables.checks.filters import FilterClasses, check_rows
from paraphrast.types import MAX_PHRASE, Phrases, pair_keys

__all__ = ["Normalised", "TrimmedRows", "normalise", "trim_rows"]


@dataclass(frozen=True)
class TrimmedRows:
    """The words that remain of each row: ``begin`` … ``end`` − 1 of the source and of the target, int8[rows].

    begin = end if nothing remains because one side contains the other.
    """

    source_begin: NDArray[np.int8]
    source_end: NDArray[np.int8]
    target_begin: NDArray[np.int8]
    target_end: NDArray[np.int8]

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Rows with a side that has no word left: both were equal, or one contained the other."""
        return np.asarray(
            (self.source_end <= self.source_begin) | (self.target_end <= self.target_begin), dtype=np.bool_
        )


@dataclass(frozen=True)
class Normalised:
    """Pairs after trimming and merging, sorted by (source, target).

    phrases: the trimmed phrases, sorted by their words; known: int32, the id of each among the old phrases, or −1.
    row: int64[pairs], the old row that represents the pair.
    source, target: int32[pairs], ids into ``phrases``.
    source_begin, target_begin: int8[pairs], where the pair's phrases begin in the phrases of that row.
    merged: number of old rows now represented by another row. emptied: number of rows with no words left.
    """

    phrases: Phrases
    known: NDArray[np.int32]
    row: NDArray[np.int64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    source_begin: NDArray[np.int8]
    target_begin: NDArray[np.int8]
    merged: int
    emptied: int


def trim_rows(
    phrases: Phrases, source: NDArray[np.int32], target: NDArray[np.int32], classes: FilterClasses
) -> TrimmedRows:
    """Trim outer punctuation of each side and the words that both share at either end.

    Shared words stay if trimming them would remove the last content word of a side: "look at" → "look into" does not
    become "at" → "into". Punctuation is always trimmed.
    """
    check_rows(phrases, source, target, len(classes.folded))
    lengths = phrases.lengths.astype(np.int8)
    sides = [phrases.words[source], phrases.words[target]]
    begin = [np.zeros(len(source), np.int8), np.zeros(len(target), np.int8)]
    end = [lengths[source], lengths[target]]
    content = ~classes.punctuation & ~classes.function_word
    _trim(sides, begin, end, classes, shared=False)
    outer = [begin[0].copy(), begin[1].copy(), end[0].copy(), end[1].copy()]
    before = [_any_content(words, b, e, content) for words, b, e in zip(sides, begin, end, strict=True)]
    _trim(sides, begin, end, classes, shared=True)
    after = [_any_content(words, b, e, content) for words, b, e in zip(sides, begin, end, strict=True)]
    # A row becomes empty on purpose if one side contains the other: it is not a paraphrase.
    nothing = (begin[0] >= end[0]) | (begin[1] >= end[1])
    lost = ~nothing & ((before[0] & ~after[0]) | (before[1] & ~after[1]))
    for place, (now, old) in enumerate(zip([*begin, *end], outer, strict=True)):
        side = (begin if place < 2 else end)[place % 2]
        side[:] = np.where(lost, old, now)
    return TrimmedRows(begin[0], end[0], begin[1], end[1])


def _at(words: NDArray[np.int32], place: NDArray[np.int8]) -> NDArray[np.int32]:
    """The word at a place of each row, or the first word if the place is outside the row."""
    inside = np.clip(place, 0, MAX_PHRASE - 1).astype(np.int64)
    return np.asarray(words[np.arange(len(words)), inside], dtype=np.int32)


def _trim(
    sides: list[NDArray[np.int32]],
    begin: list[NDArray[np.int8]],
    end: list[NDArray[np.int8]],
    classes: FilterClasses,
    *,
    shared: bool,
) -> None:
    """Move ``begin`` and ``end`` inwards, in place, by one word per round, until nothing moves."""
    for _ in range(2 * MAX_PHRASE):
        moved = False
        for words, first, last in zip(sides, begin, end, strict=True):
            left = (first < last) & classes.punctuation[_at(words, first)]
            first += left
            right = (first < last) & classes.punctuation[_at(words, last - np.int8(1))]
            last -= right
            moved = moved or bool(left.any() or right.any())
        if shared:
            for edge in (begin, end):
                inner = np.int8(0 if edge is begin else 1)
                both = (begin[0] < end[0]) & (begin[1] < end[1])
                same = (
                    classes.folded[_at(sides[0], edge[0] - inner)]
                    == classes.folded[_at(sides[1], edge[1] - inner)]
                )
                step = (both & same).astype(np.int8) * np.int8(1 if edge is begin else -1)
                for side in edge:
                    side += step
                moved = moved or bool(step.any())
        if not moved:
            return


def _any_content(
    words: NDArray[np.int32], begin: NDArray[np.int8], end: NDArray[np.int8], content: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    has_content = np.zeros(len(words), np.bool_)
    for place in range(MAX_PHRASE):
        has_content |= (begin <= place) & (place < end) & content[words[:, place]]
    return has_content


def normalise(
    phrases: Phrases,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    rank: NDArray[np.float32],
    classes: FilterClasses,
) -> Normalised:
    """Trim every row and merge equal pairs by the maximum of ``rank``. Ties go to the shorter, then the first row."""
    trimmed = trim_rows(phrases, source, target, classes)
    rows = np.flatnonzero(~trimmed.empty)
    keys = [
        _piece_key(source[rows], trimmed.source_begin[rows], trimmed.source_end[rows]),
        _piece_key(target[rows], trimmed.target_begin[rows], trimmed.target_end[rows]),
    ]
    pieces = np.unique(np.concatenate(keys))
    trimmed_phrases, known, piece_phrase = _pieces(phrases, pieces)
    new_source, new_target = (piece_phrase[np.searchsorted(pieces, key)] for key in keys)
    same = new_source != new_target
    rows, new_source, new_target = rows[same], new_source[same], new_target[same]
    pair = pair_keys(new_source, new_target)
    words = trimmed.source_begin[rows].astype(np.int64) + trimmed.target_begin[rows]
    order = np.lexsort((rows, words, -rank[rows].astype(np.float64), pair))
    first = np.ones(len(order), np.bool_)
    first[1:] = pair[order][1:] != pair[order][:-1]
    chosen = order[first]
    return Normalised(
        trimmed_phrases,
        known,
        rows[chosen],
        new_source[chosen],
        new_target[chosen],
        trimmed.source_begin[rows[chosen]],
        trimmed.target_begin[rows[chosen]],
        merged=len(rows) - len(chosen),
        emptied=len(source) - len(rows),
    )


def _piece_key(
    phrase: NDArray[np.int32], begin: NDArray[np.int8], end: NDArray[np.int8]
) -> NDArray[np.int64]:
    return phrase.astype(np.int64) * 64 + begin.astype(np.int64) * 8 + end


def _pieces(
    phrases: Phrases, pieces: NDArray[np.int64]
) -> tuple[Phrases, NDArray[np.int32], NDArray[np.int32]]:
    """Phrases of the distinct pieces, the old id of each such phrase (−1 for none), and the phrase of each piece.

    The spelling comes from the old phrase with the same words if there is one, else from the phrase first trimmed to
    it.
    """
    parent, begin, end = pieces // 64, pieces // 8 % 8, pieces % 8
    length = end - begin
    place = np.minimum(begin[:, None] + np.arange(MAX_PHRASE), MAX_PHRASE - 1)
    words = np.where(np.arange(MAX_PHRASE) < length[:, None], phrases.words[parent[:, None], place], -1)
    glue = (phrases.glue[parent].astype(np.int64) >> begin) & ((1 << np.maximum(length - 1, 0)) - 1)
    # Whole phrases that no row uses are in the list too, so that a piece gets their spelling.
    all_words = np.concatenate([words, phrases.words])
    whole = np.concatenate([np.full(len(words), -1, np.int64), np.arange(len(phrases), dtype=np.int64)])
    order = np.lexsort((-whole, *all_words.T[::-1]))
    new = np.ones(len(order), np.bool_)
    new[1:] = (all_words[order][1:] != all_words[order][:-1]).any(axis=1)
    group = np.cumsum(new) - 1
    of_item = np.empty(len(order), np.int64)
    of_item[order] = group
    used, compact = np.unique(of_item[: len(words)], return_inverse=True)
    head = order[new][used]
    known = whole[head]
    all_glue = np.concatenate([glue, phrases.glue.astype(np.int64)])
    # The first of a group is its whole phrase, if there is one, because −whole sorts first.
    first_piece = np.full(len(used), len(words), np.int64)
    np.minimum.at(first_piece, compact, np.arange(len(words)))
    spelling = np.where(known >= 0, all_glue[head], glue[np.minimum(first_piece, max(len(words) - 1, 0))])
    return (
        Phrases(np.ascontiguousarray(all_words[head].astype(np.int32)), spelling.astype(np.uint8)),
        known.astype(np.int32),
        compact.astype(np.int32),
    )
