"""Words as pieces of a fixed vocabulary, as in the training of uncased BERT models (Devlin et al. 2019, §3).

A word is lower-cased and its accents are removed; punctuation and Chinese characters become single pieces, and the rest
is divided into the longest pieces in the vocabulary, from the left.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from paraphrast.errors import FormatError
from paraphrast.formats.files import read_lines

#: Longer runs of letters are unknown as a whole, as in the training of the models.
LONGEST_WORD = 100


class WordPieces:
    """The pieces of words, as ids."""

    def __init__(self, pieces: Sequence[str], where: Path | None = None) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        try:
            self.unknown, self.begin, self.end = (self._ids[name] for name in ("[UNK]", "[CLS]", "[SEP]"))
        except KeyError as error:
            raise FormatError(f"expected a vocabulary of word pieces, with {error}", where=where) from None
        self.pieces = lru_cache(maxsize=100_000)(self._pieces)

    @classmethod
    def load(cls, path: Path) -> WordPieces:
        """Read a vocabulary: one piece per line, in the order of their ids."""
        return cls(list(read_lines(path)), path)

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The ids of one word; empty if nothing of it can be represented (such as a single accent)."""
        piece_ids: list[int] = []
        for run in _runs(word):
            piece_ids.extend(self._cut(run))
        return tuple(piece_ids)

    def _cut(self, run: str) -> list[int]:
        if len(run) > LONGEST_WORD:
            return [self.unknown]
        piece_ids: list[int] = []
        begin = 0
        while begin < len(run):
            for end in range(len(run), begin, -1):
                piece = run[begin:end] if begin == 0 else f"##{run[begin:end]}"
                if piece in self._ids:
                    piece_ids.append(self._ids[piece])
                    begin = end
                    break
            else:
                return [self.unknown]
        return piece_ids


def _runs(word: str) -> list[str]:
    """Lower-cased, without accents, split at white space and around punctuation and Chinese characters."""
    runs = [""]
    for letter in unicodedata.normalize("NFD", word.lower()):
        kind = unicodedata.category(letter)
        if kind == "Mn" or (kind in ("Cc", "Cf") and not letter.isspace()):
            continue
        if letter.isspace():
            runs.append("")
        elif _stands_alone(letter, kind):
            runs += [letter, ""]
        else:
            runs[-1] += letter
    return [run for run in runs if run]


def _stands_alone(letter: str, kind: str) -> bool:
    code = ord(letter)
    sign = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    chinese = 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0x20000 <= code <= 0x2CEAF
    return sign or kind.startswith("P") or chinese or 0xF900 <= code <= 0xFAFF or 0x2F800 <= code <= 0x2FA1F
