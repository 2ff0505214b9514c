"""Rewriting: sentences a second by beam, list length and threads, text to text and search alone; what the beam
costs in score; how time grows with sentence length, options and list length; how long a start takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from common import CORPUS, BenchError, Context, apart, read_rows

BEAM = 32
LISTS = (1, 10)
WARM_TEXTS = 8
STRENGTHS = (0.5, 1.0)
#: Sentence lengths (tokens) and list lengths by which time is told.
LENGTHS = (1, 11, 21, 31, 41, 61)
LIST_LENGTHS = (1, 10, 100, 1000)


def measure(context: Context) -> dict[str, Any]:
    """Figures of the model given, or else of one trained on the first size (by ``road``, if it ran)."""
    model = Path(context.model) if context.model else context.folder / f"model-{context.sizes[0]}"
    if not context.model and not model.exists():
        apart(context, "road", "train_once", lines=context.sizes[0], name=model.name)
    first = max(context.sizes[-1], trained_lines(model)) + 1
    figures, used = apart(context, "decode", "decode_all", model=str(model), first=first)
    return {**figures, "peak_megabytes": used["peak_megabytes"]}


def trained_lines(model: Path) -> int:
    """The last line of the corpus that a model saw."""
    try:
        manifest = json.loads((model / "manifest.json").read_text(encoding="utf-8"))
        sources = [source for source in manifest["sources"] if source.get("name") == CORPUS.name]
    except (OSError, ValueError, KeyError) as error:
        raise BenchError(f"{model}: expected a model folder: {error}") from error
    if any(source["lines"] is None for source in sources):
        raise BenchError(f"{model}: trained on all of {CORPUS.name}, so no line of it is new to the model")
    return max((int(source["lines"][1]) for source in sources), default=0)


def decode_all(context: Context, model: str, first: int) -> dict[str, Any]:
    """Rewrite the held-out lines in every setting."""
    import paraphrast

    texts = [row[0] for row in read_rows(context.corpus, first, first + context.rewritten - 1)]
    began = time.perf_counter()
    paraphraser = paraphrast.load(model)
    paraphraser.paraphrase(texts[0])
    load_seconds = time.perf_counter() - began
    settings: list[dict[str, Any]] = []
    best: dict[int, list[float | None]] = {}
    for beam in (BEAM, 0):
        for n in LISTS:
            list(paraphraser.paraphrase_many(texts[:WARM_TEXTS], threads=1, n=n, beam=beam))
            for threads in sorted({1, context.threads}):
                began, cpu = time.perf_counter(), time.process_time()
                found = list(paraphraser.paraphrase_many(texts, threads=threads, n=n, beam=beam))
                seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
                settings.append(
                    {
                        "beam": beam,
                        "n": n,
                        "threads": threads,
                        "sentences_per_second": len(texts) / seconds,
                        "sentences_per_cpu_second": len(texts) / max(cpu_seconds, 1e-9),
                        "rewrites_per_sentence": sum(map(len, found)) / len(texts),
                    }
                )
            best[beam] = [results[0].score if results else None for results in found]
    return {
        "sentences": len(texts),
        "load_seconds": load_seconds,
        "settings": settings,
        "beam_loss": beam_loss(best[BEAM], best[0]),
        "search": [search_alone(paraphraser, texts, strength, context.threads) for strength in STRENGTHS],
        "growth": growth_of_time(paraphraser, texts),
        "start": start_up(model, texts[0]),
    }


def cpu_rate(decoder: Any, batch: Any, options: Any, threads: int = 1) -> tuple[float, float]:
    """Items a second of processor time and of the clock, records included; the better of two runs."""
    best = (0.0, 0.0)
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        decoder.decode(batch, options, threads=threads)
        seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
        best = max(best, (len(batch) / max(cpu_seconds, 1e-9), len(batch) / max(seconds, 1e-9)))
    return best


def inputs(paraphraser: Any, texts: list[str], strength: float, **wishes: Any) -> tuple[Any, Any]:
    """The batch and the options that :meth:`paraphrase_many` would decode with."""
    from paraphrast.model import Control

    control = Control(strength=strength, **wishes)
    batch = paraphraser.batch_of([paraphraser.prepare(text, control) for text in texts])
    return batch, paraphraser.decode_options(control)


def search_alone(paraphraser: Any, texts: list[str], strength: float, threads: int) -> dict[str, Any]:
    """The decoder without tokenising, tagging and rendering, and what the beam loses."""
    decoder = paraphraser.decoder
    batch, options = inputs(paraphraser, texts, strength)
    edges = decoder.edges(batch, options)
    settings: list[dict[str, Any]] = []
    for beam in (BEAM, 0):
        for n in LISTS:
            chosen = replace(options, beam=beam, pops=3 * beam, n=n)
            decoder.decode(batch, chosen)
            for count in sorted({1, threads}):
                cpu, wall = cpu_rate(decoder, batch, chosen, count)
                settings.append(
                    {
                        "beam": beam,
                        "n": n,
                        "threads": count,
                        "sentences_per_second": wall,
                        "sentences_per_cpu_second": cpu,
                    }
                )
    beamed = replace(options, beam=BEAM, pops=3 * BEAM, n=LISTS[-1])
    return {
        "strength": strength,
        "tokens_per_sentence": len(batch.tokens) / max(len(batch), 1),
        "options_per_token": len(edges) / max(len(batch.tokens), 1),
        "settings": settings,
        "loss": asdict(decoder.loss(batch, beamed)),
        "loss_without_cube_pruning": asdict(decoder.loss(batch, replace(beamed, pops=0))),
    }


def growth_of_time(paraphraser: Any, texts: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Milliseconds of processor time a sentence, 10-best at full strength unless the column says otherwise."""
    decoder = paraphraser.decoder

    def told(kept: list[str], strength: float = 1.0, n: int = 10, **wishes: Any) -> dict[str, Any]:
        batch, options = inputs(paraphraser, kept, strength, **wishes)
        row: dict[str, Any] = {
            "sentences": len(batch),
            "tokens_per_sentence": len(batch.tokens) / max(len(batch), 1),
            "options_per_token": len(decoder.edges(batch, options)) / max(len(batch.tokens), 1),
        }
        for name, beam in (("beam", BEAM), ("exact", 0)):
            rate, _ = cpu_rate(decoder, batch, replace(options, beam=beam, pops=3 * beam, n=n))
            row[f"{name}_milliseconds"] = 1000 / rate
        return row

    def by_length() -> Iterable[dict[str, Any]]:
        sized = [(len(paraphraser.prepare(text, _plain()).ids), text) for text in texts]
        for least, most in pairwise((*LENGTHS, 10**9)):
            kept = [text for size, text in sized if least <= size < most]
            if kept:
                yield {"least_tokens": least, **told(kept)}

    few = texts[: max(1, len(texts) // 5)]
    return {
        "sentence_length": list(by_length()),
        "options": [
            *({"strength": strength, **told(few, strength)} for strength in (0.25, 0.5, 0.75, 1.0)),
            {"strength": 1.0, "vetoes": "none", **told(few, vetoes=())},
        ],
        "list_length": [{"n": n, **told(few, n=n)} for n in LIST_LENGTHS],
    }


def _plain() -> Any:
    from paraphrast.model import Control

    return Control()


def start_up(model: str, text: str) -> dict[str, Any]:
    """A model loaded again in this process; the help and one sentence from the shell, in fresh ones."""
    import paraphrast

    began = time.perf_counter()
    paraphrast.load(model)
    figures: dict[str, Any] = {"load_seconds": time.perf_counter() - began}
    commands = {"help": ["--help"], "one_sentence": ["paraphrase", text, "-m", model, "-n", "1"]}
    for name, arguments in commands.items():
        walls, cpus = [], []
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "paraphrast", *arguments], check=True, capture_output=True, timeout=300
            )
            walls.append(time.perf_counter() - began)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        figures[f"{name}_seconds"] = min(walls)
        figures[f"{name}_cpu_seconds"] = min(cpus)
    return figures


def beam_loss(beam: list[float | None], exact: list[float | None]) -> dict[str, Any]:
    """How far the beam's best rewrite scores below the exact search's, over sentences where both have one."""
    losses = [
        high - low for low, high in zip(beam, exact, strict=True) if low is not None and high is not None
    ]
    missed = sum(low is None and high is not None for low, high in zip(beam, exact, strict=True))
    return {
        "compared": len(losses),
        "mean": sum(losses) / len(losses) if losses else None,
        "largest": max(losses, default=None),
        "share_below": sum(loss > 1e-6 for loss in losses) / len(losses) if losses else None,
        "missed": missed,
    }
