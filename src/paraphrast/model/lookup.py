"""The phrases and table rows of a model as arrays, to look up a pair without a Parquet reader.

``lookup/`` has the phrases of the model (``phrase_words``, ``phrase_begin``, ``phrase_order``) and a folder per table.
It has the same content as ``phrases.parquet`` and ``tables/*.parquet``, which other tools, `paraphrast table` and
training use; a model without these can still rewrite and explain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import ModelError
from paraphrast.formats.arrays import check_bounds, check_range, load_array, save_array
from paraphrast.formats.json_text import parse_json
from paraphrast.types import ParaphraseTable, Phrases

LOOKUP = "lookup"
_TABLES = "tables.json"


@dataclass(frozen=True)
class PhraseIndex:
    """Phrase id → words, and words → phrase id.

    words: int32[·], vocabulary ids of all phrases. begin: int32[phrases + 1], into ``words``.
    order: int32[phrases], the phrase ids sorted by words.
    """

    words: NDArray[np.int32]
    begin: NDArray[np.int32]
    order: NDArray[np.int32]

    @classmethod
    def of(cls, phrases: Phrases) -> PhraseIndex:
        """The index of some phrases."""
        begin = np.concatenate([[0], np.cumsum(phrases.lengths)]).astype(np.int32)
        order = np.lexsort(phrases.words.T[::-1]).astype(np.int32)
        return cls(phrases.words[phrases.words >= 0].astype(np.int32), begin, order)

    def words_of(self, phrase: int) -> tuple[int, ...]:
        """The vocabulary ids of a phrase."""
        return tuple(self.words[self.begin[phrase] : self.begin[phrase + 1]].tolist())

    def find(self, words: Sequence[int]) -> int | None:
        """The id of the phrase with these words, by binary search; None if there is none."""
        wanted = tuple(words)
        low, high = 0, len(self.order)
        while low < high:
            middle = (low + high) // 2
            if self.words_of(int(self.order[middle])) < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(self.order) and self.words_of(int(self.order[low])) == wanted:
            return int(self.order[low])
        return None


@dataclass(frozen=True)
class TableRows:
    """The rows of one table, by source.

    begin: int32[phrases + 1]; the rows of source phrase i are ``begin[i] … begin[i + 1]``.
    target: int32[rows]. score: float32[rows]. count: int32[rows]. veto: uint8[rows].
    features: float32[rows, F], NaN where unknown; names: of its columns.
    """

    names: tuple[str, ...]
    begin: NDArray[np.int32]
    target: NDArray[np.int32]
    score: NDArray[np.float32]
    count: NDArray[np.int32]
    veto: NDArray[np.uint8]
    features: NDArray[np.float32]

    @classmethod
    def of(cls, table: ParaphraseTable, phrase_count: int) -> TableRows:
        """The rows of a table, each source's by score, best first, then by target."""
        order = np.lexsort((table.target, -table.score.astype(np.float64), table.source))
        columns = [column[order] for column in table.features.values()]
        veto = table.veto if len(table.veto) else np.zeros(len(table), np.uint8)
        return cls(
            tuple(table.features),
            np.searchsorted(table.source[order], np.arange(phrase_count + 1)).astype(np.int32),
            table.target[order],
            table.score[order],
            np.minimum(table.count[order], np.iinfo(np.int32).max).astype(np.int32),
            veto[order],
            np.column_stack([np.zeros((len(table), 0), np.float32), *columns]).astype(np.float32),
        )

    def rows_of(self, source: int) -> range:
        """The rows of a source phrase, best first."""
        return range(int(self.begin[source]), int(self.begin[source + 1]))


_DTYPES = {
    "begin": np.int32,
    "target": np.int32,
    "score": np.float32,
    "count": np.int32,
    "veto": np.uint8,
    "features": np.float32,
}


@dataclass(frozen=True)
class Lookup:
    """The phrases of a model, and the rows of its tables by name."""

    phrases: PhraseIndex
    tables: Mapping[str, TableRows]

    @classmethod
    def of(cls, phrases: Phrases, tables: Mapping[str, ParaphraseTable]) -> Lookup:
        """The arrays of a model's phrases and tables."""
        rows = {name: TableRows.of(tables[name], len(phrases)) for name in sorted(tables)}
        return cls(PhraseIndex.of(phrases), rows)

    def save(self, model: Path) -> None:
        """Write ``lookup/`` into a model folder."""
        folder = model / LOOKUP
        folder.mkdir()
        for field in ("words", "begin", "order"):
            save_array(folder / f"phrase_{field}.npy", getattr(self.phrases, field))
        for name, table in self.tables.items():
            (folder / name).mkdir()
            for field in _DTYPES:
                save_array(folder / name / f"{field}.npy", getattr(table, field))
        names = {name: list(table.names) for name, table in self.tables.items()}
        (folder / _TABLES).write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, model: Path) -> Lookup:
        """Map ``lookup/`` of a model folder into memory."""
        folder = model / LOOKUP
        try:
            names = parse_json((folder / _TABLES).read_text(encoding="utf-8"))
            tables = {str(name): tuple(map(str, features)) for name, features in names.items()}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise ModelError(
                f"expected the names of tables and features: {error}",
                where=folder / _TABLES,
                remedy="the folder is damaged: copy it again, or train the model again",
            ) from error
        index = PhraseIndex(
            *(load_array(folder / f"phrase_{field}.npy", np.int32) for field in ("words", "begin", "order"))
        )
        check_bounds(folder / "phrase_begin.npy", index.begin, len(index.words))
        check_range(folder / "phrase_order.npy", index.order, 0, len(index.order))
        check_range(folder / "phrase_words.npy", index.words, 0, np.inf)
        rows = {}
        for name, features in sorted(tables.items()):
            arrays = {
                field: load_array(
                    folder / name / f"{field}.npy", dtype, dimensions=2 if field == "features" else 1
                )
                for field, dtype in _DTYPES.items()
            }
            rows[name] = TableRows(features, **arrays)
            _check(rows[name], len(index.order), folder / name)
        return cls(index, rows)


def _check(rows: TableRows, phrase_count: int, folder: Path) -> None:
    """Refuse arrays whose lengths do not fit together."""
    lengths = {len(getattr(rows, field)) for field in _DTYPES if field != "begin"}
    if (
        lengths != {int(rows.begin[-1])}
        or len(rows.begin) != phrase_count + 1
        or rows.features.shape[1] != len(rows.names)
    ):
        raise ModelError(
            "the arrays of this table do not fit together",
            where=folder,
            remedy="the folder is damaged: copy it again, or train the model again",
        )
    check_bounds(folder / "begin.npy", rows.begin, len(rows.target))
    check_range(folder / "target.npy", rows.target, 0, phrase_count)
    check_range(folder / "score.npy", rows.score, -np.inf, np.inf)
