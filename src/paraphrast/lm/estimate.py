"""Text → back-off language model: interpolated Kneser–Ney, modified (Chen and Goodman 1999) or plain.

The conventions are those of KenLM's estimator (Heafield and others 2013), so that the numbers agree with it:

- adjusted counts: an n-gram below the highest order counts its distinct left neighbours, except where it
  begins with ``<s>`` and nothing can stand before it: there it counts its occurrences;
- discounts of each order from its counts of counts, taken before pruning;
- the unigrams are interpolated with a uniform distribution over the words seen, ``</s>`` and ``<unk>``;
  ``<s>`` is never predicted and carries log probability 0;
- pruning looks at occurrences; the mass of pruned n-grams goes to the back-off weight.

Three steps: :func:`_count` builds the trie from the text, order by order; :func:`_probabilities` fills in the
numbers, lowest order first; :func:`_pack` drops pruned nodes and numbers the rest through.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.lm import _kernels
from paraphrast.types import SENTENCE_END, SENTENCE_START, UNKNOWN, NgramArrays, Sentences

log = logging.getLogger(__name__)

MAX_ORDER = 7
#: Stands for log 0 in ARPA files (10^-99); no probability or weight goes below it.
LOG_ZERO = -99 * float(np.log(10))


@dataclass(frozen=True)
class LmOptions:
    """How to estimate a language model.

    order: length of the longest n-grams, 1 to 7.
    smoothing: three discounts an order (``modified-kneser-ney``) or one (``kneser-ney``).
    prune: an n-gram of length k is dropped when it occurs at most ``prune[k - 1]`` times; the last entry
        holds for all longer n-grams; must begin with 0 and never fall.
    discount_fallback: discounts for counts 1, 2 and 3+, for an order whose counts of counts allow none
        (tiny or artificial text); None makes that an error.
    """

    order: int = 5
    smoothing: Literal["modified-kneser-ney", "kneser-ney"] = "modified-kneser-ney"
    prune: tuple[int, ...] = (0,)
    discount_fallback: tuple[float, float, float] | None = (0.5, 1.0, 1.5)

    def __post_init__(self) -> None:
        if not 1 <= self.order <= MAX_ORDER:
            raise InputError(f"expected an order from 1 to {MAX_ORDER}, got {self.order}")
        if self.smoothing not in ("modified-kneser-ney", "kneser-ney"):
            raise InputError(
                f"unknown smoothing {self.smoothing!r}", remedy="known: modified-kneser-ney, kneser-ney"
            )
        rising = all(low <= high for low, high in pairwise(self.prune))
        if not self.prune or self.prune[0] != 0 or not rising or len(self.prune) > self.order:
            raise InputError(
                f"expected at most {self.order} pruning thresholds that begin with 0 and never fall, "
                f"got {self.prune}",
                remedy="such as (0, 0, 1): drop the n-grams of three words and more that occur once",
            )
        if self.discount_fallback is not None and not all(
            0 < discount <= count for count, discount in enumerate(self.discount_fallback, start=1)
        ):
            raise InputError(
                f"expected fallback discounts above 0 and at most 1, 2 and 3, got {self.discount_fallback}"
            )


@dataclass
class _Order:
    """The n-grams of one length. Node numbers count from 0 within the order."""

    word: NDArray[np.int32]
    suffix: NDArray[np.int32]
    counts: NDArray[np.int32]
    child_begin: NDArray[np.int64]
    log_prob: NDArray[np.float32]
    backoff: NDArray[np.float32]

    @classmethod
    def childless(
        cls, word: NDArray[np.int32], suffix: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> _Order:
        """An order without numbers yet and without an order above it."""
        nothing = np.zeros(0, dtype=np.float32)
        return cls(word, suffix, counts, np.zeros(len(word) + 1, dtype=np.int64), nothing, nothing)

    def __len__(self) -> int:
        return len(self.word)


def estimate(
    sentences: Sequence[Sentences], vocabulary_size: int, options: LmOptions | None = None
) -> NgramArrays:
    """A language model of the sentences of all corpora together.

    Tokens are ids below ``vocabulary_size``; ``<s>`` and ``</s>`` must not be among them, ``<unk>`` may be
    and is then counted as a word. A word of the vocabulary that never occurs gets the probability of
    ``<unk>``. An empty sentence counts as one.
    """
    options = options or LmOptions()
    text = _padded(sentences, vocabulary_size)
    orders = _count(text, vocabulary_size, options.order)
    del text
    kept = _kept(orders, options)
    _probabilities(orders, kept, options)
    return _pack(orders, kept)


def _padded(sentences: Sequence[Sentences], vocabulary_size: int) -> NDArray[np.int32]:
    if vocabulary_size <= SENTENCE_END:
        raise InputError(
            f"expected a vocabulary with <unk>, <s> and </s>, got {vocabulary_size} words",
            remedy="Vocabulary.from_counts puts them first",
        )
    lengths = [int(corpus.starts[-1] - corpus.starts[0]) + 2 * len(corpus) for corpus in sentences]
    total = sum(lengths)
    if total == 0:
        raise InputError("expected text to estimate a language model from, got no sentences")
    if total >= 2**31:
        raise InputError(
            f"expected fewer than 2^31 tokens with sentence ends, got {total}", remedy="give fewer sentences"
        )
    for number, corpus in enumerate(sentences):
        tokens = corpus.tokens[int(corpus.starts[0]) : int(corpus.starts[-1])]
        if len(tokens) and not (int(tokens.min()) >= 0 and int(tokens.max()) < vocabulary_size):
            raise InputError(
                f"expected word ids from 0 to {vocabulary_size - 1}, "
                f"got {int(tokens.min())} to {int(tokens.max())} in corpus {number}",
                remedy="the sentences and the vocabulary do not belong together",
            )
        if bool(((tokens == SENTENCE_START) | (tokens == SENTENCE_END)).any()):
            raise InputError(
                f"expected no <s> or </s> inside sentences, found one in corpus {number}",
                remedy="sentence ends are added by the estimator: give the sentences without them",
            )
    text = np.empty(total, dtype=np.int32)
    at = 0
    for corpus, length in zip(sentences, lengths, strict=True):
        _kernels.pad(corpus.tokens, corpus.starts, text[at : at + length])
        at += length
    return text


def _count(text: NDArray[np.int32], vocabulary_size: int, order: int) -> list[_Order]:
    """The trie of all n-grams, each order from the one below."""
    counts = np.bincount(text, minlength=vocabulary_size).astype(np.int32)
    nothing = np.full(vocabulary_size, -1, dtype=np.int32)
    orders = [_Order.childless(np.arange(vocabulary_size, dtype=np.int32), nothing, counts)]
    by_word = _kernels.positions_by_word(text, counts)
    ids, next_ids = text, np.empty_like(text)
    for length in range(1, order):
        below = orders[-1]
        word, suffix, counts, below.child_begin = _kernels.extend(
            text, by_word, ids, below.counts, length, next_ids
        )
        orders.append(_Order.childless(word, suffix, counts))
        ids, next_ids = next_ids, (np.empty_like(text) if ids is text else ids)
    return orders


def _kept(orders: list[_Order], options: LmOptions) -> list[NDArray[np.bool_]]:
    """Which nodes survive pruning; a parent or suffix occurs no less often, so it is kept with its node."""
    thresholds = options.prune + options.prune[-1:] * (options.order - len(options.prune))
    kept = [np.ones(len(orders[0]), dtype=np.bool_)]
    for threshold, level in zip(thresholds[1:], orders[1:], strict=True):
        kept.append(level.counts > threshold)
    return kept


def _adjust(orders: list[_Order]) -> None:
    """Occurrences → adjusted counts, in place, in every order but the highest (and never for ``<s> …``)."""
    begin, end = SENTENCE_START, SENTENCE_START + 1
    # children are contiguous, so the nodes that begin with <s> lie together in every order
    for level, above in pairwise(orders):
        adjusted = _kernels.left_extensions(above.suffix, len(level))
        adjusted[begin:end] = level.counts[begin:end]
        level.counts = adjusted
        begin, end = int(level.child_begin[begin]), int(level.child_begin[end])
    orders[0].counts[SENTENCE_START] = 0


def _probabilities(orders: list[_Order], kept: list[NDArray[np.bool_]], options: LmOptions) -> None:
    """Fill in log_prob and backoff, lowest order first."""
    unigrams = orders[0]
    seen = unigrams.counts > 0
    _adjust(orders)
    seen[SENTENCE_START], seen[UNKNOWN] = False, True
    uniform = np.array([1 / np.count_nonzero(seen)])
    root = np.array([0, len(unigrams)], dtype=np.int64)
    to_uniform = np.zeros(len(unigrams), dtype=np.int32)
    for number, level in enumerate(orders):
        discounts = _discounts(_kernels.count_of_counts(level.counts), number + 1, options)
        if number == 0:
            lower, _ = _kernels.interpolate(root, to_uniform, level.counts, kept[0], discounts, uniform)
            lower[~seen] = lower[UNKNOWN]
            lower[SENTENCE_START] = 1.0
        else:
            below = orders[number - 1]
            lower, gamma = _kernels.interpolate(
                below.child_begin, level.suffix, level.counts, kept[number], discounts, lower
            )
            below.backoff = _log(gamma)
        level.log_prob = _log(lower)
    orders[-1].backoff = np.zeros(len(orders[-1]), dtype=np.float32)


def _log(values: NDArray[np.float64]) -> NDArray[np.float32]:
    with np.errstate(divide="ignore"):
        logs: NDArray[np.float32] = np.maximum(np.log(values), LOG_ZERO).astype(np.float32)
    return logs


def _discounts(count_of_counts: NDArray[np.int64], order: int, options: LmOptions) -> NDArray[np.float64]:
    """D(0) … D(3+) of one order: Chen and Goodman (1999), equation 26, or Kneser and Ney's single one."""
    _, n1, n2, n3, n4 = (int(count) for count in count_of_counts)
    modified = options.smoothing == "modified-kneser-ney"
    if n1 and n2 and (n3 or not modified):
        y = n1 / (n1 + 2 * n2)
        found = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3) if modified else (y, y, y)
        if all(0 < discount <= count for count, discount in enumerate(found, start=1)):
            return np.array((0.0, *found))
    if options.discount_fallback is None:
        raise InputError(
            f"the counts of counts of order {order} allow no Kneser–Ney discounts: "
            f"{n1}, {n2}, {n3}, {n4} n-grams with adjusted counts 1 to 4",
            remedy="give more (and natural, not deduplicated) text, a lower order, or a discount_fallback",
        )
    fallback = options.discount_fallback if modified else options.discount_fallback[:1] * 3
    log.info("order %d: too little text for Kneser–Ney discounts; taking %s", order, fallback)
    return np.array((0.0, *fallback))


def _pack(orders: list[_Order], kept: list[NDArray[np.bool_]]) -> NgramArrays:
    """Drop what is pruned and number the nodes through all orders; the orders are used up on the way."""
    sizes = [int(np.count_nonzero(keep)) for keep in kept]
    order_start = np.zeros(len(orders) + 1, dtype=np.int64)
    np.cumsum(sizes, out=order_start[1:])
    total = int(order_start[-1])
    if total >= 2**31:
        raise InputError(
            f"expected fewer than 2^31 n-grams, got {total}",
            remedy="lower the order or prune, such as prune=(0, 0, 1)",
        )
    packed = NgramArrays(
        word=np.empty(total, dtype=np.int32),
        child_begin=np.full(total + 1, total, dtype=np.int64),
        suffix=np.full(total, -1, dtype=np.int32),
        log_prob=np.empty(total, dtype=np.float32),
        backoff=np.empty(total, dtype=np.float32),
        order_start=order_start,
    )
    numbers_below = np.zeros(0, dtype=np.int32)
    for level, keep in enumerate(kept):
        found, piece = orders[level], slice(int(order_start[level]), int(order_start[level + 1]))
        packed.word[piece] = found.word[keep]
        packed.log_prob[piece] = found.log_prob[keep]
        packed.backoff[piece] = found.backoff[keep]
        if level:
            packed.suffix[piece] = numbers_below[found.suffix[keep]]
        if level + 1 < len(kept):
            before = np.zeros(len(kept[level + 1]) + 1, dtype=np.int64)
            np.cumsum(kept[level + 1], out=before[1:])
            packed.child_begin[piece] = before[found.child_begin[:-1][keep]] + piece.stop
            numbers_below = (np.cumsum(keep, dtype=np.int32) - 1 + piece.start).astype(np.int32)
        orders[level] = _Order.childless(*(np.zeros(0, dtype=np.int32),) * 3)
    for array in packed:
        array.flags.writeable = False
    return packed
