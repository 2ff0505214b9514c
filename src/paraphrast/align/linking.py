"""Choice of links: a logistic model over the two HMMs and the evidence for each pair of words.

One step above the HMM's own decision. In one language, a word often has several likely partners (every ``the``), whole
phrases correspond, and added words have no partner. Posteriors cannot distinguish these cases. The model looks at a
link and its neighbours twice: first with the product of the posteriors of both directions (Liang, Taskar and Klein
2006), then with its own first answer. That function words link only beside linked content words (Sultan, Bethard and
Sumner 2014) is one of its features.

It has about seventy weights per pass, twice as many with an encoder (``context``), and no parameter per word. It is
symmetric: exchanging the two sentences changes nothing. The weights in the package (``link_weights.json``, and
``link_weights_context.json`` with an encoder) were fitted to labelled pairs of three kinds of English text.
``bench/fitting.py`` fits others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align import _kernels_links
from paraphrast.align.context import CONTEXT_FEATURES
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.files import atomic_write
from paraphrast.formats.json_text import parse_json

FORMAT = "paraphrast link weights"

#: Names of the weights. p is the current belief in a link; a *gap* is a run of words without links on both sides;
#: *cover* is the share of words with a link, in the sentence that has fewer.
FEATURES = (
    "always", "log-odds of both posteriors", "smaller log-odds", "product of posteriors", "its root",
    "log-odds of p", "same word", "same word, once in each", "same form", "spelled alike", "same meaning",
    "like vectors", "function words", "marks", "words of two classes", "a mark and a word",
    "same function word", "same mark", "same function word, no content link near", "same mark, no link before or after",
    "p of links before and after", "both of them", "the larger", "crossing links", "content link near",
    "content link near, function words", "links of the next words", "those, two classes", "those, content words",
    "rivals", "both rivals", "smaller rival", "same word, rivals", "posterior of no link", "cover of both",
    "cover", "cover, two classes", "cover, other content words", "cover, other function words",
    "cover, same function words", "links before and after, cover", "link before or after, no rivals",
    "those, cover", "links before and after, no rivals", "apart", "apart, other words", "apart, function words",
    "closed gap", "its size", "its imbalance", "closed gap, cover", "open gap", "its size", "open gap, cover",
    "beside a partner", "length of that run", "beside another word's partner", "length of that run",
    "beside a partner, cover", "partners beside", "corner of a block", "corner of a block, cover",
    "product of a closed gap's sizes", "cover of content words",
    "shorter side's posterior, less the other's", "its chance of no link", "its rival", "its cover",
    "its next links",
)  # fmt: skip

#: Features of an encoder matter differently in a gap, beside a link and among rivals, hence products of the two.
CROSSED = (
    "closed gap", "open gap", "beside a partner", "the larger", "smaller rival", "cover", "corner of a block",
)  # fmt: skip
CROSSED_WITH = (
    "cosine, less the mean", "log choice", "three words around, less the mean", "best block, less the mean",
    "best one-to-many block, less the mean", "choice by three words around", "soft choice before and after",
)  # fmt: skip
#: All features if an encoder is used.
ALL_FEATURES = (
    *FEATURES,
    *CONTEXT_FEATURES,
    *(f"{own} × {said}" for own in CROSSED for said in CROSSED_WITH),
)
CROSSED_COLUMNS = (
    np.array([FEATURES.index(name) for name in CROSSED], dtype=np.int64),
    np.array([CONTEXT_FEATURES.index(name) for name in CROSSED_WITH], dtype=np.int64),
)


@dataclass(frozen=True)
class LinkModel:
    """Weights of each pass, and the minimum probability of a link.

    weights: float64[passes, features], :data:`FEATURES` or :data:`ALL_FEATURES`.
    anchor: the belief from which features count a word as linked.
    """

    weights: NDArray[np.float64]
    threshold: float = 0.5
    anchor: float = 0.5

    def __post_init__(self) -> None:
        counts = len(FEATURES), len(ALL_FEATURES)
        if self.weights.ndim != 2 or self.weights.shape[1] not in counts:
            raise InputError(
                f"expected {counts[0]} or {counts[1]} weights per pass, got shape {self.weights.shape}"
            )
        if not np.isfinite(self.weights).all():
            raise InputError("expected finite weights")

    @property
    def reads_context(self) -> bool:
        """Whether it has weights for the features of an encoder."""
        return bool(self.weights.shape[1] > len(FEATURES))

    @property
    def features(self) -> tuple[str, ...]:
        """Names of its weights."""
        return ALL_FEATURES if self.reads_context else FEATURES

    def save(self, path: str | Path) -> None:
        """Write as JSON."""
        record = {
            "format": FORMAT,
            "threshold": self.threshold,
            "anchor": self.anchor,
            "features": list(self.features),
            "weights": [[round(float(value), 5) for value in row] for row in self.weights],
        }
        with atomic_write(Path(path)) as stream:
            stream.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> LinkModel:
        """Read a file written by :meth:`save`."""
        try:
            record: dict[str, Any] = parse_json(Path(path).read_text(encoding="utf-8"))
            if record["format"] != FORMAT:
                raise ValueError("the file has another format")
            model = cls(
                np.array(record["weights"], dtype=np.float64),
                float(record["threshold"]),
                float(record["anchor"]),
            )
            if tuple(record["features"]) != model.features:
                raise ValueError("written by a version with other features")
            return model
        except (OSError, ValueError, KeyError, TypeError, InputError) as error:
            raise FormatError(
                f"expected link weights: {error}", where=path, remedy="fit them again with this version"
            ) from error


@cache
def default_links(context: bool = False) -> LinkModel:
    """The link weights of the package, with or without weights for the features of a sentence encoder."""
    name = "link_weights_context.json" if context else "link_weights.json"
    return LinkModel.load(Path(__file__).with_name(name))


if len(FEATURES) != _kernels_links.FEATURES:
    raise AssertionError("the names of the features and their kernel differ")
