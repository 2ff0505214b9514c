"""Sentence pairs to word alignments (Quirk, Brockett and Dolan 2004, §3.2).

Reading order: ``base`` (EM), ``ibm1``, ``hmm``, ``symmetrise``. :func:`align` trains both directions and
combines them; :func:`train` keeps the two models, for text that comes later.
"""

from __future__ import annotations

from paraphrast.align.aligner import Aligner, AlignOptions, align, train
from paraphrast.align.base import Bitext
from paraphrast.align.symmetrise import METHODS, symmetrise

__all__ = ["METHODS", "AlignOptions", "Aligner", "Bitext", "align", "symmetrise", "train"]
