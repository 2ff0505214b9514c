"""How many sentences a second the decoder rewrites: random tables, a random trigram model, 25-word sentences.

    PYTHONPATH=src python bench/decode_synthetic.py [--words 20000] [--options 8] [--tables 1] [--minimum 0]

Words are drawn by a Zipf law. In every table, every source word has ``--options`` one-word or two-word targets,
and a third as many two-word sources as words have some too, so that lattices look like those of real tables; 20
options a phrase are kept. ``--minimum`` gives every table one (below 0), and hypotheses a bit a table.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

from paraphrast.decode import DecodeBatch, DecodeOptions, Decoder, SearchLoss, Weights, pack
from paraphrast.lm import pack as pack_ngrams
from paraphrast.types import (
    FIRST_WORD,
    MAX_PHRASE,
    NgramArrays,
    PackedNgrams,
    ParaphraseTable,
    Phrases,
    TableInfo,
)


def random_model(rng: np.random.Generator, size: int, tokens: np.ndarray) -> PackedNgrams:
    """Trigrams of ``tokens`` with random probabilities."""
    levels = [np.arange(size, dtype=np.int64)[:, None]]
    for order in (2, 3):
        windows = np.lib.stride_tricks.sliding_window_view(tokens, order)
        levels.append(np.unique(windows, axis=0).astype(np.int64))
    first_bigram = size
    bigram_key = levels[1][:, 0] * size + levels[1][:, 1]
    first_trigram = first_bigram + len(bigram_key)
    parent_of_trigram = first_bigram + np.searchsorted(bigram_key, levels[2][:, 0] * size + levels[2][:, 1])
    suffix_of_trigram = first_bigram + np.searchsorted(bigram_key, levels[2][:, 1] * size + levels[2][:, 2])
    nodes = first_trigram + len(levels[2])
    parents = np.concatenate([levels[1][:, 0], parent_of_trigram])
    word = np.concatenate([level[:, -1] for level in levels])
    suffix = np.concatenate([np.full(size, -1), levels[1][:, 1], suffix_of_trigram])
    depth = np.repeat([9.0, 4.0, 2.0], [size, len(levels[1]), len(levels[2])])
    backoff = -rng.random(nodes)
    backoff[first_trigram:] = 0.0
    arrays = NgramArrays(
        word=word.astype(np.int32),
        child_begin=(size + np.searchsorted(parents, np.arange(nodes + 1))).astype(np.int64),
        suffix=suffix.astype(np.int32),
        log_prob=(-depth * rng.random(nodes) - 0.5).astype(np.float32),
        backoff=backoff.astype(np.float32),
        order_start=np.array([0, size, first_trigram, nodes], dtype=np.int64),
    )
    return pack_ngrams(arrays)


def random_phrases(rng: np.random.Generator, size: int, tokens: np.ndarray) -> Phrases:
    """Every word, and two-word phrases that occur in ``tokens``."""
    windows = np.lib.stride_tricks.sliding_window_view(tokens, 2)
    pairs = np.unique(windows[rng.integers(0, len(windows), size // 3)], axis=0)
    pairs = pairs[(pairs >= FIRST_WORD).all(axis=1)]
    words = np.full((size + len(pairs), MAX_PHRASE), -1, dtype=np.int32)
    words[:size, 0] = np.arange(size)
    words[size:, :2] = pairs
    return Phrases(words, np.zeros(len(words), dtype=np.uint8))


def random_table(
    rng: np.random.Generator, size: int, options: int, tokens: np.ndarray, phrases: Phrases
) -> ParaphraseTable:
    """Options for every phrase."""
    source = np.repeat(np.arange(FIRST_WORD, len(phrases)), options)
    single = rng.random(len(source)) < 0.7
    target = np.where(
        single,
        tokens[rng.integers(0, len(tokens), len(source))],
        rng.integers(size, len(phrases), len(source)),
    )
    score = -4 * rng.random(len(source))
    order = np.lexsort((target, -score, source))
    return ParaphraseTable(
        source=source[order].astype(np.int32),
        target=target[order].astype(np.int32),
        count=np.ones(len(order), dtype=np.int64),
        score=score[order].astype(np.float32),
        features={f"f{index}": (-rng.random(len(order))).astype(np.float32) for index in range(3)},
        info=TableInfo("random", "en", ""),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--options", type=int, default=8)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--length", type=int, default=25)
    parser.add_argument("--corpus", type=int, default=1_000_000)
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--minimum", type=float, default=0.0)
    parser.add_argument("--beams", type=int, nargs="*", default=[8, 16, 32, 64, 0])
    arguments = parser.parse_args()

    rng = np.random.default_rng(1)
    vocabulary = FIRST_WORD + arguments.words
    zipf = 1.0 / np.arange(1, arguments.words + 1)
    tokens = FIRST_WORD + rng.choice(arguments.words, arguments.corpus, p=zipf / zipf.sum())
    model = random_model(rng, vocabulary, tokens)
    phrases = random_phrases(rng, vocabulary, tokens)
    tables = {
        f"table{index}": random_table(rng, vocabulary, arguments.options, tokens, phrases)
        for index in range(arguments.tables)
    }
    begin = time.process_time()
    arrays = pack(tables, phrases)
    seconds = time.process_time() - begin
    print(f"packed {sum(map(len, tables.values())):,} rows in {seconds:.2f} s; {model.nodes:,} n-grams")
    weights = Weights.uniform(arrays.feature_names, identity=-1.0)
    weights = replace(weights, minimum=dict.fromkeys(tables, arguments.minimum) if arguments.minimum else {})
    decoder = Decoder(arrays, model, weights)
    at = rng.integers(0, len(tokens) - arguments.length, arguments.sentences)
    batch = DecodeBatch.from_lists([tokens[start : start + arguments.length].tolist() for start in at])
    decoder.decode(DecodeBatch.from_lists([[FIRST_WORD]]), DecodeOptions())  # compile
    edges = decoder.edges(batch)
    print(f"{len(edges) / len(batch.tokens):.1f} options a token")
    exact = decoder.decode(batch, DecodeOptions(n=arguments.n, beam=0)) if 0 in arguments.beams else None
    for beam in sorted(arguments.beams, key=lambda beam: beam or 10**9, reverse=True):
        for pops in (3 * beam, 0) if beam else (0,):
            begin = time.process_time()
            results = decoder.decode(batch, DecodeOptions(n=arguments.n, beam=beam, pops=pops))
            seconds = time.process_time() - begin
            name = "exact" if beam == 0 else f"beam {beam}" + (f", {pops} pops" if pops else "")
            line = f"{name:18} {len(batch) / seconds:7.0f} sentences/s of one core"
            if exact is not None:
                loss = SearchLoss.between(exact, results)
                line += f", loss {100 * loss.relative:.3f} %, best missed in {100 * loss.share:.1f} %"
            print(line)


if __name__ == "__main__":
    main()
