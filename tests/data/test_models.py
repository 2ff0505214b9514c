from __future__ import annotations

import io
import zipfile
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from paraphrast import data
from paraphrast.data import _models
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.errors import DataError

FILES = {name: name.encode() * 500 for name in _models._MARIAN_FILES}
PIECE = 2000


def entry() -> Resource:
    options = MappingProxyType({"folder": "store/en_fr"})
    sources = (Source("file", path="x"),)
    return Resource("mine", "translation", ("en", "fr"), "ours", "", 1, "1", "", sources, options=options)


def pieces(make_zip: Any, numbers: list[int] | None = None) -> list[Fetched]:
    """An archive with another folder first, cut into pieces, one in each package."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("store/other", b"x" * 3 * PIECE)
        for name, content in FILES.items():
            archive.writestr(f"store/en_fr/{name}", content)
    whole = stream.getvalue()
    cut = [whole[begin : begin + PIECE] for begin in range(0, len(whole), PIECE)]
    parts = []
    for number in numbers or range(2, len(cut) + 1):
        path = make_zip(
            f"{number}.whl", {f"part/input/store.zip.{number:03d}": cut[number - 1], "part/x.py": b""}
        )
        parts.append(Fetched(Source("file", path=str(path)), "", "", path))
    return parts


def test_a_model_from_pieces(make_zip: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    _models.marian_from_pieces(entry(), pieces(make_zip), out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == FILES


def test_a_missing_piece_is_reported(make_zip: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    parts = pieces(make_zip)
    del parts[len(parts) // 2]
    with pytest.raises(DataError, match="do not make up the archive"):
        _models.marian_from_pieces(entry(), parts, out)
    path = make_zip("empty.whl", {"part/x.py": b""})
    with pytest.raises(DataError, match="expected one piece"):
        _models.marian_from_pieces(entry(), [Fetched(Source("file", path=str(path)), "", "", path)], out)


def test_a_gguf_file(make_zip: Any, tmp_path: Path) -> None:
    path = make_zip("x.whl", {"pack/model.Q4_1.gguf": b"GGUF...", "pack/__init__.py": b""})
    _models.gguf(entry(), [Fetched(Source("file", path=str(path)), "", "", path)], tmp_path)
    assert (tmp_path / "model.gguf").read_bytes() == b"GGUF..."


def test_data_that_is_required_but_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    with pytest.raises(DataError) as caught:
        data.require("opus-mt-en-fr")
    assert "387 MB" in str(caught.value)
    assert "Apache-2.0" in str(caught.value)
    assert "paraphrast data get opus-mt-en-fr" in str(caught.value)
