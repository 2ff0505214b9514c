"""Kinds of paraphrase tables by name. Each kind makes one table from one resource.

A kind gets a :class:`TableJob` and its options, and returns a :class:`~paraphrast.types.LooseTable`. A plug-in
registers a class as ``module:Class`` in the entry point group ``paraphrast.tables``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from paraphrast.errors import InputError
from paraphrast.text.syntax.tag import Tagger
from paraphrast.text.truecase import Truecaser
from paraphrast.types import TableInfo
from paraphrast.types.loose import LooseTable


@dataclass(frozen=True)
class TableJob:
    """The inputs of a table, besides its options.

    inputs: files, in the format of the kind. tagger: for kinds that need tags. truecaser: that of the text the table
    will be used with; if None, kinds that read running text learn one from it.
    parser: name or folder of a spaCy model, or None. inflect: add inflected forms (needs ``[english]``).
    progress: called during long work with a description, the amount done and the total.
    """

    inputs: Sequence[str | Path]
    language: str = "en"
    tagger: Tagger | None = None
    truecaser: Truecaser | None = None
    parser: str | None = None
    inflect: bool = False
    threads: int = 1
    progress: Callable[[str, int, int], None] | None = None

    def one_input(self, what: str) -> str | Path:
        """The only input."""
        if len(self.inputs) != 1:
            raise InputError(f"expected one file of {what}, got {len(self.inputs)}")
        return self.inputs[0]


class TableKind(ABC):
    """One resource, constructed without arguments. options: the class of its options, all with defaults."""

    name: ClassVar[str] = "kind"
    options: ClassVar[type]

    @abstractmethod
    def build(self, job: TableJob, options: Any) -> LooseTable:
        """Make the table."""


def info_of(kind: str, language: str, options: Any, *, notes: Mapping[str, Any] | None = None) -> TableInfo:
    """Description for the table's file: kind, every option in the signature, and notes such as row counts."""
    values = asdict(options)
    described = "|".join(f"{name}:{_plain(value)}" for name, value in values.items())
    return TableInfo(
        kind=kind,
        language=language,
        signature=f"{kind}|{described}" if described else kind,
        notes={"options": values, **(notes or {})},
    )


def _plain(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("|", "/").replace(":", "=")
