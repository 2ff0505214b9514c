"""Ratings of outputs: those in the data folder, or, in a small run, invented ones that only exercise the code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from paraphrast.reproduce.records import Job, NotMadeError

INVENTED = "ratings invented by a rule, so that the code runs"


def invented(outputs: Sequence[Any], questions: Sequence[str] = ("accept",)) -> list[Any]:
    """Outputs with answers of two raters that follow from the length of the text: they mean nothing."""
    rated = []
    for output in outputs:
        size = len(output.text)
        labels = {
            question: {"a": int((size + place) % 3 > 0), "b": int((size + place) % 4 > 0)}
            for place, question in enumerate(questions)
        }
        rated.append(replace(output, labels=labels))
    return rated


def rated_outputs(
    job: Job, name: str, make: Callable[[], Sequence[Any]], questions: Sequence[str] = ("accept",)
) -> tuple[list[Any], str]:
    """Outputs with ratings, and where they are from.

    A full run reads ``ratings/NAME`` of the data folder: outputs with labels, as ``judge report -o`` writes them.
    """
    if job.small:
        return invented(make(), questions), f"the embedded model on sentences written for it; {INVENTED}"
    from paraphrast.formats.outputs import read_outputs

    try:
        path = job.file(f"ratings/{name}")
    except NotMadeError as error:
        raise NotMadeError(
            f"needs ratings: {error}. Write them with `paraphrast judge new`, `rate` and `report -o`"
        ) from error
    outputs = list(read_outputs(str(path)))
    raters = {rater for output in outputs for votes in output.labels.values() for rater in votes}
    return outputs, f"{len(outputs):,} outputs rated by {len(raters)} raters"
