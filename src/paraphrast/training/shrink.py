"""A smaller model: pairs that are hardly ever accepted, and phrases that no pair has, are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.training.join import trusted_keys
from paraphrast.training.model_options import ModelOptions
from paraphrast.training.substitution import JudgedTables
from paraphrast.types import ParaphraseTable, Phrases, pair_keys


@dataclass(frozen=True)
class Shrunk:
    """Tables, phrases, categories and judgements with one new numbering of phrases.

    rows: table name → int64[old rows], the new row of each, −1 where it was dropped.
    """

    tables: dict[str, ParaphraseTable]
    phrases: Phrases
    categories: NDArray[np.uint32]
    judged: JudgedTables
    rows: dict[str, NDArray[np.int64]]


def shrink(
    tables: Mapping[str, ParaphraseTable],
    phrases: Phrases,
    categories: NDArray[np.uint32],
    judged: JudgedTables,
    options: ModelOptions,
    trusted: Sequence[str] = (),
) -> Shrunk:
    """Keep the pairs that ``options`` ask for. A pair that one table has and another vetoes is vetoed.

    trusted: names of tables whose pairs are all kept.
    """
    odds = judged.rank(tables)
    vetoed = np.unique(
        np.concatenate(
            [
                np.zeros(0, np.int64),
                *(table.keys[table.veto != 0] for table in tables.values() if len(table.veto)),
            ]
        )
    )
    trusted_pairs = trusted_keys(tables, trusted)
    keep: dict[str, NDArray[np.bool_]] = {}
    for name, table in tables.items():
        keep[name] = odds[name] >= (-np.inf if options.least_odds is None else options.least_odds)
        if not options.vetoed:
            keep[name] &= ~np.isin(table.keys, vetoed)
        keep[name] |= np.isin(table.keys, trusted_pairs)
    used = np.zeros(len(phrases), np.bool_)
    for name, table in tables.items():
        used[table.source[keep[name]]] = True
        used[table.target[keep[name]]] = True
    number = (np.cumsum(used) - 1).astype(np.int32)
    new_tables, rows = {}, {}
    for name, table in tables.items():
        rows[name] = np.where(keep[name], np.cumsum(keep[name]) - 1, -1)
        new_tables[name] = replace(
            table,
            source=number[table.source[keep[name]]],
            target=number[table.target[keep[name]]],
            count=table.count[keep[name]],
            score=table.score[keep[name]],
            features={feature: values[keep[name]] for feature, values in table.features.items()},
            veto=table.veto[keep[name]] if len(table.veto) else table.veto,
        )
    source, target = (judged.keys >> 32).astype(np.int64), (judged.keys & 0xFFFFFFFF).astype(np.int64)
    pairs = used[source] & used[target]
    return Shrunk(
        new_tables,
        replace(phrases, words=phrases.words[used], glue=phrases.glue[used]),
        categories[used],
        replace(
            judged,
            keys=pair_keys(number[source[pairs]], number[target[pairs]]),
            static=judged.static[pairs],
        ),
        rows,
    )
