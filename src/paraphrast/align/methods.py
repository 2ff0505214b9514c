"""Alignment methods by name: our own models (``trained_methods``) and other tools (``adapters``).

A plug-in registers a subclass of :class:`~paraphrast.align.method.AlignMethod` as ``module:Class`` in the entry
point group ``paraphrast.aligners``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from paraphrast.align.method import Aligned, AlignJob, AlignMethod
from paraphrast.errors import InputError
from paraphrast.registry import Registry
from paraphrast.types import FIRST_WORD, Links, Sentences

ALIGNERS = Registry(
    "aligners",
    {
        "hmm": "paraphrast.align.trained_methods:HmmMethod",
        "ibm1": "paraphrast.align.trained_methods:Model1Method",
        "eflomal": "paraphrast.align.adapters:EflomalMethod",
        "thot": "paraphrast.align.adapters:ThotMethod",
        "links": "paraphrast.align.adapters:LinksMethod",
    },
)


def run_method(name: str, job: AlignJob, *, identity_lexicon: bool = False) -> Aligned:
    """Align with the named method.

    identity_lexicon: also train on one pair "w ||| w" for each word w on both sides, as Quirk et al. (2004, §3.2) do
    for text of one language. These pairs come after the text and get no links in the result.
    """
    method: AlignMethod = ALIGNERS.get(name)()
    if not identity_lexicon:
        return method.run(job)
    if job.links is not None:
        raise InputError("an identity lexicon is used in training only and has no effect on given links")
    aligned = method.run(with_identities(job))
    pairs = len(job.source)
    end = int(aligned.links.starts[pairs])
    posterior = aligned.links.posterior
    links = Links(
        aligned.links.starts[: pairs + 1],
        aligned.links.source[:end],
        aligned.links.target[:end],
        None if posterior is None else posterior[:end],
    )
    return Aligned(links, aligned.model)


def with_identities(job: AlignJob) -> AlignJob:
    """The job with one single-word pair added for every word in both vocabularies, in the order of the source."""
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
    """The sentences, followed by one single-word sentence for each word."""
    return Sentences(
        np.concatenate([sentences.tokens, np.array(words, dtype=np.int32)]),
        np.concatenate([sentences.starts, sentences.starts[-1] + np.arange(1, len(words) + 1)]),
        np.concatenate([sentences.space_before, np.zeros(len(words), dtype=np.uint8)]),
    )
