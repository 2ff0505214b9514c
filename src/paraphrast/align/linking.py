"""Which links to draw: a logistic model over what the two HMMs and the evidence say of each pair of words.

One rung above the HMM's own decision. A word of one language often has several likely partners (every ``the``),
whole phrases correspond, and what a sentence adds has no partner; posteriors cannot distinguish
these cases. The model looks at a link and its neighbours, twice: first at the product of both directions'
posteriors (Liang, Taskar and Klein 2006), then at its own first answer. That function words link only beside
linked content words (Sultan, Bethard and Sumner 2014) is one of its features.

It has some seventy weights a pass, twice as many where an encoder is read (``context``), no parameter a word, and is
the same when the two sentences change places. The weights that come with the package (``link_weights.json``, and
``link_weights_context.json`` with an encoder) were fitted to labelled pairs of three kinds of English text;
:func:`fit` fits others.
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

FORMAT = "paraphrast link weights"

#: What each weight belongs to. p is what is believed of a link so far; a *gap* is a run of words without links
#: on both sides; *cover* the share of words with a link, of the sentence that has less.
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

#: What an encoder says counts otherwise in a gap, beside a link, among rivals: products of the two.
CROSSED = (
    "closed gap", "open gap", "beside a partner", "the larger", "smaller rival", "cover", "corner of a block",
)  # fmt: skip
CROSSED_WITH = (
    "cosine, less the mean", "log choice", "three words around, less the mean", "best block, less the mean",
    "best one-to-many block, less the mean", "choice by three words around", "soft choice before and after",
)  # fmt: skip
#: The features where an encoder is read.
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
    """Weights of each pass, and the probability from which a link is drawn.

    weights: float64[passes, features], :data:`FEATURES` or :data:`ALL_FEATURES`.
    anchor: the belief from which a word counts as linked in a feature.
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
        """Whether it has weights for what an encoder says."""
        return bool(self.weights.shape[1] > len(FEATURES))

    @property
    def features(self) -> tuple[str, ...]:
        """What its weights belong to."""
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
        """Read :meth:`save`'s file."""
        try:
            record: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
            if record["format"] != FORMAT:
                raise ValueError("a file of another format")
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
