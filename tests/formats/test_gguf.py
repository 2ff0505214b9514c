from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from gguf_files import floats, write_gguf
from paraphrast.errors import FormatError
from paraphrast.formats.gguf import read_gguf


def half(value: float) -> bytes:
    return np.float16(value).tobytes()


def plain_q4(content: bytes, scale: float, low: float) -> list[float]:
    """32 numbers of 16 bytes: low halves first (the specification, in plain loops)."""
    return [scale * (byte % 16) + low for byte in content] + [scale * (byte // 16) + low for byte in content]


PACKED = bytes(range(3, 19))
BLOCKS = {
    2: (half(0.5) + PACKED, plain_q4(PACKED, 0.5, -4.0)),
    3: (half(0.5) + half(-1.25) + PACKED, plain_q4(PACKED, 0.5, -1.25)),
    8: (half(0.25) + struct.pack("<32b", *range(-16, 16)), [0.25 * number for number in range(-16, 16)]),
}


@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_quantised_blocks(tmp_path: Path, kind: int) -> None:
    content, numbers = BLOCKS[kind]
    model = read_gguf(
        write_gguf(tmp_path / "x.gguf", {}, {"first": floats(np.ones(3)), "w": ((2, 32), kind, content * 2)})
    )
    assert model.names == ("first", "w")
    np.testing.assert_allclose(model.array("w"), [numbers, numbers])


def test_settings_and_half_precision(tmp_path: Path) -> None:
    settings = {"name": "x", "count": 7, "base": 0.5, "words": ["a", "Ġb"], "kinds": [1, -2]}
    halves = np.arange(6, dtype="<f2").reshape(2, 3)
    model = read_gguf(write_gguf(tmp_path / "x.gguf", settings, {"h": ((2, 3), 1, halves.tobytes())}))
    assert model.settings == settings
    np.testing.assert_array_equal(model.array("h"), halves)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    path = write_gguf(
        tmp_path / "x.gguf", {}, {"odd": ((32,), 14, b"\0" * 32), "short": ((4096,), 0, b"\0" * 32)}
    )
    model = read_gguf(path)
    for name, message in (
        ("odd", "not supported"),
        ("short", "cut short"),
        ("none", "expected an array 'none'"),
    ):
        with pytest.raises(FormatError, match=message):
            model.array(name)
    for content in (b"", b"GGML" + b"\0" * 40, path.read_bytes()[:30]):
        broken = tmp_path / "broken.gguf"
        broken.write_bytes(content)
        with pytest.raises(FormatError, match="expected a GGUF file"):
            read_gguf(broken)
