"""Lengths of the sections of a packed language model."""

from __future__ import annotations

#: A kernel reads eight bytes at a time.
PADDING = 8


def stream_bytes(bits: int) -> int:
    """Length of a bit stream with its padding."""
    return (bits + 7) // 8 + PADDING


def aligned(length: int) -> int:
    """The next multiple of eight bytes."""
    return (length + 7) // 8 * 8
