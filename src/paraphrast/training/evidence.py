"""Evidence of every pair: its best pivots, and corpus sentences with them, so that `explain` works offline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract.add_shards import TARGETS
from paraphrast.formats.sentences import load_sentences
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.model.evidence import Evidence
from paraphrast.tables.pivot.join import PRODUCT_ONE
from paraphrast.training.corpora import bitext_blocks, pivot_languages, provenance
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import bitext_names, phrase_keys
from paraphrast.types import ParaphraseTable, Phrases
from paraphrast.types.phrase_keys import listed

_COLUMNS = ("row", "f", "p", "sentence1", "start1", "sentence2", "start2")
#: Number of pivots per pair and language whose sentences are cited.
_CITED = 1
#: Lines of a bitext that are in memory at a time while cited sentences are looked up.
_LINES = 1 << 16


def gather(
    recipe: Recipe,
    work: Path,
    engine: Engine,
    table: ParaphraseTable,
    phrases: Phrases,
    rows: NDArray[np.int64] | None = None,
) -> Evidence:
    """The evidence for the pairs of the pivot table.

    A sentence is identified by (bitext, row). Each is stored once, unchanged, with its corpus and line. Of the three
    best pivots per language, only the first cites sentences: one for the source and one for the target, with the
    character span of the phrase. Evidence of kind ``ids`` has corpus and line, without text.

    rows: int64[rows of the stage's table], the row of each in ``table``, −1 if it was dropped; None if none was.
    """
    pieces: list[dict[str, NDArray[np.int64]]] = []
    languages: list[tuple[str, int]] = []
    texts: list[str] = []
    for language in pivot_languages(recipe.config):
        stored = work / "pivot" / f"evidence-{language}"
        columns = {name: np.load(stored / f"{name}.npy", allow_pickle=False) for name in _COLUMNS}
        if rows is not None:
            columns["row"] = rows[columns["row"]]
            columns = {name: column[columns["row"] >= 0] for name, column in columns.items()}
        columns = _best_pivots(columns, recipe.model.pivots)
        piece = _spans(recipe, work, language, columns, table, phrases.lengths)
        pivot_ids, place = np.unique(piece["via"], return_inverse=True)
        piece["phrase"] = len(texts) + place.astype(np.int64)
        pieces.append(piece)
        languages.append((language, len(texts)))
        texts += _pivot_phrases(engine, recipe, work, language, pivot_ids)
    merged = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    # Foreign phrases are numbered by language, then by pivot id.
    order = np.lexsort(
        (merged["phrase"], -merged["p"], _group(merged, languages), merged["target"], merged["source"])
    )
    merged = {name: column[order] for name, column in merged.items()}
    cited = _cited_sides(recipe, merged)
    is_cited = cited.any(axis=1)
    sides = [np.where(cited[:, side], merged[f"key{side + 1}"], -1)[is_cited] for side in (0, 1)]
    keys = np.unique(np.concatenate(sides))
    keys = keys[keys >= 0]
    corpus, line, sentences = _sentences(recipe, keys)
    return Evidence(
        languages=tuple(languages),
        corpora=tuple((source.name, str(provenance(source)["licence"])) for source in recipe.config.bitext),
        unit=int(PRODUCT_ONE),
        begin=np.searchsorted(merged["source"], np.arange(len(phrases) + 1)).astype(np.int32),
        target=merged["target"].astype(np.int32),
        phrase=merged["phrase"].astype(np.int32),
        probability=merged["p"],
        citation=np.where(is_cited, np.cumsum(is_cited) - 1, -1).astype(np.int32),
        cited_sentence=np.column_stack(
            [np.where(side >= 0, np.searchsorted(keys, side), -1) for side in sides]
        ).astype(np.int32),
        cited_span=np.column_stack(
            [merged[f"{bound}{side}"][is_cited] for side in "12" for bound in ("start", "end")]
        )
        .reshape(-1, 2, 2)
        .astype(np.int32),
        corpus=corpus,
        line=line,
        phrases=texts,
        sentences=sentences,
    )


def _place(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many entries with the same row come directly before each one."""
    new_row = np.r_[True, row[1:] != row[:-1]] if len(row) else np.zeros(0, bool)
    place: NDArray[np.int64] = np.arange(len(row)) - np.maximum.accumulate(
        np.where(new_row, np.arange(len(row)), 0)
    )
    return place


def _best_pivots(columns: dict[str, NDArray[np.int64]], most: int) -> dict[str, NDArray[np.int64]]:
    """The first ``most`` pivots of each pair; the best come first."""
    keep = _place(columns["row"]) < most
    return {name: column[keep] for name, column in columns.items()}


def _cited_sides(recipe: Recipe, columns: dict[str, NDArray[np.int64]]) -> NDArray[np.bool_]:
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


def _group(columns: dict[str, NDArray[np.int64]], languages: list[tuple[str, int]]) -> NDArray[np.int64]:
    """The number of each pivot's language."""
    first = np.array([start for _, start in languages])
    # A language without pivots begins where the next one does; the last of equals has the phrases.
    return np.searchsorted(first, columns["phrase"], side="right") - 1


def _spans(
    recipe: Recipe,
    work: Path,
    language: str,
    columns: dict[str, NDArray[np.int64]],
    table: ParaphraseTable,
    lengths: NDArray[np.int64],
) -> dict[str, NDArray[np.int64]]:
    """Phrase ids, pivot, and for source and target the key of the sentence and the character span of the phrase."""
    names = bitext_names(recipe, language)
    sides = [load_sentences(work / "text" / recipe.config.language / name, offsets=True) for name in names]
    sizes = [len(side.starts) - 1 for side in sides]
    first_row = np.concatenate([[0], np.cumsum(sizes)])
    corpus = np.array([int(name[1:]) for name in names], dtype=np.int64)
    row = columns["row"]
    cited = _place(row) < _CITED
    result = {
        "source": table.source[row].astype(np.int64),
        "target": table.target[row].astype(np.int64),
        "via": columns["f"].astype(np.int64),
        "p": columns["p"].astype(np.int64),
    }
    for which, phrase in (("1", result["source"]), ("2", result["target"])):
        sentence = columns[f"sentence{which}"].astype(np.int64)
        piece = np.searchsorted(first_row, sentence, side="right") - 1
        key = (corpus[piece] << 40) | (sentence - first_row[piece])
        start, end = np.full(len(row), -1, np.int64), np.full(len(row), -1, np.int64)
        for number, side in enumerate(sides):
            assert side.char_start is not None
            assert side.char_end is not None
            here = np.flatnonzero(cited & (piece == number))
            token = side.starts[sentence[here] - first_row[number]] + columns[f"start{which}"][here]
            start[here] = side.char_start[token]
            end[here] = side.char_end[token + lengths[phrase[here]] - 1]
        result[f"key{which}"] = np.where(cited, key, -1)
        result[f"start{which}"], result[f"end{which}"] = start, end
    return result


def _pivot_phrases(
    engine: Engine, recipe: Recipe, work: Path, language: str, ids: NDArray[np.int64]
) -> list[str]:
    """The texts of some foreign phrases."""
    keys = phrase_keys(work, language, recipe.extract.max_length)
    engine.table("wanted", {"id": ids.astype(np.int32)})
    engine.files("targets", [work / f"extract-{language}" / TARGETS])
    columns = listed(keys.names("t"), "t")
    rows = engine.fetch(f"SELECT {columns} FROM targets t JOIN wanted w ON w.id = t.id ORDER BY t.id")
    engine.drop("targets")
    engine.drop("wanted")
    words = keys.unpack(rows, "t")
    tokens = load_vocabulary(engine, work / "text" / language / "vocab.parquet").words
    return [" ".join(tokens[word] for word in row if word >= 0) for row in words.tolist()]


def _sentences(
    recipe: Recipe, keys: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.int32], list[str]]:
    """The corpus, line and text of the cited sentences, in the order of their keys."""
    corpora: list[int] = []
    line_numbers: list[int] = []
    texts: list[str] = []
    for number in np.unique(keys >> 40).tolist():
        rows = keys[(keys >> 40) == number] & ((1 << 40) - 1)
        begin = 0
        for block in bitext_blocks(recipe.config.bitext[number], [], size=_LINES, skip_bad=recipe.skip_bad):
            lines = block.lines[recipe.config.language]
            first, stop = np.searchsorted(rows, [begin, begin + len(block)])
            for row in (rows[first:stop] - begin).tolist():
                corpora.append(number)
                line_numbers.append(block.numbers[row])
                texts.append(lines[row] if recipe.config.evidence == "text" else "")
            begin += len(block)
    return np.array(corpora, dtype=np.int16), np.array(line_numbers, dtype=np.int32), texts
