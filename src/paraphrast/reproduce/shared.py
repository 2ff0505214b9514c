"""Helpers of several papers: the embedded model, the aligner of the baseline, cells with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraphrast.reproduce.records import Cell, Job

if TYPE_CHECKING:
    from paraphrast.evaluate.bootstrap import Interval
    from paraphrast.model.paraphraser import Paraphraser
    from paraphrast.types import Links, Sentences, Vocabulary


def embedded_model(job: Job) -> Paraphraser:
    """The model of the package, opened once per run."""
    from paraphrast.model import load

    return job.once("model", lambda: load("default"))


def identity_links(source: Sequence[Sequence[str]], target: Sequence[Sequence[str]], threads: int) -> Links:
    """Links of the HMM in both directions, with an identity lexicon in its training text; case is ignored."""
    from paraphrast.align.method import AlignJob
    from paraphrast.align.methods import run_method

    first_words, first = encoded(source)
    second_words, second = encoded(target)
    job = AlignJob(first, second, first_words, second_words, threads=threads)
    return run_method("hmm", job, identity_lexicon=True).links


def encoded(rows: Sequence[Sequence[str]]) -> tuple[Vocabulary, Sentences]:
    """Tokens in lower case as numbers."""
    from paraphrast.types import Sentences, Vocabulary

    counts = Counter(word.lower() for row in rows for word in row)
    vocabulary = Vocabulary.from_counts(counts.items())
    ids = vocabulary.ids
    return vocabulary, Sentences.from_lists([ids[word.lower()] for word in row] for row in rows)


def interval_cell(
    value: float | None, interval: Interval | None, *, scale: float = 1, digits: int = 4
) -> Cell:
    """A value with its interval, or alone."""
    if value is None:
        return None
    if interval is None:
        return round(scale * value, digits)
    return [round(scale * number, digits) for number in (value, interval.low, interval.high)]
