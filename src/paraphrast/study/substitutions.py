"""Substitutes of a model for words in their sentences: for one span, in the n best rewrites, and all possible ones.

Three views of the same decoder. :func:`span_substitutes` is for one target in a context, as judged by gold standards of
lexical substitution: everything else is protected, so the n best rewrites are the n best substitutes of the span.
:func:`nbest_substitutes` decodes freely and takes the union over the n best (Zhao et al. 2008, §6.1).
:func:`possible_substitutes` lists every substitute in the tables, for labelling (§5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from paraphrast.decode import DecoderArrays, HypEdit, Hypothesis
from paraphrast.decode.naming import substitution
from paraphrast.errors import InputError
from paraphrast.evaluate.forms import Forms, Matcher
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.evaluate.substitutions import (
    Offer,
    Outcome,
    SubstitutionScore,
    add_greedily,
    judge_offers,
    score_substitutions,
)
from paraphrast.formats.substitutions import Labelled, Target
from paraphrast.model import render
from paraphrast.model.control import Control
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.prepared import Prepared
from paraphrast.study.options import CONFIDENCES, StudyOptions
from paraphrast.text import split_sentences

#: Number of contexts that are decoded together.
BATCH = 256
#: Maximum strength: no threshold on probabilities or scores. The curve shows which threshold to use.
EVERYTHING = Control(strength=1.0)


@dataclass(frozen=True)
class SpanSubstitute:
    """A substitute for a span.

    start, end: code points. probability: the largest in any table. context: its probability in this sentence by the
    whole model, among all substitutes of the span and keeping it. score: relative to the unchanged text.
    rank: from 1, by score. tables: all tables with the pair.
    """

    start: int
    end: int
    before: str
    after: str
    probability: float
    context: float
    score: float
    rank: int
    tables: tuple[str, ...]

    def confidence(self, kind: str) -> float:
        """The probability from the tables, or from the model in this context."""
        if kind not in CONFIDENCES:
            raise InputError(f"expected {' or '.join(CONFIDENCES)} as confidence, got {kind!r}")
        return self.context if kind == "context" else self.probability


#: Substitutes of a span that the precise road reads, at least.
READ = 20


def span_substitutes(
    model: Paraphraser,
    spans: Sequence[tuple[str, int, int]],
    control: Control = EVERYTHING,
    *,
    n: int = 10,
    threads: int = 1,
) -> list[list[SpanSubstitute]]:
    """The n best substitutes of each (text, start, end), best first; none if the span is not whole words.

    ``control`` has the tables, vetoes and strength; its ``n`` is not used.
    """
    substitutes: list[list[SpanSubstitute]] = []
    options = model.decode_options(control)
    for begin in range(0, len(spans), BATCH):
        batch = spans[begin : begin + BATCH]
        prepared = [only_span(model, text, start, end, control) for text, start, end in batch]
        # All options of a span, so that the probabilities in context sum to 1.
        wide = replace(options, n=200, beam=0, max_edits=1, window=0)
        decoded = model.decode_prepared(prepared, control, wide, threads)
        for (text, start, end), item, hypotheses in zip(batch, prepared, decoded, strict=True):
            exact = [hypothesis for hypothesis in hypotheses if _span(item, hypothesis) == (start, end)]
            exact = [hypothesis for hypothesis in exact if hypothesis.score >= control.min_score]
            offered = _offered(model, item, exact, text, max(n, READ) if control.precise else n)
            substitutes.append(_read(model, text, offered, threads)[:n] if control.precise else offered)
    return substitutes


def _read(
    model: Paraphraser, text: str, offered: Sequence[SpanSubstitute], threads: int
) -> list[SpanSubstitute]:
    """Substitutes by their probability in their sentence as the precise road reads it."""
    road = model.precise_road(threads)
    if not offered:
        return []
    low, high = next(
        span for span in split_sentences(text, model.language) if span[0] <= offered[0].start < span[1]
    )
    rewrites = [f"{text[low : one.start]}{one.after}{text[one.end : max(high, one.end)]}" for one in offered]
    likely = road.judge(text[low:high], rewrites, fast=[one.context for one in offered])
    order = sorted(range(len(offered)), key=lambda place: (-likely[place], place))
    return [
        replace(offered[place], probability=likely[place], context=likely[place], rank=rank)
        for rank, place in enumerate(order, 1)
    ]


def only_span(model: Paraphraser, text: str, start: int, end: int, control: Control) -> Prepared:
    """A text where only a span may change."""
    if not 0 <= start < end <= len(text):
        raise InputError(f"expected a span within 0 and {len(text)}, got {start}:{end}")
    protect = (
        *control.protect,
        *(((0, start),) if start else ()),
        *(((end, len(text)),) if end < len(text) else ()),
    )
    return model.prepare(text, replace(control, protect=protect))


def _span(item: Prepared, hypothesis: Hypothesis) -> tuple[int, int]:
    """The characters that a rewrite with one edit replaces."""
    (edit,) = hypothesis.edits
    return item.analysis.starts[edit.start_token], item.analysis.ends[edit.end_token - 1]


def _offered(
    model: Paraphraser, item: Prepared, hypotheses: Sequence[Hypothesis], text: str, n: int
) -> list[SpanSubstitute]:
    best = max((hypothesis.score for hypothesis in hypotheses), default=0.0)
    top = max(best, 0.0)
    total = math.exp(-top) + math.fsum(math.exp(hypothesis.score - top) for hypothesis in hypotheses)
    rows: list[SpanSubstitute] = []
    seen: set[str] = set()
    for hypothesis in hypotheses:
        (edit,) = hypothesis.edits
        start, end = _span(item, hypothesis)
        after = render.inserted_text(model, item, edit)
        if after == text[start:end] or after in seen:
            continue
        seen.add(after)
        rows.append(
            SpanSubstitute(
                start,
                end,
                text[start:end],
                after,
                math.exp(edit.log_prob),
                math.exp(hypothesis.score - top) / total,
                hypothesis.score,
                len(rows) + 1,
                model.tables_of([edit]),
            )
        )
        if len(rows) == n:
            break
    return rows


@dataclass(frozen=True)
class NbestSubstitute:
    """A substitute in the union of a text's n best rewrites. ``rank``: of the best rewrite that has it."""

    start: int
    end: int
    before: str
    after: str
    probability: float
    rank: int
    tables: tuple[str, ...]


def nbest_substitutes(
    model: Paraphraser, texts: Sequence[str], control: Control | None = None, *, threads: int = 1
) -> list[list[NbestSubstitute]]:
    """Distinct substitutes of every text's n best rewrites (n from ``control``), from the decoder, before neighbours
    are repaired; those of better rewrites first."""
    control = control or Control()
    options = replace(model.decode_options(control), n=control.n)
    substitutes: list[list[NbestSubstitute]] = []
    for begin in range(0, len(texts), BATCH):
        prepared = [model.prepare(text, control) for text in texts[begin : begin + BATCH]]
        decoded = model.decode_prepared(prepared, control, options, threads)
        for item, hypotheses in zip(prepared, decoded, strict=True):
            rows: dict[tuple[int, int, str], NbestSubstitute] = {}
            for rank, hypothesis in enumerate(hypotheses, 1):
                if hypothesis.score < control.min_score:
                    break
                for edit in hypothesis.edits:
                    substitute = _substitute(model, item, edit, rank)
                    if substitute.after != substitute.before:
                        rows.setdefault((substitute.start, substitute.end, substitute.after), substitute)
            substitutes.append(list(rows.values()))
    return substitutes


def _substitute(model: Paraphraser, item: Prepared, edit: HypEdit, rank: int) -> NbestSubstitute:
    analysis = item.analysis
    start, end = analysis.starts[edit.start_token], analysis.ends[edit.end_token - 1]
    after = render.inserted_text(model, item, edit)
    return NbestSubstitute(
        start, end, analysis.text[start:end], after, math.exp(edit.log_prob), rank, model.tables_of([edit])
    )


def edit_of(arrays: DecoderArrays, place: tuple[int, int], option: int) -> HypEdit:
    """An edge of the lattice as an edit."""
    return substitution(arrays, *place, option)


def possible_substitutes(
    model: Paraphraser, texts: Iterable[str], control: Control = EVERYTHING, *, top: int = 0
) -> list[Labelled]:
    """Every substitute in the model's tables for every span of some sentences, for labelling.

    top: maximum number per span, by probability; 0 for all.
    """
    rows: dict[Labelled, None] = {}
    options = model.decode_options(control)
    for text in dict.fromkeys(texts):
        if not text.strip():
            continue
        item = model.prepare(text, control)
        decoder = model.decoder_of(control)
        edges = decoder.edges(model.batch_of([item]), options)
        log_prob = decoder.arrays.options.log_prob
        order = sorted(
            range(len(edges)),
            key=lambda row: (
                int(edges.start[row]),
                int(edges.end[row]),
                -float(log_prob[edges.option[row]]),
                row,
            ),
        )
        per_span: dict[tuple[int, int], int] = {}
        for row in order:
            place = (int(edges.start[row]), int(edges.end[row]))
            if top and per_span.get(place, 0) >= top:
                continue
            substitute = _substitute(model, item, edit_of(decoder.arrays, place, int(edges.option[row])), 1)
            if substitute.after != substitute.before:
                per_span[place] = per_span.get(place, 0) + 1
                rows.setdefault(
                    Labelled(text, substitute.start, substitute.end, substitute.before, substitute.after),
                    None,
                )
    return list(rows)


def collect(
    model: Paraphraser,
    targets: Sequence[Target],
    control: Control,
    options: StudyOptions,
    matcher: Matcher,
    *,
    threads: int = 1,
) -> tuple[list[Target], list[Outcome]]:
    """The model's substitutes for targets, judged. If sentences are decoded freely, spans without a target become
    additional targets without gold, so they are unjudged."""
    if options.mode == "span":
        spans = [(target.context, target.start, target.end) for target in targets]
        substitutes = span_substitutes(model, spans, control, n=options.n, threads=threads)
        offers = [
            [
                Offer(substitute.after, substitute.rank, substitute.confidence(options.confidence))
                for substitute in listed
            ]
            for listed in substitutes
        ]
        return list(targets), judge_offers(targets, offers, matcher, least=options.least)
    every = list(targets)
    places = {(target.context, target.start, target.end): number for number, target in enumerate(every)}
    offered: list[list[Offer]] = [[] for _ in every]
    texts = list(dict.fromkeys(target.context for target in targets))
    sentences = nbest_substitutes(model, texts, replace(control, n=options.n), threads=threads)
    for text, listed in zip(texts, sentences, strict=True):
        for substitute in listed:
            place = (text, substitute.start, substitute.end)
            if place not in places:
                places[place] = len(every)
                every.append(Target(f"+{len(every)}", text, substitute.start, substitute.end, {}))
                offered.append([])
            offered[places[place]].append(Offer(substitute.after, substitute.rank, substitute.probability))
    return every, judge_offers(every, offered, matcher, least=options.least)


@dataclass(frozen=True)
class TableStudy:
    """Zhao et al.'s tables 1 and 2: each table alone (with self), then added one by one, and all together.

    outcomes: of all tables together; each: of every table alone, by name; forms: how words were matched.
    """

    alone: tuple[tuple[tuple[str, ...], SubstitutionScore], ...]
    added: tuple[tuple[tuple[str, ...], SubstitutionScore], ...]
    targets: tuple[Target, ...]
    outcomes: tuple[Outcome, ...]
    each: Mapping[str, tuple[Outcome, ...]]
    forms: str


def study_tables(
    model: Paraphraser,
    targets: Sequence[Target],
    control: Control = EVERYTHING,
    options: StudyOptions | None = None,
    bootstrap: BootstrapOptions | None = None,
    *,
    tables: Sequence[str] = (),
    threads: int = 1,
) -> TableStudy:
    """Decode with table i + self, collect the substitutes of the n best, judge them, then add tables greedily.

    tables: which tables to study; by default all of the model. The last row of ``added`` has all of them, and its
    outcomes are returned too.
    """
    options = options or StudyOptions()
    names = tuple(tables) or model.arrays.table_names
    model.arrays.table_mask(names)
    matcher = Matcher(Forms(model.language.code))
    results: dict[frozenset[str], tuple[list[Target], list[Outcome], SubstitutionScore]] = {}

    def run(chosen: tuple[str, ...]) -> SubstitutionScore:
        key = frozenset(chosen)
        if key not in results:
            every, outcomes = collect(
                model,
                targets,
                replace(control, tables=tuple(sorted(chosen))),
                options,
                matcher,
                threads=threads,
            )
            score = score_substitutions(
                every, outcomes, bootstrap, least=options.least, silence=options.silence
            )
            results[key] = (every, outcomes, score)
        return results[key][2]

    alone = tuple(((name,), run((name,))) for name in names)
    added = tuple(add_greedily(names, run, by=options.by))
    every, outcomes, _ = results[frozenset(names)]
    each = {name: tuple(results[frozenset((name,))][1]) for name in names}
    return TableStudy(alone, added, tuple(every), tuple(outcomes), each, matcher.forms.kind)
