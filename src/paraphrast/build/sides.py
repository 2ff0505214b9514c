"""Lines of one side of a bitext as ids: by our tokeniser, or split at white space."""

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
from paraphrast.formats.json_text import parse_json
from paraphrast.text import Truecaser, encode, get_language, truecase
from paraphrast.types import SPECIALS, UNKNOWN, Sentences, Vocabulary

_INFO = "side.json"
_WORDS = "words.txt"
_CASING = "casing.tsv"


@dataclass(frozen=True)
class Side:
    """How the text of one side becomes ids, learnt from its training text.

    truecaser: None for pretokenized text, whose tokens are separated by white space and lower-cased, so that case never
    splits a word.
    """

    language: str
    vocabulary: Vocabulary
    truecaser: Truecaser | None

    @classmethod
    def learn(
        cls, lines: Sequence[str], language: str, *, pretokenized: bool = False, threads: int = 1
    ) -> tuple[Side, Sentences]:
        """Learn the side of ``lines``. Also returns the encoded lines."""
        if not pretokenized:
            encoded = encode(lines, get_language(language), threads=threads)
            truecaser = truecase.learn(encoded)
            vocabulary, corpora = truecaser.apply_all([encoded])
            return cls(language, vocabulary, truecaser), corpora[0]
        return cls.learn_tokens((line.split() for line in lines), language)

    @classmethod
    def learn_tokens(cls, rows: Iterable[Sequence[str]], language: str) -> tuple[Side, Sentences]:
        """Like :meth:`learn`, from lists of tokens."""
        met: dict[str, int] = {}
        flat = array("i")
        starts = [0]
        for row in rows:
            # Converted to numbers at once: millions of tokens as strings would take more memory than the alignment.
            flat.extend([met.setdefault(word.lower(), len(met)) for word in row])
            starts.append(len(flat))
        for word in met:
            if len(word.split()) != 1:
                raise InputError(
                    f"expected non-empty tokens without white space, got {word!r}",
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
        """Encode other lines with this vocabulary. An unknown word is :data:`UNKNOWN`."""
        if self.truecaser is None:
            return self.encode_tokens([line.split() for line in lines])
        encoded = encode(lines, get_language(self.language), threads=threads)
        text_vocabulary, sentences = self.truecaser.apply(encoded)
        remap = np.array(
            [self.vocabulary.ids.get(word, UNKNOWN) for word in text_vocabulary.words], dtype=np.int32
        )
        return Sentences(remap[sentences.tokens], sentences.starts, sentences.space_before)

    def encode_tokens(self, rows: Iterable[Sequence[str]]) -> Sentences:
        """Like :meth:`encode`, from lists of tokens."""
        ids = self.vocabulary.ids
        return Sentences.from_lists([ids.get(word.lower(), UNKNOWN) for word in row] for row in rows)

    def save(self, folder: Path) -> None:
        """Write into ``folder``, which is created."""
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
        """Read a folder written by :meth:`save`. Word counts are not stored."""
        try:
            info: dict[str, Any] = parse_json((folder / _INFO).read_text(encoding="utf-8"))
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
    """Vocabulary and sentences of ``lines``. Pretokenized text is lower-cased, so that case never splits a word."""
    side, sentences = Side.learn(lines, language, pretokenized=pretokenized)
    return side.vocabulary, sentences
