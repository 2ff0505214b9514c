"""Text on the engine's workers: blocks of lines are tokenised, truecased and numbered, each by one task.

Three passes over the blocks, each with a merge of words and counts in this process: tokens and where their case is
informative (→ the truecaser); truecased words (→ the vocabulary); ids. All merged numbers are sums of integers, and the
vocabulary is sorted, so the files are the same to the byte as those of one machine. This process holds the words of the
language, never a text.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.formats.arrays import save_joined
from paraphrast.formats.sentences import load_sentences, save_sentences
from paraphrast.text import get_language, truecase
from paraphrast.text._workers import pack, unpack
from paraphrast.text.encode_block import Encoded, Encoder
from paraphrast.text.truecase import Truecaser, WordCases
from paraphrast.types import Vocabulary

_ARRAYS = ("tokens", "space_before", "char_start", "char_end")


@dataclass(frozen=True)
class Block:
    """Lines of one corpus in the file ``path``; results are written beside it. offsets: also store places of words."""

    path: str
    language: str
    offsets: bool

    def beside(self, kind: str) -> Path:
        """The file or folder of a result."""
        return Path(f"{self.path}.{kind}")


def write_block(lines: Sequence[str], path: Path, language: str, *, offsets: bool) -> Block:
    """Store lines for the workers."""
    _put(path, json.dumps(list(lines)).encode("ascii"))
    return Block(str(path.resolve()), language, offsets)


def encode_on_workers(
    engine: Engine, corpora: Sequence[tuple[Sequence[Block], Path]], casing: Path
) -> tuple[Vocabulary, int]:
    """Truecase all corpora of a language and write their sentences; returns the vocabulary and the number of tokens.

    corpora: the blocks of each corpus in order, and the folder to write. casing: the truecaser's file to write.
    """
    blocks = [block for parts, _ in corpora for block in parts]
    engine.map(_encode, blocks)
    caser = truecase.learn_from(_cases(block) for block in blocks)
    caser.save(casing)
    engine.map(_truecase, [(block, str(casing.resolve())) for block in blocks])
    counts: Counter[str] = Counter()
    for block in blocks:
        counts.update(json.loads(block.beside("words").read_bytes()))
    vocabulary = Vocabulary.from_counts(counts.items())
    words = casing.with_name(".words.json").resolve()
    words.write_text(json.dumps(vocabulary.words), encoding="ascii")
    engine.map(_number, [(block, str(words)) for block in blocks])
    words.unlink()
    return vocabulary, sum(_join(parts, folder) for parts, folder in corpora)


def _encode(block: Block) -> None:
    encoder = Encoder(get_language(block.language), offsets=block.offsets)
    part = encoder.encode(json.loads(Path(block.path).read_bytes()))
    encoded = Encoded(encoder.surface, part.sentences, part.initial, part.begins)
    cases = truecase.count_cases(encoded)
    _put(block.beside("cases"), json.dumps(cases).encode("ascii"))
    _put(block.beside("encoded"), pack(encoded))


def _cases(block: Block) -> WordCases:
    cases: WordCases = json.loads(block.beside("cases").read_bytes())
    return cases


def _truecase(task: tuple[Block, str]) -> None:
    block, casing = task
    encoded = unpack(block.beside("encoded").read_bytes())
    forms, tokens = _loaded_caser(casing).retoken(encoded)
    counts = np.bincount(tokens, minlength=len(forms)).tolist()
    words = {form: count for form, count in zip(forms, counts, strict=True) if count}
    _put(block.beside("words"), json.dumps(words).encode("ascii"))
    sentences = replace(encoded.sentences, tokens=tokens)
    _put(block.beside("cased"), pack(Encoded(forms, sentences, encoded.initial, encoded.begins)))


def _number(task: tuple[Block, str]) -> None:
    block, words = task
    cased = unpack(block.beside("cased").read_bytes())
    known = _loaded_ids(words)
    table = np.array([known.get(form, 0) for form in cased.surface], dtype=np.int32)
    folder = block.beside("sentences")
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}")
    save_sentences(replace(cased.sentences, tokens=table[cased.sentences.tokens]), temporary)
    try:
        os.rename(temporary, folder)
    except OSError:  # another attempt was faster, with the same result
        if not folder.is_dir():
            raise


@lru_cache(maxsize=1)
def _loaded_caser(path: str) -> Truecaser:
    return Truecaser.load(path)


@lru_cache(maxsize=1)
def _loaded_ids(path: str) -> dict[str, int]:
    words = json.loads(Path(path).read_bytes())
    return {word: index for index, word in enumerate(words)}


def _join(blocks: Sequence[Block], folder: Path) -> int:
    """The sentences of all blocks as one corpus, written one block after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    folders = [block.beside("sentences") for block in blocks]
    offsets = blocks[0].offsets

    def starts() -> Iterator[NDArray[np.int64]]:
        total = 0
        yield np.zeros(1, np.int64)
        for path in folders:
            piece = load_sentences(path).starts
            yield piece[1:] + total
            total += int(piece[-1])

    save_joined(folder / "starts.npy", starts)
    for name in _ARRAYS if offsets else _ARRAYS[:2]:
        save_joined(folder / f"{name}.npy", partial(_columns, folders, name))
    return sum(int(load_sentences(path).starts[-1]) for path in folders)


def _columns(folders: Sequence[Path], name: str) -> Iterator[NDArray[Any]]:
    for folder in folders:
        yield np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)


def _put(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, then rename: a task may run twice."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    os.replace(temporary, path)
