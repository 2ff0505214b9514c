"""P(accepted): how likely a reader accepts a rewrite as a paraphrase, from the reader's features.

Boosted trees, fitted to ratings by ``bench/acceptability.py --fit`` and shipped as JSON. There are two models:
``first`` uses the groups of features that are fast to compute (``reader.FIRST``), ``full`` uses all groups.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast._trees import Trees
from paraphrast.errors import FormatError, InputError
from paraphrast.read.features import Floats

WEIGHTS_FILE = Path(__file__).with_name("acceptability_weights.json")
FORMAT_VERSION = 1
KINDS = ("first", "full")
#: What fast rewriting says of a rewrite if it has all of its parts: the lowest log-odds of a part, and the number of
#: parts. With the values for any other rewrite.
FAST_COLUMNS = {"fast_least": np.nan, "fast_parts": 0.0}


@dataclass(frozen=True)
class Acceptability:
    """p = σ(slope · trees(features) + offset), over named columns; ``note``: the ratings it was fitted to."""

    columns: tuple[str, ...]
    trees: Trees
    slope: float
    offset: float
    note: str = ""

    def probability(self, columns: Sequence[str], features: Floats) -> Floats:
        """float64[rows]: P(accepted) of each row of features. ``columns`` must include all columns of the trees.

        Only the columns of :data:`FAST_COLUMNS` may be left out.
        """
        places = {name: place for place, name in enumerate(columns)}
        missing = [name for name in self.columns if name not in places and name not in FAST_COLUMNS]
        if missing:
            raise InputError(
                f"expected features with the column {missing[0]}", remedy="give the reader all models"
            )
        chosen = np.column_stack(
            [
                features[:, places[name]] if name in places else np.full(len(features), FAST_COLUMNS[name])
                for name in self.columns
            ]
        ).astype(np.float32)
        probability: Floats = 1.0 / (1.0 + np.exp(-self.slope * self.trees.predict(chosen) - self.offset))
        return probability

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "note": self.note,
            "columns": list(self.columns),
            "slope": round(self.slope, 6),
            "offset": round(self.offset, 6),
            "trees": self.trees.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Acceptability:
        """The model whose :meth:`to_dict` gave ``values``."""
        try:
            return cls(
                tuple(map(str, values["columns"])),
                Trees.from_dict(values["trees"]),
                float(values["slope"]),
                float(values["offset"]),
                str(values.get("note", "")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"expected columns, trees, slope and offset: {error}") from error


@cache
def shipped(kind: str) -> Acceptability:
    """The fitted model of the package: ``first`` or ``full``."""
    content = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    if content.get("format_version") != FORMAT_VERSION or kind not in content:
        raise FormatError(
            f"expected the numbers of {kind}, format version {FORMAT_VERSION}", where=WEIGHTS_FILE
        )
    return Acceptability.from_dict(content[kind])
