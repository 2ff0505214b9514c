"""Writes small GGUF files."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    inner = 8 if isinstance(value[0], str) else 5
    body = b"".join(_string(item) if inner == 8 else struct.pack("<i", item) for item in value)
    return struct.pack("<IIQ", 9, inner, len(value)) + body


def write_gguf(
    path: Path, settings: dict[str, Any], arrays: dict[str, tuple[tuple[int, ...], int, bytes]]
) -> Path:
    """settings by name; arrays as (shape, type, bytes)."""
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(arrays), len(settings))
    head += b"".join(_string(name) + _value(value) for name, value in settings.items())
    data = b""
    for name, (shape, kind, content) in arrays.items():
        head += _string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1], kind, len(data))
        data += content + b"\0" * (-len(content) % 32)
    head += b"\0" * (-len(head) % 32)
    path.write_bytes(head + data)
    return path


def floats(array: np.ndarray) -> tuple[tuple[int, ...], int, bytes]:
    """An array as float32."""
    return array.shape, 0, array.astype("<f4").tobytes()
