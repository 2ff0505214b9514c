"""The weights of the log-linear model (Zhao et al. 2008, eq. 2), and their file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.files import atomic_write

_SCALARS = ("lm", "edit", "word", "identity")


@dataclass(frozen=True)
class Weights:
    """Score of a path = Σ over edits (Σ features[f] · f + edit) + identity · kept words + lm · log P(output)
    + word · output words.

    lm: of the language model's natural log probability.
    edit: added once an edit.
    word: added once an output word, so the difference in length between rewrites counts.
    identity: natural log of u, the weight of keeping a source word (Quirk et al. 2004, §3.4).
    features: weight by feature name ("pivot.score"); features not named weigh 0.
    """

    lm: float = 1.0
    edit: float = 0.0
    word: float = 0.0
    identity: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named = {name: getattr(self, name) for name in _SCALARS} | {
            f"features.{k}": v for k, v in self.features.items()
        }
        for name, value in named.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(f"expected a finite number as weight {name!r}, got {value!r}")

    @classmethod
    def uniform(cls, feature_names: Iterable[str], **scalars: float) -> Weights:
        """Every ``<table>.score`` weighs 1: the untuned model, tables multiplied with the language model."""
        return cls(features={name: 1.0 for name in feature_names if name.endswith(".score")}, **scalars)

    def with_keep_probability(self, u: float) -> Weights:
        """The same weights with u given as a probability; a high u rewrites less."""
        if not 0.0 < u <= 1.0:
            raise InputError(f"expected a keep probability above 0 and at most 1, got {u!r}")
        return replace(self, identity=math.log(u))

    def vector(self, feature_names: Iterable[str]) -> NDArray[np.float64]:
        """float64[F], the weights in the order of ``feature_names``."""
        names = tuple(feature_names)
        unknown = sorted(set(self.features) - set(names))
        if unknown:
            raise InputError(
                f"a weight for {unknown[0]!r}, which no table of the model has",
                remedy=f"features: {', '.join(names) or 'none'}",
            )
        return np.array([self.features.get(name, 0.0) for name in names], dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: getattr(self, name) for name in _SCALARS} | {"features": dict(self.features)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Weights:
        """From :meth:`to_dict`'s values; weights left out keep their defaults."""
        unknown = sorted(set(values) - {*_SCALARS, "features"})
        if unknown:
            raise InputError(
                f"unknown weight {unknown[0]!r}", remedy=f"expected {', '.join(_SCALARS)} or features"
            )
        features = values.get("features", {})
        if not isinstance(features, Mapping):
            raise InputError(f"expected features as a map from name to weight, got {features!r}")
        scalars = {name: values[name] for name in _SCALARS if name in values}
        return cls(features=dict(features), **scalars)

    def save(self, path: Path) -> None:
        """Write ``weights.json`` under a temporary name, then rename."""
        text = json.dumps(self.to_dict(), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
        with atomic_write(path) as stream:
            stream.write(text + "\n")

    @classmethod
    def load(cls, path: Path) -> Weights:
        """Read :meth:`save`'s file."""
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise FormatError(f"expected weights as JSON: {error}", where=path) from error
        if not isinstance(values, dict):
            raise FormatError(f"expected a JSON object, got {type(values).__name__}", where=path)
        try:
            return cls.from_dict(values)
        except InputError as error:
            raise FormatError(error.message, where=path, remedy=error.remedy) from error
