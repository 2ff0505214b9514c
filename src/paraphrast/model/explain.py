"""Why a substitution: its scores in each table, its pivots per language, and sentences of the corpus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.mapped import maps_below, uncut
from paraphrast.model.evidence import Citation, Evidence, Pivot
from paraphrast.model.lookup import Lookup, TableRows
from paraphrast.model.spelling import spelled
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.text import Language
from paraphrast.types import MAX_PHRASE, Vocabulary

__all__ = ["Citation", "Explanation", "Pivot", "TableEvidence", "explain", "paraphrases_of", "phrase_id"]


class ExplainedModel(Protocol):
    """The interface of a loaded model that explaining uses."""

    path: Path
    language: Language
    vocabulary: Vocabulary
    glue: NDArray[Any]

    @property
    def lookup(self) -> Lookup:
        """The phrases and table rows of the model."""
        ...

    @property
    def evidence(self) -> Evidence | None:
        """The pivots and sentences of the model, if it has them."""
        ...

    def sequences(self, phrase: str) -> list[tuple[int, ...]]:
        """The word ids that a phrase may have."""
        ...


@dataclass(frozen=True)
class TableEvidence:
    """The row of one table for the pair: log-score, count, named log-features (None if unknown), its vetoes.

    rank, of: position among the rows of the source phrase, and their number.
    """

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


def explain(model: ExplainedModel, source: str, target: str) -> Explanation:
    """Look a pair up in every table; an :class:`InputError` that lists other paraphrases if no table has it."""
    with uncut(maps_below(model.path)):
        source_id, target_id = phrase_id(model, source), phrase_id(model, target)
        rows = (_row(name, table, source_id, target_id) for name, table in model.lookup.tables.items())
        tables = tuple(row for row in rows if row is not None)
        if not tables:
            others = [text for text, _ in paraphrases_of(model, source, 10)]
            raise InputError(
                f"no table of the model rewrites {source!r} as {target!r}",
                remedy=f"the model knows these paraphrases of it: {', '.join(others)}"
                if others
                else "the model knows no paraphrase of it",
            )
        pivots = () if model.evidence is None else tuple(model.evidence.pivots(source_id, target_id))
        return Explanation(source, target, tables, pivots)


def paraphrases_of(model: ExplainedModel, phrase: str, top: int = 20) -> list[tuple[str, float]]:
    """The paraphrases of a phrase in the tables, best first: text and probability; without vetoed rows."""
    source = phrase_id(model, phrase)
    scores: dict[int, float] = {}
    for table in model.lookup.tables.values():
        allowed = [row for row in table.rows_of(source) if not table.veto[row]]
        for row in allowed[:top]:
            target, score = int(table.target[row]), float(table.score[row])
            scores[target] = max(score, scores.get(target, -math.inf))
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [(_phrase_text(model, target), math.exp(score)) for target, score in best]


def phrase_id(model: ExplainedModel, phrase: str) -> int:
    """The id of a phrase in the model, whatever its case; an :class:`InputError` if it has none.

    If a phrase begins with an article that repair added to an edit ("an increasing"), the rest is looked up too.
    """
    first, _, rest = phrase.partition(" ")
    texts = [phrase, rest] if rest and first.lower() in model.language.articles else [phrase]
    sequences = [ids for text in texts for ids in model.sequences(text) if len(ids) <= MAX_PHRASE]
    if not sequences:
        raise InputError(
            f"the model does not know the phrase {phrase!r}",
            remedy=f"phrases have one to {MAX_PHRASE} words of the model's corpus",
        )
    for ids in sequences:
        phrase_number = model.lookup.phrases.find(ids)
        if phrase_number is not None:
            return phrase_number
    raise InputError(f"no table has the phrase {phrase!r}", remedy="try a shorter phrase, or its base form")


def _phrase_text(model: ExplainedModel, phrase: int) -> str:
    words: Sequence[str] = model.vocabulary.words
    ids = model.lookup.phrases.words_of(phrase)
    return spelled((words[word] for word in ids), int(model.glue[phrase]), model.language)


def _row(name: str, table: TableRows, source: int, target: int) -> TableEvidence | None:
    """The row of a pair in one table, or None."""
    rows = table.rows_of(source)
    for rank, row in enumerate(rows, 1):
        if table.target[row] == target:
            values = zip(table.names, table.features[row].tolist(), strict=True)
            return TableEvidence(
                name,
                float(table.score[row]),
                int(table.count[row]),
                {feature: None if math.isnan(value) else value for feature, value in values},
                rank,
                len(rows),
                tuple(veto for veto, bit in VETOES.items() if int(table.veto[row]) & bit),
            )
    return None
