"""Text → tokens with exact offsets.

A sentence is split in three steps: entities are found by one pattern; the text between them is split at white space
into *chunks*; a chunk is split into tokens by a second pattern. The tokens of a chunk depend only on the chunk, so
they are cached: text repeats itself, and this makes :func:`paraphrast.text.encode.encode` fast. Patterns are applied
to the *shape* of a chunk, a copy of the same length in which apostrophes and hyphens are the plain ones and combining
marks are letters. So offsets are those of the raw text in any Unicode form.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from paraphrast.text._patterns import MARK, entity_pattern, word_pattern
from paraphrast.text.languages.record import Language
from paraphrast.text.split import split_sentences

_APOSTROPHES = "’‘ʼ＇"
_HYPHENS = "‐‑"
_PLAIN = str.maketrans({**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_HYPHENS, "-")})
#: Format characters that have a meaning inside a word: the joiners.
_JOINERS = "\u200c\u200d"

#: The tokens of a chunk: canonical words, and their spans within it.
Chunk = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text and its tokens.

    words: canonical tokens (NFC, straight apostrophes, entities as their mask), with case.
    starts, ends: ``text[starts[i]:ends[i]]`` is the raw surface of token i.
    space_before: 1 if white space is directly before the token; 0 for the first.
    sentence_starts: indices of the tokens that begin sentences.
    """

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    space_before: list[int]
    sentence_starts: list[int]


def analyse(text: str, language: Language, *, one_sentence: bool = False) -> Analysis:
    """Split ``text`` into tokens. ``one_sentence``: do not split it into sentences.

    >>> from paraphrast.text import get_language
    >>> analyse("Don't pay 10% more.", get_language("en")).words
    ['Do', "n't", 'pay', '<percent>', 'more', '.']
    """
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    sentence_starts: list[int] = []
    for sentence_start, sentence_end in split_sentences(text, language):
        first = len(words)
        for key, start, end in pieces(text[sentence_start:sentence_end], language):
            base = sentence_start + start
            if key[0] == ENTITY:
                words.append(key[1:])
                starts.append(base)
                ends.append(sentence_start + end)
            else:
                chunk = tokens_of(key, language)
                words.extend(chunk[0])
                starts.extend([base + offset for offset in chunk[1]])
                ends.extend([base + offset for offset in chunk[2]])
        if len(words) > first and not (one_sentence and sentence_starts):
            sentence_starts.append(first)
    space_before = [1 if index and text[start - 1].isspace() else 0 for index, start in enumerate(starts)]
    return Analysis(text, words, starts, ends, space_before, sentence_starts)


# A key identifies a piece of a sentence and everything that its tokens depend on. Its markers are white space, which no
# chunk contains: ENTITY before a mask; WHOLE before a chunk that is one token; FINAL after a chunk that ends its
# sentence.
ENTITY = "\r"
WHOLE = "\t"
FINAL = "\n"

_CHUNK = re.compile(r"\S+")
_HAS_DIGIT_OR_AT = re.compile(r"[\d@]")


def may_hold_entity(sentence: str) -> bool:
    """A quick test, so that most sentences skip the entity pattern."""
    return _HAS_DIGIT_OR_AT.search(sentence) is not None or "www." in sentence or "://" in sentence


def pieces(sentence: str, language: Language) -> list[tuple[str, int, int]]:
    """``(key, start, end)`` of the entities and chunks of one sentence, from left to right."""
    spans: list[tuple[str, int, int]] = []
    done = 0
    if may_hold_entity(sentence):
        for match in entity_pattern(language).finditer(sentence):
            start, end = match.span()
            spans.extend([(chunk[0], *chunk.span()) for chunk in _CHUNK.finditer(sentence, done, start)])
            kind = match.lastgroup
            spans.append((WHOLE + match[0] if kind == "word" else f"{ENTITY}<{kind}>", start, end))
            done = end
    spans.extend([(chunk[0], *chunk.span()) for chunk in _CHUNK.finditer(sentence, done)])
    if spans and spans[-1][0][0] not in (ENTITY, WHOLE):
        spans[-1] = (final_key(spans[-1][0]), *spans[-1][1:])
    return spans


def final_key(chunk: str) -> str:
    """The key of a chunk that ends its sentence."""
    return chunk + FINAL if "." in chunk else chunk


def cut(key: str, language: Language) -> Chunk:
    """The tokens of a chunk's key."""
    if key.isascii():  # most chunks are a word, or a word and a comma
        if key.isalpha():
            return (key,), (0,), (len(key),)
        if key[-1] == "," and key[:-1].isalpha():
            last = len(key) - 1
            return (key[:-1], ","), (0, last), (last, last + 1)
    if key[0] == WHOLE:
        return (canonical(key[1:]),), (0,), (len(key) - 1,)
    final = key[-1] == FINAL
    chunk = key[:-1] if final else key
    matches = [match.span() for match in word_pattern(language, final).finditer(shape(chunk))]
    starts = tuple([start for start, _ in matches])
    ends = tuple([end for _, end in matches])
    return tuple([canonical(chunk[start:end]) for start, end in matches]), starts, ends


@lru_cache(maxsize=1 << 16)
def tokens_of(key: str, language: Language) -> Chunk:
    """:func:`cut`, cached."""
    return cut(key, language)


def shape(chunk: str) -> str:
    """``chunk`` in the form for the patterns, with the same length; see the module docstring."""
    if chunk.isascii() and chunk.isprintable():
        return chunk
    shaped: list[str] = []
    last = len(chunk) - 1
    for index, char in enumerate(chunk.translate(_PLAIN)):
        category = unicodedata.category(char)
        if category[0] == "M":
            char = MARK
        elif category == "Cc":
            char = " "
        elif category == "Cf":
            char = _format_shape(
                char, shaped[-1] if shaped else " ", chunk[index + 1] if index < last else " "
            )
        shaped.append(char)
    return "".join(shaped)


def _format_shape(char: str, before: str, after: str) -> str:
    """A format character belongs to the word or emoji around it; elsewhere it belongs to no token."""
    if char != "\u200b":
        if before.isalnum() and (after.isalnum() or unicodedata.category(after)[0] == "M"):
            return MARK
        if char == "\u200d" and before != " " and unicodedata.category(after) == "So":
            return char
    return " "


def canonical(raw: str) -> str:
    """NFC, plain apostrophes and hyphens, without invisible characters except joiners."""
    if raw.isascii():
        return raw
    plain = unicodedata.normalize("NFC", raw.translate(_PLAIN))
    if plain.isprintable():
        return plain
    return "".join([_visible(char) for char in plain])


def _visible(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cs":
        return "\ufffd"
    return "" if category == "Cf" and char not in _JOINERS else char
