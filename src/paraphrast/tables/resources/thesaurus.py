"""Words with similar dependencies: Lin's thesaurus (1998), the first table of Zhao et al. (2008), §4, equation 5.

    Sim(e1, e2) = Σ over shared (r, e) of (I(e1, r, e) + I(e2, r, e))
                / (Σ over (r, e) of e1 of I(e1, r, e) + Σ over (r, e) of e2 of I(e2, r, e))

I(w, r, w') is the mutual information of a dependency triple, log (‖w, r, w'‖ · ‖*, r, *‖ / (‖w, r, *‖ · ‖*, r,
w'‖)). The features of a word are the triples where it is positive. Every triple is a feature of both of its words.
Only words of the same class are compared.

With M the words × features matrix of I, and B its pattern of ones, the numerators of all pairs are M Bᵀ + B Mᵀ: two
sparse products per block of words. Cost grows with the sum over features of the squared number of words with it, so
features of too many words ("have" as a head of anything) are left out of the products, but not of the sums in the
denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.files import read_lines
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import ThesaurusOptions
from paraphrast.text.syntax.dependencies import Triple
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["ThesaurusKind", "ThesaurusOptions", "information", "similar_words", "thesaurus_rows"]

#: Suffix of a relation seen from its other word.
_BACK = "⁻¹"


@dataclass(frozen=True)
class Counted:
    """Distinct (word, relation, other) with their counts, over numbered words and relations, both directions."""

    words: tuple[tuple[str, str], ...]
    relations: tuple[str, ...]
    word: NDArray[np.int32]
    relation: NDArray[np.int32]
    other: NDArray[np.int32]
    count: NDArray[np.int64]


def count_triples(triples: Iterable[Triple]) -> Counted:
    """Number words and relations by first appearance, add the inverse of every triple, and count."""
    words: dict[tuple[str, str], int] = {}
    relations: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    for triple in triples:
        head = words.setdefault((triple.head, triple.head_class), len(words))
        word = words.setdefault((triple.word, triple.word_class), len(words))
        relation = relations.setdefault(triple.relation, len(relations))
        back = relations.setdefault(triple.relation + _BACK, len(relations))
        rows.append((head, relation, word))
        rows.append((word, back, head))
    table = np.array(rows, np.int64).reshape(-1, 3)
    size = max(len(words), 1)
    keys, counts = np.unique(
        (table[:, 0] * max(len(relations), 1) + table[:, 1]) * size + table[:, 2], return_counts=True
    )
    pair, other = keys // size, keys % size
    return Counted(
        tuple(words),
        tuple(relations),
        (pair // max(len(relations), 1)).astype(np.int32),
        (pair % max(len(relations), 1)).astype(np.int32),
        other.astype(np.int32),
        counts.astype(np.int64),
    )


def information(counted: Counted) -> NDArray[np.float64]:
    """I(w, r, w') of every distinct triple."""
    size, kinds = len(counted.words), len(counted.relations)
    relation = counted.relation.astype(np.int64)
    weights = counted.count.astype(np.float64)
    by_relation = np.bincount(relation, weights, minlength=kinds)
    as_word = np.bincount(relation * size + counted.word, weights, minlength=kinds * size)
    as_other = np.bincount(relation * size + counted.other, weights, minlength=kinds * size)
    return np.asarray(
        np.log(
            weights
            * by_relation[relation]
            / (as_word[relation * size + counted.word] * as_other[relation * size + counted.other])
        ),
        dtype=np.float64,
    )


def similar_words(
    row: NDArray[np.int64],
    feature: NDArray[np.int64],
    value: NDArray[np.float64],
    rows: int,
    *,
    top: int,
    most_words: int,
    block: int = 512,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Equation 5 for all pairs of rows with a common feature: (row, other, similarity), the best ``top`` per row.

    Sorted by row, descending similarity, other.
    """
    from scipy import sparse

    total = np.bincount(row, value, minlength=rows)
    columns = int(feature.max()) + 1 if len(feature) else 1
    matrix = sparse.csr_matrix((value, (row, feature)), shape=(rows, columns))
    words_with = np.bincount(feature, minlength=columns)
    matrix = matrix[:, np.flatnonzero((words_with > 1) & (words_with <= most_words))]
    ones = matrix.copy()
    ones.data = np.ones_like(ones.data)
    matrix_turned, ones_turned = matrix.T.tocsr(), ones.T.tocsr()
    blocks: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = []
    for begin in range(0, rows, block):
        shared = (
            matrix[begin : begin + block] @ ones_turned + ones[begin : begin + block] @ matrix_turned
        ).tocoo()
        ours, theirs = shared.row.astype(np.int64) + begin, shared.col.astype(np.int64)
        apart = ours != theirs
        ours, theirs, sums = ours[apart], theirs[apart], shared.data[apart]
        similarity = sums / (total[ours] + total[theirs])
        order = np.lexsort((theirs, -similarity, ours))
        ours, theirs, similarity = ours[order], theirs[order], similarity[order]
        first = np.searchsorted(ours, ours, side="left")
        best = np.arange(len(ours)) - first < top
        blocks.append((ours[best], theirs[best], similarity[best]))
    if not blocks:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    columns_found = zip(*blocks, strict=True)
    ours, theirs, similarity = (np.concatenate(part) for part in columns_found)
    return ours, theirs, similarity


def thesaurus_rows(
    counted: Counted, options: ThesaurusOptions, notes: dict[str, Any] | None = None
) -> list[PhraseRow]:
    """The best words of every word, per word class. count: number of triples of the rarer word."""
    value = information(counted)
    size = len(counted.words)
    totals = np.bincount(counted.word, counted.count, minlength=size).astype(np.int64)
    positive = value > 0
    features = np.bincount(counted.word[positive], minlength=size)
    fit = (totals >= options.least_count) & (features >= options.least_features)
    feature = counted.relation.astype(np.int64) * size + counted.other
    classes = np.array([name for _, name in counted.words] or [""])
    rows: list[PhraseRow] = []
    for name in sorted(set(classes.tolist())):
        members = np.flatnonzero(fit & (classes == name))
        place = np.full(size, -1, np.int64)
        place[members] = np.arange(len(members))
        use = positive & (place[counted.word] >= 0)
        _, column = np.unique(feature[use], return_inverse=True)
        ours, theirs, similarity = similar_words(
            place[counted.word[use]], column, value[use], len(members),
            top=options.top, most_words=options.most_words,
        )  # fmt: skip
        for i, j, score in zip(
            members[ours].tolist(), members[theirs].tolist(), similarity.tolist(), strict=True
        ):
            if score >= options.least_similarity and counted.words[i][0] != counted.words[j][0]:
                count = int(min(totals[i], totals[j]))
                source, target = (counted.words[i][0],), (counted.words[j][0],)
                rows.append(PhraseRow(source, target, float(np.log(score)), count))
    if notes is not None:
        notes.update(triples=int(counted.count.sum()) // 2, distinct=len(counted.count), words=int(fit.sum()))
    return rows


def thesaurus_table(
    counted: Counted, language: str, options: ThesaurusOptions, *, known: Sequence[str] | None = None
) -> LooseTable:
    """Rows of lemmas and, with ``inflect``, of their inflected forms with the same score."""
    notes: dict[str, Any] = {}
    rows = thesaurus_rows(counted, options, notes)
    info = info_of("thesaurus", language, options, notes=notes)
    table = loose_table(rows, info, top=options.top)
    if not options.inflect:
        return table
    from paraphrast.tables.resources.inflect import expand
    from paraphrast.tables.resources.options import ExpandOptions

    return expand(
        table, ExpandOptions(back_off=1.0, top=options.top), known=None if known is None else set(known)
    )


class ThesaurusKind(TableKind):
    """Running text, one sentence or paragraph per line, parsed by spaCy."""

    name = "thesaurus"
    options: ClassVar[type] = ThesaurusOptions

    def build(self, job: TableJob, options: ThesaurusOptions) -> LooseTable:
        from paraphrast.text.syntax.dependencies import dependency_triples, load_parser

        parser = load_parser(job.parser)
        lines = (line for path in job.inputs for line in read_lines(path) if line.strip())
        counted = count_triples(dependency_triples(lines, parser))
        if not len(counted.count):
            raise InputError("expected text with dependencies between words, found none")
        return thesaurus_table(counted, job.language, options)
