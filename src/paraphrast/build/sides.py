"""Lines of one side of a bitext as ids: by our tokeniser, or by white space."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paraphrast.errors import InputError, ModelError
from paraphrast.formats.files import read_lines, write_lines
from paraphrast.text import Truecaser, encode, get_language, truecase
from paraphrast.types import SPECIALS, UNKNOWN, Sentences, Vocabulary

_INFO = "side.json"
_WORDS = "words.txt"
_CASING = "casing.tsv"


@dataclass(frozen=True)
class Side:
    """How the text of one side becomes ids, learnt from its training text.

    truecaser: None for pretokenized text, whose tokens stand between white space and are lower-cased, so that
    case never splits a word.
    """

    language: str
    vocabulary: Vocabulary
    truecaser: Truecaser | None

    @classmethod
    def learn(
        cls, lines: Sequence[str], language: str, *, pretokenized: bool = False, threads: int = 1
    ) -> tuple[Side, Sentences]:
        """The side of ``lines``, and the lines themselves."""
        if not pretokenized:
            encoded = encode(lines, get_language(language), threads=threads)
            truecaser = truecase.learn(encoded)
            vocabulary, corpora = truecaser.apply_all([encoded])
            return cls(language, vocabulary, truecaser), corpora[0]
        return cls.learn_tokens((line.split() for line in lines), language)

    @classmethod
    def learn_tokens(cls, rows: Iterable[Sequence[str]], language: str) -> tuple[Side, Sentences]:
        """As :meth:`learn`, from lists of tokens."""
        met: dict[str, int] = {}
        flat = array("i")
        starts = [0]
        for row in rows:
            # Numbers at once: millions of tokens as strings would take more memory than the alignment.
            flat.extend([met.setdefault(word.lower(), len(met)) for word in row])
            starts.append(len(flat))
        for word in met:
            if len(word.split()) != 1:
                raise InputError(
                    f"expected tokens without white space, and none empty, got {word!r}",
                    remedy="other aligners and saved models separate words by white space",
                )
        numbers = np.frombuffer(flat, dtype=np.int32) if len(flat) else np.zeros(0, np.int32)
        counts = np.bincount(numbers, minlength=len(met)).tolist()
        vocabulary = Vocabulary.from_counts(zip(met, counts, strict=True))
        final = np.array([vocabulary.ids[word] for word in met], dtype=np.int32)
        tokens = final[numbers] if len(met) else numbers
        spaces = np.ones(len(tokens), dtype=np.uint8)
        firsts = np.array(starts[:-1], dtype=np.int64)
        spaces[firsts[firsts < len(tokens)]] = 0
        sentences = Sentences(tokens, np.array(starts, dtype=np.int64), spaces)
        return cls(language, vocabulary, None), sentences

    def encode(self, lines: Sequence[str], *, threads: int = 1) -> Sentences:
        """Other lines in this vocabulary; a word it does not hold is :data:`UNKNOWN`."""
        if self.truecaser is None:
            return self.encode_tokens([line.split() for line in lines])
        encoded = encode(lines, get_language(self.language), threads=threads)
        found, sentences = self.truecaser.apply(encoded)
        own = np.array([self.vocabulary.ids.get(word, UNKNOWN) for word in found.words], dtype=np.int32)
        return Sentences(own[sentences.tokens], sentences.starts, sentences.space_before)

    def encode_tokens(self, rows: Iterable[Sequence[str]]) -> Sentences:
        """As :meth:`encode`, from lists of tokens."""
        ids = self.vocabulary.ids
        return Sentences.from_lists([ids.get(word.lower(), UNKNOWN) for word in row] for row in rows)

    def save(self, folder: Path) -> None:
        """Write into ``folder``, which this makes."""
        folder.mkdir()
        write_lines(folder / _WORDS, self.vocabulary.words)
        if self.truecaser is not None:
            self.truecaser.save(folder / _CASING)
        info = {
            "language": self.language,
            "pretokenized": self.truecaser is None,
            "words": len(self.vocabulary),
        }
        (folder / _INFO).write_text(json.dumps(info) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Side:
        """Read what :meth:`save` wrote; counts of words are not kept."""
        try:
            info: dict[str, Any] = json.loads((folder / _INFO).read_text(encoding="utf-8"))
            words = tuple(read_lines(folder / _WORDS))
            truecaser = None if info["pretokenized"] else Truecaser.load(folder / _CASING)
            language, size = str(info["language"]), int(info["words"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"the words of the saved model cannot be read: {error}", where=folder, remedy="train it again"
            ) from error
        if len(words) != size or words[: len(SPECIALS)] != SPECIALS:
            raise ModelError(
                f"expected {size} words, the special ones first, got {len(words)}",
                where=folder / _WORDS,
                remedy="train it again",
            )
        return cls(language, Vocabulary(words, np.zeros(len(words), dtype=np.int64)), truecaser)


def encode_side(
    lines: Sequence[str], language: str, *, pretokenized: bool = False
) -> tuple[Vocabulary, Sentences]:
    """Vocabulary and sentences of ``lines``; pretokenized text is lower-cased, so case never splits a word."""
    side, sentences = Side.learn(lines, language, pretokenized=pretokenized)
    return side.vocabulary, sentences
