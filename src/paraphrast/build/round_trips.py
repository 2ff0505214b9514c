"""Sentences → their round trips through a pivot language, kept block by block.

Every sentence is translated ``forth`` ways and each translation translated back ``back`` ways: a comparable corpus of
a text with itself (Quirk et al. 2004's idea without the news; Owczarzak et al. 2006's bitext, made on the spot). Blocks
are fixed pieces of the text, so what is translated together, and with it every result, does not depend on where a run
was interrupted or on threads.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from paraphrast._jit import cache_root
from paraphrast.errors import InputError
from paraphrast.formats.files import atomic_write_bytes, read_lines, write_errors
from paraphrast.formats.lock import locked
from paraphrast.formats.round_trips import (
    ForeignTrip,
    TrippedSentence,
    read_round_trips,
    round_trip_lines,
)

__all__ = ["BLOCK", "TripOptions", "generate_round_trips", "round_trips_of", "translate_file"]

log = logging.getLogger(__name__)

#: Sentences between two saves; part of every result.
BLOCK = 512
#: (what is done, how many are done, of how many).
Progress = Callable[[str, int, int], None]


class _Translation(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...


class BatchTranslator(Protocol):
    """What is asked of :class:`paraphrast.read.Translator`."""

    def readable(self, text: str) -> bool: ...

    def translate_batches(self, texts: Sequence[str], n: int) -> Sequence[Sequence[_Translation]]: ...


@dataclass(frozen=True)
class TripOptions:
    """forth: translations of a sentence. back: ways back from each. language: the pivot's code."""

    forth: int = 2
    back: int = 4
    language: str = "fr"

    def __post_init__(self) -> None:
        for name in ("forth", "back"):
            if (value := getattr(self, name)) < 1:
                raise InputError(f"{name}: expected at least 1, got {value}")


def round_trips_of(
    sentences: Sequence[str], forth: BatchTranslator, back: BatchTranslator, options: TripOptions
) -> list[TrippedSentence]:
    """The round trips of one block; a sentence that the models cannot read has none."""
    readable = [text for text in dict.fromkeys(sentences) if forth.readable(text)]
    there = dict(zip(readable, forth.translate_batches(readable, options.forth), strict=True))
    foreign = sorted({way.text for ways in there.values() for way in ways if back.readable(way.text)})
    returned = dict(zip(foreign, back.translate_batches(foreign, options.back), strict=True))
    return [
        TrippedSentence(
            text,
            tuple(
                ForeignTrip(
                    options.language,
                    way.text,
                    way.score,
                    tuple((one.text, one.score) for one in returned.get(way.text, ())),
                )
                for way in there.get(text, ())
            ),
        )
        for text in sentences
    ]


def generate_round_trips(
    sentences: Sequence[str],
    forth: BatchTranslator,
    back: BatchTranslator,
    path: Path,
    options: TripOptions | None = None,
    *,
    progress: Progress | None = None,
) -> int:
    """Write the round trips of ``sentences`` to ``path``; how many were there from an earlier run.

    Each block is appended when it is done. An interrupted run goes on after its last whole block.
    """
    options = options or TripOptions()
    done = _keep_whole_blocks(path, sentences)
    bounds = [*range(done, len(sentences), BLOCK), len(sentences)]
    for begin, end in pairwise(bounds):
        if progress is not None:
            progress("translating there and back", begin, len(sentences))
        lines = round_trip_lines(round_trips_of(sentences[begin:end], forth, back, options))
        with write_errors(path), path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write("".join(f"{line}\n" for line in lines))
            stream.flush()
            os.fsync(stream.fileno())
    return done


def _keep_whole_blocks(path: Path, sentences: Sequence[str]) -> int:
    """How many sentences of a run before are whole; the rest of its file is cut off."""
    if not path.exists():
        return 0
    text = path.read_bytes()
    lines = text.split(b"\n")[:-1]  # what stands after the last end of a line is broken
    done = len(lines) if len(lines) == len(sentences) else len(lines) - len(lines) % BLOCK
    if done < len(lines) or not text.endswith(b"\n"):
        with atomic_write_bytes(path) as stream:
            stream.writelines(line + b"\n" for line in lines[:done])
    for number, kept in enumerate(read_round_trips(path) if done else ()):
        if number >= len(sentences) or kept.text != sentences[number]:
            raise InputError(
                f"sentence {number + 1} is another than in the text that these round trips were made of",
                where=path,
                remedy="delete the file, or give the same text",
            )
    return done


def translate_file(
    path: Path,
    options: TripOptions | None = None,
    *,
    language: str = "en",
    threads: int = 1,
    progress: Progress | None = None,
) -> Path:
    """The file of the round trips of a text, a sentence a line; it is kept in the user's cache, finished or not.

    Needs the extra ``precise`` and the data opus-mt-<language>-<pivot> and opus-mt-<pivot>-<language>.
    """
    from paraphrast import data
    from paraphrast.read import Translator

    options = options or TripOptions()
    names = f"opus-mt-{language}-{options.language}", f"opus-mt-{options.language}-{language}"
    folders = [data.require(name) for name in names]
    sentences = [line for line in map(str.strip, read_lines(path)) if line]
    facts = [BLOCK, asdict(options), [folder.name for folder in folders], sentences]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
    kept = cache_root() / "round-trips" / f"{language}-{options.language}-{digest}.jsonl"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with locked(kept.with_name(f".{kept.name}.lock")):
        forth, back = (Translator(folder, threads=threads) for folder in folders)
        done = generate_round_trips(sentences, forth, back, kept, options, progress=progress)
    log.info("round trips of %d sentences, %d from an earlier run: %s", len(sentences), done, kept)
    return kept
