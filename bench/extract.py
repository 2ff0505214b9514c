"""Phrase extraction from aligned English and French: phrase pairs a second and peak memory, step by step.

The text is tokenised and aligned once, at the largest size; every size takes the first lines of that, in a process
of its own. Peaks are of the process up to the end of the step, the arrays of the corpus included.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from common import COLUMNS, Context, apart, growth, read_rows, usage

SIDES = ("en", "fr")
GROWING = ("occurrences", "cpu_seconds", "peak_megabytes")
WARM_LINES = 50
T = TypeVar("T")


def measure(context: Context) -> dict[str, Any]:
    """Figures of every size."""
    sizes: list[dict[str, Any]] = []
    apart(context, "extract", "prepare")
    if context.warm:
        apart(context, "extract", "extract_once", lines=WARM_LINES)
    for lines in context.sizes:
        figures, used = apart(context, "extract", "extract_once", lines=lines)
        figures = {"lines": lines, **figures, **used}
        figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
        sizes.append(figures)
    return {"languages": list(SIDES), "threads": context.threads, "sizes": sizes}


def prepare(context: Context) -> dict[str, int]:
    """Tokenise and align the largest size; write the arrays."""
    import numpy as np

    from paraphrast.align import align
    from paraphrast.build.sides import encode_side

    rows = read_rows(context.corpus, 1, context.sizes[-1])
    sides = {side: encode_side([row[COLUMNS.index(side)] for row in rows], side) for side in SIDES}
    (source_words, source), (target_words, target) = (sides[side] for side in SIDES)
    links = align(source, target, len(source_words), len(target_words), threads=context.threads)
    arrays: dict[str, Any] = {
        **{f"{side}-tokens": sides[side][1].tokens for side in SIDES},
        **{f"{side}-starts": sides[side][1].starts for side in SIDES},
        "links-starts": links.starts,
        "links-source": links.source,
        "links-target": links.target,
        "vocabularies": np.array([len(source_words), len(target_words)]),
    }
    for name, values in arrays.items():
        np.save(context.folder / f"extract-{name}.npy", values, allow_pickle=False)
    return {"links": len(links.source)}


def extract_once(context: Context, lines: int) -> dict[str, Any]:
    """Every step on the first ``lines``, after a short call of each that loads what is compiled."""
    if context.warm:
        all_steps(context, WARM_LINES)
    return all_steps(context, lines)


def all_steps(context: Context, lines: int) -> dict[str, Any]:
    """What each step took, and the process's peak when it ended."""
    from paraphrast.engine import Engine
    from paraphrast.extract import (
        count_pairs,
        extract_pairs,
        lexical_weights,
        link_lexicons,
        orient_pairs,
        pair_alignments,
        pair_probabilities,
        sentence_counts,
        significance,
    )

    source, target, links, source_size, target_size = corpus(context, lines)
    steps: dict[str, dict[str, float]] = {"loaded": {"peak_megabytes": usage()["peak_megabytes"]}}

    def step(name: str, call: Callable[[], T]) -> T:
        began, cpu = time.perf_counter(), time.process_time()
        result = call()
        steps[name] = {
            "seconds": time.perf_counter() - began,
            "cpu_seconds": time.process_time() - cpu,
            "peak_megabytes": usage()["peak_megabytes"],
        }
        return result

    extraction = step("extract", lambda: extract_pairs(source, target, links))
    with Engine(threads=context.threads) as engine:
        counted = step("count", lambda: count_pairs(engine, extraction, kinds=True))
        step("probabilities", lambda: pair_probabilities(counted, "modified-kneser-ney"))
        codes = step("alignments", lambda: pair_alignments(engine, extraction, counted, links))
    lexicons = step("lexicons", lambda: link_lexicons(source, target, links, source_size, target_size))
    step("lexical_weights", lambda: lexical_weights(extraction, counted, codes, lexicons))
    step("orientations", lambda: orient_pairs(source, target, links))
    counts = step("sentence_counts", lambda: sentence_counts(source, target, extraction, counted))
    step("significance", lambda: significance(counts))
    spent = sum(figures.get("cpu_seconds", 0.0) for figures in steps.values())
    return {
        "occurrences": len(extraction),
        "pairs": len(counted),
        "source_phrases": len(extraction.source_words),
        "target_phrases": len(extraction.target_words),
        "occurrences_a_second": len(extraction) / max(steps["extract"]["cpu_seconds"], 1e-9),
        "pairs_scored_a_second": len(counted) / max(spent, 1e-9),
        "steps": steps,
    }


def corpus(context: Context, lines: int) -> tuple[Any, Any, Any, int, int]:
    """The first lines of what :func:`prepare` wrote: both sides, links, sizes of the vocabularies."""
    import numpy as np

    from paraphrast.types import Links, Sentences

    def read(name: str) -> Any:
        return np.load(context.folder / f"extract-{name}.npy", mmap_mode="r", allow_pickle=False)

    sides = []
    for side in SIDES:
        starts = np.array(read(f"{side}-starts")[: lines + 1])
        tokens = np.array(read(f"{side}-tokens")[: starts[-1]])
        sides.append(Sentences(tokens, starts, np.ones(len(tokens), np.uint8)))
    starts = np.array(read("links-starts")[: lines + 1])
    links = Links(
        starts, np.array(read("links-source")[: starts[-1]]), np.array(read("links-target")[: starts[-1]])
    )
    source_size, target_size = read("vocabularies").tolist()
    return *sides, links, source_size, target_size
