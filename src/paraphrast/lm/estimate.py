"""Text → back-off language model: interpolated Kneser–Ney, modified (Chen and Goodman 1999) or plain.

The conventions are those of KenLM's estimator (Heafield and others 2013), so that the numbers agree with it:

- adjusted counts: an n-gram below the highest order counts its distinct left neighbours. If it begins with ``<s>``, it
  has none and counts its occurrences instead;
- discounts of each order from its counts of counts, computed before pruning;
- the unigrams are interpolated with a uniform distribution over the words seen, ``</s>`` and ``<unk>``;
  ``<s>`` is never predicted and has log probability 0;
- pruning uses occurrences; the mass of pruned n-grams goes to the back-off weight.

Three steps: :mod:`paraphrast.lm.counting` builds the trie of the text, in memory or, if memory is limited, on disk;
:func:`_number` renumbers the nodes that pruning leaves; :func:`_fill` computes the probabilities, lowest order first,
and puts every remaining node in its place. All of them process the arrays in pieces, so that mapped files never fill
the memory. In memory the same code runs on ordinary arrays, with the same result to the byte.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast._numeric import ONLY_UNKNOWN
from paraphrast.errors import InputError
from paraphrast.lm import _kernels_smooth as _kernels
from paraphrast.lm.counting import (
    MAX_NODES,
    Level,
    blocks,
    check_text,
    count_in_memory,
    count_in_runs,
    merge_saved_runs,
    padded,
    too_many,
)
from paraphrast.lm.options import LmOptions
from paraphrast.lm.packing import pack
from paraphrast.lm.pruning import LOG_ZERO, prune_entropy
from paraphrast.lm.space import Space
from paraphrast.types import SENTENCE_START, UNKNOWN, NgramArrays, PackedNgrams, Sentences

log = logging.getLogger(__name__)

#: Maximum number of bytes for counting one token in memory: positions, buckets, and the nodes of one order.
COUNTING_BYTES = 72
#: Additional bytes per node of each further order, with its numbers, if all orders stay in memory.
NODE_BYTES = 44


def estimate(
    sentences: Sequence[Sentences],
    vocabulary_size: int,
    options: LmOptions | None = None,
    *,
    memory: int | None = None,
    folder: str | Path | None = None,
) -> NgramArrays:
    """A language model of the sentences of all corpora together.

    Tokens are ids below ``vocabulary_size``. ``<s>`` and ``</s>`` must not be among them; ``<unk>`` may be, and is then
    counted as a word. A word of the vocabulary that never occurs gets the probability of ``<unk>``. An empty sentence
    counts as one.

    memory: number of bytes that may be allocated, besides the vocabulary. A text that may need more is counted in
    pieces, and all large arrays are in unnamed files of ``folder`` (by default the system's folder for temporary
    files), which disappear with the arrays. The result is the same. The tokens may be mapped files.
    """
    return _estimate(sentences, vocabulary_size, options or LmOptions(), memory, folder)[0]


def _estimate(
    sentences: Sequence[Sentences],
    vocabulary_size: int,
    options: LmOptions,
    memory: int | None,
    folder: str | Path | None,
) -> tuple[NgramArrays, Space]:
    """The model, and where its arrays are."""
    total = check_text(sentences, vocabulary_size)
    needed = total * (COUNTING_BYTES + NODE_BYTES * (options.order - 1))
    if total <= MAX_NODES and (memory is None or needed <= memory):
        space = Space()
        (text,) = padded(sentences, total)
        levels = count_in_memory(text, vocabulary_size, options.order)
        del text
    else:
        space = Space(Path(folder) if folder is not None else Path(tempfile.gettempdir()))
        piece = min((memory or 2**62) // COUNTING_BYTES, 2**30)
        levels = count_in_runs(padded(sentences, piece), vocabulary_size, options.order, space)
    return _estimated(levels, options, space, sentences), space


def build_from_runs(
    runs: Sequence[Path],
    sentences: Sequence[Sentences],
    vocabulary_size: int,
    options: LmOptions,
    folder: Path,
) -> PackedNgrams:
    """Like :func:`build`, from runs of ``counting.save_run`` that together count the sentences.

    Large arrays are in unnamed files of ``folder``, as with a limit of memory. The result is the same.
    """
    space = Space(folder)
    levels = merge_saved_runs(runs, vocabulary_size, options.order, space)
    return pack(_estimated(levels, options, space, sentences), options.quantise or None, space)


def _estimated(
    levels: list[Level], options: LmOptions, space: Space, sentences: Sequence[Sentences]
) -> NgramArrays:
    numbers, sizes = _number(levels, options, space)
    arrays = _fill(levels, numbers, sizes, options, space)
    if options.entropy:
        arrays = prune_entropy(arrays, options.entropy, sentences)
    return arrays


def build(
    sentences: Sequence[Sentences],
    vocabulary_size: int,
    options: LmOptions | None = None,
    *,
    memory: int | None = None,
    folder: str | Path | None = None,
) -> PackedNgrams:
    """Like :func:`estimate`, but packed for lookups, with values quantised according to the options."""
    options = options or LmOptions()
    arrays, space = _estimate(sentences, vocabulary_size, options, memory, folder)
    return pack(arrays, options.quantise or None, space)


def _number(
    levels: list[Level], options: LmOptions, space: Space
) -> tuple[list[NDArray[np.int32]], list[int]]:
    """New numbers of the nodes, by order (−1 if pruned; empty for an order without pruning), and their counts.

    A parent or a suffix occurs at least as often as its n-gram, so it is kept too.
    """
    thresholds = options.prune + options.prune[-1:] * (options.order - len(options.prune))
    numbers, sizes = [], []
    for threshold, level in zip(thresholds, levels, strict=True):
        size = len(level)
        new_numbers = np.zeros(0, dtype=np.int32)
        if threshold:
            new_numbers, size = space.zeros(len(level), np.int32), 0
            for first, last in blocks(len(level)):
                size = _kernels.number_kept(first, last, level.counts, threshold, size, new_numbers)
                space.release()
        numbers.append(new_numbers)
        sizes.append(size)
    return numbers, sizes


def _adjust(levels: list[Level], space: Space) -> None:
    """Occurrences → adjusted counts, in every order but the highest (and never for ``<s> …``)."""
    begin, end = SENTENCE_START, SENTENCE_START + 1
    # children are contiguous, so the nodes that begin with <s> are adjacent in every order
    for level, above in pairwise(levels):
        adjusted = space.zeros(len(level), np.int32)
        for first, last in blocks(len(above)):
            _kernels.left_extensions(first, last, above.suffix, adjusted)
            space.release()
        adjusted[begin:end] = level.counts[begin:end]
        level.counts = adjusted
        begin, end = int(level.child_begin[begin]), int(level.child_begin[end])
    levels[0].counts[SENTENCE_START] = 0


def _fill(
    levels: list[Level], numbers: list[NDArray[np.int32]], sizes: list[int], options: LmOptions, space: Space
) -> NgramArrays:
    """Compute all probabilities, lowest order first. The levels are consumed."""
    order_start = np.zeros(len(levels) + 1, dtype=np.int64)
    np.cumsum(sizes, out=order_start[1:])
    total = int(order_start[-1])
    if total > MAX_NODES:
        raise too_many(total)
    packed = NgramArrays(
        word=space.zeros(total, np.int32),
        child_begin=space.zeros(total + 1, np.int64),
        suffix=space.zeros(total, np.int32),
        log_prob=space.zeros(total, np.float32),
        backoff=space.zeros(total, np.float32),
        order_start=order_start,
    )
    packed.child_begin[int(order_start[-2]) :] = total
    seen = levels[0].counts > 0
    _adjust(levels, space)
    lower = np.zeros(0)
    nothing = np.zeros(0, dtype=np.int32)
    for number, level in enumerate(levels):
        order_nodes = slice(int(order_start[number]), int(order_start[number + 1]))
        discounts = _discounts(_counts_of(level, space), number + 1, options)
        if number == 0:
            lower = _unigrams(level, seen, discounts)
            _kernels.logarithms(lower, LOG_ZERO, packed.log_prob[order_nodes])
        else:
            below, under = levels[number - 1], slice(int(order_start[number - 1]), order_nodes.start)
            probability = space.zeros(len(level), np.float64)
            children = 0
            for first, last in blocks(len(below)):
                _kernels.interpolate(
                    first, last, below.child_begin, level.suffix, level.counts, numbers[number],
                    numbers[number - 1], discounts, lower, LOG_ZERO, probability, packed.log_prob[order_nodes],
                    packed.backoff[under],
                )  # fmt: skip
                children = _kernels.place_children(
                    first, last, below.child_begin, numbers[number - 1], numbers[number], order_nodes.start, children,
                    packed.child_begin[under],
                )  # fmt: skip
                space.release()
            lower = probability
            del probability
            levels[number - 1] = Level(nothing, nothing, nothing, nothing)
        for first, last in blocks(len(level)):
            _kernels.place_nodes(
                first, last, level.word, level.suffix, numbers[number], numbers[max(number - 1, 0)],
                int(order_start[number - 1]) if number else -1, packed.word[order_nodes], packed.suffix[order_nodes],
            )  # fmt: skip
            space.release()
    seen[SENTENCE_START] = True
    packed.suffix[: len(seen)][~seen] = ONLY_UNKNOWN
    for array in packed:
        array.flags.writeable = False
    return packed


def _counts_of(level: Level, space: Space) -> NDArray[np.int64]:
    totals = np.zeros(5, dtype=np.int64)
    for first, last in blocks(len(level)):
        _kernels.count_of_counts(first, last, level.counts, totals)
        space.release()
    return totals


def _unigrams(level: Level, seen: NDArray[np.bool_], discounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of the words, interpolated with a uniform distribution over those seen and ``<unk>``."""
    size = len(level)
    seen[SENTENCE_START], seen[UNKNOWN] = False, True
    uniform = np.array([1 / np.count_nonzero(seen)])
    everywhere = np.array([0, size], dtype=np.int32)
    nothing = np.zeros(0, dtype=np.int32)
    probability, unused = np.zeros(size), np.zeros(size, dtype=np.float32)
    _kernels.interpolate(
        0, 1, everywhere, np.zeros(size, dtype=np.int32), level.counts, nothing, nothing, discounts, uniform,
        LOG_ZERO, probability, unused, unused,
    )  # fmt: skip
    probability[~seen] = probability[UNKNOWN]
    probability[SENTENCE_START] = 1.0
    return probability


def _discounts(count_of_counts: NDArray[np.int64], order: int, options: LmOptions) -> NDArray[np.float64]:
    """D(0) … D(3+) of one order: Chen and Goodman (1999), equation 26, or Kneser and Ney's single one."""
    _, n1, n2, n3, n4 = (int(count) for count in count_of_counts)
    modified = options.smoothing == "modified-kneser-ney"
    if n1 and n2 and (n3 or not modified):
        y = n1 / (n1 + 2 * n2)
        discounts = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3) if modified else (y, y, y)
        if all(0 < discount <= count for count, discount in enumerate(discounts, start=1)):
            return np.array((0.0, *discounts))
    if options.discount_fallback is None:
        raise InputError(
            f"the counts of counts of order {order} allow no Kneser–Ney discounts: "
            f"{n1}, {n2}, {n3}, {n4} n-grams with adjusted counts 1 to 4",
            remedy="give more (and natural, not deduplicated) text, a lower order, or a discount_fallback",
        )
    fallback = options.discount_fallback if modified else options.discount_fallback[:1] * 3
    log.info("order %d: too little text for Kneser–Ney discounts; taking %s", order, fallback)
    return np.array((0.0, *fallback))
