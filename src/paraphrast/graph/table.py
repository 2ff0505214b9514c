"""Results of the graphs as paraphrase tables: of phrases, of tag sequences and of stem sequences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraphrast.graph.counts import Ranked, VertexPairs
from paraphrast.graph.discounted import WalkRows
from paraphrast.types import (
    FIRST_WORD,
    MAX_PHRASE,
    SPECIALS,
    LooseTable,
    ParaphraseTable,
    PhraseRow,
    Phrases,
    TableInfo,
    loose_table,
)

#: The lowest log-feature, used for a probability of 0.
FLOOR = -20.0
#: Log-features by method: the summands of eq. 21, or the factors of a discounted walk's score.
FEATURES = ("phrase", "tag", "stem")
WALK_FEATURES = ("walk", "agreement")


def table_info(language: str, signature: str, **notes: object) -> TableInfo:
    """Description of a graph's table for its file."""
    names = (*FEATURES, *WALK_FEATURES)
    features = {name: {"direction": "target given source", "floor": FLOOR} for name in names}
    return TableInfo("graph", language, signature, features=features, notes=dict(notes))


def ranked_table(ranked: Ranked | WalkRows, info: TableInfo) -> ParaphraseTable:
    """Rows with the phrase ids of the graph.

    The score is the log of eq. 21 and the features are its summands; or log P(e′|e) of discounted walks and its
    factors.
    """
    names = WALK_FEATURES if isinstance(ranked, WalkRows) else FEATURES
    features = {
        name: _log(getattr(ranked, name)) for name in names if name == names[0] or getattr(ranked, name).any()
    }
    info = TableInfo(
        info.kind,
        info.language,
        info.signature,
        info.format_version,
        {name: info.features[name] for name in features if name in info.features},
        info.notes,
    )
    return ParaphraseTable(
        ranked.source,
        ranked.target,
        np.rint(ranked.count).astype(np.int64),
        _log(ranked.score),
        features,
        info,
    )


def ranked_loose(
    ranked: Ranked | WalkRows,
    words: NDArray[np.int32],
    vocabulary: Sequence[str],
    info: TableInfo,
    glue: NDArray[np.uint8] | None = None,
    category: NDArray[np.uint32] | None = None,
) -> LooseTable:
    """A standalone table with the phrases and words that it uses, sorted by text.

    words: int32[phrases, 7], ids of ``vocabulary``; glue, category: of each phrase, if known.
    """
    table = ranked_table(ranked, info)
    used = np.unique(np.concatenate([table.source, table.target]))
    used_words = words[used]
    ids = np.unique(used_words[used_words >= FIRST_WORD])
    names = sorted({vocabulary[word] for word in ids.tolist()} - set(SPECIALS))
    number = {word: place for place, word in enumerate((*SPECIALS, *names))}
    remap = np.zeros(len(vocabulary), np.int32)
    remap[:FIRST_WORD] = np.arange(FIRST_WORD)
    remap[ids] = [number[vocabulary[word]] for word in ids.tolist()]
    matrix = np.where(used_words >= 0, remap[np.maximum(used_words, 0)], np.int32(-1)).astype(np.int32)
    order = np.lexsort(matrix.T[::-1])
    place = np.empty(len(used), np.int32)
    place[order] = np.arange(len(used), dtype=np.int32)
    source = place[np.searchsorted(used, table.source)]
    target = place[np.searchsorted(used, table.target)]
    rows = np.lexsort((target, -table.score, source))
    spelling = glue[used][order] if glue is not None else np.zeros(len(used), np.uint8)
    kinds = category[used][order] if category is not None else np.zeros(len(used), np.uint32)
    return LooseTable(
        ParaphraseTable(
            source[rows],
            target[rows],
            table.count[rows],
            table.score[rows],
            {name: values[rows] for name, values in table.features.items()},
            table.info,
        ),
        Phrases(matrix[order], spelling),
        (*SPECIALS, *names),
        kinds,
    )


def sequence_table(
    pairs: VertexPairs,
    sequences: NDArray[np.int32],
    names: Sequence[str],
    kind: str,
    info: TableInfo,
    top: int = 20,
) -> LooseTable:
    """Tag sequences (``kind`` "tag") or stem sequences ("stem") that replace each other, by eq. 19.

    The probability is over everything that a sequence meets, including phrases and other features, as in the equation.
    """
    low = pairs.phrases + (pairs.tags if kind == "stem" else 0)
    high = low + (pairs.tags if kind == "tag" else pairs.stems)
    size = pairs.phrases + pairs.tags + pairs.stems
    total = np.bincount(pairs.u, weights=pairs.count, minlength=size)
    total += np.bincount(pairs.v, weights=pairs.count, minlength=size)
    inside = (pairs.u >= low) & (pairs.u < high) & (pairs.v >= low) & (pairs.v < high) & (pairs.count > 0)
    u, v, count = pairs.u[inside], pairs.v[inside], pairs.count[inside]
    source, target, both = np.concatenate([u, v]), np.concatenate([v, u]), np.concatenate([count, count])
    score = np.log(both / total[source])
    order = np.lexsort((target, -score, source))
    begin = np.searchsorted(source[order], source[order])
    order = order[np.arange(len(order)) - begin < top]
    texts = [tuple(names[part] for part in row if part >= 0) for row in sequences.tolist()]
    rows = [
        PhraseRow(texts[a - low], texts[b - low], value, round(n))
        for a, b, value, n in zip(
            source[order].tolist(),
            target[order].tolist(),
            score[order].tolist(),
            both[order].tolist(),
            strict=True,
        )
        if 0 < len(texts[a - low]) <= MAX_PHRASE
    ]
    return loose_table(rows, TableInfo(info.kind, info.language, info.signature, notes=info.notes), top=top)


def _log(values: NDArray[np.float64]) -> NDArray[np.float32]:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(values), FLOOR).astype(np.float32)
