"""Paraphrases by discounted walks on the whole phrase graph, one graph per language.

Commute times on a large graph depend on little but the degrees of the two vertices (von Luxburg, Radl & Hein 2010,
"Getting lost in space"), so the paper cuts the graph into small clusters. That separates a fifth of the good
paraphrases and still gives nearly uniform scores (docs/graph.md has the figures). Here the graph stays whole and the
walks short (Kok & Brockett 2010 truncate hitting times for the same reason). A double step goes from a phrase e to one
of its translations f and then to a phrase e′, with probability K(e, e′) = Σ_f p(f|e) p(e′|f). A single double step is
pivoting (Bannard & Callison-Burch 2005). Walks of k double steps are weighted by discount^(k − 1):

    W(e, e′) = Σ_k w_k K^k(e, e′),  w_k ∝ discount^(k − 1), Σ_k w_k = 1

K is reversible: n(e) K^k(e, e′) is symmetric. So is the similarity, which removes the advantage of frequent phrases:

    S(e, e′) = W(e, e′) sqrt(n(e) / n(e′)) ≤ 1

Each language has separate walks. Their similarities are combined by a power mean, M = (1/L Σ_l S_l^r)^(1/r): r = 1 is
the mixture that pivoting uses, r → 0 the product of experts. Between them, a pair needs support from several languages
but may be missing from one. With the agreement a of :mod:`paraphrast.graph.agreement`,

    P(e′|e) = M(e, e′) a(e, e′) / Σ_x M(e, x) a(e, x)
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paraphrast.errors import InputError
from paraphrast.graph import _kernels_discounted as k
from paraphrast.graph.agreement import Agreement
from paraphrast.graph.options import DiscountedOptions

#: Number of phrases whose rows are computed in one call of the kernel.
RUN = 8192
#: Says which rows source[i] → target[i] may be kept: bool of the same length.
RowFilter = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.bool_]]


@dataclass(frozen=True)
class TranslationGraph:
    """Translation probabilities of one or more languages; language l's row of phrase e is l · phrases + e.

    out_start: int64[languages · phrases + 1]; out_pivot: int32[n], out_prob: float64[n], p(f|e).
    back_start: int64[pivots + 1]; back_phrase: int32[n], back_prob: float64[n], p(e|f).
    total: float64[languages · phrases], n(e) in each language, 0 if the language does not have the phrase.
    """

    phrases: int
    languages: int
    out_start: NDArray[np.int64]
    out_pivot: NDArray[np.int32]
    out_prob: NDArray[np.float64]
    back_start: NDArray[np.int64]
    back_phrase: NDArray[np.int32]
    back_prob: NDArray[np.float64]
    total: NDArray[np.float64]


@dataclass(frozen=True)
class WalkRows:
    """Paraphrases, sorted by source, score descending, target.

    source, target: int32[n]. count: float64[n], Σ_l n_l(e) W_l(e, e′), the expected number of times that one replaces
    the other. score: float64[n], P(e′|e). walk, agreement: float64[n], M and a.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.float64]
    score: NDArray[np.float64]
    walk: NDArray[np.float64]
    agreement: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.source)


def translation_graph(
    phrase: ArrayLike,
    pivot: ArrayLike,
    count: ArrayLike,
    phrase_total: ArrayLike,
    pivot_total: ArrayLike,
    language: ArrayLike,
    sizes: tuple[int, int, int],
) -> TranslationGraph:
    """Counted phrase pairs as a graph for walks. Every array has one item per pair.

    phrase_total, pivot_total: n(e) and n(f) in the pair's language, before rare pairs were dropped; the probability of
    dropped pairs is lost. A pivot belongs to one language. sizes: numbers of phrases, pivots and languages.
    """
    phrases, pivots, languages = sizes
    ids = [np.asarray(values, dtype=np.int64) for values in (phrase, pivot, language)]
    counts = np.asarray(count, dtype=np.float64)
    totals = [np.asarray(values, dtype=np.float64) for values in (phrase_total, pivot_total)]
    if len({values.shape for values in (*ids, counts, *totals)}) > 1 or counts.ndim != 1:
        raise InputError("expected one phrase, pivot, count, language and two totals for each pair")
    for name, values, size in zip(("phrases", "pivots", "languages"), ids, sizes, strict=True):
        if len(values) and not (values.min() >= 0 and values.max() < size):
            raise InputError(f"expected {name} from 0 to {size - 1}, got {values.min()} to {values.max()}")
    if len(counts) and not (counts.min() > 0 and (counts <= np.minimum(*totals)).all()):
        raise InputError("expected counts above 0, none above the total of either phrase")
    row = ids[2] * phrases + ids[0]
    order = np.lexsort((ids[1], row))
    back = np.lexsort((ids[0], ids[1]))
    total = np.zeros(languages * phrases)
    total[row] = totals[0]
    return TranslationGraph(
        phrases,
        languages,
        _starts(row, languages * phrases),
        ids[1][order].astype(np.int32),
        (counts / totals[0])[order],
        _starts(ids[1], pivots),
        ids[0][back].astype(np.int32),
        (counts / totals[1])[back],
        total,
    )


def _starts(row: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    starts = np.zeros(rows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=rows), out=starts[1:])
    return starts


def step_weights(options: DiscountedOptions) -> NDArray[np.float64]:
    """w_1 … w_steps, which sum to 1."""
    weights = options.discount ** np.arange(options.steps, dtype=np.float64)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def walk_paraphrases(
    graph: TranslationGraph,
    agreement: Agreement | None = None,
    options: DiscountedOptions | None = None,
    *,
    sources: NDArray[np.int32] | None = None,
    keep: RowFilter | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> WalkRows:
    """The paraphrases of some phrases (all by default), best first.

    keep: rejected rows are replaced by the next best. Threads share only their input; each needs nine arrays with one
    number per phrase, and the rows of :data:`RUN` phrases.
    """
    options = options or DiscountedOptions()
    if sources is None:
        sources = np.arange(graph.phrases, dtype=np.int32)
    elif len(sources) and not (sources.min() >= 0 and sources.max() < graph.phrases):
        raise InputError(f"expected phrases from 0 to {graph.phrases - 1}")
    known = graph.total.reshape(graph.languages, graph.phrases).max(axis=0) > 0
    chosen = np.asarray(sources, dtype=np.int32)[known[sources]]
    firsts = range(0, len(chosen), RUN)

    def run(first: int) -> WalkRows:
        return _run(graph, chosen[first : first + RUN], agreement, options, keep)

    pieces = []
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for number, piece in enumerate(pool.map(run, firsts)):
            pieces.append(piece)
            if progress is not None:
                progress(min((number + 1) * RUN, len(chosen)), len(chosen))
    return _joined(pieces)


def _run(
    graph: TranslationGraph,
    sources: NDArray[np.int32],
    agreement: Agreement | None,
    options: DiscountedOptions,
    keep: RowFilter | None,
) -> WalkRows:
    begin, target, walk, count = k.discounted_walks(
        sources,
        graph.phrases,
        graph.languages,
        graph.out_start,
        graph.out_pivot,
        graph.out_prob,
        graph.back_start,
        graph.back_phrase,
        graph.back_prob,
        graph.total,
        step_weights(options),
        options.exponent,
        options.least,
        options.candidates,
    )
    place = np.repeat(np.arange(len(sources)), np.diff(begin))
    source = sources[place]
    agrees = np.ones(len(source)) if agreement is None else agreement(source, target)
    agrees = (options.floor + agrees) / (1 + options.floor)
    similarity = walk * agrees
    score = similarity / np.bincount(place, weights=similarity, minlength=len(sources))[place]
    good = similarity >= options.min_similarity
    if keep is not None:
        likely = np.flatnonzero(good)
        good[likely] = keep(source[likely], target[likely])
    source, target, walk, count = source[good], target[good], walk[good], count[good]
    score, agrees = score[good], agrees[good]
    order = np.lexsort((target, -score, source))
    rank = np.arange(len(order)) - np.searchsorted(source[order], source[order])
    order = order[rank < options.top] if options.top else order
    return WalkRows(source[order], target[order], count[order], score[order], walk[order], agrees[order])


def _joined(pieces: list[WalkRows]) -> WalkRows:
    if not pieces:
        ids, numbers = np.zeros(0, np.int32), np.zeros(0)
        return WalkRows(ids, ids, numbers, numbers, numbers, numbers)
    names = ("source", "target", "count", "score", "walk", "agreement")
    return WalkRows(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in names))
