"""Owczarzak, Groves, van Genabith and Way (2006): tables 1 to 6, and the number of equivalence sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from paraphrast.reproduce import samples
from paraphrast.reproduce.records import Cell, Job, Made, Maker, NotMadeError
from paraphrast.reproduce.shared import interval_cell

if TYPE_CHECKING:
    from paraphrast.references.samples import SampleRow
    from paraphrast.study.mt import KindResult, Setup

#: The paper's names of its metrics.
METRICS = {"bleu-unsmoothed": "BLEU", "bleu-add-one": "BLEU smoothed", "nist": "NIST"}
KINDS = {"single": "single ref", "one": "multi ref", "lattice": "lattice"}
#: One file for each rater: samples of `paraphrast references --sample`, with answers.
LABELS = "ratings/owczarzak-2006/samples*.tsv"
Results = Mapping[str, Mapping[str, "KindResult"]]


def _setup(job: Job) -> tuple[Setup, str]:
    from paraphrast.formats.mt import read_judgements
    from paraphrast.references.options import SetOptions
    from paraphrast.study.mt import prepare
    from paraphrast.study.options import Origins

    def make() -> tuple[Setup, str]:
        if job.small:
            origins = Origins(source_language="de", target_language="en", sets=SetOptions(clean=False))
            return prepare(samples.judged_segments(), origins, check=False), "24 segments written for it"
        segments = read_judgements(str(job.file("mt-judgements/wmt21.zh-en.jsonl.xz")))
        data = (
            f"WMT 2021 Chinese–English, {len(segments):,} segments of 8 systems, MQM scores; paraphrases of the bitext "
            "alone, raw sets; nothing from outputs"
        )
        # What an output says in other forms is no paraphrase of the bitext, and the paper has nothing like it.
        origins = Origins(variants=False, similar=False, function_words=False, sets=SetOptions(clean=False))
        return prepare(segments, origins, threads=job.threads), data

    return job.once("setup", make)


def _results(job: Job) -> tuple[Results, str]:
    from paraphrast.references.options import Resampling, ScoreOptions
    from paraphrast.study.mt import evaluate_mt

    def make() -> tuple[Results, str]:
        setup, data = _setup(job)
        samples_of_segments = 20 if job.small else 200
        resampling = Resampling(samples=samples_of_segments)
        options = ScoreOptions(moved=0.0)
        return evaluate_mt(setup, list(METRICS), list(KINDS), options, resampling=resampling), data

    return job.once("results", make)


def _ends(results: Results) -> tuple[str, str]:
    """The best and the worst system by BLEU with one reference."""
    rises = results["bleu-unsmoothed"]["one"].rises
    order = sorted(rises, key=lambda name: -rises[name].single)
    return order[0], order[-1]


def sets(job: Job) -> Made:
    """§3.2: equivalence sets of the bitext."""
    from paraphrast.references.equivalents import count_sets

    setup, data = _setup(job)
    counts = count_sets(setup.found.sets)
    rows = (
        ("equivalence sets", int(counts["sets"])),
        ("words or phrases in them", int(counts["items"])),
        ("elements per set", round(counts["mean"], 1)),
    )
    return Made(("", "ours"), rows, data)


def table_1(job: Job) -> Made:
    """Scores of two systems with one and with many references."""
    results, data = _results(job)
    rows: list[tuple[Cell, ...]] = []
    for system in _ends(results):
        for kind, label in KINDS.items():
            cells = []
            for metric in ("bleu-unsmoothed", "nist"):
                rise = results[metric]["one" if kind == "single" else kind].rises[system]
                score = rise.single if kind == "single" else rise.multiple
                cells.append(round(score / 100 if metric.startswith("bleu") else score, 4))
            rows.append((f"{system} {label}", *cells))
    p_values = [
        rise.p_value
        for metric in ("bleu-unsmoothed", "nist")
        for rise in results[metric]["one"].rises.values()
        if rise.p_value is not None
    ]
    notes = (f"The largest p of all rises, all systems: {max(p_values):.3f}.",) if p_values else ()
    return Made(("", "BLEU", "NIST"), tuple(rows), data, notes)


def _correlations(place: int) -> Maker:
    def make(job: Job) -> Made:
        results, data = _results(job)
        system = _ends(results)[place]
        rows: list[tuple[Cell, ...]] = []
        for metric, label in METRICS.items():
            cells = []
            for kind in KINDS:
                one = results[metric][kind].per_system[system]
                cells.append(f"{one.pearson:.3f}{'*' if one.starred else ''}")
            rows.append((f"H & {label}", *cells))
        header = ("Metric", *(f"ours, {label}" for label in KINDS.values()))
        return Made(header, tuple(rows), f"{data}; system {system}")

    return make


def pooled(job: Job) -> Made:
    """The same over all judged outputs of all systems, with intervals."""
    results, data = _results(job)
    rows: list[tuple[Cell, ...]] = []
    for metric, label in METRICS.items():
        cells: list[Cell] = []
        for kind in KINDS:
            one = results[metric][kind].segment
            cells.append(
                round(one.pearson, 3)
                if one.low is None or one.high is None
                else [round(number, 3) for number in (one.pearson, one.low, one.high)]
            )
        rows.append((f"H & {label}", *cells))
    notes = [_gains(label, results[metric]) for metric, label in METRICS.items()]
    return Made(("all systems", *KINDS.values()), tuple(rows), data, tuple(notes))


def _gains(label: str, kinds: Mapping[str, KindResult]) -> str:
    """What many references add to the correlation of one metric, with intervals and Williams' test."""
    parts = []
    for kind in ("one", "lattice"):
        gain = kinds[kind].gain
        if gain is not None:
            text = f"{KINDS[kind]} {gain.value:+.3f}"
            if gain.low is not None and gain.high is not None:
                text += f" ({gain.low:+.3f} to {gain.high:+.3f})"
            parts.append(f"{text}, p {'< .0001' if gain.williams < 1e-4 else f'= {gain.williams:.4f}'}")
    return f"Gain over one reference, {label}: {'; '.join(parts)}.".replace("-", "−")


def table_3(job: Job) -> Made:
    """Mean and variation of human scores."""
    results, data = _results(job)
    any_kind = results["bleu-unsmoothed"]["single"]
    rows = []
    for system in _ends(results):
        mean, variation = any_kind.human[system]
        rows.append((system, round(mean, 3), f"{100 * abs(variation):.1f}%"))
    return Made(("", "Mean score", "Variation"), tuple(rows), data)


def _accuracy(question: str) -> Maker:
    def make(job: Job) -> Made:
        from paraphrast.judge.agreement import measure_agreement
        from paraphrast.references.samples import read_samples
        from paraphrast.study.samples import rater_shares, rater_votes

        if job.small:
            raters = [_labelled(job)]
            data = "24 segments written for it; labels invented by a rule"
        else:
            raters = [read_samples(path) for path in job.files(LABELS)]
            data = f"samples of 50 phrases, {len(raters[0])} paraphrases, {len(raters)} raters"
        shares = rater_shares(raters)[question]
        table: list[tuple[Cell, ...]] = []
        for corpus in dict.fromkeys(corpus for corpus, _ in shares):
            cells: list[Cell] = []
            for sample in ("best", "all"):
                share = shares.get((corpus, sample))
                cells.append(None if share is None else interval_cell(share.share, share.interval, scale=100))
                cells.append(share.rows if share else None)
            table.append((corpus, *cells))
        notes: tuple[str, ...] = ()
        found = measure_agreement(rater_votes(raters, question))
        if found is not None:
            kappa = "undefined" if found.kappa is None else f"{found.kappa:.2f}"
            notes = (f"The raters agree on {100 * found.percent:.0f} % of the paraphrases, κ {kappa}.",)
        header = ("Paraphrases derived from", "ours: Best, %", "rated", "ours: All, %", "rated")
        return Made(header, tuple(table), data, notes)

    return make


def _labelled(job: Job) -> list[SampleRow]:
    from dataclasses import replace

    from paraphrast.references.equivalents import set_substitutions
    from paraphrast.references.samples import draw_samples

    rows = draw_samples(set_substitutions(_setup(job)[0].found.sets), "bitext", size=10)
    if not rows:
        raise NotMadeError("the bitext has no equivalence sets")
    return [
        replace(
            row, same_category=int(len(row.paraphrase) % 3 > 0), same_meaning=int(len(row.paraphrase) % 2)
        )
        for row in rows
    ]


MAKERS: dict[str, Maker] = {
    "sets": sets,
    "table-1": table_1,
    "table-2": _correlations(0),
    "table-3": table_3,
    "table-4": _correlations(1),
    "pooled": pooled,
    "table-5": _accuracy("same_category"),
    "table-6": _accuracy("same_meaning"),
}
