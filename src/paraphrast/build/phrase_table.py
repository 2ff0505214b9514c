"""Aligned bitext to a scored phrase table with the order and fields of Moses."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.build.options import TableOptions
from paraphrast.build.shards import extract_shards
from paraphrast.build.word_lexicons import model1_lexicons
from paraphrast.engine import DUCKDB, open_engine
from paraphrast.extract import (
    CountedPairs,
    Extraction,
    alignment_points,
    count_pairs,
    extract_pairs,
    lexical_weights,
    link_lexicons,
    model1_log_prob,
    pair_alignments,
    pair_probabilities,
    prune_by_significance,
)
from paraphrast.formats.moses import MosesRow, escape
from paraphrast.types import MAX_PHRASE, Links, Sentences, Vocabulary

#: Number of rows that are converted to text at a time.
CHUNK = 1 << 15


@dataclass(frozen=True)
class ScoredPairs:
    """Counted pairs with the scores of Moses.

    alignment: int64[n], coded as in ``extract.alignment_codes``. Probabilities are plain, lexical weights natural logs.
    log_model1: natural logs of P(source | target) and P(target | source) by Model 1, if requested.
    """

    extraction: Extraction
    counted: CountedPairs
    alignment: NDArray[np.int64]
    target_given_source: NDArray[np.float64]
    source_given_target: NDArray[np.float64]
    log_lex_target: NDArray[np.float64]
    log_lex_source: NDArray[np.float64]
    log_model1: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def __len__(self) -> int:
        return len(self.counted)


def score_pairs(
    source: Sentences,
    target: Sentences,
    links: Links,
    source_size: int,
    target_size: int,
    options: TableOptions | None = None,
    *,
    threads: int = 1,
    memory: str | None = None,
    spill: Path | None = None,
    engine: str = DUCKDB,
) -> ScoredPairs:
    """Extract, count, prune and score the phrase pairs of an aligned bitext.

    engine: ``duckdb``, or a Spark master, whose workers must be able to read ``spill``.
    """
    options = options or TableOptions()
    lexicons = link_lexicons(source, target, links, source_size, target_size)
    with open_engine(engine, threads=threads, memory=memory, spill=spill) as workers:
        if workers.distributed:
            place = spill or Path(tempfile.gettempdir())
            extraction = extract_shards(workers, source, target, links, options.extract, place)
        else:
            extraction = extract_pairs(source, target, links, options.extract)
        counted = count_pairs(
            workers, extraction, min_count=options.min_count, kinds=options.discount != "none"
        )
        counted = prune_by_significance(source, target, extraction, counted, options.extract.significance)
        alignment = pair_alignments(workers, extraction, counted, links)
    forward, backward = pair_probabilities(counted, options.discount)
    return ScoredPairs(
        extraction,
        counted,
        alignment,
        forward,
        backward,
        *lexical_weights(extraction, counted, alignment, lexicons),
        _model1(source, target, source_size, target_size, extraction, counted) if options.model1 else None,
    )


def _model1(
    source: Sentences,
    target: Sentences,
    source_size: int,
    target_size: int,
    extraction: Extraction,
    counted: CountedPairs,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log P(source | target) and log P(target | source) of every pair, by Model 1 of the whole bitext."""
    forward, backward = model1_lexicons(source, target, source_size, target_size)
    sides = (extraction.source_words, counted.source), (extraction.target_words, counted.target)
    (source_words, source_ids), (target_words, target_ids) = sides
    return (
        model1_log_prob(source_words, target_words, source_ids, target_ids, backward),
        model1_log_prob(target_words, source_words, target_ids, source_ids, forward),
    )


def links_of_lines(links: Links, numbers: Sequence[int]) -> Links:
    """The links of the lines with these numbers, counted from 1."""
    rows = np.asarray(numbers, dtype=np.int64) - 1
    sizes = np.diff(links.starts)[rows]
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    place = np.arange(starts[-1]) + np.repeat(links.starts[rows] - starts[:-1], sizes)
    return Links(starts, links.source[place], links.target[place])


def moses_rows(
    pairs: ScoredPairs, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
) -> Iterator[MosesRow]:
    """The rows of a Moses table, in the byte order of its lines, which the tools of Moses need.

    Scores: Moses' four, then those of Model 1 if present, given the target and given the source.
    """
    counted, extraction = pairs.counted, pairs.extraction
    source_rank = _ranks(extraction.source_words, source_vocabulary)
    target_rank = _ranks(extraction.target_words, target_vocabulary)
    order = np.lexsort((target_rank[counted.target], source_rank[counted.source]))
    points: dict[int, tuple[tuple[int, int], ...]] = {}
    for first in range(0, len(order), CHUNK):
        rows = order[first : first + CHUNK]
        source, target = counted.source[rows], counted.target[rows]
        codes = pairs.alignment[rows].tolist()
        for code in codes:
            if code not in points:
                points[code] = alignment_points(code)
        scores = np.stack(
            [
                pairs.source_given_target[rows],
                np.exp(pairs.log_lex_source[rows]),
                pairs.target_given_source[rows],
                np.exp(pairs.log_lex_target[rows]),
                *(np.exp(scores[rows]) for scores in pairs.log_model1 or ()),
            ],
            axis=1,
        )
        counts = np.stack(
            [counted.target_total[target], counted.source_total[source], counted.count[rows]], axis=1
        )
        yield from (
            MosesRow(ours, theirs, tuple(values), points[code], tuple(numbers))
            for ours, theirs, values, code, numbers in zip(
                _spelled(extraction.source_words[source], source_vocabulary),
                _spelled(extraction.target_words[target], target_vocabulary),
                scores.tolist(),
                codes,
                counts.tolist(),
                strict=True,
            )
        )


def _spelled(words: NDArray[np.int32], vocabulary: Vocabulary) -> list[str]:
    names = vocabulary.words
    return [" ".join([names[word] for word in row if word >= 0]) for row in words.tolist()]


def _ranks(words: NDArray[np.int32], vocabulary: Vocabulary) -> NDArray[np.int64]:
    """The position of each phrase among all in the byte order of lines.

    Every word is followed by a space, which no word contains, so lines compare word by word, and a phrase ends with the
    word ``|||``. So phrases can be sorted without converting them to text.
    """
    spelled = [escape(word).encode() + b" " for word in vocabulary.words] + [b"||| "]
    rank = np.empty(len(spelled), dtype=np.int64)
    rank[sorted(range(len(spelled)), key=spelled.__getitem__)] = np.arange(len(spelled))
    end = len(spelled) - 1
    width = max(end.bit_length(), 1)
    keys = []
    ended = np.zeros(len(words), dtype=np.bool_)
    per_key = 62 // width
    for first in range(0, MAX_PHRASE + 1, per_key):
        key = np.zeros(len(words), dtype=np.int64)
        for column in range(first, min(first + per_key, MAX_PHRASE + 1)):
            word = words[:, column] if column < MAX_PHRASE else np.full(len(words), -1, np.int32)
            word_rank = np.where(ended, 0, rank[np.where(word >= 0, word, end)])
            ended = ended | (word < 0)
            key = (key << width) | word_rank
        keys.append(key)
    order = np.lexsort(keys[::-1])
    place = np.empty(len(words), dtype=np.int64)
    place[order] = np.arange(len(words))
    return place
