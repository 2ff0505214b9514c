"""A sentence and its round-trip translations → edits with offsets, for one sentence at a time.

Numbers, names and negations stay: an edit that changes one is left out. The result depends only on the sentence, its
trips and the aligner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from paraphrast.align.edits import changed_spans, is_inside_word
from paraphrast.align.evidence import Evidence, Resources
from paraphrast.align.evidence_kinds import choose
from paraphrast.align.monolingual import MonolingualAligner, MonolingualOptions, train_monolingual
from paraphrast.text import Language, get_language
from paraphrast.text.tokenise import Analysis, analyse
from paraphrast.types import MASKS, Sentences

__all__ = ["LONGEST", "TripEdit", "round_trip_edits"]

#: Maximum number of words per side of an edit. A clause that was moved is one edit.
LONGEST = 15
#: Evidence that needs no data.
_PLAIN = ("stem", "number", "spelling")
_MASKS = frozenset(MASKS)


class Trip(Protocol):
    """The part of :class:`paraphrast.read.RoundTrip` that is used here."""

    @property
    def text(self) -> str: ...
    @property
    def foreign(self) -> str: ...


class TripEdit(NamedTuple):
    """``sentence[start:end]`` is ``before`` and may become ``after``. foreign: the intermediate translation."""

    start: int
    end: int
    before: str
    after: str
    foreign: str


def round_trip_edits(
    sentence: str,
    trips: Sequence[Trip],
    aligner: MonolingualAligner | None = None,
    *,
    language: str = "en",
    longest: int = LONGEST,
) -> list[TripEdit]:
    """The distinct edits of a sentence, by position, each from the first of ``trips`` that has it.

    trips: most probable first. aligner: for ``language``; if None, a new one with stems, numbers and spelling as
    evidence learns from the trips.
    """
    record = get_language(language)
    texts = [trip for trip in trips if trip.text.lower() != sentence.lower()]
    source = analyse(sentence, record)
    targets = [analyse(trip.text, record) for trip in texts]
    if not source.words or not texts:
        return []
    links = _links(sentence, source, [trip.text for trip in texts], targets, aligner, record)
    edits: dict[tuple[int, int, str], TripEdit] = {}
    for trip, target, linked in zip(texts, targets, links, strict=True):
        words, new_words = _shown(sentence, source), _shown(trip.text, target)
        for span, _ in changed_spans(words, new_words, linked, longest, record.function_words):
            start, end = source.starts[span.start], source.ends[span.end - 1]
            after = trip.text[target.starts[span.new_start] : target.ends[span.new_end - 1]]
            held = [
                _held(words, source, span.start, span.end, record),
                _held(new_words, target, span.new_start, span.new_end, record),
            ]
            if held[0] == held[1] and _fits(source, span[:2]) == _fits(target, span[2:]):
                edit = TripEdit(start, end, sentence[start:end], after, trip.foreign)
                edits.setdefault((start, end, after), edit)
    return [edits[key] for key in sorted(edits)]


def _fits(analysis: Analysis, bounds: Sequence[int]) -> list[bool]:
    """Whether a phrase begins inside a written word, and whether it ends inside one. A replacement must match both."""
    return [is_inside_word(analysis.words, analysis.space_before, place) for place in bounds]


def _links(
    sentence: str,
    source: Analysis,
    texts: Sequence[str],
    targets: Sequence[Analysis],
    aligner: MonolingualAligner | None,
    language: Language,
) -> list[list[tuple[int, int]]]:
    ids: dict[str, int] = {}
    row = [ids.setdefault(word.lower(), len(ids)) for word in _shown(sentence, source)]
    new_rows = [
        [ids.setdefault(word.lower(), len(ids)) for word in _shown(text, target)]
        for text, target in zip(texts, targets, strict=True)
    ]
    first, second = Sentences.from_lists([row] * len(new_rows)), Sentences.from_lists(new_rows)
    words = tuple(ids)
    if aligner is None:
        aligner = train_monolingual(
            first, second, words, _plain_evidence(language.code), MonolingualOptions(), language=language
        )
    links = aligner.align(first, second, words)
    bounds = links.starts.tolist()
    pairs = list(zip(links.source.tolist(), links.target.tolist(), strict=True))
    return [pairs[low:high] for low, high in pairwise(bounds)]


@lru_cache(maxsize=8)
def _plain_evidence(code: str) -> tuple[Evidence, ...]:
    return tuple(choose(_PLAIN, Resources(get_language(code))))


def _shown(text: str, analysis: Analysis) -> list[str]:
    """The words of a text, with numbers and other entities as written."""
    return [
        text[start:end] if word in _MASKS else word
        for word, start, end in zip(analysis.words, analysis.starts, analysis.ends, strict=True)
    ]


def _held(
    words: Sequence[str], analysis: Analysis, start: int, end: int, language: Language
) -> tuple[list[str], int]:
    """The parts that an edit may not change: numbers, names, and the number of negations."""
    first = set(analysis.sentence_starts)
    protected = []
    for place in range(start, end):
        low = words[place].lower()
        masked = analysis.words[place] in _MASKS or low in language.number_words
        name = place not in first and words[place] != low and low not in language.function_words
        if masked or (name and not language.capital_nouns):
            protected.append(low)
    negations = sum(
        words[place].lower().replace("’", "'") in language.negations for place in range(start, end)
    )
    return sorted(protected), negations
