"""The kinds of evidence by name (see :mod:`paraphrast.align.evidence`), and the choice among them."""

from __future__ import annotations

from collections.abc import Iterable

from paraphrast.align.evidence import CONTEXT_SLOT, SLOTS, Evidence, Resources
from paraphrast.errors import InputError
from paraphrast.registry import Registry

EVIDENCE = Registry(
    "evidence",
    {
        "stem": "paraphrast.align.evidence:Stem",
        "number": "paraphrast.align.evidence:Number",
        "spelling": "paraphrast.align.evidence:Spelling",
        "synonyms": "paraphrast.align.evidence:Synonyms",
        "vectors": "paraphrast.align.evidence:Vectors",
        "context": "paraphrast.align.context:Context",
    },
)


def default_names() -> list[str]:
    """The evidence that is used by default: all except slow kinds."""
    return [name for name in EVIDENCE if getattr(EVIDENCE.get(name), "by_default", True)]


def choose(names: Iterable[str], resources: Resources) -> list[Evidence]:
    """The evidence with these names."""
    chosen: list[Evidence] = []
    for name in names:
        piece: Evidence = EVIDENCE.get(name)(resources)
        if piece.slot not in (*SLOTS, CONTEXT_SLOT):
            raise InputError(
                f"evidence {name!r} has the slot {piece.slot!r}", remedy=f"known slots: {', '.join(SLOTS)}"
            )
        chosen.append(piece)
    return chosen
