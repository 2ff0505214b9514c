"""Train both directions, align, and combine the links.

Each direction is one sequential computation. With two threads they run side by side and meet after each run of pairs if
they are trained to agree. So the number of threads never changes a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.base import Bitext, Pair, Progress, tell_skipped
from paraphrast.align.hmm import HMM, AgreeingHMMs
from paraphrast.align.ibm1 import Model1
from paraphrast.align.options import AlignOptions
from paraphrast.align.store import SavedAligner, load_aligner, save_aligner
from paraphrast.align.symmetrise import symmetrise
from paraphrast.types import Links, Sentences


@dataclass(frozen=True)
class Aligner:
    """Trained models of both directions: ``forward`` generates the target from the source."""

    forward: Model1 | HMM
    backward: Model1 | HMM
    source_size: int
    target_size: int
    options: AlignOptions

    def align(self, source: Sentences, target: Sentences, *, threads: int = 1) -> Links:
        """Links of sentence pairs, seen in training or not, in the vocabularies of training."""
        bitext = _bitext(source, target, self.source_size, self.target_size, self.options)
        flipped = bitext.flipped()
        with Pair(threads) as pair:
            forward, backward = pair.run(
                partial(self._one_way, self.forward, bitext), partial(self._one_way, self.backward, flipped)
            )
            links = symmetrise(
                bitext.source.starts, bitext.target.starts, forward, backward, self.options.symmetrise
            )
            there, back = self.forward, self.backward
            if not self.options.posteriors or not isinstance(there, HMM) or not isinstance(back, HMM):
                return links
            mirrored = Links(links.starts, links.target, links.source)
            first, second = pair.run(
                partial(there.posteriors, bitext, links), partial(back.posteriors, flipped, mirrored)
            )
        return Links(links.starts, links.source, links.target, ((first + second) / 2).astype(np.float32))

    def save(self, folder: str | Path) -> None:
        """Write the models to a folder, replacing it if it exists. The caller saves the vocabularies."""
        save_aligner(
            SavedAligner(self.forward, self.backward, self.source_size, self.target_size, self.options),
            folder,
        )

    @classmethod
    def load(cls, folder: str | Path) -> Aligner:
        """Read a folder written by :meth:`save`."""
        return cls(*load_aligner(folder))

    def _one_way(self, model: Model1 | HMM, bitext: Bitext) -> NDArray[np.int32]:
        if isinstance(model, HMM) and self.options.decode == "posterior":
            return model.best_by_word(bitext)
        return model.best(bitext)


def train(
    source: Sentences,
    target: Sentences,
    source_size: int,
    target_size: int,
    options: AlignOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Aligner:
    """Train both directions. ``progress(stage, done, total)`` may be called from any thread."""
    options = options or AlignOptions()
    bitext = _bitext(source, target, source_size, target_size, options)
    tell_skipped(bitext.skipped, len(bitext.kept))
    flipped = bitext.flipped()
    ways = (bitext, _named("→", progress)), (flipped, _named("←", progress))
    with Pair(threads) as pair:
        forward, backward = pair.run(
            *(partial(_train_one_way, way, options, way_progress) for way, way_progress in ways)
        )
    if isinstance(forward, HMM) and isinstance(backward, HMM) and options.agreement:
        agreeing = AgreeingHMMs(forward, backward, threads=threads)
        agreeing.fit(
            bitext, options.hmm_iterations, tolerance=options.tolerance, progress=_named("↔", progress)
        )
    return Aligner(forward, backward, source_size, target_size, options)


def align(
    source: Sentences,
    target: Sentences,
    source_size: int,
    target_size: int,
    options: AlignOptions | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Links:
    """Train on the sentence pairs and align them.

    source_size, target_size: sizes of the vocabularies. Pairs that :class:`AlignOptions` leaves out get no links but
    keep their place.
    """
    trained = train(source, target, source_size, target_size, options, threads=threads, progress=progress)
    return trained.align(source, target, threads=threads)


def _bitext(
    source: Sentences, target: Sentences, source_size: int, target_size: int, options: AlignOptions
) -> Bitext:
    return Bitext.of(
        source,
        target,
        source_size,
        target_size,
        max_length=options.max_length,
        max_ratio=options.max_ratio,
    )


def _train_one_way(bitext: Bitext, options: AlignOptions, progress: Progress | None) -> Model1 | HMM:
    model1 = Model1(bitext, prior=options.model1_prior)
    model1.fit(bitext, options.model1_iterations, tolerance=options.tolerance, progress=progress)
    if options.hmm_iterations == 0:
        return model1
    lexicon = model1.lexicon(options.prune)
    del model1
    hmm = HMM(
        lexicon,
        max_length=options.max_length,
        window=options.window,
        empty=options.empty,
        prior=options.prior,
    )
    if options.agreement:
        return hmm
    hmm.fit(bitext, options.hmm_iterations, tolerance=options.tolerance, progress=progress)
    return hmm


def _named(direction: str, progress: Progress | None) -> Progress | None:
    if progress is None:
        return None
    return lambda stage, done, total: progress(f"{stage} {direction}", done, total)
