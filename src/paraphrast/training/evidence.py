"""Evidence of every pair: its best pivots, and corpus sentences with them, so that `explain` works offline.

The evidence is larger than the table, so it is built for a range of table rows at a time. A first pass over the ranges
writes the columns of each to files, and finds which foreign phrases and which sentences are used. Their numbers follow
from that, and a second pass writes the arrays of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract.add_shards import TARGETS
from paraphrast.formats.arrays import stored_length, stored_slice, take_stored
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.model.evidence import EvidenceWriter
from paraphrast.tables.pivot.join import PRODUCT_ONE
from paraphrast.training.corpora import bitext_blocks, pivot_languages, provenance
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import bitext_names, phrase_keys
from paraphrast.types import ParaphraseTable, Phrases
from paraphrast.types.phrase_keys import listed

Columns = dict[str, NDArray[np.int64]]
_COLUMNS = ("row", "f", "p", "sentence1", "start1", "sentence2", "start2")
#: Number of pivots per pair and language whose sentences are cited.
_CITED = 1
#: Rows of the table whose evidence is in memory at a time, at least; all rows of a source phrase stay together.
_ROWS = 1 << 16
#: Lines of a bitext that are in memory at a time while cited sentences are looked up.
_LINES = 1 << 13


@dataclass(frozen=True)
class _Language:
    """The evidence of one pivot language in the work folder, and the text of the bitexts that have it.

    corpus: the number of each bitext. first_row: where the sentences of each begin, in the numbering of the language.
    """

    stored: Path
    texts: tuple[Path, ...]
    corpus: NDArray[np.int64]
    first_row: NDArray[np.int64]

    @classmethod
    def of(cls, recipe: Recipe, work: Path, language: str) -> _Language:
        """The files of a language."""
        names = bitext_names(recipe, language)
        texts = tuple(work / "text" / recipe.config.language / name for name in names)
        sizes = [stored_length(text / "starts.npy") - 1 for text in texts]
        return cls(
            work / "pivot" / f"evidence-{language}",
            texts,
            np.array([int(name[1:]) for name in names], dtype=np.int64),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )


def gather(
    recipe: Recipe,
    work: Path,
    engine: Engine,
    table: ParaphraseTable,
    phrases: Phrases,
    model: Path,
    rows: NDArray[np.int64] | None = None,
) -> None:
    """Write the evidence for the pairs of the pivot table into the model folder.

    A sentence is identified by (bitext, row). Each is stored once, unchanged, with its corpus and line. Of the three
    best pivots per language, only the first cites sentences: one for the source and one for the target, with the
    character span of the phrase. Evidence of kind ``ids`` has corpus and line, without text.

    rows: int64[rows of the stage's table], the row of each in ``table``, −1 if it was dropped; None if none was.
    """
    names = pivot_languages(recipe.config)
    languages = [_Language.of(recipe, work, name) for name in names]
    scratch = model / ".evidence"
    scratch.mkdir()
    lengths = phrases.lengths
    pivots = [np.zeros(0, np.int64) for _ in languages]
    keys = np.zeros(0, np.int64)
    counts = np.zeros(len(phrases), np.int64)
    files: list[Path] = []
    for columns in _ranges(recipe, languages, table, lengths, rows):
        pivots = [
            np.union1d(ids, columns["via"][columns["language"] == number])
            for number, ids in enumerate(pivots)
        ]
        sides = np.concatenate([columns["key1"], columns["key2"]])
        keys = np.union1d(keys, sides[sides >= 0])
        counts += np.bincount(columns["source"], minlength=len(phrases))
        files.append(scratch / f"{len(files)}.npz")
        np.savez(files[-1], **columns)  # type: ignore[arg-type]
    first = np.concatenate([[0], np.cumsum([len(ids) for ids in pivots])]).astype(np.int64)
    with EvidenceWriter(model) as writer:
        cited = 0
        for file in files:
            with np.load(file, allow_pickle=False) as stored:
                cited = _write_range(writer, dict(stored), pivots, first, keys, cited)
            file.unlink()
        for name, ids in zip(names, pivots, strict=True):
            for texts in _pivot_phrases(engine, recipe, work, name, ids, scratch / "phrases.parquet"):
                writer.phrases.add(texts)
        _write_sentences(writer, recipe, keys)
        writer.describe(
            np.concatenate([[0], np.cumsum(counts)]),
            list(zip(names, first.tolist(), strict=False)),
            [(source.name, str(provenance(source)["licence"])) for source in recipe.config.bitext],
            int(PRODUCT_ONE),
        )
    scratch.rmdir()


def _ranges(
    recipe: Recipe,
    languages: Sequence[_Language],
    table: ParaphraseTable,
    lengths: NDArray[np.int64],
    rows: NDArray[np.int64] | None,
) -> Iterator[Columns]:
    """The pivots of some rows of the table at a time, of all languages, sorted by source, target, language, probability
    and pivot. Sides that are not cited have the key −1."""
    bounds = _bounds(table.source)
    # The rows of the stage's table that become the rows of a range.
    stage = bounds if rows is None else np.searchsorted(np.maximum.accumulate(rows), bounds)
    for begin, end in pairwise(stage.tolist()):
        pieces = []
        for number, language in enumerate(languages):
            columns = _stored_columns(language, begin, end)
            if rows is not None:
                columns["row"] = rows[columns["row"]]
                columns = {name: column[columns["row"] >= 0] for name, column in columns.items()}
            columns = _best_pivots(columns, recipe.model.pivots)
            piece = _spans(language, columns, table, lengths)
            piece["language"] = np.full(len(piece["via"]), number, np.int64)
            pieces.append(piece)
        merged = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        # Foreign phrases are numbered by language, then by pivot id.
        order = np.lexsort(
            (merged["via"], -merged["p"], merged["language"], merged["target"], merged["source"])
        )
        merged = {name: column[order] for name, column in merged.items()}
        cited = _cited_sides(recipe, merged)
        for side in (0, 1):
            merged[f"key{side + 1}"] = np.where(cited[:, side], merged[f"key{side + 1}"], -1)
        yield merged


def _bounds(source: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where ranges of rows begin, and the end of the last: a source phrase is in one range."""
    bounds = [0]
    while bounds[-1] < len(source):
        end = min(bounds[-1] + _ROWS, len(source))
        bounds.append(int(np.searchsorted(source, source[end - 1], side="right")))
    return np.array(bounds if len(bounds) > 1 else [0, 0], dtype=np.int64)


def _stored_columns(language: _Language, begin: int, end: int) -> Columns:
    """The columns of the rows ``begin`` to ``end`` of the stage's table."""
    row = np.load(language.stored / "row.npy", mmap_mode="r", allow_pickle=False)
    low, high = (int(np.searchsorted(row, bound)) for bound in (begin, end))
    del row
    return {
        name: stored_slice(language.stored / f"{name}.npy", low, high).astype(np.int64) for name in _COLUMNS
    }


def _write_range(
    writer: EvidenceWriter,
    columns: Columns,
    pivots: Sequence[NDArray[np.int64]],
    first: NDArray[np.int64],
    keys: NDArray[np.int64],
    cited: int,
) -> int:
    """Write the arrays of a range of rows; ``cited`` rows with citations precede it. Returns how many now do."""
    phrase = np.zeros(len(columns["via"]), np.int64)
    for number, ids in enumerate(pivots):
        here = columns["language"] == number
        phrase[here] = first[number] + np.searchsorted(ids, columns["via"][here])
    sides = np.column_stack([columns["key1"], columns["key2"]])
    is_cited = (sides >= 0).any(axis=1)
    spans = [columns[f"{bound}{side}"][is_cited] for side in "12" for bound in ("start", "end")]
    writer.add(
        {
            "target": columns["target"],
            "phrase": phrase,
            "probability": columns["p"],
            "citation": np.where(is_cited, cited + np.cumsum(is_cited) - 1, -1),
            "cited_sentence": np.where(sides >= 0, np.searchsorted(keys, sides), -1)[is_cited],
            "cited_span": np.column_stack(spans).reshape(-1, 2, 2),
        }
    )
    return cited + int(is_cited.sum())


def _place(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many entries with the same row come directly before each one."""
    new_row = np.r_[True, row[1:] != row[:-1]] if len(row) else np.zeros(0, bool)
    place: NDArray[np.int64] = np.arange(len(row)) - np.maximum.accumulate(
        np.where(new_row, np.arange(len(row)), 0)
    )
    return place


def _best_pivots(columns: Columns, most: int) -> Columns:
    """The first ``most`` pivots of each pair; the best come first."""
    keep = _place(columns["row"]) < most
    return {name: column[keep] for name, column in columns.items()}


def _cited_sides(recipe: Recipe, columns: Columns) -> NDArray[np.bool_]:
    """bool[pivots, 2]: which sentences are cited, of source and target: the first ones of each pair, as many as asked.

    The most probable pivots come first, and of each the sentence of the source.
    """
    sources = recipe.config.bitext
    allowed = np.array([not recipe.model.cite or source.name in recipe.model.cite for source in sources])
    keys = np.column_stack([columns["key1"], columns["key2"]])
    eligible = (keys >= 0) & allowed[np.maximum(keys, 0) >> 40]
    order = np.lexsort((-columns["p"], columns["target"], columns["source"]))
    pair = (columns["source"] << 32 | columns["target"])[order]
    before = np.cumsum(eligible[order].ravel()) - eligible[order].ravel()
    first = np.searchsorted(pair, pair)
    rank = before.reshape(-1, 2) - before[2 * first][:, None]
    chosen: NDArray[np.bool_] = np.zeros(eligible.shape, np.bool_)
    chosen[order] = eligible[order] & (rank < recipe.model.citations)
    return chosen


def _spans(
    language: _Language, columns: Columns, table: ParaphraseTable, lengths: NDArray[np.int64]
) -> Columns:
    """Phrase ids, pivot, and for source and target the key of the sentence and the character span of the phrase."""
    row = columns["row"]
    cited = _place(row) < _CITED
    result = {
        "source": table.source[row].astype(np.int64),
        "target": table.target[row].astype(np.int64),
        "via": columns["f"],
        "p": columns["p"],
    }
    for which, phrase in (("1", result["source"]), ("2", result["target"])):
        sentence = columns[f"sentence{which}"]
        piece = np.searchsorted(language.first_row, sentence, side="right") - 1
        key = (language.corpus[piece] << 40) | (sentence - language.first_row[piece])
        start, end = np.full(len(row), -1, np.int64), np.full(len(row), -1, np.int64)
        for number, text in enumerate(language.texts):
            here = np.flatnonzero(cited & (piece == number))
            within = sentence[here] - language.first_row[number]
            token = take_stored(text / "starts.npy", within) + columns[f"start{which}"][here]
            start[here] = take_stored(text / "char_start.npy", token)
            end[here] = take_stored(text / "char_end.npy", token + lengths[phrase[here]] - 1)
        result[f"key{which}"] = np.where(cited, key, -1)
        result[f"start{which}"], result[f"end{which}"] = start, end
    return result


def _pivot_phrases(
    engine: Engine, recipe: Recipe, work: Path, language: str, ids: NDArray[np.int64], path: Path
) -> Iterator[list[str]]:
    """The texts of some foreign phrases, in pieces. Their words are in the file ``path`` meanwhile."""
    keys = phrase_keys(work, language, recipe.extract.max_length)
    engine.table("wanted", {"id": ids.astype(np.int32)})
    engine.files("targets", [work / f"extract-{language}" / TARGETS])
    columns = listed(keys.names("t"), "t")
    engine.write_parquet(f"SELECT {columns} FROM targets t JOIN wanted w ON w.id = t.id ORDER BY t.id", path)
    engine.drop("targets")
    engine.drop("wanted")
    tokens = load_vocabulary(engine, work / "text" / language / "vocab.parquet").words
    for rows in engine.read_pieces(path, listed(keys.names("t"))):
        words = keys.unpack(rows, "t")
        yield [" ".join(tokens[word] for word in row if word >= 0) for row in words.tolist()]
    path.unlink()


def _write_sentences(writer: EvidenceWriter, recipe: Recipe, keys: NDArray[np.int64]) -> None:
    """The corpus, line and text of the cited sentences, in the order of their keys."""
    for number in np.unique(keys >> 40).tolist():
        rows = keys[(keys >> 40) == number] & ((1 << 40) - 1)
        begin = 0
        for block in bitext_blocks(recipe.config.bitext[number], [], size=_LINES, skip_bad=recipe.skip_bad):
            lines = block.lines[recipe.config.language]
            first, stop = np.searchsorted(rows, [begin, begin + len(block)])
            chosen = (rows[first:stop] - begin).tolist()
            numbers = np.array([block.numbers[row] for row in chosen], dtype=np.int32)
            writer.add({"corpus": np.full(len(chosen), number, np.int16), "line": numbers})
            writer.sentences.add([lines[row] if recipe.config.evidence == "text" else "" for row in chosen])
            begin += len(block)
