"""Lines → arrays of surface ids, in one process or several.

Lines are encoded in fixed blocks that are merged in order, so the result is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraphrast.errors import InputError
from paraphrast.text.encode_block import Encoded, Encoder, join, merge
from paraphrast.text.languages.record import Language
from paraphrast.text.languages.registry import get_language

#: Number of lines per block. Does not affect the result.
BLOCK = 20_000


def encode(lines: Sequence[str], language: Language, *, offsets: bool = False, threads: int = 1) -> Encoded:
    """Tokenise ``lines``, one entry each, with ``threads`` processes.

    ``offsets`` adds ``char_start`` and ``char_end``: code points into each raw line.
    """
    if isinstance(lines, str):
        raise InputError("expected a sequence of lines, got one string", remedy="pass [line]")
    blocks = [range(start, min(start + BLOCK, len(lines))) for start in range(0, len(lines), BLOCK)]
    if threads > 1 and len(blocks) > 1 and get_language(language.code) is language:
        from paraphrast.text._workers import encode_blocks

        return merge(encode_blocks(lines, blocks, language.code, offsets, min(threads, len(blocks))))
    encoder = Encoder(language, offsets=offsets)
    parts = [encoder.encode([lines[index] for index in block]) for block in blocks]
    return join(encoder.surface, parts or [encoder.encode([])])
