"""Chunks of sentences with the same meaning: Zhao et al. (2008), §4, table 2, equation 6.

    Sim(p1, p2) = α · content overlap + (1 − α) · context overlap

of two chunks of one kind in paired sentences. The context is three words to the left and three to the right. Pairs
above Th1 are paraphrases in both directions. If a pair occurs several times, its score is the largest similarity.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import InputError
from paraphrast.formats.bitext import read_columns
from paraphrast.tables.resources._kernels_overlap import similar_chunks
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.options import ChunkOptions
from paraphrast.tables.resources.words import glue_bits, has_letter, same_masks
from paraphrast.text.encode import encode
from paraphrast.text.languages.registry import get_language
from paraphrast.text.syntax.chunk import chunks_of_tags
from paraphrast.text.syntax.tag import Tagger
from paraphrast.text.truecase import learn
from paraphrast.types import MAX_PHRASE, Sentences, Vocabulary
from paraphrast.types.loose import LooseTable, PhraseRow, loose_table

__all__ = ["ChunkOptions", "ChunksKind", "chunk_rows"]


#: Chunks: int32[n, 3] of begin, end and kind, and where the chunks of each sentence begin.
Chunks = tuple[NDArray[np.int32], NDArray[np.int64]]


def tagged_chunks(sentences: Sentences, vocabulary: Vocabulary, tagger: Tagger) -> Chunks:
    """Chunks by patterns over the tags of the built-in tagger. Needs only the base install."""
    tags = tagger.tag_sentences(tagger.features(vocabulary.words), sentences)
    return chunks_of_tags(tags, sentences.starts)


def parsed(lines: list[str], sentences: Sentences, parser: Any) -> Chunks:
    """Chunks from spaCy's parses, in our tokens. Chunks that begin or end inside a token are left out."""
    from paraphrast.text.syntax.dependencies import parsed_chunks

    if sentences.char_start is None or sentences.char_end is None:
        raise InputError(
            "expected sentences with offsets, got none", remedy="encode(lines, language, offsets=True)"
        )
    chunks: list[tuple[int, int, int]] = []
    starts = np.zeros(len(sentences) + 1, np.int64)
    for number, spans in enumerate(parsed_chunks(lines, parser)):
        low, high = int(sentences.starts[number]), int(sentences.starts[number + 1])
        begins = {int(place): low + k for k, place in enumerate(sentences.char_start[low:high])}
        ends = {int(place): low + k + 1 for k, place in enumerate(sentences.char_end[low:high])}
        for begin, end, kind in spans:
            if begin in begins and end in ends:
                chunks.append((begins[begin], ends[end], kind))
        starts[number + 1] = len(chunks)
    return np.array(chunks, np.int32).reshape(-1, 3), starts


def chunk_rows(
    source: Sentences,
    target: Sentences,
    vocabulary: Vocabulary,
    source_chunks: Chunks,
    target_chunks: Chunks,
    options: ChunkOptions,
) -> list[PhraseRow]:
    """Rows of both directions. count: how often the pair was above the threshold."""
    first, second, similarity = similar_chunks(
        np.ascontiguousarray(source.tokens), np.asarray(source.starts, np.int64),
        np.ascontiguousarray(target.tokens), np.asarray(target.starts, np.int64),
        *source_chunks, *target_chunks, options.alpha, options.th1, options.window,
    )  # fmt: skip
    best: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[float, int]] = {}
    for i, j, value in zip(first.tolist(), second.tolist(), similarity.tolist(), strict=True):
        ours = _words(source.tokens, source_chunks[0][i], vocabulary)
        theirs = _words(target.tokens, target_chunks[0][j], vocabulary)
        if max(len(ours), len(theirs)) > MAX_PHRASE or not (has_letter(ours) and has_letter(theirs)):
            continue
        if not same_masks(ours, theirs):
            continue
        for pair in ((ours, theirs), (theirs, ours)):
            known, times = best.get(pair, (0.0, 0))
            best[pair] = max(known, value), times + 1
    return [
        PhraseRow(ours, theirs, float(np.log(value)), times)
        for (ours, theirs), (value, times) in best.items()
    ]


def _words(tokens: NDArray[np.int32], chunk: NDArray[np.int32], vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(vocabulary.words[word] for word in tokens[chunk[0] : chunk[1]])


def spellings(sentences: Sentences, vocabulary: Vocabulary, chunks: Chunks) -> dict[tuple[str, ...], int]:
    """Glue bits of the chunks that have any, from their first occurrence."""
    glue: dict[tuple[str, ...], int] = {}
    for chunk in chunks[0]:
        spaces = sentences.space_before[chunk[0] : chunk[1]]
        if len(spaces) <= MAX_PHRASE and not spaces[1:].all():
            glue.setdefault(_words(sentences.tokens, chunk, vocabulary), glue_bits(spaces.tolist()))
    return glue


class ChunksKind(TableKind):
    """Two columns of sentences with the same meaning."""

    name = "chunks"
    options: ClassVar[type] = ChunkOptions

    def build(self, job: TableJob, options: ChunkOptions) -> LooseTable:
        path = job.one_input("sentence pairs")
        bitext = read_columns(path, ["1", "2"])
        lines = [bitext.lines["1"], bitext.lines["2"]]
        encoded = [encode(side, get_language(job.language), offsets=job.parser is not None) for side in lines]
        vocabulary, sides = (job.truecaser or learn(*encoded)).apply_all(encoded)
        if job.parser is not None:
            from paraphrast.text.syntax.dependencies import load_parser

            parser = load_parser(job.parser)
            chunks = [parsed(text, side, parser) for text, side in zip(lines, sides, strict=True)]
        elif job.tagger is not None:
            chunks = [tagged_chunks(side, vocabulary, job.tagger) for side in sides]
        else:
            raise InputError(
                "expected a tagger or a parser to find chunks with, got neither",
                remedy="name a spaCy model, or train a tagger on brown-tagged",
            )
        rows = chunk_rows(sides[0], sides[1], vocabulary, chunks[0], chunks[1], options)
        glue = {
            **spellings(sides[1], vocabulary, chunks[1]),
            **spellings(sides[0], vocabulary, chunks[0]),
        }
        notes = {
            "pairs": len(bitext),
            "chunks": [len(part[0]) for part in chunks],
            "by": "parser" if job.parser else "tags",
        }
        info = info_of(self.name, job.language, options, notes=notes)
        return loose_table(rows, info, top=options.top, glue=glue)
