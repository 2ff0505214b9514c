"""Interface of metrics: a row of statistics per segment, and a score from one row or from a sum of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


class Metric(ABC):
    """One metric. ``higher``: whether larger is better; correlations negate metrics where it is not."""

    name: str
    higher: bool = True

    @property
    def counted(self) -> str:
        """The kind of its statistics. Metrics with the same kind are computed from one count."""
        return self.name

    @abstractmethod
    def prepare(self, references: Sequence[str]) -> Any:
        """Prepare a segment's references once, for all outputs."""

    @abstractmethod
    def statistics(self, output: str, prepared: Any) -> Sequence[float]:
        """The statistics of an output."""

    @abstractmethod
    def segment_score(self, row: Sequence[float]) -> float:
        """The score of one segment."""

    def corpus_score(self, sums: Sequence[float]) -> float:
        """The score of many segments, from the sum of their rows."""
        return self.segment_score(sums)

    def worth(self, score: float) -> float:
        """The score, negated if smaller is better."""
        return score if self.higher else -score

    @abstractmethod
    def signature(self, references: int | str) -> str:
        """How the score was computed, like sacreBLEU's signatures."""

    def grow(self, prepared: Any, reference: str) -> Any:
        """``prepared`` with one more reference."""
        raise NotImplementedError
