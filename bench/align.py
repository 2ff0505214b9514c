"""Word alignment of English and French against eflomal: CPU seconds and peak memory on the same tokens.

Both sides are whole processes that read the two tokenised texts, align both directions and write links; ours
combines the directions too. Pairs that our aligner would leave out for their length are left out for both.
"""

from __future__ import annotations

import time
from typing import Any

from common import (
    COLUMNS,
    GET_PEERS,
    BenchError,
    Context,
    apart,
    find_program,
    growth,
    read_rows,
    run_program,
)

SIDES = ("en", "fr")
GROWING = ("pairs", "cpu_seconds", "peak_megabytes")
WARM_PAIRS = 50


def measure(context: Context) -> dict[str, Any]:
    """Figures of every size; ratios are ours over theirs, so below 1 is less than theirs."""
    pairs, _ = apart(context, "align", "write_tokens")
    if context.warm:
        apart(context, "align", "align_once", name="warm")
    program = find_program("eflomal-align")
    sizes: list[dict[str, Any]] = []
    for lines in context.sizes:
        figures, used = apart(context, "align", "align_once", name=str(lines))
        figures = {"lines": lines, "pairs": pairs[str(lines)], **figures, **used}
        figures |= against_eflomal(context, program, lines, figures)
        figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
        sizes.append(figures)
    return {"languages": list(SIDES), "threads": context.threads, "sizes": sizes}


def against_eflomal(
    context: Context, program: str | None, lines: int, ours: dict[str, Any]
) -> dict[str, Any]:
    """eflomal's figures, and ours as ratios to them; None, with how to get it, where it is not installed."""
    missing = {"eflomal": None, "cpu_ratio": None, "memory_ratio": None}
    if program is None:
        return {**missing, "get_eflomal": GET_PEERS}
    texts = [str(context.folder / f"align-{lines}.{side}") for side in SIDES]
    links = [str(context.folder / f"eflomal-{lines}.{way}") for way in ("forward", "reverse")]
    command = [program, "--overwrite", "-s", texts[0], "-t", texts[1], "-f", links[0], "-r", links[1]]
    try:
        theirs = run_program(command, context.threads)
    except BenchError as error:
        return {**missing, "eflomal_error": str(error)}
    return {
        "eflomal": theirs,
        "cpu_ratio": ours["cpu_seconds"] / theirs["cpu_seconds"],
        "memory_ratio": ours["peak_megabytes"] / theirs["peak_megabytes"],
    }


def write_tokens(context: Context) -> dict[str, int]:
    """Tokenise, and write the pairs of every size, tokens by a space; how many pairs each has."""
    from paraphrast.align import AlignOptions
    from paraphrast.pipeline.encoding import encode_side

    longest = AlignOptions().max_length
    rows = read_rows(context.corpus, 1, context.sizes[-1])
    texts: dict[str, list[str]] = {}
    for side in SIDES:
        at = COLUMNS.index(side)
        vocabulary, sentences = encode_side([row[at] for row in rows], side)
        texts[side] = [" ".join(vocabulary.words[word] for word in sentence) for sentence in sentences]
    fits = [
        all(0 < len(text.split()) <= longest for text in pair)
        for pair in zip(*(texts[side] for side in SIDES), strict=True)
    ]
    counts: dict[str, int] = {}
    names = {str(lines): lines for lines in context.sizes} | {"warm": min(WARM_PAIRS, context.sizes[0])}
    for name, lines in names.items():
        counts[name] = sum(fits[:lines])
        for side in SIDES:
            kept = (text for text, fit in zip(texts[side][:lines], fits, strict=False) if fit)
            path = context.folder / f"align-{name}.{side}"
            path.write_text("".join(f"{text}\n" for text in kept), encoding="utf-8")
    return counts


def align_once(context: Context, name: str) -> dict[str, Any]:
    """Read, align, write links; the seconds of the alignment itself, without starting up and reading."""
    from paraphrast.align import align
    from paraphrast.formats.pharaoh import write_links
    from paraphrast.pipeline.encoding import encode_side

    began = time.perf_counter()
    sides = []
    for side in SIDES:
        lines = (
            (context.folder / f"align-{name}.{side}")
            .read_text(encoding="utf-8")
            .removesuffix("\n")
            .split("\n")
        )
        sides.append(encode_side(lines, side, pretokenized=True))
    called, cpu = time.perf_counter(), time.process_time()
    (source_words, source), (target_words, target) = sides
    links = align(source, target, len(source_words), len(target_words), threads=context.threads)
    call = {"seconds": time.perf_counter() - called, "cpu_seconds": time.process_time() - cpu}
    write_links(context.folder / f"links-{name}.txt", links)
    return {"seconds": time.perf_counter() - began, "call": call, "links": len(links.source)}
