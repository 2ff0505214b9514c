"""What a metric of references is: a row of statistics per segment, and a score from a row or a sum of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


class Metric(ABC):
    """One metric. ``higher`` says whether more is better; correlations turn the others about."""

    name: str
    higher: bool = True

    @property
    def counted(self) -> str:
        """What its statistics are; metrics of the same can be had from one count."""
        return self.name

    @abstractmethod
    def prepare(self, references: Sequence[str]) -> Any:
        """What is worked out once for a segment's references."""

    @abstractmethod
    def statistics(self, output: str, prepared: Any) -> Sequence[float]:
        """An output's row."""

    @abstractmethod
    def segment_score(self, row: Sequence[float]) -> float:
        """The score of one segment."""

    def corpus_score(self, sums: Sequence[float]) -> float:
        """The score of many, from the sum of their rows."""
        return self.segment_score(sums)

    def worth(self, score: float) -> float:
        """The score, turned so that more is better."""
        return score if self.higher else -score

    @abstractmethod
    def signature(self, references: int | str) -> str:
        """How the score was computed, in the manner of sacreBLEU."""

    def grow(self, prepared: Any, reference: str) -> Any:
        """What was prepared, with one reference more."""
        raise NotImplementedError
