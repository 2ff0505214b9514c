"""Rewriting, text to text: sentences a second by beam, list length and threads, and what the beam costs in score."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from common import CORPUS, BenchError, Context, apart, read_rows

BEAM = 32
LISTS = (1, 10)
WARM_TEXTS = 8


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
    }


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
