"""An index of phrase pairs for ``paraphrast graph near``: discounted walks from one phrase at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._options import from_mapping, values_of
from paraphrast.build.graph_walks import WalkRun, row_filter
from paraphrast.build.options import GraphTableOptions
from paraphrast.build.phrase_index import INDEX_RECORD, PhraseIndex, bad_index, read_index_record
from paraphrast.errors import InputError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.graph.agreement import Agreement, Categories, EndTags
from paraphrast.graph.discounted import TranslationGraph, walk_paraphrases
from paraphrast.graph.options import DiscountedOptions
from paraphrast.tables.options import FilterOptions
from paraphrast.types import FIRST_WORD, Phrases

_GRAPH_ARRAYS: dict[str, Any] = {
    "out_start": np.int64,
    "out_pivot": np.int32,
    "out_prob": np.float64,
    "back_start": np.int64,
    "back_phrase": np.int32,
    "back_prob": np.float64,
    "total": np.float64,
}
_TAG_ARRAYS: dict[str, Any] = {"start": np.int64, "tag": np.int32, "share": np.float64}


def save_walk_index(folder: Path, run: WalkRun) -> None:
    """Write what a query for one phrase of the run's side needs, as arrays that can be mapped into memory."""
    folder.mkdir()
    arrays: dict[str, NDArray[Any]] = {name: getattr(run.graph, name) for name in _GRAPH_ARRAYS}
    arrays["words"] = run.side.words
    arrays["glue"] = run.side.glue
    for end in ("first", "last"):
        tags = getattr(run.agreement, end)
        if tags is not None:
            arrays |= {f"{end}_{name}": getattr(tags, name) for name in _TAG_ARRAYS}
    if run.agreement.categories is not None:
        arrays |= {name: getattr(run.agreement.categories, name) for name in ("mask", "replaceable")}
    for name, values in arrays.items():
        save_array(folder / f"{name}.npy", values)
    write_lines(folder / "words.txt", run.side.vocabulary)
    record = {
        "format_version": 2,
        "language": run.side.language,
        "side": run.side_name,
        "phrases": run.graph.phrases,
        "languages": run.graph.languages,
        "arrays": sorted(arrays),
        "options": values_of(run.options),
    }
    (folder / INDEX_RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class WalkIndex(PhraseIndex):
    """An index of a phrase table for queries about one phrase."""

    graph: TranslationGraph
    agreement: Agreement
    options: DiscountedOptions
    glue: NDArray[np.uint8]
    language: str

    @classmethod
    def load(cls, folder: str | Path) -> WalkIndex:
        """Open a folder written by :func:`save_walk_index`. Arrays are mapped, not read."""
        folder = Path(folder)
        record = read_index_record(folder)
        try:
            sizes = int(record["phrases"]), int(record["languages"])
            names, language = set(record["arrays"]), str(record["language"])
            options = from_mapping(GraphTableOptions, dict(record["options"])).walks
        except (ValueError, KeyError, TypeError, InputError) as error:
            raise bad_index(folder, error) from error

        def read(name: str, kind: Any, dimensions: int = 1) -> NDArray[Any]:
            return load_array(folder / f"{name}.npy", kind, dimensions=dimensions)

        def end_tags(end: str) -> EndTags | None:
            if f"{end}_start" not in names:
                return None
            return EndTags(*(read(f"{end}_{name}", kind) for name, kind in _TAG_ARRAYS.items()))

        categories = None
        if "mask" in names:
            categories = Categories(read("mask", np.uint32), read("replaceable", np.uint32))
        return cls(
            read("words", np.int32, 2),
            tuple(read_lines(folder / "words.txt")),
            TranslationGraph(*sizes, *(read(name, kind) for name, kind in _GRAPH_ARRAYS.items())),
            Agreement(end_tags("first"), end_tags("last"), categories),
            options,
            read("glue", np.uint8),
            language,
        )

    def near(self, phrase: str) -> list[tuple[str, float, float]]:
        """Paraphrases of a phrase, best first: text, P(e′|e) and count. Rows are filtered like those of a table."""
        source = np.array([self.number_of(phrase)], np.int32)
        rows = walk_paraphrases(self.graph, self.agreement, self.options, sources=source, keep=self._keep)
        return [
            (self.spell(target), score, count)
            for target, score, count in zip(
                rows.target.tolist(), rows.score.tolist(), rows.count.tolist(), strict=True
            )
        ]

    def _keep(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The filters of a table, with classes only for the words of these rows."""
        phrases = np.unique(np.concatenate([source, target]))
        words = self.words[phrases]
        ids = np.unique(words[words >= FIRST_WORD])
        remap = np.zeros(len(self.vocabulary) + 1, np.int32)
        remap[:FIRST_WORD], remap[-1] = np.arange(FIRST_WORD), -1
        remap[ids] = FIRST_WORD + np.arange(len(ids), dtype=np.int32)
        vocabulary = (*self.vocabulary[:FIRST_WORD], *(self.vocabulary[word] for word in ids.tolist()))
        few = Phrases(remap[words], self.glue[phrases])
        places = [np.searchsorted(phrases, side).astype(np.int32) for side in (source, target)]
        return row_filter(few, vocabulary, self.language, FilterOptions())(*places)
