"""Two sentences with the same meaning and their links → edits: which words of the first became which of the second.

A cut between two words of the first sentence is sound if no link crosses it: all words before it are linked to words
before those that the words after it are linked to. Between sound cuts are the smallest units that have the same order
in both sentences (the tuples of Mariño et al. 2006). Moved or restructured text lies inside one unit and is one edit.
Words without a link between the same two units on both sides are a unit too.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["Span", "changed_spans", "is_inside_word", "units"]


class Span(NamedTuple):
    """Words [start, end) of the first sentence, and the words of the second that replace them."""

    start: int
    end: int
    new_start: int
    new_end: int


def units(length: int, new_length: int, links: Sequence[tuple[int, int]]) -> list[Span]:
    """The smallest units, in order. Together they cover both sentences. One side of a unit may be empty."""
    first = [new_length] * length
    last = [-1] * length
    for place, new_place in links:
        first[place] = min(first[place], new_place)
        last[place] = max(last[place], new_place)
    reached = list(accumulate(last, max))
    ahead = list(accumulate(reversed(first), min, initial=new_length))[::-1]
    spans: list[Span] = []
    begin = new_begin = 0
    for end in range(1, length + 1):
        low, high = reached[end - 1], ahead[end]
        if low >= high:
            continue
        linked = [place for place in range(begin, end) if last[place] >= 0]
        if not linked:
            continue
        new_first = min(first[place] for place in linked)
        if linked[0] > begin or new_first > new_begin:
            spans.append(Span(begin, linked[0], new_begin, new_first))
        spans.append(Span(linked[0], end, new_first, low + 1))
        begin, new_begin = end, low + 1
    if begin < length or new_begin < new_length:
        spans.append(Span(begin, length, new_begin, new_length))
    return spans


def changed_spans(
    words: Sequence[str],
    new_words: Sequence[str],
    links: Sequence[tuple[int, int]],
    longest: int,
    light: Container[str] = (),
) -> Iterator[tuple[Span, bool]]:
    """The edits with at most ``longest`` words per side, neither side empty, and whether nothing else changed beside
    each.

    Each changed unit is an edit, and so is each run of adjacent changed units, because adjacent changes may depend on
    each other. Words that were only added or removed beside a change belong to it: "go on" → "continue" gives no "go" →
    "continue". If words were only added or removed, or a side has only ``light`` words (function words, in lower case),
    the edit is extended by the unit before, the unit after, and both, unless they are punctuation: "n't" → "not" says
    little, "do n't" → "do not" enough.
    """
    spans = _grown(words, new_words, units(len(words), len(new_words), links))
    changed = [_differ(words, new_words, unit) for unit in spans]
    runs = [(place, place + 1) for place in range(len(spans)) if changed[place]]
    edges = [place for place in range(len(spans) + 1) if _at(changed, place - 1) != _at(changed, place)]
    runs += [run for run in pairwise(edges) if changed[run[0]] and run[1] - run[0] > 1]
    seen: set[Span] = set()
    for begin, end in runs:
        for first, last in _with_neighbours(words, new_words, spans, begin, end, light):
            span = _joined(spans, first, last)
            short = max(span.end - span.start, span.new_end - span.new_start) <= longest
            if short and span not in seen and span.start < span.end and span.new_start < span.new_end:
                seen.add(span)
                yield span, not (_at(changed, begin - 1) or _at(changed, end))


def _grown(words: Sequence[str], new_words: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """The units, with changed ones joined to neighbours whose words were only added or removed."""
    grown: list[Span] = []
    for unit in spans:
        touching = grown and _differ(words, new_words, unit) and _differ(words, new_words, grown[-1])
        if touching and (_one_sided(unit) or _one_sided(grown[-1])):
            grown[-1] = _joined((grown[-1], unit), 0, 2)
        else:
            grown.append(unit)
    return grown


def _one_sided(unit: Span) -> bool:
    return unit.start == unit.end or unit.new_start == unit.new_end


def _with_neighbours(
    words: Sequence[str],
    new_words: Sequence[str],
    spans: Sequence[Span],
    begin: int,
    end: int,
    light: Container[str],
) -> Iterator[tuple[int, int]]:
    """The units [begin, end), alone if they say enough, else extended by neighbours that are words."""
    span = _joined(spans, begin, end)
    sides = words[span.start : span.end], new_words[span.new_start : span.new_end]
    if all(any(_is_word(word) and word.lower() not in light for word in side) for side in sides):
        yield begin, end
        return
    before, after = (
        0 <= place < len(spans) and all(map(_is_word, words[spans[place].start : spans[place].end]))
        for place in (begin - 1, end)
    )
    if before:
        yield begin - 1, end
    if after:
        yield begin, end + 1
    if before and after:
        yield begin - 1, end + 1


def _joined(spans: Sequence[Span], begin: int, end: int) -> Span:
    return Span(spans[begin].start, spans[end - 1].end, spans[begin].new_start, spans[end - 1].new_end)


def _differ(words: Sequence[str], new_words: Sequence[str], unit: Span) -> bool:
    """Whether words were changed, added or removed. Case and punctuation do not count."""
    before = [word.lower() for word in words[unit.start : unit.end] if _is_word(word)]
    after = [word.lower() for word in new_words[unit.new_start : unit.new_end] if _is_word(word)]
    return before != after


def is_inside_word(words: Sequence[str], space_before: Sequence[int], place: int) -> bool:
    """Whether a word follows another without a space: the "n't" of "don't", but not the "he" of "(he"."""
    return (
        0 < place < len(words)
        and not space_before[place]
        and _is_word(words[place - 1])
        and _is_word(words[place])
    )


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _at(values: Sequence[bool], place: int) -> bool:
    return 0 <= place < len(values) and values[place]
