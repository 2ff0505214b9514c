"""Queries with the same intent: Zhao et al. (2008), §4, table 6, equation 10.

    Sim(p1, p2) = β · content overlap + (1 − β) · overlap of clicked documents

The best 20 of a query above Th4 are its paraphrases. The paper names two problems of this table: misspelt queries,
which are left out here, and queries that are only related, which Th4 limits. Without clicks, questions marked as
duplicates make the table. A cluster of duplicates counts as one document that all its questions lead to. Where two
questions of a cluster differ in a few words, those words are paraphrases too ("good" and "great" in "how can I be a …
geologist").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.bitext import read_columns
from paraphrast.formats.queries import Click, read_clicks
from paraphrast.tables.resources._kernels_overlap import difference_blocks
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import QueryOptions
from paraphrast.tables.resources.overlap import ItemSets, pair_overlaps, sharing_pairs
from paraphrast.tables.resources.words import encode_lines, encode_two, glue_bits, has_letter, same_masks
from paraphrast.text.truecase import Truecaser
from paraphrast.types import MAX_PHRASE, Sentences, Vocabulary
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["QueriesKind", "QueryOptions", "click_rows", "duplicate_rows", "misspelt"]


def misspelt(counts: dict[str, int], options: QueryOptions) -> set[str]:
    """Rare words that are one edit (insertion, deletion, replacement or swap) from a much more frequent word.

    Compares the deletions of both words, so the cost grows with letters, not with pairs of words.
    """
    deletions: dict[str, int] = {}
    for word, count in counts.items():
        if count >= options.common and word.isalpha():
            for form in _deletions(word):
                deletions[form] = max(deletions.get(form, 0), count)
    misspellings = set()
    for word, count in counts.items():
        if count > options.rare or len(word) < 4 or not word.isalpha():
            continue
        best = max((deletions.get(form, 0) for form in _deletions(word)), default=0)
        if best >= count * options.common:
            misspellings.add(word)
    return misspellings


def _deletions(word: str) -> Iterator[str]:
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def click_rows(
    clicks: Iterable[Click],
    language: str,
    truecaser: Truecaser | None,
    options: QueryOptions,
    notes: dict[str, Any] | None = None,
) -> list[PhraseRow]:
    """Rows from a log, in both directions. count: the smaller number of clicks of the two queries."""
    query_ids: dict[str, int] = {}
    document_ids: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    for click in clicks:
        query = query_ids.setdefault(click.query, len(query_ids))
        rows.append((query, document_ids.setdefault(click.document, len(document_ids)), click.count))
    if not rows:
        raise InputError("expected a log of queries, got no rows")
    table = np.array(rows, np.int64)
    vocabulary, sentences = encode_lines(list(query_ids), language, truecaser)
    phrases = [tuple(vocabulary.words[word] for word in sentence) for sentence in sentences]
    bad = misspelt(_counts(vocabulary), options)
    fit = np.array(
        [
            0 < len(words) <= MAX_PHRASE and has_letter(words) and not bad.intersection(words)
            for words in phrases
        ]
    )
    row_of = np.repeat(np.arange(len(sentences)), np.diff(sentences.starts))
    # Queries that cannot be phrases (most questions) give no rows.
    words = ItemSets.of(row_of[fit[row_of]], sentences.tokens[fit[row_of]], len(sentences))
    table = table[fit[table[:, 0]]]
    documents = ItemSets.of(table[:, 0], table[:, 1], len(sentences))
    total = np.bincount(table[:, 0], weights=table[:, 2], minlength=len(sentences)).astype(np.int64)
    first, second, similarity = _similar(words, documents, options)
    if notes is not None:
        notes.update(queries=len(phrases), unfit=int((~fit).sum()), pairs_above_threshold=len(first))
    phrase_rows: list[PhraseRow] = []
    for i, j, value in zip(first.tolist(), second.tolist(), similarity.tolist(), strict=True):
        if phrases[i] == phrases[j] or not same_masks(phrases[i], phrases[j]):
            continue
        count = int(min(total[i], total[j]))
        phrase_rows.append(PhraseRow(phrases[i], phrases[j], math.log(value), count))
        phrase_rows.append(PhraseRow(phrases[j], phrases[i], math.log(value), count))
    return phrase_rows


def _counts(vocabulary: Vocabulary) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word, count in zip(vocabulary.words, vocabulary.counts.tolist(), strict=True):
        counts[word.lower()] = counts.get(word.lower(), 0) + count
    return counts


def _similar(
    words: ItemSets, documents: ItemSets, options: QueryOptions
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Pairs above Th4 among those that share a document or a word that is not too common."""
    pairs = [sharing_pairs(sets, most_rows=options.most_queries) for sets in (words, documents)]
    size = np.int64(len(words))
    keys = np.unique(np.concatenate([first.astype(np.int64) * size + second for first, second in pairs]))
    first, second = (keys // size).astype(np.int32), (keys % size).astype(np.int32)
    content = pair_overlaps(words, first, second)
    clicks = pair_overlaps(documents, first, second)
    similarity = options.beta * content + (1 - options.beta) * clicks
    above = similarity > options.th4
    return first[above], second[above], similarity[above]


def clusters_of(first: Sequence[str], second: Sequence[str]) -> list[Click]:
    """Clusters of duplicates, closed transitively. Each question leads to its cluster as if to a document."""
    from scipy import sparse

    ids: dict[str, int] = {}
    ours = [ids.setdefault(text, len(ids)) for text in first]
    theirs = [ids.setdefault(text, len(ids)) for text in second]
    graph = sparse.coo_matrix((np.ones(len(ours)), (ours, theirs)), shape=(len(ids), len(ids)))
    _, label = sparse.csgraph.connected_components(graph, directed=False)
    return [Click(text, str(label[number]), 1) for text, number in ids.items()]


def duplicate_rows(
    first: Sequence[str],
    second: Sequence[str],
    language: str,
    truecaser: Truecaser | None,
    options: QueryOptions,
    glue: dict[tuple[str, ...], int] | None = None,
) -> list[PhraseRow]:
    """Where two duplicates differ: the words between two matches, in both directions.

    The score is equation 10 of the whole questions, whose clicks overlap fully, so that a difference counts more if
    more of the questions agrees. Repeated pairs get the largest score and their number as count.
    """
    vocabulary, source, target = encode_two(first, second, language, truecaser)
    blocks = difference_blocks(
        np.ascontiguousarray(source.tokens), np.asarray(source.starts, np.int64),
        np.ascontiguousarray(target.tokens), np.asarray(target.starts, np.int64), options.longest,
    )  # fmt: skip
    pairs = len(source)
    questions = ItemSets.of(
        np.concatenate(
            [np.repeat(np.arange(pairs), np.diff(source.starts)),
             np.repeat(np.arange(pairs) + pairs, np.diff(target.starts))]
        ),
        np.concatenate([source.tokens, target.tokens]),
        2 * pairs,
    )  # fmt: skip
    content = pair_overlaps(
        questions, np.arange(pairs, dtype=np.int32), np.arange(pairs, 2 * pairs, dtype=np.int32)
    )
    bad = misspelt(_counts(vocabulary), options)
    best: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[float, int]] = {}
    for pair, begin, end, other_begin, other_end in blocks.tolist():
        similarity = options.beta * float(content[pair]) + (1 - options.beta)
        ours = _phrase(source, vocabulary, begin, end, glue)
        theirs = _phrase(target, vocabulary, other_begin, other_end, glue)
        if similarity <= options.difference or bad.intersection((*ours, *theirs)):
            continue
        if not (has_letter(ours) and has_letter(theirs) and same_masks(ours, theirs)):
            continue
        for key in ((ours, theirs), (theirs, ours)):
            known, times = best.get(key, (0.0, 0))
            best[key] = max(known, similarity), times + 1
    return [
        PhraseRow(ours, theirs, math.log(value), times)
        for (ours, theirs), (value, times) in best.items()
        if " ".join(ours).lower() != " ".join(theirs).lower()
    ]


def _phrase(
    side: Sentences, vocabulary: Vocabulary, begin: int, end: int, glue: dict[tuple[str, ...], int] | None
) -> tuple[str, ...]:
    words = tuple(vocabulary.words[word] for word in side.tokens[begin:end])
    bits = glue_bits(side.space_before[begin:end].tolist())
    if bits and glue is not None:
        glue.setdefault(words, bits)
    return words


class QueriesKind(TableKind):
    """A log of query, document, count; or, with ``duplicates``, two columns of questions asked twice."""

    name = "queries"
    options: ClassVar[type] = QueryOptions

    def build(self, job: TableJob, options: QueryOptions) -> LooseTable:
        notes: dict[str, Any] = {}
        glue: dict[tuple[str, ...], int] = {}
        if options.duplicates:
            bitext = read_columns(job.one_input("duplicate questions"), ["1", "2"])
            ours, theirs = bitext.lines["1"], bitext.lines["2"]
            rows = click_rows(clusters_of(ours, theirs), job.language, job.truecaser, options, notes)
            notes["whole"] = len(rows)
            rows += duplicate_rows(ours, theirs, job.language, job.truecaser, options, glue)
        else:
            clicks = (click for path in job.inputs for click in read_clicks(path))
            rows = click_rows(clicks, job.language, job.truecaser, options, notes)
        info = info_of(self.name, job.language, options, notes=notes)
        return loose_table(rows, info, top=options.top, glue=glue)
