"""A standalone paraphrase table: rows with their own phrases and words, independent of any model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.types.corpus import SPECIALS
from paraphrast.types.phrases import MAX_PHRASE, Phrases
from paraphrast.types.table import ParaphraseTable, TableInfo


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A row as written by a resource: phrases as tuples of truecased words, scores as natural logs.

    features: NaN, or no entry, if unknown.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    score: float
    count: int = 0
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class LooseTable:
    """The output of ``paraphrast table KIND`` and input of ``train``.

    table: phrase ids are rows of ``phrases``. words: the table's vocabulary, special words first, as in every
    vocabulary, so that masks have the same ids everywhere. category: uint32[phrases], tag-category bits of a phrase, 0
    without tags.
    """

    table: ParaphraseTable
    phrases: Phrases
    words: tuple[str, ...]
    category: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.table)

    def phrase(self, index: int) -> tuple[str, ...]:
        """The words of one phrase."""
        return tuple(self.words[word] for word in self.phrases.ids_of(index))


def loose_table(
    rows: Iterable[PhraseRow],
    info: TableInfo,
    feature_names: Sequence[str] = (),
    *,
    top: int = 20,
    glue: Mapping[tuple[str, ...], int] | None = None,
) -> LooseTable:
    """Number words and phrases by their text and sort the rows; at most ``top`` per source, by score, then target.

    If a pair occurs twice, the row with the higher score is kept. Phrases longer than seven words are an error.
    """
    best: dict[tuple[tuple[str, ...], tuple[str, ...]], PhraseRow] = {}
    for row in rows:
        for side in (row.source, row.target):
            if not 0 < len(side) <= MAX_PHRASE:
                raise InputError(f"expected phrases of 1 to {MAX_PHRASE} words, got {' '.join(side)!r}")
        known = best.get((row.source, row.target))
        if known is None or row.score > known.score:
            best[row.source, row.target] = row
    rows_in_order = sorted(best.values(), key=lambda row: (row.source, -row.score, row.target))
    place = 0
    chosen: list[PhraseRow] = []
    for number, row in enumerate(rows_in_order):
        place = place + 1 if number and rows_in_order[number - 1].source == row.source else 0
        if place < top:
            chosen.append(row)
    texts = sorted({side for row in chosen for side in (row.source, row.target)})
    special = set(SPECIALS)
    words = (*SPECIALS, *sorted({word for text in texts for word in text} - special))
    word_id = {word: number for number, word in enumerate(words)}
    matrix = np.full((len(texts), MAX_PHRASE), -1, dtype=np.int32)
    for number, text in enumerate(texts):
        matrix[number, : len(text)] = [word_id[word] for word in text]
    phrase_id = {text: number for number, text in enumerate(texts)}
    spelling = np.array([(glue or {}).get(text, 0) for text in texts], dtype=np.uint8)
    table = ParaphraseTable(
        np.array([phrase_id[row.source] for row in chosen], dtype=np.int32),
        np.array([phrase_id[row.target] for row in chosen], dtype=np.int32),
        np.array([row.count for row in chosen], dtype=np.int64),
        np.array([row.score for row in chosen], dtype=np.float32),
        {
            name: np.array([row.features.get(name, np.nan) for row in chosen], dtype=np.float32)
            for name in feature_names
        },
        info,
    )
    return LooseTable(table, Phrases(matrix, spelling), words, np.zeros(len(texts), dtype=np.uint32))
