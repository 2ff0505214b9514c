"""A WordNet of seven synsets, in its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import wordnet
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines

ENTRY = Resource("mine", "synonyms", ("en",), "ours", "", 1, "1", "", (Source("file", path="x"),))
LICENCE = "  1 a licence, indented  \n"
FILES = {
    "data.adj": (
        "00000100 00 a 02 big 0 large 0 002 ! 00000200 a 0101 ! 00000200 a 0202 | of size | not small\n"
        "00000200 00 a 02 small 0 little(p) 0 002 ! 00000100 a 0101 ! 00000100 a 0202 | not big\n"
        "00000300 00 s 01 huge 0 001 & 00000100 a 0000 | very big\n"
    ),
    "index.adj": (
        "big a 1 1 ! 1 1 00000100  \nlarge a 1 1 ! 1 1 00000100  \nsmall a 1 1 ! 1 0 00000200  \n"
        "little a 1 1 ! 1 0 00000200  \nhuge a 1 1 & 1 0 00000300  \n"
    ),
    "data.noun": (
        "00000400 13 n 0a ale 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j_k 0 000 | ten words, a count in hex\n"
        "00000500 13 n 02 Ale 0 malt_drink 1 000 | a drink\n"
    ),
    "index.noun": "ale n 2 0 2 1 00000500 00000400  \nmalt_drink n 1 0 1 0 00000500  \n",
    "data.verb": "00000600 30 v 01 rise 0 001 ! 00000700 v 0101 01 + 02 00 | go up\n"
    "00000700 30 v 01 fall 0 000 | down\n",
    "index.verb": "rise v 1 1 ! 1 0 00000600  \nfall v 1 0 1 0 00000700  \n",
    "data.adv": "",
    "index.adv": "",
    "index.sense": "ale%1:13:00:: 00000500 1 7\nhuge%5:00:00:big:00 00000300 1 3\nrise%2:30:00:: 00000600 1 0\n",
}


@pytest.fixture
def package(make_tgz: Any) -> Path:
    path = make_tgz("wn.tgz", {f"package/dict/{name}": LICENCE + text for name, text in FILES.items()})
    assert isinstance(path, Path)
    return path


def parts(path: Path) -> list[Fetched]:
    return [Fetched(Source("file", path=str(path)), "", "", path)]


def test_synsets_are_parsed() -> None:
    synset = wordnet.parse_synset(FILES["data.adj"].splitlines()[0])
    assert (synset.offset, synset.pos, synset.words) == (100, "a", ("big", "large"))
    assert synset.pointers[1] == wordnet.Pointer("!", 200, "a", 1, 1)
    satellite = wordnet.parse_synset(FILES["data.adj"].splitlines()[2])
    assert satellite.pos == "a"
    assert satellite.pointers[0] == wordnet.Pointer("&", 100, "a", -1, -1)
    assert len(wordnet.parse_synset(FILES["data.noun"].splitlines()[0]).words) == 10


def test_antonyms_hold_between_words_and_both_ways(package: Path, tmp_path: Path) -> None:
    wordnet.antonyms(ENTRY, parts(package), tmp_path)
    assert list(read_lines(tmp_path / "pairs.tsv.gz")) == [
        "big\tsmall\ta",
        "fall\trise\tv",
        "large\tlittle\ta",
        "little\tlarge\ta",
        "rise\tfall\tv",
        "small\tbig\ta",
    ]


def test_synonyms_carry_sense_and_count(package: Path, tmp_path: Path) -> None:
    wordnet.synonyms(ENTRY, parts(package), tmp_path)
    rows = list(read_lines(tmp_path / "pairs.tsv.gz"))
    assert rows[:3] == ["Ale\tmalt drink\tn\t1\t7", "ale\tb\tn\t2\t0", "ale\tc\tn\t2\t0"]
    assert "ale\tj k\tn\t2\t0" in rows
    assert "big\tlarge\ta\t1\t0" in rows
    assert "little\tsmall\ta\t1\t0" in rows
    assert "malt drink\tAle\tn\t1\t0" in rows
    assert not any(row.startswith(("huge\t", "rise\t")) for row in rows)


def test_a_package_without_wordnet(make_tgz: Any) -> None:
    with pytest.raises(DataError, match=r"data\.noun and index\.noun"):
        wordnet.read(make_tgz("x.tgz", {"package/dict/data.verb": ""}))
