"""Compiled loops over rows of a paraphrase table: vetoes and filters.

Phrases have at most seven words, so nested loops that count words are the fastest way to compare multisets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel

NUMBER, NAME, NEGATION, ANTONYM, INFLECTION = 1, 2, 4, 8, 16

CONTENT_BALANCE, CONTENT_SUBSET, TRIVIAL, PUNCTUATION_EDGE, SHARED_EDGE, NO_CONTENT = 1, 2, 4, 8, 16, 32


@inline_kernel
def _length(words: NDArray[np.int32]) -> int:
    """Number of words before the first −1."""
    count = 0
    while count < len(words) and words[count] >= 0:
        count += 1
    return count


@inline_kernel
def _same_classes(
    source: NDArray[np.int32],
    source_len: int,
    target: NDArray[np.int32],
    target_len: int,
    classes: NDArray[np.int32],
) -> bool:
    """Whether the words with a class (≥ 0) have the same multiset of classes on both sides."""
    source_total, target_total = 0, 0
    for place in range(source_len):
        source_total += classes[source[place]] >= 0
    for place in range(target_len):
        target_total += classes[target[place]] >= 0
    if source_total != target_total:
        return False
    if source_total == 0:
        return True
    for place in range(source_len):
        wanted = classes[source[place]]
        if wanted < 0:
            continue
        balance = 0
        for other in range(source_len):
            balance += classes[source[other]] == wanted
        for other in range(target_len):
            balance -= classes[target[other]] == wanted
        if balance != 0:
            return False
    return True


@inline_kernel
def _has(words: NDArray[np.int32], length: int, classes: NDArray[np.int32], wanted: int) -> bool:
    """Whether some word has class ``wanted``."""
    has_class = False
    for place in range(length):
        has_class = has_class or classes[words[place]] == wanted
    return has_class


@inline_kernel
def _pair_listed(pairs: NDArray[np.int64], low: int, high: int) -> bool:
    """Whether the ascending array ``pairs`` contains ``low << 32 | high``."""
    key = (np.int64(low) << np.int64(32)) | np.int64(high)
    first, last = 0, len(pairs)
    while first < last:
        middle = (first + last) >> 1
        if pairs[middle] < key:
            first = middle + 1
        else:
            last = middle
    return first < len(pairs) and pairs[first] == key


@inline_kernel
def _negations_differ(
    source: NDArray[np.int32],
    source_len: int,
    target: NDArray[np.int32],
    target_len: int,
    negation: NDArray[np.int8],
    stem: NDArray[np.int32],
    unprefixed: NDArray[np.int32],
) -> bool:
    """Whether one side has more negations. A negated word counts if the other side has its plain form."""
    balance = 0
    for place in range(source_len):
        word = source[place]
        balance += negation[word]
        plain = unprefixed[word]
        if plain >= 0 and _has(target, target_len, stem, plain) and not _has(source, source_len, stem, plain):
            balance += 1
    for place in range(target_len):
        word = target[place]
        balance -= negation[word]
        plain = unprefixed[word]
        if plain >= 0 and _has(source, source_len, stem, plain) and not _has(target, target_len, stem, plain):
            balance -= 1
    return balance != 0


@inline_kernel
def _antonyms(
    source: NDArray[np.int32],
    source_len: int,
    target: NDArray[np.int32],
    target_len: int,
    folded: NDArray[np.int32],
    stem: NDArray[np.int32],
    has_antonym: NDArray[np.bool_],
    word_pairs: NDArray[np.int64],
    stem_pairs: NDArray[np.int64],
) -> bool:
    """Whether a word of the source has an antonym in the target that the source lacks, but not in both directions."""
    for place in range(source_len):
        ours = source[place]
        if not has_antonym[ours]:
            continue
        for other in range(target_len):
            theirs = target[other]
            if not has_antonym[theirs]:
                continue
            word_1, word_2 = folded[ours], folded[theirs]
            if (
                _pair_listed(word_pairs, min(word_1, word_2), max(word_1, word_2))
                and not _has(source, source_len, folded, word_2)
                and not _has(target, target_len, folded, word_1)
            ):
                return True
            stem_1, stem_2 = stem[ours], stem[theirs]
            if (
                _pair_listed(stem_pairs, min(stem_1, stem_2), max(stem_1, stem_2))
                and not _has(source, source_len, stem, stem_2)
                and not _has(target, target_len, stem, stem_1)
            ):
                return True
    return False


@kernel
def veto_rows(
    words: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    number: NDArray[np.int32],
    name: NDArray[np.int32],
    negation: NDArray[np.int8],
    folded: NDArray[np.int32],
    stem: NDArray[np.int32],
    unprefixed: NDArray[np.int32],
    has_antonym: NDArray[np.bool_],
    word_pairs: NDArray[np.int64],
    stem_pairs: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Veto bits of every row; the arrays are those of ``WordClasses``."""
    bits = np.zeros(len(source), np.uint8)
    for row in range(len(source)):
        ours, theirs = words[source[row]], words[target[row]]
        our_len, their_len = _length(ours), _length(theirs)
        vetoes = 0
        if not _same_classes(ours, our_len, theirs, their_len, number):
            vetoes |= NUMBER
        if not _same_classes(ours, our_len, theirs, their_len, name):
            vetoes |= NAME
        if _negations_differ(ours, our_len, theirs, their_len, negation, stem, unprefixed):
            vetoes |= NEGATION
        if _antonyms(ours, our_len, theirs, their_len, folded, stem, has_antonym, word_pairs, stem_pairs):
            vetoes |= ANTONYM
        if our_len == their_len:
            same = True
            for place in range(our_len):
                same = same and stem[ours[place]] == stem[theirs[place]]
            if same:
                vetoes |= INFLECTION
        bits[row] = vetoes
    return bits


@inline_kernel
def _missing(
    words: NDArray[np.int32],
    length: int,
    others: NDArray[np.int32],
    other_len: int,
    kind: NDArray[np.int8],
    wanted: int,
    folded: NDArray[np.int32],
) -> int:
    """Number of words of one kind that ``others`` lacks, counted with repetition."""
    missing = 0
    for place in range(length):
        word = words[place]
        if kind[word] != wanted:
            continue
        nth = 0
        for earlier in range(place + 1):
            nth += kind[words[earlier]] == wanted and folded[words[earlier]] == folded[word]
        there = 0
        for other in range(other_len):
            there += kind[others[other]] == wanted and folded[others[other]] == folded[word]
        missing += there < nth
    return missing


@inline_kernel
def _count(words: NDArray[np.int32], length: int, kind: NDArray[np.int8], wanted: int) -> int:
    count = 0
    for place in range(length):
        count += kind[words[place]] == wanted
    return count


@inline_kernel
def _trivial(
    ours: NDArray[np.int32],
    our_len: int,
    theirs: NDArray[np.int32],
    their_len: int,
    kind: NDArray[np.int8],
    folded: NDArray[np.int32],
) -> bool:
    """Whether the sides are equal without punctuation, case and digits."""
    here, there = 0, 0
    while True:
        while here < our_len and kind[ours[here]] == 2:
            here += 1
        while there < their_len and kind[theirs[there]] == 2:
            there += 1
        if here == our_len or there == their_len:
            return here == our_len and there == their_len
        if folded[ours[here]] != folded[theirs[there]]:
            return False
        here += 1
        there += 1


@kernel
def filter_rows(
    words: NDArray[np.int32],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    kind: NDArray[np.int8],
    folded: NDArray[np.int32],
    stem: NDArray[np.int32],
) -> NDArray[np.uint8]:
    """Bits of the rules that each row breaks. ``kind``: 0 content word, 1 function word, 2 punctuation."""
    bits = np.zeros(len(source), np.uint8)
    for row in range(len(source)):
        ours, theirs = words[source[row]], words[target[row]]
        our_len, their_len = _length(ours), _length(theirs)
        if our_len == 0 or their_len == 0:
            bits[row] = CONTENT_BALANCE
            continue
        broken = 0
        our_content, their_content = _count(ours, our_len, kind, 0), _count(theirs, their_len, kind, 0)
        if (our_content == 0) != (their_content == 0):
            broken |= CONTENT_BALANCE
        if our_content == 0 and their_content == 0:
            broken |= NO_CONTENT
        if our_content > 0 and their_content > 0:
            lost = _missing(ours, our_len, theirs, their_len, kind, 0, stem)
            gained = _missing(theirs, their_len, ours, our_len, kind, 0, stem)
            if lost == 0 and gained == 0:
                lost = _missing(ours, our_len, theirs, their_len, kind, 1, folded)
                gained = _missing(theirs, their_len, ours, our_len, kind, 1, folded)
            if (lost == 0) != (gained == 0):
                broken |= CONTENT_SUBSET
        if _trivial(ours, our_len, theirs, their_len, kind, folded):
            broken |= TRIVIAL
        if (
            kind[ours[0]] == 2
            or kind[theirs[0]] == 2
            or kind[ours[our_len - 1]] == 2
            or kind[theirs[their_len - 1]] == 2
        ):
            broken |= PUNCTUATION_EDGE
        if folded[ours[0]] == folded[theirs[0]] or folded[ours[our_len - 1]] == folded[theirs[their_len - 1]]:
            broken |= SHARED_EDGE
        bits[row] = broken
    return bits
