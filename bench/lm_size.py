"""Language models: bytes per n-gram, perplexity and look-ups per second, exact, quantised and pruned.

    python bench/lm_size.py TEXT HELD_OUT [--order 4] [--thresholds 1e-8,1e-7] [--before SRC]

TEXT and HELD_OUT have one sentence per line, tokens separated by spaces. ``--before`` is the source folder of a release
that stored hash tables beside the trie (format version 1): its figures come first, measured by this script in a process
of its own. KenLM's trie is measured where the Python package ``kenlm`` is installed and the variable BUILD_BINARY
names KenLM's ``build_binary``, which the package does not install; ``compile_query_only.sh`` in its source package
builds it.

Look-ups are those of the decoder: one call of ``advance`` after the other, on one core; the best of several rounds by
the process's own time. KenLM is called from Python, a sentence at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lm_walk import walk
from paraphrast import lm
from paraphrast.lm import LmOptions, estimate, perplexity
from paraphrast.lm.words import read_text

ROUNDS = 9
#: Lines of the training text that are scored as seen text.
SEEN_LINES = 2000


def main() -> None:
    """Print one JSON line per form of the model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text")
    parser.add_argument("held_out")
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--thresholds", default="1e-9,1e-8,5e-8,1e-7,5e-7")
    parser.add_argument("--before", help="source folder of a release with format version 1")
    asked = parser.parse_args()
    if asked.before:
        arguments = [asked.text, asked.held_out, "--order", str(asked.order)]
        subprocess.run(
            [sys.executable, __file__, *arguments], check=True, env={**os.environ, "PYTHONPATH": asked.before}
        )
    for figures in measure(asked):
        print(json.dumps(figures), flush=True)


def measure(asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Figures of each form."""
    vocabulary, text = read_text(asked.text)
    _, held_out = read_text(asked.held_out, vocabulary)
    seen = type(text)(text.tokens, text.starts[: SEEN_LINES + 1], text.space_before)
    arrays = estimate([text], len(vocabulary), LmOptions(order=asked.order))

    def row(form: str, ngrams: Any, **more: Any) -> dict[str, Any]:
        size = sum(array.nbytes for array in ngrams)
        nodes = int(ngrams.order_start[-1])
        return {
            "form": form,
            **more,
            "ngrams": nodes,
            "megabytes": round(size / 1e6, 2),
            "bytes_per_ngram": round(size / nodes, 2),
            "perplexity": round(perplexity(ngrams, held_out).with_unknown, 3),
            "lookups_per_second": rate(lambda: walk(ngrams, held_out.tokens, held_out.starts), held_out),
            "lookups_per_second_seen": rate(lambda: walk(ngrams, seen.tokens, seen.starts), seen),
        }

    if hasattr(lm, "with_index"):
        yield row("trie and hash table (before)", lm.with_index(arrays))
        yield row("trie (before)", arrays)
        return
    yield row("packed", lm.pack(arrays))
    yield row("packed, 8 bits", lm.pack(arrays, 8))
    yield from kenlm_trie(vocabulary, arrays, held_out)
    for threshold in asked.thresholds.split(","):
        pruned = lm.prune_entropy(arrays, float(threshold), [text])
        yield row(
            f"entropy:{threshold}, 8 bits",
            lm.pack(pruned, 8),
            exact=perplexity(pruned, held_out).with_unknown,
        )
        product = lm.prune_entropy(arrays, float(threshold))
        yield row(f"entropy:{threshold} without the text, 8 bits", lm.pack(product, 8))


def rate(function: Callable[[], Any], text: Any) -> int:
    """Tokens and sentence ends per second of the process's time, at best."""
    function()
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        function()
        best = min(best, time.process_time() - began)
    return round((int(text.starts[-1] - text.starts[0]) + len(text)) / best)


def kenlm_trie(vocabulary: Any, arrays: Any, held_out: Any) -> Iterator[dict[str, Any]]:
    """The same model as KenLM's trie with 8 bits per value and compressed pointers."""
    program = os.environ.get("BUILD_BINARY")
    if program is None:
        print("KenLM's trie is left out: set BUILD_BINARY to its build_binary", file=sys.stderr)
        return
    from paraphrast.formats.arpa import write_arpa
    from paraphrast.lm import KenlmModel

    texts = [" ".join(vocabulary.words[word] for word in sentence) for sentence in held_out]
    with tempfile.TemporaryDirectory() as folder:
        arpa = Path(folder) / "lm.arpa"
        write_arpa(arpa, vocabulary, arrays)
        for form, options in (("trie", []), ("trie -q 8 -b 8 -a 64", ["-q", "8", "-b", "8", "-a", "64"])):
            binary = Path(folder) / "lm.binary"
            subprocess.run([program, *options, "trie", arpa, binary], check=True, capture_output=True)
            model = KenlmModel(binary)
            size = binary.stat().st_size
            yield {
                "form": f"KenLM {form}",
                "ngrams": len(arrays.word),
                "megabytes": round(size / 1e6, 2),
                "bytes_per_ngram": round(size / len(arrays.word), 2),
                "perplexity": round(model.perplexity(texts).with_unknown, 3),
                "lookups_per_second": rate(partial(model.score_sentences, texts), held_out),
            }


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
