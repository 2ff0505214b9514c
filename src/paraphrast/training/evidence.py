"""Evidence: for every pair its best pivots, and the corpus sentences behind them, so that `explain` works offline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.vocabulary import load_vocabulary
from paraphrast.tables.pivot.join import PRODUCT_ONE
from paraphrast.training.corpora import languages_of, pivot_languages, provenance, read_bitext
from paraphrast.training.recipe import Recipe
from paraphrast.training.work_folder import bitext_names, load_side
from paraphrast.types import ParaphraseTable

_COLUMNS = ("row", "f", "p", "sentence1", "start1", "sentence2", "start2")
#: Sentences cited a pair and language: the best pivot's.
_CITED = 1


def write(recipe: Recipe, work: Path, folder: Path, engine: Engine, table: ParaphraseTable) -> None:
    """``evidence/pivots.parquet``, ``evidence/pivot_phrases.parquet`` and ``evidence/sentences.parquet``.

    A sentence is known by (bitext, row); each is stored once, raw, with its corpus and line. Of the three best
    pivots a language, only the first cites sentences: one for each half, with the character span of the phrase.
    Evidence by ids alone has corpus and line, and no text.
    """
    target = folder / "evidence"
    target.mkdir()
    pieces: list[dict[str, NDArray[np.int64]]] = []
    phrase_rows: list[tuple[int, int, str]] = []
    lengths = _phrase_lengths(engine, folder)
    for number, language in enumerate(pivot_languages(recipe.config)):
        stored = work / "pivot" / f"evidence-{language}"
        columns = {name: np.load(stored / f"{name}.npy", allow_pickle=False) for name in _COLUMNS}
        pieces.append(_spans(recipe, work, language, number, columns, table, lengths))
        phrase_rows += _pivot_phrases(engine, work, language, number, np.unique(columns["f"]))
    merged = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    keys = np.unique(np.concatenate([merged["key1"], merged["key2"]]))
    keys = keys[keys >= 0]
    for side in ("1", "2"):
        known = merged[f"key{side}"] >= 0
        merged[f"sentence{side}"] = np.where(known, np.searchsorted(keys, merged.pop(f"key{side}")), -1)
    engine.table("pivots", {name: values.astype(np.int64) for name, values in merged.items()})
    engine.write_parquet(
        "SELECT CAST(source AS INTEGER) AS source, CAST(target AS INTEGER) AS target, "
        "CAST(language AS TINYINT) AS language, CAST(via AS INTEGER) AS via, p, "
        + ", ".join(f"CAST({c}{s} AS INTEGER) AS {c}{s}" for s in "12" for c in ("sentence", "start", "end"))
        + " FROM pivots ORDER BY source, target, language, p DESC, via",
        target / "pivots.parquet",
        {"languages": pivot_languages(recipe.config), "one": PRODUCT_ONE},
    )
    engine.drop("pivots")
    languages, ids, texts = zip(*phrase_rows, strict=True) if phrase_rows else ((), (), ())
    engine.table(
        "pivot_phrases",
        {
            "language": np.array(languages, dtype=np.int8),
            "via": np.array(ids, dtype=np.int32),
            "text": np.array(texts, dtype=object),
        },
    )
    engine.write_parquet(
        "SELECT language, via, text FROM pivot_phrases ORDER BY language, via",
        target / "pivot_phrases.parquet",
    )
    engine.drop("pivot_phrases")
    _write_sentences(recipe, engine, keys, target / "sentences.parquet")


def _phrase_lengths(engine: Engine, folder: Path) -> NDArray[np.int64]:
    words = ", ".join(f"CAST(w{place} >= 0 AS TINYINT)" for place in range(1, 8))
    path = folder / "phrases.parquet"
    return engine.fetch(
        f"SELECT CAST(list_sum([{words}]) AS BIGINT) AS n FROM {engine.parquet(path)} ORDER BY id"
    )["n"]


def _spans(
    recipe: Recipe,
    work: Path,
    language: str,
    number: int,
    columns: dict[str, NDArray[np.int64]],
    table: ParaphraseTable,
    lengths: NDArray[np.int64],
) -> dict[str, NDArray[np.int64]]:
    """Phrase ids, pivot, and for both halves the sentence's key and the phrase's character span."""
    names = bitext_names(recipe, language)
    side = load_side(work, recipe.config.language, names, offsets=True)
    assert side.char_start is not None
    assert side.char_end is not None
    sizes = [
        len(np.load(work / "text" / language / name / "starts.npy", mmap_mode="r")) - 1 for name in names
    ]
    first_row = np.concatenate([[0], np.cumsum(sizes)])
    corpus = np.array([int(name[1:]) for name in names], dtype=np.int64)
    row = columns["row"]
    new_row = np.r_[True, row[1:] != row[:-1]] if len(row) else np.zeros(0, bool)
    place = np.arange(len(row)) - np.maximum.accumulate(np.where(new_row, np.arange(len(row)), 0))
    cited = place < _CITED
    result = {
        "source": table.source[row].astype(np.int64),
        "target": table.target[row].astype(np.int64),
        "language": np.full(len(row), number, dtype=np.int64),
        "via": columns["f"].astype(np.int64),
        "p": columns["p"].astype(np.int64),
    }
    for which, phrase in (("1", result["source"]), ("2", result["target"])):
        sentence = columns[f"sentence{which}"].astype(np.int64)
        token = np.asarray(side.starts)[sentence] + columns[f"start{which}"]
        piece = np.searchsorted(first_row, sentence, side="right") - 1
        key = (corpus[piece] << 40) | (sentence - first_row[piece])
        result[f"key{which}"] = np.where(cited, key, -1)
        result[f"start{which}"] = np.where(cited, np.asarray(side.char_start)[token], -1)
        result[f"end{which}"] = np.where(cited, np.asarray(side.char_end)[token + lengths[phrase] - 1], -1)
    return result


def _pivot_phrases(
    engine: Engine, work: Path, language: str, number: int, ids: NDArray[np.int64]
) -> list[tuple[int, int, str]]:
    words = np.load(work / f"extract-{language}" / "target_words.npy", mmap_mode="r", allow_pickle=False)[ids]
    tokens = load_vocabulary(engine, work / "text" / language / "vocab.parquet").words
    return [
        (number, int(phrase), " ".join(tokens[word] for word in row if word >= 0))
        for phrase, row in zip(ids.tolist(), words.tolist(), strict=True)
    ]


def _write_sentences(recipe: Recipe, engine: Engine, keys: NDArray[np.int64], path: Path) -> None:
    corpora: list[int] = []
    lines: list[int] = []
    texts: list[str] = []
    for number in np.unique(keys >> 40).tolist():
        source = recipe.config.bitext[number]
        bitext = read_bitext(source, languages_of(source), skip_bad=recipe.skip_bad)
        own = bitext.lines[recipe.config.language]
        for row in (keys[(keys >> 40) == number] & ((1 << 40) - 1)).tolist():
            corpora.append(number)
            lines.append(bitext.numbers[row])
            texts.append(own[row] if recipe.config.evidence == "text" else "")
    engine.table(
        "cited",
        {
            "id": np.arange(len(keys), dtype=np.int32),
            "corpus": np.array(corpora, dtype=np.int16),
            "line": np.array(lines, dtype=np.int32),
            "text": np.array(texts, dtype=object),
        },
    )
    names = [
        {"name": source.name, "licence": provenance(source)["licence"]} for source in recipe.config.bitext
    ]
    engine.write_parquet("SELECT id, corpus, line, text FROM cited ORDER BY id", path, {"corpora": names})
    engine.drop("cited")
