"""Time per sentence for scoring eight candidate rewrites, by groups of features and by how many get all groups.

    python bench/reading.py TRIPS.jsonl [--sentences 30] [--threads 2]
    python bench/reading.py --check

TRIPS.jsonl has sentences with their round trips (``paraphrast table roundtrip`` keeps them in the cache); candidates
are single edits of one or two words from these. Prints CPU and wall seconds per sentence. ``--check`` rewrites one
sentence with the real models and fails if the results are wrong: a test that CI cannot run, because the models have
1.2 GB. Both need the extra ``precise`` and the data opus-mt-en-fr, opus-mt-fr-en, smollm2-135m, minilm-en
(``paraphrast data get``).
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

from paraphrast import Control, data
from paraphrast.align.trip_edits import round_trip_edits
from paraphrast.formats.round_trips import TrippedSentence, read_round_trips
from paraphrast.model.precise import PreciseRoad
from paraphrast.read import GROUPS, Reader
from paraphrast.text import get_language
from paraphrast.types import Edit, Paraphrase
from paraphrast.types.results import apply_edits

CANDIDATES, SHORTEST, LONGEST = 8, 15, 25
#: Groups, translations of the source, beam, how many are read by all groups.
SETTINGS = (
    (GROUPS, 2, 4, None),
    (GROUPS, 1, 1, None),
    (GROUPS, 1, 1, 4),
    (GROUPS, 1, 1, 3),
    (("back", "forth", "restated", "shape"), 1, 1, 3),
    (("back", "restated", "shape"), 1, 1, 3),
    (("back", "shape"), 1, 1, None),
)


@dataclass(frozen=True)
class Trip:
    """A sentence that came back."""

    text: str
    foreign: str


def candidates(sentence: TrippedSentence) -> list[str]:
    """Rewrites with one edit of at most two words."""
    trips = [Trip(text, trip.foreign) for trip in sentence.trips for text, _ in trip.back]
    text = sentence.text
    return list(
        dict.fromkeys(
            text[: edit.start] + edit.after + text[edit.end :]
            for edit in round_trip_edits(text, trips)
            if max(len(edit.before.split()), len(edit.after.split())) <= 2
        )
    )


def draw(path: Path, count: int) -> list[tuple[str, list[str]]]:
    """Sentences of middle length with eight candidates each, drawn by seed."""
    rows = [row for row in read_round_trips(path) if SHORTEST <= len(row.text.split()) <= LONGEST]
    random.Random(2).shuffle(rows)
    drawn = []
    for row in rows:
        if len(found := candidates(row)) >= CANDIDATES:
            drawn.append((row.text, found[:CANDIDATES]))
        if len(drawn) == count:
            break
    return drawn


def check() -> None:
    """Rewrite a sentence precisely, with one wrong candidate among the fast ones."""
    text = "The old man bought a new car because his old one was broken."
    start = text.index("broken")
    wrong = Edit(start, start + 6, start, start + 6, "broken", "banana", 0.5, ("pivot",))
    fast = [Paraphrase(text, apply_edits(text, (wrong,)), -1.0, (wrong,))]
    results = PreciseRoad.open(get_language("en")).rewrite(text, fast, Control(n=30))
    if not results:
        raise SystemExit("no result")
    for result in results[:3]:
        print(f"{result.probability:.3f}  {result.text}")
    problems = {
        "the first result has a probability of .6 or less": (results[0].probability or 0) <= 0.6,
        "edits do not give the text": any(apply_edits(text, row.edits) != row.text for row in results),
        "a wrong word is among the first three": any("banana" in row.text for row in results[:3]),
    }
    if any(problems.values()):
        raise SystemExit("; ".join(problem for problem, present in problems.items() if present))


def main() -> None:
    """Print a line for each setting, or check one sentence."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trips", type=Path, nargs="?")
    parser.add_argument("--check", action="store_true", help="Rewrite one sentence and check the results.")
    parser.add_argument("--sentences", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if options.check:
        check()
        return
    if options.trips is None:
        parser.error("expected TRIPS.jsonl or --check")
    sentences = draw(options.trips, options.sentences + 1)
    names = ("opus-mt-en-fr", "opus-mt-fr-en", "smollm2-135m", "minilm-en")
    forth, back, causal, encoder = (data.require(name) for name in names)
    for groups, translations, beam, best in SETTINGS:
        reader = Reader.open(
            {"fr": (forth, back)}, causal, encoder,
            threads=options.threads, translations=translations, beam=beam, groups=groups,
        )  # fmt: skip
        reader.features(*sentences[0])
        began, used = time.perf_counter(), time.process_time()
        for source, rewrites in sentences[1:]:
            reader.features(source, rewrites, best=best)
        count = len(sentences) - 1
        seconds, cpu = (time.perf_counter() - began) / count, (time.process_time() - used) / count
        setting = f"{' '.join(groups)}, {translations} translations, beam {beam}, best {best}"
        print(f"{setting}: {cpu:.3f} CPU seconds, {seconds:.3f} seconds", flush=True)


if __name__ == "__main__":
    main()
