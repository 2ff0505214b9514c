"""Round trips of sentences → a table: what phrases become when they are translated and translated back.

    p(e2 | e1) = Σ over occurrences of e1 of Σ over f of p(f | sentence) · p(back with e2 | f)  /  occurrences of e1

This is Bannard and Callison-Burch's pivot (2005, eq. 2) for whole sentences: f is a translation of the sentence with
e1, and e2 is what the monolingual aligner finds in place of e1. Probabilities of translations are those of the n best
of the beam, normalised to sum to one. Unchanged occurrences count in the denominator.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import ClassVar

import numpy as np

from paraphrast.align.edits import Span, changed_spans, is_inside_word
from paraphrast.build.monolingual import align_monolingual
from paraphrast.build.round_trips import Progress, TripOptions, translate_file
from paraphrast.errors import InputError
from paraphrast.formats.round_trips import TrippedSentence, read_round_trips
from paraphrast.tables.resources.kinds import TableJob, TableKind
from paraphrast.tables.resources.roundtrip import (
    Pair,
    RoundtripOptions,
    TripCounts,
    can_be_row,
    roundtrip_table,
)
from paraphrast.tables.resources.words import glue_bits
from paraphrast.text import Language, encode, get_language
from paraphrast.text.truecase import Truecaser, learn
from paraphrast.types import FIRST_WORD, Links, LooseTable, Sentences, Vocabulary

__all__ = ["RoundtripKind", "RoundtripOptions", "Way", "build_roundtrip", "ways_of"]


@dataclass(frozen=True, slots=True)
class Way:
    """A changed sentence from a round trip. probability: of the round trip, over all translations."""

    sentence: int
    text: str
    new_text: str
    foreign: str
    probability: float


def ways_of(sentences: Iterable[TrippedSentence]) -> Iterator[Way]:
    """The distinct sentences that came back, in order. foreign: the translation that contributes most to each.

    The beam's scores are means per piece. The log-probability of a translation is about 1.3 times its words times that.
    """
    for number, sentence in enumerate(sentences):
        came: dict[str, dict[str, float]] = {}
        shares = _shares([(trip.foreign, trip.forth) for trip in sentence.trips])
        for trip, share in zip(sentence.trips, shares, strict=True):
            for (text, _), part in zip(trip.back, _shares(trip.back), strict=True):
                came.setdefault(text, {})[trip.foreign] = share * part
        for text, by_foreign in came.items():
            if text.lower() != sentence.text.lower():
                best = max(by_foreign, key=lambda foreign: by_foreign[foreign])
                yield Way(number, sentence.text, text, best, sum(by_foreign.values()))


def _shares(scored: Sequence[tuple[str, float]]) -> list[float]:
    logs = [score * PIECES * (len(text.split()) + 1) for text, score in scored]
    top = max(logs, default=0.0)
    raw = [math.exp(value - top) for value in logs]
    return [value / sum(raw) for value in raw]


#: Approximate number of pieces per word.
PIECES = 1.3


def build_roundtrip(
    sentences: Sequence[TrippedSentence],
    options: RoundtripOptions | None = None,
    *,
    language: str = "en",
    truecaser: Truecaser | None = None,
    antonyms: Iterable[tuple[str, str]] = (),
    evidence: Sequence[str] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> LooseTable:
    """The table of sentences with their round trips, without vetoed pairs.

    evidence: as in :func:`~paraphrast.build.monolingual.align_monolingual`.
    """
    options = options or RoundtripOptions()
    ways = list(ways_of(sentences))
    if not ways:
        raise InputError(
            f"expected round trips that change their sentence, got none in {len(sentences)} sentences",
            remedy="use longer sentences, or more translations (forth, back)",
        )
    record = get_language(language)
    first, second = [way.text for way in ways], [way.new_text for way in ways]
    links, _ = align_monolingual(
        first, second, language=language, evidence=evidence, context=False, threads=threads, progress=progress
    )
    sides = [encode(side, record, offsets=True, threads=threads) for side in (first, second)]
    inputs = encode([sentence.text for sentence in sentences], record, threads=threads)
    vocabulary, (before, after, given) = (truecaser or learn(*sides)).apply_all([*sides, inputs])
    counts = _count(ways, links, vocabulary, before, after, record, options)
    occurrences = _occurrences(given, vocabulary, {pair[0] for pair in counts.mass}, options.max_length)
    known = {vocabulary.words[word] for word in np.unique(given.tokens)}
    notes = {"sentences": len(sentences), "came_back_changed": len(ways), "pairs_met": len(counts.mass)}
    return roundtrip_table(counts, occurrences, known, record, options, antonyms=antonyms, notes=notes)


def _count(
    ways: Sequence[Way],
    links: Links,
    vocabulary: Vocabulary,
    before: Sentences,
    after: Sentences,
    language: Language,
    options: RoundtripOptions,
) -> TripCounts:
    counts = TripCounts()
    number = 0
    for _, group in groupby(ways, key=attrgetter("sentence")):
        met: set[Pair] = set()
        met_alone: set[Pair] = set()
        for way in group:
            words, new_words = ([vocabulary.words[word] for word in side[number]] for side in (before, after))
            spaces, new_spaces = (
                side.space_before[side.starts[number] : side.starts[number + 1]].tolist()
                for side in (before, after)
            )
            low, high = int(links.starts[number]), int(links.starts[number + 1])
            linked = list(zip(links.source[low:high].tolist(), links.target[low:high].tolist(), strict=True))
            for span, alone in changed_spans(
                words, new_words, linked, options.max_length, language.function_words
            ):
                pair = (tuple(words[span.start : span.end]), tuple(new_words[span.new_start : span.new_end]))
                cut = any(is_inside_word(words, spaces, place) for place in span[:2]) or any(
                    is_inside_word(new_words, new_spaces, place) for place in span[2:]
                )
                if (
                    not cut
                    and can_be_row(pair, language)
                    and _same_entities(way, before, after, number, span)
                ):
                    counts.mass[pair] = counts.mass.get(pair, 0.0) + way.probability
                    met.add(pair)
                    if alone:
                        met_alone.add(pair)
                    _keep_glue(counts.glue, pair, before, after, number, span)
            number += 1
        counts.sentences.update(met)
        counts.alone.update(met_alone)
    return counts


def _same_entities(way: Way, before: Sentences, after: Sentences, number: int, span: Span) -> bool:
    """Whether numbers, dates and other entities have the same text on both sides, since all numbers share a mask."""
    texts = (
        _entities(way.text, before, number, span.start, span.end),
        _entities(way.new_text, after, number, span.new_start, span.new_end),
    )
    return texts[0] == texts[1]


def _entities(text: str, side: Sentences, number: int, start: int, end: int) -> list[str]:
    if side.char_start is None or side.char_end is None:
        raise InputError(
            "expected sentences with offsets, got none", remedy="encode(lines, language, offsets=True)"
        )
    base = int(side.starts[number])
    return sorted(
        text[side.char_start[place] : side.char_end[place]]
        for place in range(base + start, base + end)
        if side.tokens[place] < FIRST_WORD
    )


def _keep_glue(
    glue: dict[tuple[str, ...], int], pair: Pair, before: Sentences, after: Sentences, number: int, span: Span
) -> None:
    for words, side, start in ((pair[0], before, span.start), (pair[1], after, span.new_start)):
        begin = int(side.starts[number]) + start
        bits = glue_bits(side.space_before[begin : begin + len(words)].tolist())
        if bits:
            glue.setdefault(words, bits)


def _occurrences(
    given: Sentences, vocabulary: Vocabulary, wanted: set[tuple[str, ...]], longest: int
) -> Counter[tuple[str, ...]]:
    """Number of occurrences of each of the phrases ``wanted`` in the inputs."""
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in given:
        words = [vocabulary.words[word] for word in sentence]
        for begin in range(len(words)):
            for end in range(begin + 1, min(begin + longest, len(words)) + 1):
                phrase = tuple(words[begin:end])
                if phrase in wanted:
                    counts[phrase] += 1
    return counts


class RoundtripKind(TableKind):
    """Sentences with their round trips (``.jsonl``), or text that is translated and translated back first."""

    name = "roundtrip"
    options: ClassVar[type] = RoundtripOptions

    def build(self, job: TableJob, options: RoundtripOptions) -> LooseTable:
        path = Path(job.one_input("sentences, or of sentences with their round trips (.jsonl)"))
        if ".jsonl" not in path.suffixes:
            ways = TripOptions(options.forth, options.back, options.pivot)
            path = translate_file(
                path, ways, language=job.language, threads=job.threads, progress=job.progress
            )
        return build_roundtrip(
            list(read_round_trips(path)), options,
            language=job.language, truecaser=job.truecaser, threads=job.threads, progress=job.progress,
        )  # fmt: skip
