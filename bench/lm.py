"""Language models: what estimating costs beside KenLM's ``lmplz``, and words a second scored beside KenLM's queries.

Lines of the corpus have 24.5 words on average, so that 1, 2, 4 and 8 million words are

    python bench/run.py lm --data FOLDER --sizes 40000,80000,160000,315000

``lmplz`` is taken from the path or the variable LMPLZ; the Python package ``kenlm`` does not bring it.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from common import (
    GET_PEERS,
    Context,
    apart,
    find_program,
    growth,
    per_second,
    read_rows,
    run_program,
    usage,
)

ORDERS = (3, 5)
GROWING = ("lines", "words", "command_cpu_seconds", "command_peak_megabytes", "ngrams")
WARM_LINES = 20
#: What the spilled run may use for n-grams.
SPILLED = "200MB"
GET_LMPLZ = "build lmplz from KenLM's sources, and put it on the path or into LMPLZ"


def measure(context: Context) -> dict[str, Any]:
    """Figures of every order and size; cpu_ratio and memory_ratio are ours over theirs, ratios of speed too."""
    apart(context, "lm", "write_tokens")
    orders: dict[str, Any] = {}
    for order in ORDERS:
        sizes: list[dict[str, Any]] = []
        for lines in context.sizes:
            figures = {"lines": lines, **_commands(context, lines, order)}
            inside, _ = apart(context, "lm", "model_once", lines=lines, order=order)
            figures |= inside
            figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
            sizes.append(figures)
        orders[f"order_{order}"] = {"sizes": sizes}
    return orders


def _commands(context: Context, lines: int, order: int) -> dict[str, Any]:
    """Whole programs, from text to ARPA: ours, ours under little memory, and lmplz; one thread each."""
    text, output = context.folder / f"lm-{lines}.txt", context.folder / "lm-command.arpa"
    with (context.folder / "lm-text.txt").open("rb") as source, text.open("wb") as target:
        target.writelines(islice(source, lines))
    command = [sys.executable, "-m", "paraphrast", "lm", str(text), "--order", str(order), "-o", str(output)]
    if context.warm:
        run_program(command, 1)
    ours = run_program(command, 1)
    size = output.stat().st_size
    spilled = run_program([*command, "--memory", SPILLED], 1)
    figures: dict[str, Any] = {f"command_{name}": value for name, value in ours.items()}
    figures |= {f"spilled_{name}": value for name, value in spilled.items()}
    figures["arpa_megabytes"] = size / 1e6
    lmplz = os.environ.get("LMPLZ") or find_program("lmplz")
    if lmplz is None:
        figures |= {"lmplz": None, "cpu_ratio": None, "memory_ratio": None, "get_lmplz": GET_LMPLZ}
    else:
        options = ["-o", str(order), "-S", "2G", "-T", str(context.folder), "--discount_fallback"]
        theirs = run_program([lmplz, *options, "--text", str(text), "--arpa", str(output)], 1)
        figures["lmplz"] = theirs
        figures["cpu_ratio"] = ours["cpu_seconds"] / theirs["cpu_seconds"]
        figures["memory_ratio"] = ours["peak_megabytes"] / theirs["peak_megabytes"]
    text.unlink()
    output.unlink()
    return figures


def write_tokens(context: Context) -> None:
    """Encode the English of the largest size and of the held-out lines; arrays, words and text into the work folder."""
    import numpy as np

    from paraphrast.build.sides import encode_side

    rows = read_rows(context.corpus, 1, context.sizes[-1] + context.held_out)
    vocabulary, sentences = encode_side([row[0] for row in rows], "en")
    np.save(context.folder / "lm-tokens.npy", sentences.tokens, allow_pickle=False)
    np.save(context.folder / "lm-starts.npy", sentences.starts, allow_pickle=False)
    (context.folder / "lm-words.txt").write_text("\n".join(vocabulary.words), encoding="utf-8")
    with (context.folder / "lm-text.txt").open("w", encoding="utf-8", newline="\n") as stream:
        for sentence in sentences:
            stream.write(" ".join([vocabulary.words[word] for word in sentence]) + "\n")


def model_once(context: Context, lines: int, order: int) -> dict[str, Any]:
    """Estimate a model on the first ``lines`` lines, then score the held-out ones."""
    import numpy as np

    from paraphrast._numeric import score_sentences
    from paraphrast.formats.words import WordTable
    from paraphrast.lm import LmOptions, estimate, pack
    from paraphrast.types import Sentences

    words = (context.folder / "lm-words.txt").read_text(encoding="utf-8").split("\n")
    tokens = np.load(context.folder / "lm-tokens.npy", allow_pickle=False)
    starts = np.load(context.folder / "lm-starts.npy", allow_pickle=False)

    def part(first: int, end: int) -> Sentences:
        chosen = tokens[starts[first] : starts[end]]
        return Sentences(chosen, starts[first : end + 1] - starts[first], np.zeros(len(chosen), np.uint8))

    options = LmOptions(order=order)
    pack(estimate([part(0, min(WARM_LINES, lines))], len(words), options))  # loads or compiles the kernels
    began, cpu = time.perf_counter(), time.process_time()
    arrays = estimate([part(0, lines)], len(words), options)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    peak = usage()["peak_megabytes"]
    cpu = time.process_time()
    packed = pack(arrays)
    quantised = pack(arrays, 8)
    pack_seconds = time.process_time() - cpu

    held_out = part(len(starts) - 1 - context.held_out, len(starts) - 1)
    texts = [" ".join(words[word] for word in sentence) for sentence in held_out]
    table = WordTable(words, frozen=True)
    units = len(held_out.tokens) + len(held_out)

    def score_texts() -> Any:
        numbers, ends = table.number(("\n".join(texts) + "\n").encode())
        return score_sentences(packed, numbers, np.concatenate([np.zeros(1, dtype=np.int64), ends]))

    def rate(model: Any) -> float:
        return per_cpu_second(lambda: score_sentences(model, held_out.tokens, held_out.starts), units)

    figures = {
        "words": int(starts[lines]),
        "estimate_seconds": seconds,
        "estimate_cpu_seconds": cpu_seconds,
        "peak_megabytes": peak,
        "ngrams": len(arrays.word),
        "pack_cpu_seconds": pack_seconds,
        "bytes_per_ngram": packed.nbytes / packed.nodes,
        "bytes_per_ngram_quantised": quantised.nbytes / quantised.nodes,
        "scored_words": units,
        "words_per_second": rate(packed),
        "words_per_second_quantised": rate(quantised),
        "words_per_second_seen_text": _seen_rate(packed, part(0, min(context.held_out, lines))),
        "words_per_second_from_text": per_cpu_second(score_texts, units),
        "threads": context.threads,
        "words_per_second_threads": _threaded_rate(packed, held_out, units, context.threads, score_sentences),
    }
    ours = score_sentences(packed, held_out.tokens, held_out.starts)
    return figures | _against_kenlm(context, f"{lines}-{order}", words, arrays, texts, ours, figures)


def per_cpu_second(function: Callable[[], Any], units: int, least_seconds: float = 0.5) -> float:
    """How many units a second of one core ``function`` does, at best: other work on the machine counts less."""
    best, spent, calls = float("inf"), 0.0, 0
    while spent < least_seconds or calls < 5:
        began = time.process_time()
        function()
        seconds = max(time.process_time() - began, 1e-9)
        best, spent, calls = min(best, seconds), spent + seconds, calls + 1
    return units / best


def _seen_rate(arrays: Any, text: Any) -> float:
    from paraphrast._numeric import score_sentences

    return per_cpu_second(
        lambda: score_sentences(arrays, text.tokens, text.starts), len(text.tokens) + len(text)
    )


def _threaded_rate(
    arrays: Any, text: Any, units: int, threads: int, score: Callable[[Any, Any, Any], Any]
) -> float:
    """A share of the sentences for each thread; the kernels hold no lock."""
    edges = [len(text) * number // threads for number in range(threads + 1)]
    shares = [text.starts[first : last + 1] for first, last in pairwise(edges)]
    with ThreadPoolExecutor(threads) as pool:
        return per_second(
            lambda: list(pool.map(lambda starts: score(arrays, text.tokens, starts), shares)), units
        )


def _against_kenlm(
    context: Context, name: str, words: list[str], arrays: Any, texts: list[str], ours: Any, figures: Any
) -> dict[str, Any]:
    """KenLM on the same model and sentences; None, with how to get it, where it is not installed."""
    if importlib.util.find_spec("kenlm") is None:
        return {
            "kenlm": None,
            "ratio": None,
            "ratio_from_text": None,
            "largest_difference": None,
            "get_kenlm": GET_PEERS,
        }
    import kenlm
    import numpy as np

    from paraphrast.formats.arpa import LN10, write_arpa
    from paraphrast.types import Vocabulary

    path = Path(context.folder / f"lm-{name}.arpa")
    began = time.perf_counter()
    write_arpa(path, Vocabulary(tuple(words), np.zeros(len(words), dtype=np.int64)), arrays)
    write_seconds = time.perf_counter() - began
    settings = kenlm.Config()
    settings.show_progress = False
    settings.arpa_complain = kenlm.ARPALoadComplain.NONE
    began = time.perf_counter()
    model = kenlm.Model(str(path), settings)
    load_seconds = time.perf_counter() - began
    theirs = np.array([model.score(text, bos=True, eos=True) for text in texts]) * LN10
    path.unlink()
    rate = per_cpu_second(
        lambda: [model.score(text, bos=True, eos=True) for text in texts], figures["scored_words"]
    )
    return {
        "arpa_write_seconds": write_seconds,
        "kenlm": {"words_per_second": rate, "load_seconds": load_seconds},
        "ratio": figures["words_per_second"] / rate,
        "ratio_from_text": figures["words_per_second_from_text"] / rate,
        "largest_difference": float(np.abs(theirs - ours).max()),
    }
