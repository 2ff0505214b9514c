"""The arrays of a search as records: edits and hypotheses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import small_work
from paraphrast.decode.arrays import DecoderArrays
from paraphrast.decode.batch import HypEdit, Hypothesis
from paraphrast.decode.scoring import EdgeRows, Results

#: Seconds that the odds of one swap take in plain Python.
SWAP_SECONDS = 1e-4


def hypotheses_of(
    arrays: DecoderArrays, results: Results, rows: EdgeRows, tokens: list[list[int]]
) -> Iterator[list[Hypothesis]]:
    """The hypotheses of each item, in the kernel's order; hypotheses of one item share their edits.

    rows: the edges that were searched. tokens: those of each item.
    """
    hypothesis_begin, scores, edit_begin, edits = (array.tolist() for array in results)
    row_begin = rows.begin.tolist()
    for item, item_tokens in enumerate(tokens):
        options = rows.option[row_begin[item] : row_begin[item + 1]]
        edit_of: dict[int, HypEdit] = {}
        hypotheses: list[Hypothesis] = []
        for index in range(hypothesis_begin[item], hypothesis_begin[item + 1]):
            columns = edits[edit_begin[index] : edit_begin[index + 1]]
            for row in columns:
                if row[0] not in edit_of:
                    edit_of[row[0]] = _edit(arrays, row, options, item_tokens)
            hypotheses.append(Hypothesis(scores[index], tuple([edit_of[row[0]] for row in columns])))
        yield hypotheses


def substitution(arrays: DecoderArrays, start: int, end: int, option: int, edge: int = -1) -> HypEdit:
    """An option in the place of tokens ``start … end`` of an item."""
    return HypEdit(
        start_token=start,
        end_token=end,
        option=option,
        target_words=arrays.target_words_of(option),
        target=arrays.options.target.item(option),
        log_prob=arrays.options.log_prob.item(option),
        table_mask=arrays.options.tables.item(option),
        edge=edge,
    )


def swap_odds(arrays: DecoderArrays, phrase: Sequence[int]) -> float:
    """log p(swap) − log p(monotone) of a phrase and the phrase after it."""
    from paraphrast.decode._kernels_swap import swap_odds as swap_odds_kernel

    words = np.array(phrase, dtype=np.int32)
    with small_work(SWAP_SECONDS, swap_odds_kernel):
        return float(swap_odds_kernel(arrays.options, words, 0, len(words), arrays.swap_default))


def _edit(arrays: DecoderArrays, row: list[int], options: NDArray[np.int32], tokens: list[int]) -> HypEdit:
    """An edit from its columns (see :class:`~paraphrast.decode.scoring.Results`)."""
    edge, start, end, left, right, split = row
    if split < 0:
        return substitution(arrays, start, end, options.item(edge), edge)
    parts = tuple(
        substitution(arrays, first, stop, options.item(part), part)
        if part >= 0
        else HypEdit(first, stop, -1, tuple(tokens[first:stop]), -1, 0.0, 0)
        for first, stop, part in ((split, end, right), (start, split, left))
    )
    odds = swap_odds(arrays, tokens[start:split])
    return HypEdit(
        start_token=start,
        end_token=end,
        option=-1,
        target_words=parts[0].target_words + parts[1].target_words,
        target=-1,
        log_prob=parts[0].log_prob + parts[1].log_prob - math.log1p(math.exp(-odds)),
        table_mask=parts[0].table_mask | parts[1].table_mask,
        swapped=parts,
        edge=edge,
    )
