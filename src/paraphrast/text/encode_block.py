"""A block of lines → arrays of surface ids.

Chunks (see :mod:`paraphrast.text.tokenise`) become integers by one lookup each; numpy then arranges their tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraphrast.text.languages.record import Language
from paraphrast.text.split import split_sentences
from paraphrast.text.tokenise import ENTITY, cut, final_key, may_hold_entity, pieces
from paraphrast.types import FIRST_WORD, SPECIALS, Sentences

#: Maximum number of cached chunks; then the cache is emptied.
_REMEMBERED = 1_000_000
_GLUED = " "


@dataclass(frozen=True)
class Encoded:
    """Tokenised lines, with case.

    surface: distinct canonical words; special words and masks first, then by first appearance.
    sentences: one entry per line; its tokens are indices of ``surface``.
    initial: uint8[n], 1 at the first alphabetic word of every sentence, also if it begins inside a line.
    begins: uint8[n], 1 at the first token of every sentence.
    """

    surface: list[str]
    sentences: Sentences
    initial: NDArray[np.uint8]
    begins: NDArray[np.uint8]


def is_word(token: str) -> bool:
    """Whether a canonical token, except special ones, has a letter."""
    return any(map(str.isalpha, token))


class _Ids(dict[str, int]):
    """Key → chunk id, computed at first use."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.word_ids = {word: index for index, word in enumerate(SPECIALS)}
        self.forget()

    def forget(self) -> None:
        """Empty the cache of chunks. Word ids stay."""
        self.clear()
        self.counts: list[int] = []
        self.tokens: list[int] = []
        self.spaces: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def __missing__(self, key: str) -> int:
        glued = key[0] == _GLUED
        bare = key[1:] if glued else key
        if bare[0] == ENTITY:
            words: tuple[str, ...] = (bare[1:],)
            starts: tuple[int, ...] = (0,)
            ends: tuple[int, ...] = (0,)
        else:
            words, starts, ends = cut(bare, self.language)
        ids = self.word_ids
        self.counts.append(len(words))
        self.tokens.extend([ids.setdefault(word, len(ids)) for word in words])
        self.spaces.extend([1 if start == 0 and not glued else 0 for start in starts])
        self.starts.extend(starts)
        self.ends.extend(ends)
        self[key] = index = len(self.counts) - 1
        return index


class Encoder:
    """Encodes one block after another with one growing list of surface words."""

    def __init__(self, language: Language, *, offsets: bool = False) -> None:
        self._language = language
        self._offsets = offsets
        self._ids = _Ids(language)

    @property
    def surface(self) -> list[str]:
        """Every word seen so far."""
        return list(self._ids.word_ids)

    def encode(self, lines: Sequence[str]) -> Encoded:
        """The arrays of ``lines``. ``surface`` is left empty, because all blocks share it."""
        if len(self._ids) > _REMEMBERED:
            self._ids.forget()
        chunk_ids: list[int] = []
        line_pieces = np.zeros(len(lines) + 1, dtype=np.int64)
        sentence_pieces: list[int] = []
        spans: list[tuple[int, int]] = []
        look_up = self._ids.__getitem__
        for number, line in enumerate(lines):
            for start, end in split_sentences(line, self._language):
                sentence_pieces.append(len(chunk_ids))
                sentence = line[start:end]
                if self._offsets or may_hold_entity(sentence):
                    chunks = pieces(sentence, self._language)
                    spans += [(start + first, start + last) for _, first, last in chunks]
                    keys: list[str] = [
                        key if first == 0 or sentence[first - 1].isspace() else _GLUED + key
                        for key, first, _ in chunks
                    ]
                else:
                    keys = sentence.split()
                    keys[-1] = final_key(keys[-1])
                if start and not line[start - 1].isspace():
                    keys[0] = _GLUED + keys[0]
                chunk_ids.extend(map(look_up, keys))
            line_pieces[number + 1] = len(chunk_ids)
        return self._lay_out(np.array(chunk_ids, dtype=np.int64), line_pieces, sentence_pieces, spans)

    def _lay_out(
        self,
        chunks: NDArray[np.int64],
        line_pieces: NDArray[np.int64],
        sentence_pieces: list[int],
        spans: list[tuple[int, int]],
    ) -> Encoded:
        """Replace every chunk by its tokens."""
        memory = self._ids
        counts = np.array(memory.counts, dtype=np.int64)
        offsets = np.cumsum(counts) - counts
        sizes = counts[chunks]
        ends = np.cumsum(sizes)
        begins_at = ends - sizes
        total = int(ends[-1]) if len(ends) else 0
        where = np.arange(total) - np.repeat(begins_at - offsets[chunks], sizes)
        tokens = np.array(memory.tokens, dtype=np.int32)[where]
        space = np.array(memory.spaces, dtype=np.uint8)[where]
        bounds = np.append(begins_at, total)
        starts = bounds[line_pieces]
        space[starts[:-1][starts[:-1] < starts[1:]]] = 0
        begins = np.zeros(total, dtype=np.uint8)
        sentence_tokens = bounds[np.array(sentence_pieces, dtype=np.int64)]
        begins[sentence_tokens[sentence_tokens < total]] = 1
        char_start = char_end = None
        if self._offsets:
            span = np.array(spans, dtype=np.int64).reshape(-1, 2)
            entity = (tokens >= len(SPECIALS) - 8) & (tokens < FIRST_WORD)
            base = np.repeat(span[:, 0], sizes)
            char_start = (base + np.array(memory.starts, dtype=np.int64)[where]).astype(np.int32)
            char_end = np.where(
                entity, np.repeat(span[:, 1], sizes), base + np.array(memory.ends, dtype=np.int64)[where]
            ).astype(np.int32)
        words = np.fromiter(map(is_word, memory.word_ids), dtype=bool, count=len(memory.word_ids))
        words[:FIRST_WORD] = False
        initial = _first_words(words[tokens], begins)
        return Encoded([], Sentences(tokens, starts, space, char_start, char_end), initial, begins)


def _first_words(is_word_token: NDArray[np.bool_], begins: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Flags at the first word of every sentence, if it has one."""
    initial = np.zeros(len(begins), dtype=np.uint8)
    word_at = np.flatnonzero(is_word_token)
    start = np.flatnonzero(begins)
    first = np.searchsorted(word_at, start)
    stop = np.append(start[1:], len(begins))
    has = first < len(word_at)
    candidates = word_at[first[has]]
    initial[candidates[candidates < stop[has]]] = 1
    return initial


def join(surface: list[str], parts: Sequence[Encoded]) -> Encoded:
    """One Encoded of blocks that share their surface ids."""
    sentences = [part.sentences for part in parts]
    sizes = np.concatenate([np.diff(part.starts) for part in sentences])
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    char_start = [part.char_start for part in sentences if part.char_start is not None]
    char_end = [part.char_end for part in sentences if part.char_end is not None]
    return Encoded(
        surface,
        Sentences(
            np.concatenate([part.tokens for part in sentences]),
            starts,
            np.concatenate([part.space_before for part in sentences]),
            np.concatenate(char_start) if char_start else None,
            np.concatenate(char_end) if char_end else None,
        ),
        np.concatenate([part.initial for part in parts]),
        np.concatenate([part.begins for part in parts]),
    )


def merge(parts: Iterable[Encoded]) -> Encoded:
    """One Encoded of several, in order, with one list of surface words."""
    ids = {word: index for index, word in enumerate(SPECIALS)}
    remapped: list[Encoded] = []
    for part in parts:
        table = np.array([ids.setdefault(word, len(ids)) for word in part.surface], dtype=np.int32)
        sentences = replace(part.sentences, tokens=table[part.sentences.tokens])
        remapped.append(replace(part, sentences=sentences))
    return join(list(ids), remapped)
