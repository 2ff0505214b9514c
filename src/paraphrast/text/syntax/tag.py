"""Part-of-speech tags by an averaged perceptron, greedy from left to right.

Collins (2002), "Discriminative training methods for hidden Markov models", with the averaged weights of Freund and
Schapire (1999) and greedy decoding: a tag is the arg max of summed weight rows, one row for each active feature.
Features are strings hashed into a fixed space, so an unknown word is described in the same way as a known one, and no
vocabulary is stored. Features that depend only on the word are computed once per distinct word in Python; the loops
over tokens are compiled (``_kernels.py``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import small_work
from paraphrast.errors import At, InputError, ModelError
from paraphrast.formats.arrays import load_array, save_array
from paraphrast.formats.json_text import parse_json
from paraphrast.text import _kernels as k
from paraphrast.text._kernels import TAGS
from paraphrast.text.syntax.brown import brown_sentences, brown_tag, split_brown
from paraphrast.text.syntax.penn import penn_sentences
from paraphrast.types import MASKS, SENTENCE_END, SENTENCE_START, SPECIALS, Sentences

__all__ = ["TAGS", "TAG_IDS", "Tagger", "brown_sentences", "brown_tag", "split_brown", "tagged_sentences"]

#: Tag → its number.
TAG_IDS = {tag: index for index, tag in enumerate(TAGS)}
FORMAT_VERSION = 1
#: Seconds that a token takes in plain Python.
TOKEN_SECONDS = 2e-3

_MASK_TAGS = ("CD", "NNP", "CD", "NNS", "NN", "NNP", "NNP", "NNP")
_FIXED = dict(zip(MASKS, _MASK_TAGS, strict=True))
#: Marks whose tag depends on the sentence: an apostrophe is a genitive or a quotation mark.
_OPEN_MARKS = frozenset("'’&")
_SYMBOLS = frozenset("$£€¥%§°+=<>~^*#@©®™×÷|\\_/")
_NUMBER = re.compile(r"[+-]?\d[\d.,:/-]*")


def _fixed_tag(word: str) -> int:
    """Number of the only possible tag of ``word``, or −1: masks, punctuation and symbols are not predicted."""
    if word in _FIXED:
        return TAG_IDS[_FIXED[word]]
    if word in _OPEN_MARKS or any(letter.isalnum() for letter in word):
        return -1
    return TAG_IDS["SYM" if word and all(letter in _SYMBOLS for letter in word) else "PUNCT"]


def _shape(word: str) -> str:
    """Capitals, digits and marks in ``word``, as a short string."""
    if word in SPECIALS:
        return word
    letters = [letter for letter in word if letter.isalpha()]
    if not letters:
        case = "-"
    elif len(letters) > 1 and all(letter.isupper() for letter in letters):
        case = "A"
    elif word[:1].isupper():
        case = "Aa"
    elif any(letter.isupper() for letter in letters):
        case = "aA"
    else:
        case = "a"
    digit = "0" if any(letter.isdigit() for letter in word) else ""
    hyphen = "-" if "-" in word[1:] else ""
    apostrophe = "'" if "'" in word or "’" in word else ""
    return case + digit + hyphen + apostrophe + ("." if word.endswith(".") else "")


def _spell(word: str) -> str:
    """The lower-cased word. Figures become ``<number>``, so that masked and raw text are alike."""
    return "<number>" if _NUMBER.fullmatch(word) else word.lower().replace("’", "'")


@lru_cache(maxsize=1 << 14)
def _hash_row(word: str) -> tuple[int, ...]:
    """Static features of one word as positions in the hash space, in the columns described in ``_kernels``."""
    word = word if word in SPECIALS else word[:64]
    low, shape = _spell(word), _shape(word)
    word_features = (
        f"w{low}",
        f"1{low[-1:]}",
        f"2{low[-2:]}",
        f"3{low[-3:]}",
        f"4{low[-4:]}",
        f"p{low[:3]}",
        f"s{shape}",
        f"S{shape} {low[-3:]}",
        f"h{low.rpartition('-')[2] if '-' in low[1:-1] else ''}",
    )
    rest = (f"o{shape}", f"P{low}", f"N{low}", f"M{low[-3:]}", f"Q{low}", f"R{low}", f"T{low}")
    mask = (1 << k.HASH_BITS) - 1
    hashes = [crc32(name.encode()) for name in (*word_features, *rest)]
    return (_fixed_tag(word), *[(value ^ (value >> k.HASH_BITS)) & mask for value in hashes])


def _hash_rows(words: Sequence[str]) -> NDArray[np.int32]:
    """int32[words + 2, COLUMNS] hash positions, the two sentence boundaries last."""
    ends = (SPECIALS[SENTENCE_START], SPECIALS[SENTENCE_END])
    return np.array([_hash_row(word) for word in (*words, *ends)], dtype=np.int32)


@dataclass(frozen=True)
class Tagger:
    """A trained tagger.

    weights: int8[rows, WIDTH]; averaged perceptron weights, rounded to one scale (only their order matters).
    keys: int32[rows − FIRST_HASHED_ROW], ascending positions in the hash space of the hashed rows.
    """

    weights: NDArray[np.int8]
    keys: NDArray[np.int32]
    row_of_hash: NDArray[np.int32]

    @classmethod
    def train(
        cls,
        sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
        *,
        iterations: int = 5,
        seed: int = 0,
        min_count: int = 2,
    ) -> Tagger:
        """Train on ``(words, tags)`` sentences. The same sentences and seed give the same bytes.

        min_count: features that occur less often in the training text are left out.
        """
        if iterations < 1:
            raise InputError(f"expected at least one iteration, got {iterations}")
        words, tokens, starts, gold = _encode(sentences)
        hashed = _hash_rows(words)
        counts = k.count_features(hashed, tokens, starts, gold)
        keys = np.flatnonzero(counts >= min_count).astype(np.int32)
        row_of_hash = _row_of_hash(keys)
        features = _rows(hashed, row_of_hash)
        shape = (k.FIRST_HASHED_ROW + len(keys), k.WIDTH)
        weights, moments = np.zeros(shape, np.int32), np.zeros(shape, np.int64)
        generator = np.random.default_rng(seed)
        step = 0
        for _ in range(iterations):
            order = generator.permutation(len(starts) - 1)
            step, _ = k.train_pass(features, row_of_hash, tokens, starts, order, gold, weights, moments, step)
        return cls._from_average(weights - moments / max(step, 1), keys)

    @classmethod
    def _from_average(cls, average: NDArray[np.float64], keys: NDArray[np.int32]) -> Tagger:
        """Round averaged weights to int8 and drop hashed rows that become zero.

        A few weights are far larger than all others; they are clipped so that the rest keep their precision.
        """
        size = np.abs(average[average != 0.0])
        scale = 127.0 / max(float(np.quantile(size, 0.9999)), 1e-9) if len(size) else 1.0
        weights = np.clip(np.rint(average * scale), -127, 127).astype(np.int8)
        nonzero = (weights != 0).any(axis=1)
        nonzero[: k.FIRST_HASHED_ROW] = True
        keys = np.ascontiguousarray(keys[nonzero[k.FIRST_HASHED_ROW :]])
        return cls(np.ascontiguousarray(weights[nonzero]), keys, _row_of_hash(keys))

    def features(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Static features of distinct words, int32[words, COLUMNS], computed once for a vocabulary and then reused."""
        return np.ascontiguousarray(_rows(_hash_rows(words), self.row_of_hash)[:-2])

    def tag_sentences(self, features: NDArray[np.int32], sentences: Sentences) -> NDArray[np.uint8]:
        """Number of the tag of every token, uint8[tokens]; ``features`` has a row for each vocabulary id."""
        if features.ndim != 2 or features.shape[1] != k.COLUMNS:
            raise InputError(
                f"expected features of {k.COLUMNS} columns, got shape {features.shape}",
                remedy="make them with this tagger's features(vocabulary.words)",
            )
        tokens = sentences.tokens
        if len(tokens) and (int(tokens.min()) < 0 or int(tokens.max()) >= len(features)):
            raise InputError(
                f"expected token ids from 0 to {len(features) - 1}, got {tokens.min()} to {tokens.max()}",
                remedy="make the features from the vocabulary that encoded the sentences",
            )
        present = np.zeros(len(features), np.bool_)
        present[tokens] = True
        used = np.flatnonzero(present)
        local = np.zeros(len(features), np.int32)
        local[used] = np.arange(len(used), dtype=np.int32)
        rows = np.concatenate([features[used], _rows(_hash_rows(()), self.row_of_hash)])
        with small_work(TOKEN_SECONDS * len(tokens), k.word_scores, k.tag_tokens):
            planes = k.word_scores(rows, self.weights)
            return k.tag_tokens(rows, planes, self.row_of_hash, self.weights, local[tokens], sentences.starts)

    def tag_words(self, words: Sequence[str]) -> list[str]:
        """Tags of one sentence, as strings."""
        index: dict[str, int] = {}
        ids = [index.setdefault(word, len(index)) for word in words]
        numbers = self.tag_sentences(self.features(tuple(index)), Sentences.from_lists([ids]))
        return [TAGS[number] for number in numbers]

    def save(self, folder: Path) -> None:
        """Write ``weights.npy``, ``keys.npy`` and ``meta.json`` into ``folder``."""
        folder.mkdir(parents=True, exist_ok=True)
        save_array(folder / "weights.npy", self.weights[:, : k.TAG_COUNT])
        save_array(folder / "keys.npy", self.keys)
        meta = {"format_version": FORMAT_VERSION, "hash_bits": k.HASH_BITS, "tags": list(TAGS)}
        (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Tagger:
        """Read a folder written by :meth:`save`."""
        try:
            meta = parse_json((folder / "meta.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(
                f"expected a tagger (meta.json, weights.npy, keys.npy): {error}",
                where=At(folder),
                remedy="train the model again",
            ) from error
        narrow = load_array(folder / "weights.npy", np.int8, dimensions=2, mapped=False)
        keys = load_array(folder / "keys.npy", np.int32, mapped=False)
        known = {"format_version": FORMAT_VERSION, "hash_bits": k.HASH_BITS, "tags": list(TAGS)}
        if meta != known or narrow.shape != (k.FIRST_HASHED_ROW + len(keys), k.TAG_COUNT):
            raise ModelError(
                "expected a tagger with the tags and features of this version, got another",
                where=At(folder),
                remedy="train the model again",
            )
        if len(keys) and not 0 <= int(keys.min()) <= int(keys.max()) < 1 << k.HASH_BITS:
            raise ModelError(
                f"expected hashes of {k.HASH_BITS} bits, got {keys.min()} to {keys.max()}",
                where=At(folder / "keys.npy"),
                remedy="train the model again",
            )
        weights = np.zeros((len(narrow), k.WIDTH), np.int8)
        weights[:, : k.TAG_COUNT] = narrow
        return cls(weights, keys, _row_of_hash(keys))


def _row_of_hash(keys: NDArray[np.int32]) -> NDArray[np.int32]:
    """int32[2 ** HASH_BITS]: the weight row of each position in the hash space, 0 if it has none."""
    rows = np.zeros(1 << k.HASH_BITS, np.int32)
    rows[keys] = np.arange(k.FIRST_HASHED_ROW, k.FIRST_HASHED_ROW + len(keys), dtype=np.int32)
    return rows


def _rows(hashed: NDArray[np.int32], row_of_hash: NDArray[np.int32]) -> NDArray[np.int32]:
    """Hash positions to weight rows, in all columns except the fixed tag and the hash of the word."""
    rows = hashed.copy()
    rows[:, k.OWN : k.WORD_HASH] = row_of_hash[hashed[:, k.OWN : k.WORD_HASH]]
    return rows


def tagged_sentences(
    sentences: Sequence[Sequence[tuple[str, str]]],
) -> Iterator[tuple[list[str], list[str]]]:
    """Training sentences from a corpus with Brown's or Penn's tags, which are told apart by their proper nouns.

    Penn's tag of a name is NNP, which Brown does not have; Brown's is NP, which Penn does not have.
    """
    penn = any(tag == "NNP" for sentence in sentences for _, tag in sentence)
    return penn_sentences(sentences) if penn else brown_sentences(sentences)


def _encode(
    sentences: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]:
    """Distinct words, token ids, sentence starts and tag numbers of the training text."""
    index: dict[str, int] = {}
    ids: list[int] = []
    gold: list[int] = []
    starts = [0]
    for number, (words, tags) in enumerate(sentences):
        if len(words) != len(tags):
            raise InputError(
                f"expected one tag per word, got {len(words)} words and {len(tags)} tags",
                where=f"training sentence {number}",
            )
        unknown = next((tag for tag in tags if tag not in TAG_IDS), None)
        if unknown is not None:
            raise InputError(
                f"expected tags of TAGS, got {unknown!r}",
                where=f"training sentence {number}",
                remedy="map the corpus's tags first, as brown_tag does",
            )
        ids += [index.setdefault(word, len(index)) for word in words]
        gold += [TAG_IDS[tag] for tag in tags]
        starts.append(len(ids))
    if not ids:
        raise InputError("expected training sentences, got none")
    return list(index), np.array(ids, np.int32), np.array(starts, np.int64), np.array(gold, np.uint8)
