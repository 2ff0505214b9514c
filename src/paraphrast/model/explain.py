"""Why a substitution: scores a table, pivots a language, and sentences of the corpus, from the model folder."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraphrast.engine import Engine
from paraphrast.errors import InputError
from paraphrast.formats.table_file import table_info
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.spelling import spelled
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.types import MAX_PHRASE


@dataclass(frozen=True)
class Citation:
    """A sentence of the corpus and the span of the phrase in it, in code points."""

    corpus: str
    licence: str
    line: int
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Pivot:
    """A foreign phrase that both translate to, p(pivot | source) · p(target | pivot) within its language, and
    where each half was seen."""

    language: str
    phrase: str
    probability: float
    source_seen: Citation | None
    target_seen: Citation | None


@dataclass(frozen=True)
class TableEvidence:
    """One table's row for the pair: log-score, count, named log-features (None where unknown), its vetoes."""

    table: str
    score: float
    count: int
    features: dict[str, float | None]
    rank: int
    of: int
    vetoes: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """Everything the model knows about a pair."""

    source: str
    target: str
    tables: tuple[TableEvidence, ...]
    pivots: tuple[Pivot, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def explain(model: Paraphraser, source: str, target: str) -> Explanation:
    """Look a pair up in every table; raises :class:`InputError` with near answers where no table has it."""
    with Engine(threads=1) as engine:
        source_id = phrase_id(engine, model, source)
        target_id = phrase_id(engine, model, target)
        tables = [
            row
            for path in sorted((model.path / "tables").glob("*.parquet"))
            if (row := _row(engine, path, source_id, target_id)) is not None
        ]
        if not tables:
            others = [text for text, _ in paraphrases_of(model, source, 10)]
            raise InputError(
                f"no table rewrites {source!r} as {target!r}",
                remedy=f"the model knows for it: {', '.join(others)}"
                if others
                else "the model knows nothing for it",
            )
        pivots = _pivots(engine, model.path / "evidence", source_id, target_id)
    return Explanation(source, target, tuple(tables), tuple(pivots))


def paraphrases_of(model: Paraphraser, phrase: str, top: int = 20) -> list[tuple[str, float]]:
    """What the tables offer for a phrase, best first: text and probability; vetoed rows left out."""
    with Engine(threads=1) as engine:
        source_id = phrase_id(engine, model, phrase)
        found: dict[int, float] = {}
        for path in sorted((model.path / "tables").glob("*.parquet")):
            rows = engine.fetch(
                f"SELECT target, score FROM {engine.parquet(path)} WHERE source = {source_id} AND veto = 0 "
                f"ORDER BY score DESC, target LIMIT {top}"
            )
            for target, score in zip(rows["target"].tolist(), rows["score"].tolist(), strict=True):
                found[target] = max(score, found.get(target, -math.inf))
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:top]
        return [(_phrase_text(engine, model, target), math.exp(score)) for target, score in best]


def phrase_id(engine: Engine, model: Paraphraser, phrase: str) -> int:
    """The id of a phrase in the model, whatever its case; an error with a remedy where it has none.

    Where an article that mending drew into an edit stands before it ("an increasing"), the rest is looked up.
    """
    first, _, rest = phrase.partition(" ")
    tries = [phrase, rest] if rest and first.lower() in model.language.articles else [phrase]
    sequences = [
        sequence for text in tries for sequence in model.sequences(text) if len(sequence) <= MAX_PHRASE
    ]
    if not sequences:
        raise InputError(
            f"the model does not know the phrase {phrase!r}",
            remedy=f"phrases have one to {MAX_PHRASE} words of the model's corpus",
        )
    for sequence in sequences:
        padded = [*sequence, *[-1] * (MAX_PHRASE - len(sequence))]
        where = " AND ".join(f"w{place + 1} = {word}" for place, word in enumerate(padded))
        rows = engine.fetch(f"SELECT id FROM {engine.parquet(model.path / 'phrases.parquet')} WHERE {where}")
        if len(rows["id"]):
            return int(rows["id"][0])
    raise InputError(f"no table has the phrase {phrase!r}", remedy="try a shorter phrase, or its base form")


def _phrase_text(engine: Engine, model: Paraphraser, phrase: int) -> str:
    row = engine.fetch(f"SELECT * FROM {engine.parquet(model.path / 'phrases.parquet')} WHERE id = {phrase}")
    words = [int(row[f"w{place}"][0]) for place in range(1, MAX_PHRASE + 1)]
    return spelled((model.vocabulary.words[word] for word in words if word >= 0), int(row["glue"][0]))


def _row(engine: Engine, path: Path, source: int, target: int) -> TableEvidence | None:
    info = table_info(engine, path)
    features = "".join(f""", coalesce("{name}", 'NaN'::FLOAT) AS "{name}\"""" for name in info.features)
    rows = engine.fetch(
        f'SELECT target, score, "count", veto{features}, '
        f"row_number() OVER (ORDER BY score DESC, target) AS place, count(*) OVER () AS places "
        f"FROM {engine.parquet(path)} WHERE source = {source} ORDER BY place"
    )
    for index, candidate in enumerate(rows["target"].tolist()):
        if candidate == target:
            return TableEvidence(
                path.stem,
                float(rows["score"][index]),
                int(rows["count"][index]),
                {name: _number(rows[name][index]) for name in info.features},
                int(rows["place"][index]),
                int(rows["places"][index]),
                tuple(name for name, bit in VETOES.items() if int(rows["veto"][index]) & bit),
            )
    return None


def _number(value: Any) -> float | None:
    number = float(value)
    return None if math.isnan(number) else number


def _pivots(engine: Engine, folder: Path, source: int, target: int) -> list[Pivot]:
    path = folder / "pivots.parquet"
    if not path.exists():
        return []
    metadata = engine.parquet_metadata(path)
    rows = engine.fetch(
        f"SELECT p.*, t.text FROM {engine.parquet(path)} p "
        f"JOIN {engine.parquet(folder / 'pivot_phrases.parquet')} t ON t.language = p.language AND t.via = p.via "
        f"WHERE p.source = {source} AND p.target = {target} ORDER BY p.language, p.p DESC, p.via"
    )
    return [
        Pivot(
            metadata["languages"][int(rows["language"][index])],
            str(rows["text"][index]),
            int(rows["p"][index]) / float(metadata["one"]),
            _citation(engine, folder, rows, index, "1"),
            _citation(engine, folder, rows, index, "2"),
        )
        for index in range(len(rows["p"]))
    ]


def _citation(engine: Engine, folder: Path, rows: dict[str, Any], index: int, side: str) -> Citation | None:
    sentence = int(rows[f"sentence{side}"][index])
    if sentence < 0:
        return None
    path = folder / "sentences.parquet"
    corpora = engine.parquet_metadata(path)["corpora"]
    row = engine.fetch(f"SELECT corpus, line, text FROM {engine.parquet(path)} WHERE id = {sentence}")
    corpus = corpora[int(row["corpus"][0])]
    return Citation(
        corpus["name"],
        corpus["licence"],
        int(row["line"][0]),
        str(row["text"][0]),
        int(rows[f"start{side}"][index]),
        int(rows[f"end{side}"][index]),
    )
