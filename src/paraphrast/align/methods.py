"""Ways to align, by name: our own models and, in ``adapters``, those of others.

A method gets an :class:`AlignJob` and gives :class:`Aligned`: links for every sentence pair, and the trained
model where there is one to keep. A plug-in registers a class as ``module:Class`` in the entry point group
``paraphrast.aligners``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from paraphrast.align.aligner import Aligner, train
from paraphrast.align.base import Progress
from paraphrast.align.options import AlignOptions
from paraphrast.errors import InputError, ModelError
from paraphrast.registry import Registry
from paraphrast.types import FIRST_WORD, Links, Sentences, Vocabulary

ALIGNERS = Registry(
    "aligners",
    {
        "hmm": "paraphrast.align.methods:HmmMethod",
        "ibm1": "paraphrast.align.methods:Model1Method",
        "eflomal": "paraphrast.align.adapters:EflomalMethod",
        "thot": "paraphrast.align.adapters:ThotMethod",
        "links": "paraphrast.align.adapters:LinksMethod",
    },
)


@dataclass(frozen=True)
class AlignJob:
    """What to align, and how.

    source_words, target_words: the vocabularies that the sentences are encoded with.
    links: what the method ``links`` checks and passes on; no other method reads it.
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
                remedy="both sides of a bitext need one sentence a line, in the same order",
            )


class Model(Protocol):
    """A trained aligner that can be kept."""

    def align(self, source: Sentences, target: Sentences, *, threads: int = 1) -> Links:
        """Links of sentence pairs in the vocabularies of training."""

    def save(self, folder: str | Path) -> None:
        """Keep it in a folder."""


class Aligned(NamedTuple):
    """Links of every sentence pair, and the model that found them if it can align other text."""

    links: Links
    model: Model | None


class AlignMethod(ABC):
    """One way to align; made without arguments.

    gives_posteriors, keeps_models: whether it can; asked of one that cannot, that is an error before any work.
    """

    name = "method"
    gives_posteriors = True
    keeps_models = True

    @abstractmethod
    def run(self, job: AlignJob) -> Aligned:
        """Align, training on the sentence pairs where the method needs training."""

    def load(self, folder: Path) -> Model:
        """A model that this method kept."""
        raise ModelError(f"the method {self.name} keeps no models", where=folder)


class HmmMethod(AlignMethod):
    """Model 1, then HMMs that agree: the default."""

    name = "hmm"

    def run(self, job: AlignJob) -> Aligned:
        model = train(
            job.source,
            job.target,
            len(job.source_words),
            len(job.target_words),
            self.options(job.options),
            threads=job.threads,
            progress=job.progress,
        )
        return Aligned(model.align(job.source, job.target, threads=job.threads), model)

    def load(self, folder: Path) -> Model:
        return Aligner.load(folder)

    def options(self, given: AlignOptions) -> AlignOptions:
        """The options that this rung of the ladder takes."""
        return given


class Model1Method(HmmMethod):
    """Model 1 alone, with more iterations, as nothing comes after it."""

    name = "ibm1"
    gives_posteriors = False

    def options(self, given: AlignOptions) -> AlignOptions:
        return replace(given, hmm_iterations=0, model1_iterations=max(given.model1_iterations, 5))


def run_method(name: str, job: AlignJob, *, identity_lexicon: bool = False) -> Aligned:
    """Align by the method of that name.

    identity_lexicon: also train on one pair "w ||| w" for each word w that both sides hold, as Quirk et al.
    (2004, §3.2) do for text of one language. The pairs come after the text, and get no links in the result.
    """
    method: AlignMethod = ALIGNERS.get(name)()
    if not identity_lexicon:
        return method.run(job)
    if job.links is not None:
        raise InputError("an identity lexicon helps training only, and given links need none")
    found = method.run(with_identities(job))
    pairs = len(job.source)
    end = int(found.links.starts[pairs])
    posterior = found.links.posterior
    links = Links(
        found.links.starts[: pairs + 1],
        found.links.source[:end],
        found.links.target[:end],
        None if posterior is None else posterior[:end],
    )
    return Aligned(links, found.model)


def with_identities(job: AlignJob) -> AlignJob:
    """The job with a pair of one word each for every word that both vocabularies hold, in the source's order."""
    target_ids = job.target_words.ids
    shared = [
        (number, target_ids[word])
        for number, word in enumerate(job.source_words.words)
        if number >= FIRST_WORD and word in target_ids
    ]
    source_ids, target_numbers = zip(*shared, strict=True) if shared else ((), ())
    return replace(
        job,
        source=_with_words(job.source, source_ids),
        target=_with_words(job.target, target_numbers),
    )


def _with_words(sentences: Sentences, words: tuple[int, ...]) -> Sentences:
    """Sentences of one word each, after the others."""
    return Sentences(
        np.concatenate([sentences.tokens, np.array(words, dtype=np.int32)]),
        np.concatenate([sentences.starts, sentences.starts[-1] + np.arange(1, len(words) + 1)]),
        np.concatenate([sentences.space_before, np.zeros(len(words), dtype=np.uint8)]),
    )
