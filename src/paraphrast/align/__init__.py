"""Word alignment of sentence pairs (Quirk, Brockett and Dolan 2004, §3.2).

Reading order: ``base`` (EM), ``ibm1``, ``hmm``, ``symmetrise``. :func:`align` trains both directions and combines them.
:func:`train` returns both models, to align more text later. ``methods`` lists all aligners by name, including adapters
to other tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraphrast._lazy import resolve_lazily

if TYPE_CHECKING:
    from paraphrast.align.aligner import Aligner, align, train
    from paraphrast.align.base import Bitext
    from paraphrast.align.method import Aligned, AlignJob, AlignMethod
    from paraphrast.align.methods import ALIGNERS, run_method
    from paraphrast.align.options import AlignOptions
    from paraphrast.align.symmetrise import METHODS, symmetrise

__all__ = [
    "ALIGNERS",
    "METHODS",
    "AlignJob",
    "AlignMethod",
    "AlignOptions",
    "Aligned",
    "Aligner",
    "Bitext",
    "align",
    "run_method",
    "symmetrise",
    "train",
]

resolve_lazily(
    __name__,
    {
        "ALIGNERS": "methods",
        "AlignJob": "method",
        "AlignMethod": "method",
        "AlignOptions": "options",
        "Aligned": "method",
        "Aligner": "aligner",
        "Bitext": "base",
        "METHODS": "symmetrise",
        "align": "aligner",
        "run_method": "methods",
        "symmetrise": "symmetrise",
        "train": "aligner",
    },
)
