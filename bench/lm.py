"""Language models: time to estimate, and words a second scored against KenLM, which reads the ARPA we write."""

from __future__ import annotations

import importlib.util
import time
from typing import Any

from common import GET_PEERS, Context, apart, growth, per_second, read_rows, usage

ORDERS = (3, 5)
GROWING = ("lines", "estimate_seconds", "peak_megabytes", "ngrams")
WARM_LINES = 20


def measure(context: Context) -> dict[str, Any]:
    """Figures of every order and size; ratios are our words a second over theirs, so above 1 is faster."""
    apart(context, "lm", "write_tokens")
    orders: dict[str, Any] = {}
    for order in ORDERS:
        sizes: list[dict[str, Any]] = []
        for lines in context.sizes:
            figures, _ = apart(context, "lm", "model_once", lines=lines, order=order)
            figures = {"lines": lines, **figures}
            figures["growth"] = growth(figures, sizes[-1], GROWING) if sizes else None
            sizes.append(figures)
        orders[f"order_{order}"] = {"sizes": sizes}
    return orders


def write_tokens(context: Context) -> None:
    """Encode the English of the largest size and of the held-out lines; arrays and words into the work folder."""
    import numpy as np

    from paraphrast.pipeline.encoding import encode_side

    rows = read_rows(context.corpus, 1, context.sizes[-1] + context.held_out)
    vocabulary, sentences = encode_side([row[0] for row in rows], "en")
    np.save(context.folder / "lm-tokens.npy", sentences.tokens, allow_pickle=False)
    np.save(context.folder / "lm-starts.npy", sentences.starts, allow_pickle=False)
    (context.folder / "lm-words.txt").write_text("\n".join(vocabulary.words), encoding="utf-8")


def model_once(context: Context, lines: int, order: int) -> dict[str, Any]:
    """Estimate a model on the first ``lines`` lines, then score the held-out ones."""
    import numpy as np

    from paraphrast._numeric import score_sentences
    from paraphrast.lm import LmOptions, estimate
    from paraphrast.types import UNKNOWN, Sentences

    words = (context.folder / "lm-words.txt").read_text(encoding="utf-8").split("\n")
    tokens = np.load(context.folder / "lm-tokens.npy", allow_pickle=False)
    starts = np.load(context.folder / "lm-starts.npy", allow_pickle=False)

    def part(first: int, end: int) -> Sentences:
        chosen = tokens[starts[first] : starts[end]]
        return Sentences(chosen, starts[first : end + 1] - starts[first], np.zeros(len(chosen), np.uint8))

    options = LmOptions(order=order)
    estimate([part(0, min(WARM_LINES, lines))], len(words), options)  # loads or compiles the kernels
    began, cpu = time.perf_counter(), time.process_time()
    arrays = estimate([part(0, lines)], len(words), options)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    peak = usage()["peak_megabytes"]

    held_out = part(len(starts) - 1 - context.held_out, len(starts) - 1)
    texts = [" ".join(words[word] for word in sentence) for sentence in held_out]
    ids = {word: number for number, word in enumerate(words)}

    def score_texts() -> Any:
        looked_up = Sentences.from_lists([ids.get(word, UNKNOWN) for word in text.split()] for text in texts)
        return score_sentences(arrays, looked_up.tokens, looked_up.starts)

    ours = score_sentences(arrays, held_out.tokens, held_out.starts)
    units = len(held_out.tokens) + len(held_out)
    figures = {
        "estimate_seconds": seconds,
        "estimate_cpu_seconds": cpu_seconds,
        "peak_megabytes": peak,
        "ngrams": len(arrays.word),
        "scored_words": units,
        "words_per_second": per_second(
            lambda: score_sentences(arrays, held_out.tokens, held_out.starts), units
        ),
        "words_per_second_from_text": per_second(score_texts, units),
    }
    return figures | _against_kenlm(context, f"{lines}-{order}", words, arrays, texts, ours, figures)


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

    path = context.folder / f"lm-{name}.arpa"
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
    rate = per_second(
        lambda: [model.score(text, bos=True, eos=True) for text in texts], figures["scored_words"]
    )
    return {
        "arpa_write_seconds": write_seconds,
        "kenlm": {"words_per_second": rate, "load_seconds": load_seconds},
        "ratio": figures["words_per_second"] / rate,
        "ratio_from_text": figures["words_per_second_from_text"] / rate,
        "largest_difference": float(np.abs(theirs - ours).max()),
    }
