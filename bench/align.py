"""Word alignment of English and French against eflomal and thot: CPU seconds and peak memory on the same tokens.

All sides are whole processes that read the two tokenised texts, align both directions and write links; ours
combines the directions too. Sentences of more than 100 words are left out for all. The variable
PARAPHRAST_BENCH_LARGEST, as ``eflomal=80000,thot=0``, says up to how many lines a peer is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from common import (
    COLUMNS,
    GET_PEERS,
    BenchError,
    Context,
    apart,
    find_program,
    growth,
    peers_python,
    read_rows,
    run_program,
)

SIDES = ("en", "fr")
GROWING = ("pairs", "cpu_seconds", "peak_megabytes")
WARM_PAIRS = 50
#: Words a sentence at most: what other aligners are usually given.
LONGEST = 100
#: Lines up to which a peer is run: thot takes some twenty CPU seconds a thousand pairs.
LARGEST = {"thot": 40_000}


def measure(context: Context) -> dict[str, Any]:
    """Figures of every size; ratios are ours over theirs, so below 1 is less than theirs."""
    pairs, _ = apart(context, "align", "write_tokens")
    if context.warm:
        apart(context, "align", "align_once", name="warm")
    sizes: list[dict[str, Any]] = []
    for lines in context.sizes:
        figures, used = apart(context, "align", "align_once", name=str(lines))
        figures = {"lines": lines, "pairs": pairs[str(lines)], **figures, **used}
        print(f"{lines}: ours {used['cpu_seconds']:.0f} CPU s;", end=" ", file=sys.stderr, flush=True)
        for name, command in peers(context, lines).items():
            figures |= against(context, name, command, figures)
        figures["cpu_ratio"] = figures["eflomal_cpu_ratio"]
        figures["memory_ratio"] = figures["eflomal_memory_ratio"]
        figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
        sizes.append(figures)
    return {"languages": list(SIDES), "threads": context.threads, "sizes": sizes}


def peers(context: Context, lines: int) -> dict[str, list[str] | None]:
    """Commands by name; None where a peer is not installed or would take too long."""
    texts = [str(context.folder / f"align-{lines}.{side}") for side in SIDES]
    links = [str(context.folder / f"peer-{lines}.{way}") for way in ("forward", "reverse")]
    program = find_program("eflomal-align")
    eflomal = None
    if program is not None:
        eflomal = [program, "--overwrite", "-s", texts[0], "-t", texts[1], "-f", links[0], "-r", links[1]]
    thot = None
    if has_thot():
        thot = [peers_python(), str(Path(__file__).with_name("thot_align.py")), *texts, *links]
    found = {
        "eflomal": eflomal,
        "eflomal_fast": None if eflomal is None else [*eflomal, "-l", "0.2"],
        "thot": thot,
    }
    largest = LARGEST | asked_largest()
    return {name: command if lines <= largest.get(name, lines) else None for name, command in found.items()}


def asked_largest() -> dict[str, int]:
    """Lines up to which peers are run, by PARAPHRAST_BENCH_LARGEST."""
    given = [part for part in os.environ.get("PARAPHRAST_BENCH_LARGEST", "").split(",") if part]
    try:
        return {name: int(lines) for name, lines in (part.split("=") for part in given)}
    except ValueError:
        raise BenchError(f"PARAPHRAST_BENCH_LARGEST: expected eflomal=80000,thot=0, got {given}") from None


def has_thot() -> bool:
    """Whether the peers' Python can import thot."""
    try:
        run = subprocess.run(
            [peers_python(), "-c", "import thot.alignment"], capture_output=True, check=False
        )
    except OSError:
        return False
    return run.returncode == 0


def against(context: Context, name: str, command: list[str] | None, ours: dict[str, Any]) -> dict[str, Any]:
    """A peer's figures, and ours as ratios to them; None, with how to get it, where it was not run."""
    missing = {name: None, f"{name}_cpu_ratio": None, f"{name}_memory_ratio": None}
    if command is None:
        return {**missing, f"get_{name}": GET_PEERS}
    print(name, end=" ", file=sys.stderr, flush=True)
    try:
        theirs = run_program(command, context.threads)
    except BenchError as error:
        return {**missing, f"get_{name}": GET_PEERS, f"{name}_error": str(error)}
    print(f"{theirs['cpu_seconds']:.0f} CPU s;", end=" ", file=sys.stderr, flush=True)
    return {
        name: theirs,
        f"{name}_cpu_ratio": ours["cpu_seconds"] / theirs["cpu_seconds"],
        f"{name}_memory_ratio": ours["peak_megabytes"] / theirs["peak_megabytes"],
    }


def write_tokens(context: Context) -> dict[str, int]:
    """Tokenise, and write the pairs of every size, tokens by a space; how many pairs each has."""
    from paraphrast.build.sides import encode_side

    rows = read_rows(context.corpus, 1, context.sizes[-1])
    texts: dict[str, list[str]] = {}
    for side in SIDES:
        at = COLUMNS.index(side)
        vocabulary, sentences = encode_side([row[at] for row in rows], side)
        texts[side] = [" ".join(vocabulary.words[word] for word in sentence) for sentence in sentences]
    fits = [
        all(0 < len(text.split()) <= LONGEST for text in pair)
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
    from paraphrast.build.sides import encode_side
    from paraphrast.formats.pharaoh import write_links

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
