"""Kinds of paraphrase tables by name: each makes one table of one resource.

A kind gets a :class:`TableJob` and options of its own, and gives a :class:`~paraphrast.types.LooseTable`. A plug-in
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
    """What a table is made of, besides its options.

    inputs: files, in the format of the kind. tagger: tags where a kind needs them. truecaser: that of the text
    the table will be used with; where a kind reads running text and this is None, one is learnt from it.
    parser: name or folder of a spaCy model, or None. inflect: expand to inflected forms (needs ``[english]``).
    progress: told by long work what it does, how much is done, and of how much.
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
    """One resource; made without arguments. options: the class of its options, all with defaults."""

    name: ClassVar[str] = "kind"
    options: ClassVar[type]

    @abstractmethod
    def build(self, job: TableJob, options: Any) -> LooseTable:
        """Make the table."""


def info_of(kind: str, language: str, options: Any, *, notes: Mapping[str, Any] | None = None) -> TableInfo:
    """What a table's file says of itself: kind, every option in the signature, and notes such as row counts."""
    values = asdict(options)
    told = "|".join(f"{name}:{_plain(value)}" for name, value in values.items())
    return TableInfo(
        kind=kind,
        language=language,
        signature=f"{kind}|{told}" if told else kind,
        notes={"options": values, **(notes or {})},
    )


def _plain(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("|", "/").replace(":", "=")
