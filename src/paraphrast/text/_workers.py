"""Encode blocks of lines in other processes.

The workers are ``python -m`` processes that exchange length-prefixed frames over their pipes. Unlike forked processes
they are safe in programs with threads, and unlike spawned ones they do not run the caller's script again.
"""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.errors import ParaphrastError
from paraphrast.text.encode_block import Encoded, Encoder
from paraphrast.text.languages.registry import get_language
from paraphrast.types import Sentences

_LENGTH = struct.Struct("<Q")


def _write(stream: IO[bytes], payload: bytes) -> None:
    stream.write(_LENGTH.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    payload = stream.read(size)
    return payload if len(payload) == size else None


def pack(encoded: Encoded) -> bytes:
    """The encoded lines as arrays in the npy format, in sequence."""
    sentences = encoded.sentences
    arrays: list[NDArray[Any]] = [
        np.frombuffer("\n".join(encoded.surface).encode(), dtype=np.uint8),
        sentences.tokens,
        sentences.starts,
        sentences.space_before,
        encoded.initial,
        encoded.begins,
    ]
    if sentences.char_start is not None and sentences.char_end is not None:
        arrays += [sentences.char_start, sentences.char_end]
    buffer = io.BytesIO()
    for array in arrays:
        np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def unpack(payload: bytes) -> Encoded:
    """The inverse of :func:`pack`."""
    buffer = io.BytesIO(payload)
    arrays: list[NDArray[Any]] = []
    while buffer.tell() < len(payload):
        arrays.append(np.load(buffer, allow_pickle=False))
    surface, tokens, starts, space_before, initial, begins, *offsets = arrays
    char_start, char_end = offsets if offsets else (None, None)
    return Encoded(
        surface.tobytes().decode().split("\n"),
        Sentences(tokens, starts, space_before, char_start, char_end),
        initial,
        begins,
    )


def encode_blocks(
    lines: Sequence[str], blocks: Sequence[range], code: str, offsets: bool, workers: int
) -> Iterator[Encoded]:
    """Encode every block. Worker k gets blocks k, k + workers, …; results come in order."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "paraphrast.text._workers", code, str(int(offsets))]

    started: list[subprocess.Popen[bytes]] = []

    def run(worker: int) -> list[bytes]:
        replies: list[bytes] = []
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            started.append(process)
            assert process.stdin is not None
            assert process.stdout is not None
            for block in blocks[worker::workers]:
                _write(process.stdin, json.dumps([lines[index] for index in block]).encode())
                reply = _read(process.stdout)
                if reply is None:
                    raise ParaphrastError(
                        f"an encoding process ended early (exit code {process.wait()})",
                        remedy="try threads=1",
                    )
                replies.append(reply)
            process.stdin.close()
        return replies

    with ThreadPoolExecutor(workers) as pool:
        try:
            replies = list(pool.map(run, range(workers)))
        except BaseException:  # mainly Ctrl-C: the threads end when their processes do
            for process in started:
                process.kill()
            raise
    for index in range(len(blocks)):
        yield unpack(replies[index % workers][index // workers])


def main() -> None:
    """A worker: frames of lines in, frames of arrays out, until the input ends."""
    # Ctrl-C reaches the whole process group; the parent decides, and its end closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("paraphrast").setLevel(logging.ERROR)  # the parent has already printed its notices
    language = get_language(sys.argv[1])
    offsets = sys.argv[2] == "1"
    while (payload := _read(sys.stdin.buffer)) is not None:
        encoder = Encoder(language, offsets=offsets)
        part = encoder.encode(json.loads(payload))
        _write(sys.stdout.buffer, pack(Encoded(encoder.surface, part.sentences, part.initial, part.begins)))


if __name__ == "__main__":
    main()
