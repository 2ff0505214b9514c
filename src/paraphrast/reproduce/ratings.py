"""Ratings of outputs: those in the data folder, or, in a small run, invented ones that only exercise the code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from paraphrast.reproduce.records import Job, NotMadeError

if TYPE_CHECKING:
    from paraphrast.judge.agreement import Agreement

#: The rater of sentences without an output.
MISSING = "no output"
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
    rated = sum(output.text != output.source for output in outputs)
    return outputs, f"{rated:,} outputs rated by {len(raters - {MISSING})} raters"


def with_missing(outputs: Sequence[Any], question: str) -> list[Any]:
    """The outputs of one set of sentences, and for each sentence without an output of a system and rank a rejected one.

    A system that rewrites no sentence of the set was not run on it, and gets none.
    """
    sources = dict.fromkeys((output.context, output.source) for output in outputs)
    groups: dict[tuple[str, int], dict[tuple[str, str], Any]] = {}
    for output in outputs:
        groups.setdefault((output.system, output.rank), {})[output.context, output.source] = output
    rows = []
    for found in groups.values():
        some = next(iter(found.values()))
        for context, source in sources:
            own = found.get((context, source))
            rows.append(
                own
                if own is not None
                else replace(
                    some, source=source, context=context, text=source, labels={question: {MISSING: 0}}
                )
            )
    return rows


def rater_agreement(outputs: Sequence[Any], question: str) -> Agreement:
    """How far the raters of outputs agree; an output of several systems counts once."""
    from paraphrast.judge.agreement import measure_agreement

    votes = {
        f"{output.context}\t{output.source}\t{output.text}": output.labels[question]
        for output in outputs
        if output.labels.get(question)
    }
    agreement = measure_agreement(votes)
    if agreement is None:
        raise NotMadeError("needs two ratings of one output")
    return agreement
