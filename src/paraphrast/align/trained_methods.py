"""The alignment methods ``hmm`` and ``ibm1``: models trained on the sentence pairs that they align."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from paraphrast.align.aligner import Aligner, train
from paraphrast.align.method import Aligned, AlignJob, AlignMethod, Model
from paraphrast.align.options import AlignOptions


class HmmMethod(AlignMethod):
    """Model 1, then HMMs that are trained to agree. The default."""

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
        """The options for this method."""
        return given


class Model1Method(HmmMethod):
    """Model 1 only, with more iterations, because no HMM follows."""

    name = "ibm1"
    gives_posteriors = False

    def options(self, given: AlignOptions) -> AlignOptions:
        return replace(given, hmm_iterations=0, model1_iterations=max(given.model1_iterations, 5))
