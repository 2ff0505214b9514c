"""Sentence pairs of one language → word alignment → phrase pairs → a table (Zhao et al. 2008, table 3, eq. 7).

This needs three rooms: the aligner for one language, extraction, and the table. Links come from the original text (case
folded, with numbers); phrases use the same tokens processed as in training (masked, truecased).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.build.monolingual import align_monolingual
from paraphrast.build.word_lexicons import model1_lexicons
from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.extract import Extraction, ExtractOptions, count_pairs, extract_pairs, model1_log_prob
from paraphrast.formats.bitext import read_columns
from paraphrast.tables.resources.comparable import Model1, comparable_table
from paraphrast.tables.resources.kinds import TableJob, TableKind
from paraphrast.tables.resources.options import ComparableOptions
from paraphrast.tables.resources.overlap import ItemSets, pair_overlaps
from paraphrast.tables.resources.words import encode_two, glue_bits
from paraphrast.text.truecase import Truecaser
from paraphrast.types import MAX_PHRASE, Links, LooseTable, Sentences, Vocabulary, concatenate

__all__ = ["ComparableKind", "build_comparable"]


def build_comparable(
    source: Sequence[str],
    target: Sequence[str],
    options: ComparableOptions | None = None,
    *,
    language: str = "en",
    truecaser: Truecaser | None = None,
    evidence: Sequence[str] | None = None,
    threads: int = 1,
) -> LooseTable:
    """The table of sentence pairs. Pairs with an overlap of at most Th3, and copies, are left out.

    evidence: as in :func:`~paraphrast.build.monolingual.align_monolingual`.
    """
    options = options or ComparableOptions()
    vocabulary, first, second = encode_two(source, target, language, truecaser, threads=threads)
    overlap = sentence_overlaps(first, second)
    pair_numbers = np.flatnonzero((overlap > options.th3) & (overlap <= options.most_overlap))
    if not len(pair_numbers):
        raise InputError(
            f"expected sentence pairs with a word overlap above {options.th3:g}, got none of {len(source)}",
            remedy="lower th3, or check that both columns are of one language",
        )
    first, second = select(first, pair_numbers), select(second, pair_numbers)
    lines = [[side[row] for row in pair_numbers.tolist()] for side in (source, target)]
    # No encoder is used: there are many pairs, and it would take several times as long.
    links, _ = align_monolingual(
        lines[0], lines[1], language=language, evidence=evidence, context=False, threads=threads
    )
    return _table(vocabulary, first, second, links, options, language, len(source), threads)


def sentence_overlaps(first: Sentences, second: Sentences) -> NDArray[np.float64]:
    """Word overlap of each pair of sentences, which is compared with Th3."""
    pairs = len(first)
    row = np.concatenate(
        [
            np.repeat(np.arange(pairs), np.diff(first.starts)),
            np.repeat(np.arange(pairs) + pairs, np.diff(second.starts)),
        ]
    )
    sets = ItemSets.of(row, np.concatenate([first.tokens, second.tokens]), 2 * pairs)
    ours = np.arange(pairs, dtype=np.int32)
    return pair_overlaps(sets, ours, ours + np.int32(pairs))


def select(sentences: Sentences, rows: NDArray[np.int64]) -> Sentences:
    """Some of the sentences, in the order of ``rows``."""
    sizes = np.diff(sentences.starts)[rows]
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    place = np.arange(starts[-1]) + np.repeat(sentences.starts[rows] - starts[:-1], sizes)
    return Sentences(sentences.tokens[place], starts, sentences.space_before[place])


def _table(
    vocabulary: Vocabulary,
    first: Sentences,
    second: Sentences,
    links: Links,
    options: ComparableOptions,
    language: str,
    given: int,
    threads: int,
) -> LooseTable:
    extraction = extract_pairs(first, second, links, ExtractOptions(max_length=options.max_length))
    with Engine(threads=threads) as engine:
        counted = count_pairs(engine, extraction)
    texts = [_texts(rows, vocabulary) for rows in (extraction.source_words, extraction.target_words)]
    phrases = list(dict.fromkeys([*texts[0], *texts[1]]))
    number = {phrase: index for index, phrase in enumerate(phrases)}
    ids = [np.array([number[text] for text in side], np.int32) for side in texts]
    glue: dict[tuple[str, ...], int] = {}
    pairs = extraction.pairs
    at = first.starts[pairs.sentence] + pairs.source_start
    for phrase, begin in dict(zip(pairs.source[::-1].tolist(), at[::-1].tolist(), strict=True)).items():
        words = texts[0][phrase]
        bits = glue_bits(first.space_before[begin : begin + len(words)].tolist())
        if bits:
            glue[words] = bits
    notes = {"pairs_given": given, "pairs_used": len(first), "phrase_pairs": len(counted)}
    return comparable_table(
        phrases, ids[0][counted.source], ids[1][counted.target], counted.count, language, options,
        glue=glue, notes=notes,
        model1=_model1(vocabulary, first, second, extraction, ids) if options.model1 else None,
    )  # fmt: skip


def _model1(
    vocabulary: Vocabulary,
    first: Sentences,
    second: Sentences,
    extraction: Extraction,
    ids: Sequence[NDArray[np.int32]],
) -> Model1:
    """Model 1 of one language, trained on the sentence pairs in both directions. ids: of the phrases of each side."""
    size = len(vocabulary)
    lexicon, _ = model1_lexicons(concatenate([first, second]), concatenate([second, first]), size, size)
    words = np.full((int(max(side.max(initial=-1) for side in ids)) + 1, MAX_PHRASE), -1, np.int32)
    words[ids[0]], words[ids[1]] = extraction.source_words, extraction.target_words

    def log_prob(given: NDArray[np.int32], generated: NDArray[np.int32]) -> NDArray[np.float64]:
        return model1_log_prob(words, words, generated, given, lexicon)

    return log_prob


def _texts(rows: NDArray[np.int32], vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    return [tuple(vocabulary.words[word] for word in row if word >= 0) for row in rows.tolist()]


class ComparableKind(TableKind):
    """Two columns of sentences that report the same event."""

    name = "comparable"
    options: ClassVar[type] = ComparableOptions

    def build(self, job: TableJob, options: ComparableOptions) -> LooseTable:
        bitext = read_columns(job.one_input("sentence pairs"), ["1", "2"])
        return build_comparable(
            bitext.lines["1"], bitext.lines["2"], options,
            language=job.language, truecaser=job.truecaser, threads=job.threads,
        )  # fmt: skip
