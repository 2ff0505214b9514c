"""Plain twins of the decoder: a back-off model as dicts, and a search that writes out every path."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from paraphrast.decode import DecodeBatch, DecodeOptions, Decoder, DecoderArrays, Weights, pack
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

Words = tuple[int, ...]


class PlainModel:
    """Katz back-off over dicts, by definition: no states, the whole history every time."""

    def __init__(self, rng: random.Random, size: int, order: int = 3, density: float = 0.3) -> None:
        self.order = order
        grams: list[list[Words]] = [[(word,) for word in range(size)]]
        for _ in range(1, order):
            known = set(grams[-1])
            grams.append(
                [
                    (*gram, word)
                    for gram in grams[-1]
                    if gram[-1] != 2
                    for word in range(2, size)
                    if (*gram[1:], word) in known and rng.random() < density
                ]
            )
        self.grams = grams
        self.log_prob = {gram: -rng.uniform(0.1, 4) for level in grams for gram in level}
        self.backoff = {gram: -rng.uniform(0.0, 1) for level in grams[:-1] for gram in level}

    def word(self, history: Words, word: int) -> float:
        history = history[-(self.order - 1) :] if self.order > 1 else ()
        if (*history, word) in self.log_prob:
            return self.log_prob[(*history, word)]
        return self.backoff.get(history, 0.0) + self.word(history[1:], word)

    def sentence(self, words: Words) -> float:
        history: Words = (1,)
        total = 0.0
        for word in (*words, 2):
            total += self.word(history, word)
            history = (*history, word)
        return total

    def arrays(self) -> PackedNgrams:
        ordered: list[Words] = []
        starts = [0]
        index: dict[Words, int] = {}
        for level in self.grams:
            for gram in sorted(level, key=lambda gram: (index.get(gram[:-1], -1), gram[-1])):
                index[gram] = len(ordered)
                ordered.append(gram)
            starts.append(len(ordered))
        parents = np.array([index[gram[:-1]] if len(gram) > 1 else -1 for gram in ordered])
        higher = parents[starts[1] :]
        return pack_ngrams(
            NgramArrays(
                word=np.array([gram[-1] for gram in ordered], dtype=np.int32),
                child_begin=(starts[1] + np.searchsorted(higher, np.arange(len(ordered) + 1))).astype(
                    np.int64
                ),
                suffix=np.array(
                    [index[gram[1:]] if len(gram) > 1 else -1 for gram in ordered], dtype=np.int32
                ),
                log_prob=np.array([self.log_prob[gram] for gram in ordered], dtype=np.float32),
                backoff=np.array([self.backoff.get(gram, 0.0) for gram in ordered], dtype=np.float32),
                order_start=np.array(starts, dtype=np.int64),
            )
        )


@dataclass
class World:
    """A random model of two tables, its decoder, and the same as plain rows."""

    model: PlainModel
    phrases: list[Words]
    #: table → (source, target) → (score, extra feature)
    rows: dict[str, dict[tuple[int, int], tuple[float, float]]]
    weights: Weights
    arrays: DecoderArrays
    decoder: Decoder
    vocabulary: int

    def options(self) -> dict[Words, dict[Words, float]]:
        """Source → target → score of the edit, without language model and word weight."""
        found: dict[Words, dict[Words, float]] = {}
        for name, table in self.rows.items():
            for (source, target), (score, extra) in table.items():
                if source != target:
                    by_target = found.setdefault(self.phrases[source], {})
                    part = self.weights.features[f"{name}.score"] * score
                    part += self.weights.features[f"{name}.extra"] * extra
                    previous = by_target.get(self.phrases[target], self.weights.edit)
                    by_target[self.phrases[target]] = previous + part
        return found

    def score(
        self, pieces: list[tuple[Words, float | None, int]], breaks: Collection[int], log_u: float
    ) -> float:
        """Of a path given as (output words, edit score or None where kept, source length)."""
        total, position = 0.0, 0
        sentences: list[list[int]] = [[]]
        for words, edit, length in pieces:
            if position in breaks and position:
                sentences.append([])
            sentences[-1] += words
            total += log_u if edit is None else edit
            total += self.weights.word * len(words)
            position += length
        return total + self.weights.lm * sum(self.model.sentence(tuple(words)) for words in sentences)

    def every_path(
        self, tokens: list[int], breaks: Collection[int] = (), protected: Collection[int] = ()
    ) -> list[list[tuple[Words, float | None, int]]]:
        options = self.options()

        def extend(at: int) -> list[list[tuple[Words, float | None, int]]]:
            if at == len(tokens):
                return [[]]
            paths = [[((tokens[at],), None, 1), *rest] for rest in extend(at + 1)]
            for end in range(at + 1, len(tokens) + 1):
                span = range(at, end)
                if any(p in protected for p in span) or any(p in breaks for p in span[1:]):
                    break
                for target, score in options.get(tuple(tokens[at:end]), {}).items():
                    paths += [[(target, score, end - at), *rest] for rest in extend(end)]
            return paths

        return extend(0)

    def every_output(
        self,
        tokens: list[int],
        log_u: float,
        breaks: Collection[int] = (),
        protected: Collection[int] = (),
    ) -> dict[Words, float]:
        """Output → score less that of the input, of its best path; the input itself left out."""
        best: dict[Words, float] = {}
        for path in self.every_path(tokens, breaks, protected):
            output = tuple(word for words, _, _ in path for word in words)
            best[output] = max(best.get(output, -np.inf), self.score(path, breaks, log_u))
        unchanged = self.score([((token,), None, 1) for token in tokens], breaks, log_u)
        return {output: score - unchanged for output, score in best.items() if output != tuple(tokens)}


class Lab:
    """Makes small worlds from a seed."""

    @staticmethod
    def phrases(words: list[Words]) -> Phrases:
        rows = np.full((len(words), MAX_PHRASE), -1, dtype=np.int32)
        for index, phrase in enumerate(words):
            rows[index, : len(phrase)] = phrase
        return Phrases(rows, np.zeros(len(words), dtype=np.uint8))

    @staticmethod
    def table(rows: dict[tuple[int, int], tuple[float, float]]) -> ParaphraseTable:
        keys = sorted(rows, key=lambda key: (key[0], -rows[key][0], key[1]))
        return ParaphraseTable(
            source=np.array([key[0] for key in keys], dtype=np.int32),
            target=np.array([key[1] for key in keys], dtype=np.int32),
            count=np.ones(len(keys), dtype=np.int64),
            score=np.array([rows[key][0] for key in keys], dtype=np.float32),
            features={"extra": np.array([rows[key][1] for key in keys], dtype=np.float32)},
            info=TableInfo("test", "en", ""),
        )

    @classmethod
    def world(cls, seed: int, *, words: int = 4, rows: int = 10, order: int = 3) -> World:
        rng = random.Random(seed)
        vocabulary = FIRST_WORD + words
        phrases: list[Words] = [(word,) for word in range(FIRST_WORD, vocabulary)]
        while len(phrases) < words + 6:
            phrase = tuple(rng.randrange(FIRST_WORD, vocabulary) for _ in range(rng.choice((2, 2, 3))))
            if phrase not in phrases:
                phrases.append(phrase)
        tables: dict[str, dict[tuple[int, int], tuple[float, float]]] = {
            name: {
                (rng.randrange(len(phrases)), rng.randrange(len(phrases))): (
                    float(np.float32(-rng.uniform(0.1, 3))),
                    float(np.float32(-rng.uniform(0, 1))),
                )
                for _ in range(rows)
            }
            for name in ("news", "pivot")
        }
        features = {f"{name}.{column}": rng.uniform(0, 1) for name in tables for column in ("score", "extra")}
        weights = Weights(
            lm=rng.uniform(0.2, 1),
            edit=rng.uniform(-1, 0.5),
            word=rng.uniform(-1, 1),
            identity=-0.3,
            features=features,
        )
        arrays = pack(
            {name: cls.table(table) for name, table in tables.items()},
            cls.phrases(phrases),
            options_per_phrase=100,
        )
        model = PlainModel(rng, vocabulary, order)
        decoder = Decoder(arrays, model.arrays(), weights)
        return World(model, phrases, tables, weights, arrays, decoder, vocabulary)

    @staticmethod
    def sentence(seed: int, world: World, length: int) -> list[int]:
        rng = random.Random(seed)
        return [
            rng.choice((0, *range(FIRST_WORD, world.vocabulary), *range(FIRST_WORD, world.vocabulary)))
            for _ in range(length)
        ]

    @staticmethod
    def batch(
        items: list[list[int]], breaks: Collection[int] = (), protected: Collection[int] = ()
    ) -> DecodeBatch:
        """``breaks`` and ``protected`` are positions of every item."""
        plain = DecodeBatch.from_lists(items)
        flags = np.zeros((2, len(plain.tokens)), dtype=np.uint8)
        for row, positions in enumerate((breaks, protected)):
            for begin, end in zip(plain.starts[:-1], plain.starts[1:], strict=True):
                for position in positions:
                    if begin + position < end:
                        flags[row, begin + position] = 1
        return DecodeBatch(plain.tokens, plain.starts, flags[0], flags[1])

    @staticmethod
    def exact(n: int = 10, **changes: Any) -> DecodeOptions:
        return DecodeOptions(**{"n": n, "beam": 0, "pops": 0, "effort": 10_000, **changes})


@pytest.fixture(scope="session")
def lab() -> Lab:
    return Lab()
