"""Feature vertices of phrases: tag sequences and stem sequences (Martzoukos & Monz 2012, §3.1, fig. 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.types import MAX_PHRASE

#: Bits per tag in the code of a sequence: seven tags of nine bits fit into an int64.
TAG_BITS = 9


@dataclass(frozen=True)
class Features:
    """The feature vertices of each phrase of one side; phrases are 0 … n − 1.

    tag_start: int64[n + 1]; tag: int32, numbers of tag sequences, ascending within a phrase; tag_share: float64, how
        often the phrase had each, as shares that sum to 1 (eq. 5, several sequences). Empty without tags.
    stem: int32[n], number of the phrase's stem sequence; empty without stems.
    tag_sequences, stem_sequences: int32[k, 7], tags and stems (numbers of the caller's lists) by number, −1 after the
        end.
    """

    tag_start: NDArray[np.int64]
    tag: NDArray[np.int32]
    tag_share: NDArray[np.float64]
    stem: NDArray[np.int32]
    tag_sequences: NDArray[np.int32]
    stem_sequences: NDArray[np.int32]

    @property
    def phrase_size(self) -> int:
        """Number of phrases of the side."""
        return len(self.tag_start) - 1

    @property
    def has_tags(self) -> bool:
        """Whether any phrase has a tag sequence."""
        return len(self.tag) > 0

    @property
    def has_stems(self) -> bool:
        """Whether phrases have stems."""
        return len(self.stem) > 0


def no_features(phrases: int) -> Features:
    """No features: graphs with phrases only."""
    nothing = np.zeros((0, MAX_PHRASE), np.int32)
    return Features(
        np.zeros(phrases + 1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.float64),
        np.zeros(0, np.int32),
        nothing,
        nothing,
    )


def unique_rows(matrix: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The distinct rows in ascending order, and the number of each row among them."""
    if not len(matrix):
        return matrix, np.zeros(0, np.int32)
    bits = max(int(matrix.max()) + 1, 1).bit_length()
    per_key = max(63 // bits, 1)
    keys = []
    for first in range(0, matrix.shape[1], per_key):
        key = np.zeros(len(matrix), np.int64)
        for column in range(first, min(first + per_key, matrix.shape[1])):
            key = (key << bits) | (matrix[:, column].astype(np.int64) + 1)
        keys.append(key)
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(matrix), np.bool_)
    new[0] = True
    for key in keys:
        ordered = key[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    number = np.empty(len(matrix), np.int32)
    number[order] = (np.cumsum(new) - 1).astype(np.int32)
    return np.ascontiguousarray(matrix[order[new]]), number


def stem_features(
    words: NDArray[np.int32], stem_of_word: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Stem sequences, and the number of each phrase's sequence; ``words`` int32[n, 7], −1 after the end."""
    stems = np.where(words >= 0, stem_of_word[np.maximum(words, 0)], np.int32(-1)).astype(np.int32)
    return unique_rows(stems)


def word_class_codes(words: NDArray[np.int32], class_of_word: NDArray[np.int32]) -> NDArray[np.int64]:
    """The code of each phrase's sequence of word classes, for classes that do not depend on the sentence."""
    classes = np.where(words >= 0, class_of_word[np.maximum(words, 0)].astype(np.int64) + 1, 0)
    return _packed(classes)


def occurrence_codes(
    tags: NDArray[np.integer], position: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The code of the tag sequence at each occurrence: ``length`` tags from ``position`` on."""
    codes = np.zeros(len(position), np.int64)
    last = max(len(tags) - 1, 0)
    for place in range(MAX_PHRASE):
        inside = place < length
        tag_codes = np.where(inside, tags[np.minimum(position + place, last)].astype(np.int64) + 1, 0)
        codes = (codes << TAG_BITS) | tag_codes
    return codes


def _packed(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(classes) and int(classes.max()) >= 1 << TAG_BITS:
        raise InputError(f"expected tags below {(1 << TAG_BITS) - 1}, got {int(classes.max()) - 1}")
    codes = np.zeros(len(classes), np.int64)
    for place in range(MAX_PHRASE):
        codes = (codes << TAG_BITS) | classes[:, place]
    return codes


def _unpacked(codes: NDArray[np.int64]) -> NDArray[np.int32]:
    sequences = np.empty((len(codes), MAX_PHRASE), np.int32)
    for place in range(MAX_PHRASE):
        shift = TAG_BITS * (MAX_PHRASE - 1 - place)
        sequences[:, place] = ((codes >> shift) & ((1 << TAG_BITS) - 1)) - 1
    return sequences


def tag_features(
    phrase: NDArray[np.int32],
    code: NDArray[np.int64],
    phrases: int,
    *,
    most: int = 3,
    least_share: float = 0.1,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    """Tag sequences of phrases from their occurrences: start, tag, share and the sequences themselves.

    phrase, code: one entry per occurrence. At most ``most`` sequences per phrase, the most frequent first. Sequences
    below ``least_share`` of the occurrences are dropped, except the first. Shares are relative to the remaining
    sequences.
    """
    distinct, number = np.unique(code, return_inverse=True)
    key = phrase.astype(np.int64) * max(len(distinct), 1) + number
    pair, times = np.unique(key, return_counts=True)
    owner, tag = np.divmod(pair, max(len(distinct), 1))
    order = np.lexsort((tag, -times, owner))
    owner, tag, times = owner[order], tag[order], times[order]
    begin = np.searchsorted(owner, np.arange(phrases + 1))
    place = np.arange(len(owner)) - begin[owner]
    total = np.bincount(owner, weights=times, minlength=phrases)
    keep = (place == 0) | ((place < most) & (times >= least_share * total[owner]))
    owner, tag, times = owner[keep], tag[keep], times[keep]
    order = np.lexsort((tag, owner))
    owner, tag, times = owner[order], tag[order], times[order]
    start = np.searchsorted(owner, np.arange(phrases + 1)).astype(np.int64)
    share = times / np.bincount(owner, weights=times, minlength=phrases)[owner]
    used, renumbered = np.unique(tag, return_inverse=True)
    return start, renumbered.astype(np.int32), share, _unpacked(distinct[used])


def make_features(
    phrases: int,
    tags: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]] | None = None,
    stems: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
) -> Features:
    """Features from the results of :func:`tag_features` and :func:`stem_features`. Either may be missing."""
    empty = no_features(phrases)
    start, tag, share, tag_sequences = tags or (
        empty.tag_start,
        empty.tag,
        empty.tag_share,
        empty.tag_sequences,
    )
    stem_sequences, stem = stems or (empty.stem_sequences, empty.stem)
    if len(start) != phrases + 1 or len(stem) not in (0, phrases):
        raise InputError(
            f"expected features of {phrases} phrases, got tags of {len(start) - 1} and stems of {len(stem)}"
        )
    return Features(
        start.astype(np.int64),
        tag.astype(np.int32),
        share,
        stem.astype(np.int32),
        tag_sequences,
        stem_sequences,
    )
