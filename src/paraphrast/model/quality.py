"""The measured quality of a model: figures of its manifest, or those published for the embedded model.

The figures of the embedded model are in ``models/english.quality.json``. Each names the page of the docs that it stands
on, with the words around it; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraphrast.errors import FormatError
from paraphrast.formats.json_text import parse_json
from paraphrast.model.default import EMBEDDED

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser

EMBEDDED_QUALITY = EMBEDDED.with_suffix(".quality.json")


@dataclass(frozen=True)
class Figure:
    """One measured figure. road: fast or precise. data: what it was measured on. page, quote: its place in the docs."""

    road: str
    measure: str
    value: str
    data: str
    page: str = ""
    quote: str = ""

    def to_dict(self) -> dict[str, str]:
        """Plain values, for JSON."""
        return asdict(self)


def quality_of(model: Paraphraser, *, is_embedded: bool) -> list[Figure]:
    """The figures of a model; empty if nothing was measured."""
    if "quality" in model.manifest:
        return read_figures(model.manifest["quality"], model.path)
    if not is_embedded:
        return []
    return read_figures(parse_json(EMBEDDED_QUALITY.read_text(encoding="utf-8")), EMBEDDED_QUALITY)


def read_figures(values: Any, where: Path) -> list[Figure]:
    """Figures from plain values."""
    names = set(Figure.__dataclass_fields__)
    figures = []
    for value in values if isinstance(values, list) else [None]:
        if (
            not isinstance(value, Mapping)
            or not {"road", "measure", "value", "data"} <= set(value) <= names
            or not all(isinstance(text, str) for text in value.values())
        ):
            raise FormatError(
                f"quality: expected figures with road, measure, value and data as texts, got {value!r}",
                where=where,
            )
        figures.append(Figure(**value))
    return figures
