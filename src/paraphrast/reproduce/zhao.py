"""Zhao, Niu, Zhou, Liu and Li (2008): tables 1 to 3, the sizes of the tables, and the kinds of error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paraphrast.reproduce import samples
from paraphrast.reproduce.ratings import INVENTED, rated_outputs
from paraphrast.reproduce.records import Cell, Job, Made, Maker
from paraphrast.reproduce.shared import embedded_model, interval_cell

if TYPE_CHECKING:
    from paraphrast.evaluate.substitutions import SubstitutionScore
    from paraphrast.study.substitutions import TableStudy

#: Tables of small runs.
SMALL_TABLES = ("pivot", "graph", "wordnet")
_HEADER = ("PT combination", "#DCS", "correct/all, %", "correct/judged, %", "judged", "PSER per sentence")


def resources(job: Job) -> Made:
    """§4: pairs of each table of the embedded model."""
    model = embedded_model(job)
    bits = np.asarray(model.arrays.options.tables)
    rows: list[tuple[Cell, ...]] = []
    for place, name in enumerate(model.arrays.table_names):
        rows.append((name, int(((bits >> np.uint32(place)) & 1).sum())))
    rows.append(("all, each pair once", len(bits)))
    return Made(("table of the embedded model", "pairs"), tuple(rows), "the embedded model")


def _study(job: Job) -> tuple[TableStudy, str]:
    from paraphrast.evaluate.options import BootstrapOptions
    from paraphrast.formats.substitutions import Labelled, read_targets, targets_of
    from paraphrast.study.options import StudyOptions
    from paraphrast.study.substitutions import study_tables

    def make() -> tuple[TableStudy, str]:
        model = embedded_model(job)
        if job.small:
            rows = [
                Labelled(text, text.index(before), text.index(before) + len(before), before, after, correct)
                for text, before, after, correct in samples.SUBSTITUTES
            ]
            study = study_tables(
                model, targets_of(rows), bootstrap=BootstrapOptions(samples=20), tables=SMALL_TABLES
            )
            return study, "14 substitutes labelled for it; three tables of the embedded model"
        targets = read_targets(job.file("substitution-gold/swords-v1.1_dev.json.gz"))
        study = study_tables(model, targets, options=StudyOptions(), threads=job.threads)
        return (
            study,
            f"SWORDS dev, {len(targets)} targets in their contexts; the embedded model, ten best of each",
        )

    return job.once("study", make)


def _row(names: tuple[str, ...], score: SubstitutionScore) -> tuple[Cell, ...]:
    ends = score.intervals
    return (
        "+".join([*names, "self"]),
        score.dcs,
        interval_cell(score.accuracy, ends["accuracy"], scale=100),
        interval_cell(score.accuracy_judged, ends["accuracy_judged"], scale=100),
        score.judged,
        round(score.pser.mean, 3) if score.pser.mean is not None else None,
    )


def table_1(job: Job) -> Made:
    """Each table with self."""
    study, data = _study(job)
    return Made(_HEADER, tuple(_row(names, score) for names, score in study.alone), data)


def table_2(job: Job) -> Made:
    """The most useful table added each time."""
    study, data = _study(job)
    return Made(_HEADER, tuple(_row(names, score) for names, score in study.added), data)


def table_3(job: Job) -> Made:
    """Top-n accuracy by genre; nothing for an n of which no rank was rated."""
    from paraphrast.evaluate.sentences import top_accuracy

    outputs, data = rated_outputs(job, "zhao-2008/table-3.jsonl", lambda: _outputs(job))
    deepest = max((output.rank for output in outputs), default=0)
    rows: list[tuple[Cell, ...]] = []
    for genre, shares in top_accuracy(outputs, "accept").items():
        count = len({output.source for output in outputs if genre in ("", output.genre)})
        cells = [
            interval_cell(shares[top].value, shares[top].interval, scale=100) if top <= deepest else None
            for top in (1, 5, 10)
        ]
        rows.append((f"{genre or 'all'} ({count})", *cells))
    return Made(("Test sentences", "Top-1", "Top-5", "Top-10"), tuple(rows), data)


def _outputs(job: Job) -> list[Any]:
    from paraphrast.formats.outputs import SystemOutput

    model = embedded_model(job)
    return [
        SystemOutput(sentence, result.text, "ours", rank, genre)
        for sentence, genre in zip(samples.SENTENCES, ("news", "news", "novel", "forum"), strict=True)
        for rank, result in enumerate(model.paraphrase(sentence, n=10), 1)
    ]


def errors(job: Job) -> Made:
    """§6.2: kinds of error among rewrites that raters rejected.

    Raters of the data answered for meaning and fluency. Fluent with another meaning is no paraphrase; not fluent with
    the right meaning is a syntactic error; neither is a semantic one.
    """
    from paraphrast.evaluate.sentences import error_types
    from paraphrast.formats.outputs import SystemOutput

    kinds = {(1, 0): 1, (0, 0): 2, (0, 1): 3}
    outputs = []
    if job.small:
        records: list[dict[str, Any]] = [
            {"source": text, "rewrite": text[::-1], "ratings": [{"meaning": n % 2, "fluent": n // 2}]}
            for n, text in enumerate(samples.SENTENCES)
        ]
        data = INVENTED
    else:
        import json

        from paraphrast.formats.files import read_lines

        records = [json.loads(line) for line in read_lines(job.file("rated-rewrites/rated.jsonl.xz"))]
        data = f"{len(records):,} rewrites of seven earlier systems, rated by blind raters"
    for record in records:
        answers = {
            str(number): kinds[rating["meaning"], rating["fluent"]]
            for number, rating in enumerate(record["ratings"])
            if (rating["meaning"], rating["fluent"]) != (1, 1)
        }
        if answers:
            outputs.append(
                SystemOutput(record["source"], record["rewrite"], "ours", labels={"error": answers})
            )
    shares = error_types(outputs)
    rows = tuple(
        (name, interval_cell(share.value, share.interval, scale=100)) for name, share in shares.items()
    )
    return Made(("", "ours"), rows, f"{data}; {len(outputs):,} rejected by at least one rater")


#: Sentences that the paper rewrites (§1, §6.1, §6.2).
EXAMPLES = (
    "The table was set up in the carriage shed.",
    "I was suffering from amnesia.",
    "The U.S. space agency has been cautious about heat shield damage.",
    "I have a canon powershot S230 that uses CF memory cards.",
    "The strain on US forces of fighting in Iraq and Afghanistan was exposed yesterday when the Pentagon published a "
    "report showing that the number of suicides among US troops is at its highest level since the 1991 Gulf war.",
)


def examples(job: Job) -> Made:
    """The paper's example sentences, as the embedded model rewrites them: least and most changed."""
    model = embedded_model(job)
    rows: list[tuple[Cell, ...]] = []
    for sentence in EXAMPLES:
        cells = []
        for strength in (0.5, 1.0):
            results = model.paraphrase(sentence, n=1, strength=strength)
            cells.append(results[0].marked() if results else "no paraphrase")
        rows.append((sentence, *cells))
    header = ("sentence", "ours, strength .5", "ours, strength 1")
    return Made(header, tuple(rows), "the embedded model, fast; edits in brackets")


MAKERS: dict[str, Maker] = {
    "resources": resources,
    "table-1": table_1,
    "table-2": table_2,
    "table-3": table_3,
    "errors": errors,
    "examples": examples,
}
