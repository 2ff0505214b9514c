"""Sentences with their round trips, one JSON object per line: translated, and translated back.

    {"text": "…", "trips": [{"language": "fr", "foreign": "…", "forth": -0.21,
                             "back": [{"text": "…", "score": -0.18}, …]}, …]}

Scores are mean log-probabilities per piece. After an interrupted run, the last line may be incomplete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError
from paraphrast.formats.jsonl import read_records, text_field

__all__ = ["ForeignTrip", "TrippedSentence", "read_round_trips", "round_trip_lines"]


@dataclass(frozen=True, slots=True)
class ForeignTrip:
    """One translation of a sentence, and its translations back, each with its score; best first."""

    language: str
    foreign: str
    forth: float
    back: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class TrippedSentence:
    """A sentence and its round trips."""

    text: str
    trips: tuple[ForeignTrip, ...]


def read_round_trips(path: str | Path) -> Iterator[TrippedSentence]:
    """The sentences of a file, in order."""
    for where, record in read_records(path):
        trips = record.get("trips")
        if not isinstance(trips, list):
            raise FormatError(f"expected a list as 'trips', got {trips!r}", where=where)
        yield TrippedSentence(text_field(record, "text", where), tuple(_trip(trip, where) for trip in trips))


def _trip(trip: Any, where: At) -> ForeignTrip:
    try:
        back = tuple((str(way["text"]), float(way["score"])) for way in trip["back"])
        return ForeignTrip(str(trip["language"]), str(trip["foreign"]), float(trip["forth"]), back)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(
            f"expected a trip with language, foreign, forth and back (text, score): {error!r}", where=where
        ) from error


def round_trip_lines(sentences: Iterable[TrippedSentence]) -> Iterator[str]:
    """The lines of a file, without line ends."""
    for sentence in sentences:
        trips = [
            {
                "language": trip.language,
                "foreign": trip.foreign,
                "forth": trip.forth,
                "back": [{"text": text, "score": score} for text, score in trip.back],
            }
            for trip in sentence.trips
        ]
        yield json.dumps({"text": sentence.text, "trips": trips}, ensure_ascii=False)
