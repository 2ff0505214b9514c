"""The weights of the log-linear model (Zhao et al. 2008, eq. 2), and their file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._options import is_finite_number, option
from paraphrast.decode.options import PRESETS
from paraphrast.errors import FormatError, InputError
from paraphrast.formats.files import atomic_write
from paraphrast.formats.json_text import parse_json

_SCALARS = ("lm", "edit", "word", "identity")
_MAPS = ("features", "minimum")
#: Written only if different from the default, so that files and signatures of older models stay the same.
_OPTIONAL = {"swap": 1.0, "minimum": {}}
#: Columns that may hold p(source | target), the best first; ``both`` is at most as large.
_CHANNEL = ("model1_inverse", "reverse", "both")


@dataclass(frozen=True)
class Weights:
    """Score of a path = Σ over edits (Σ features[f] · f + edit) + identity · kept words + lm · log P(output)
    + word · output words + swap · log-odds of the swaps + Σ of features[f] · minimum[f] over the features of
    tables that a sentence does not use.

    lm: of the language model's natural log probability.
    edit: added once per edit.
    word: added once per output word.
    identity: natural log of u, the weight of keeping a source word (Quirk et al. 2004, §3.4).
    features: weight by feature name ("pivot.score"; "pivot.edits" counts the edits that a table has; or a
        registered feature); features not named weigh 0.
    minimum: value of a table's feature in a sentence without any edit of that table (Zhao et al. 2008, footnote
        2), by feature name; the name of a table means its score. None by default.
    swap: of log p(swap) − log p(monotone), if swaps are allowed.
    """

    lm: float = option(1.0, help="Weight of the language model's natural log probability.")
    edit: float = option(0.0, help="Added once per edit.")
    word: float = option(0.0, help="Added once per output word.")
    identity: float = option(0.0, help="Natural log of the weight of keeping a source word (u).")
    features: Mapping[str, float] = option(
        {}, help="Weights by feature name, such as pivot.score. Features that are not named weigh 0."
    )
    minimum: Mapping[str, float] = option(
        {}, help="Value of a table's feature in a sentence that has no edit of that table, by feature name."
    )
    swap: float = option(1.0, help="Weight of the log-odds of changing the order of two phrases.")

    def __post_init__(self) -> None:
        named = {name: getattr(self, name) for name in (*_SCALARS, "swap")} | {
            f"{which}.{name}": value for which in _MAPS for name, value in getattr(self, which).items()
        }
        for name, value in named.items():
            if not is_finite_number(value):
                raise InputError(f"expected a finite number as weight {name!r}, got {str(value)[:80]!r}")

    @classmethod
    def uniform(cls, feature_names: Iterable[str], **scalars: float) -> Weights:
        """Every ``<table>.score`` weighs 1: the tables multiplied with the language model."""
        features = {name: 1.0 for name in feature_names if name.endswith(".score")}
        return cls.from_dict({**scalars, "features": features})

    @classmethod
    def preset(cls, name: str, feature_names: Iterable[str], *, u: float = 1.0) -> Weights:
        """Weights that need no tuning.

        ``quirk``: P(S | T) of every table times the language model, all weights 1, a kept word u (Quirk et al.
        2004, §3.3–3.4). P(S | T) is ``<table>.model1_inverse`` (IBM Model 1) where the table has it, else
        ``<table>.reverse`` (relative frequency), else ``<table>.both``, the smaller of both directions, which small
        models keep. Tables without any of them have no weight: :func:`preset_tables`. ``uniform``: :meth:`uniform`,
        p(target | source) instead.
        """
        names = tuple(feature_names)
        if name == "uniform":
            return cls.uniform(names).with_keep_probability(u)
        if name != "quirk":
            raise InputError(f"unknown preset {name!r}", remedy=f"known: {', '.join(PRESETS)}")
        features = {_channel_of(table, names): 1.0 for table in preset_tables(name, names)}
        return cls(features=features).with_keep_probability(u)

    def with_keep_probability(self, u: float) -> Weights:
        """The same weights with u given as a probability; a high u makes fewer edits."""
        if not 0.0 < u <= 1.0:
            raise InputError(f"expected a keep probability above 0 and at most 1, got {u!r}")
        return replace(self, identity=math.log(u))

    def vector(self, feature_names: Iterable[str]) -> NDArray[np.float64]:
        """float64[F], the weights in the order of ``feature_names``, which must include all names with a weight."""
        names = tuple(feature_names)
        unknown = sorted(set(self.features) - set(names))
        if unknown:
            raise InputError(
                f"unknown feature {unknown[0]!r} in the weights",
                remedy=f"features: {', '.join(names) or 'none'}",
            )
        return np.array([self.features.get(name, 0.0) for name in names], dtype=np.float64)

    def minima(self, feature_names: Iterable[str]) -> NDArray[np.float64]:
        """float64[F], the minimum of each feature, 0 for none."""
        names = tuple(feature_names)
        minima = np.zeros(len(names), dtype=np.float64)
        for name, value in self.minimum.items():
            full = name if name in names else f"{name}.score"
            if full not in names:
                raise InputError(
                    f"a minimum for {name!r}, which is neither a table nor a feature of the model",
                    remedy=f"features: {', '.join(names) or 'none'}",
                )
            minima[names.index(full)] = value
        return minima

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _SCALARS}
        values["features"] = dict(self.features)
        for name, default in _OPTIONAL.items():
            if getattr(self, name) != default:
                values[name] = dict(self.minimum) if name == "minimum" else getattr(self, name)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Weights:
        """The weights whose :meth:`to_dict` gave ``values``; missing weights have their defaults."""
        known = (*_SCALARS, "features", *_OPTIONAL)
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise InputError(f"unknown weight {unknown[0]!r}", remedy=f"expected one of {', '.join(known)}")
        given = dict(values)
        for name in _MAPS:
            named = given.get(name, {})
            if not isinstance(named, Mapping):
                raise InputError(f"expected {name} as a map from name to number, got {named!r}")
            given[name] = dict(named)
        return cls(**given)

    def save(self, path: Path) -> None:
        """Write ``weights.json`` under a temporary name, then rename."""
        text = json.dumps(self.to_dict(), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
        with atomic_write(path) as stream:
            stream.write(text + "\n")

    @classmethod
    def load(cls, path: Path) -> Weights:
        """Read :meth:`save`'s file."""
        try:
            values = parse_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise FormatError(f"expected weights as JSON: {error}", where=path) from error
        if not isinstance(values, dict):
            raise FormatError(f"expected a JSON object, got {type(values).__name__}", where=path)
        try:
            return cls.from_dict(values)
        except InputError as error:
            raise FormatError(error.message, where=path, remedy=error.remedy) from error


def preset_tables(
    preset: str | None, feature_names: Iterable[str], chosen: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The tables that a preset can use, of those chosen (empty for all): ``quirk`` needs p(source | target)."""
    if preset != "quirk":
        return chosen
    names = tuple(feature_names)
    tables = chosen or tuple(name.removesuffix(".score") for name in names if name.endswith(".score"))
    known = tuple(table for table in tables if _channel_of(table, names))
    unusable = sorted(set(tables) - set(known))
    if unusable and (chosen or not known):
        raise InputError(
            f"preset quirk: table {unusable[0]!r} has no p(source | target)",
            remedy=f"build it with one of the features {', '.join(_CHANNEL)}, or choose other tables",
        )
    return known


def _channel_of(table: str, feature_names: tuple[str, ...]) -> str:
    """The feature of a table that is its p(source | target); empty if it has none."""
    features = (f"{table}.{column}" for column in _CHANNEL)
    return next((feature for feature in features if feature in feature_names), "")
