"""The interface of alignment methods: a method gets an :class:`AlignJob` and returns :class:`Aligned`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from paraphrast.align.base import Progress
from paraphrast.align.options import AlignOptions
from paraphrast.errors import InputError, ModelError
from paraphrast.types import Links, Sentences, Vocabulary


@dataclass(frozen=True)
class AlignJob:
    """What to align, and how.

    source_words, target_words: the vocabularies of the encoded sentences.
    links: links that the method ``links`` checks and returns. No other method reads them.
    """

    source: Sentences
    target: Sentences
    source_words: Vocabulary
    target_words: Vocabulary
    options: AlignOptions = field(default_factory=AlignOptions)
    threads: int = 1
    progress: Progress | None = None
    links: Links | None = None

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise InputError(
                f"expected as many source as target sentences, got {len(self.source)} and {len(self.target)}",
                remedy="both sides of a bitext need one sentence per line, in the same order",
            )


class Model(Protocol):
    """A trained aligner that can be saved."""

    def align(self, source: Sentences, target: Sentences, *, threads: int = 1) -> Links:
        """Links of sentence pairs encoded with the vocabularies of training."""

    def save(self, folder: str | Path) -> None:
        """Save the model in a folder."""


class Aligned(NamedTuple):
    """Links of every sentence pair, and the model that computed them if it can align other text."""

    links: Links
    model: Model | None


class AlignMethod(ABC):
    """An alignment method, constructed without arguments.

    gives_posteriors, keeps_models: whether the method can do this. If not, asking for it is an error before any work.
    """

    name = "method"
    gives_posteriors = True
    keeps_models = True

    @abstractmethod
    def run(self, job: AlignJob) -> Aligned:
        """Align, after training on the sentence pairs if the method needs training."""

    def load(self, folder: Path) -> Model:
        """Load a model that this method saved."""
        raise ModelError(f"the method {self.name} cannot save models", where=folder)
