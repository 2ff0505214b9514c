"""Round trips of sentences through a pivot language, saved block by block.

Every sentence is translated in ``forth`` ways, and each translation is translated back in ``back`` ways. This gives a
comparable corpus of a text with itself (the idea of Quirk et al. 2004 without news; the bitext of Owczarzak et al.
2006, generated). Blocks are fixed pieces of the text, so the batches, and with them every result, do not depend on
interruptions or threads.
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

#: Number of sentences between two saves. Affects every result.
BLOCK = 512
#: (description, number done, total).
Progress = Callable[[str, int, int], None]


class _Translation(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...


class BatchTranslator(Protocol):
    """The part of :class:`paraphrast.read.Translator` that is used here."""

    def readable(self, text: str) -> bool: ...

    def translate_batches(self, texts: Sequence[str], n: int) -> Sequence[Sequence[_Translation]]: ...


@dataclass(frozen=True)
class TripOptions:
    """forth: translations per sentence. back: translations back from each. language: code of the pivot."""

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
    """The round trips of one block. A sentence that the models cannot read has none."""
    readable = [text for text in dict.fromkeys(sentences) if forth.readable(text)]
    translations = dict(zip(readable, forth.translate_batches(readable, options.forth), strict=True))
    foreign = sorted({way.text for ways in translations.values() for way in ways if back.readable(way.text)})
    returned = dict(zip(foreign, back.translate_batches(foreign, options.back), strict=True))
    return [
        TrippedSentence(
            text,
            tuple(
                ForeignTrip(
                    options.language,
                    way.text,
                    way.score,
                    tuple(
                        (back_translation.text, back_translation.score)
                        for back_translation in returned.get(way.text, ())
                    ),
                )
                for way in translations.get(text, ())
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
    """Write the round trips of ``sentences`` to ``path``. Returns how many an earlier run had finished.

    Each finished block is appended. An interrupted run continues after its last complete block.
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
    """The number of sentences in complete blocks of an earlier run. The rest of its file is cut off."""
    if not path.exists():
        return 0
    text = path.read_bytes()
    lines = text.split(b"\n")[:-1]  # text after the last line end is incomplete
    done = len(lines) if len(lines) == len(sentences) else len(lines) - len(lines) % BLOCK
    if done < len(lines) or not text.endswith(b"\n"):
        with atomic_write_bytes(path) as stream:
            stream.writelines(line + b"\n" for line in lines[:done])
    for number, saved in enumerate(read_round_trips(path) if done else ()):
        if number >= len(sentences) or saved.text != sentences[number]:
            raise InputError(
                f"sentence {number + 1} differs from the text that these round trips were made from",
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
    """The file with the round trips of a text, one sentence per line, in the user's cache, finished or not.

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
    cached = cache_root() / "round-trips" / f"{language}-{options.language}-{digest}.jsonl"
    cached.parent.mkdir(parents=True, exist_ok=True)
    with locked(cached.with_name(f".{cached.name}.lock")):
        forth, back = (Translator(folder, threads=threads) for folder in folders)
        done = generate_round_trips(sentences, forth, back, cached, options, progress=progress)
    log.info("round trips of %d sentences, %d from an earlier run: %s", len(sentences), done, cached)
    return cached
