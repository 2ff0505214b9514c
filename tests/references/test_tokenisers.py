from __future__ import annotations

import sys
from pathlib import Path

import pytest

from paraphrast.errors import InputError
from paraphrast.references.tokenisers import split_sources

CHINESE = ["我要水", "你要茶 OK"] * 5
PAIRS = """
import sys
for line in map(str.strip, sys.stdin):
    print(" ".join(line[at : at + 2] for at in range(0, len(line), 2)))
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_words.py").write_text(
        "def pairs(text):\n    return [text[at:at + 2] for at in range(0, len(text), 2)]\n"
        "def line(text):\n    return ' '.join(text)\n"
        "def numbers(text):\n    return [1, 2]\n"
        "def nothing(text):\n    return None\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_scripts_without_spaces_go_by_character_whatever_the_language() -> None:
    assert split_sources(CHINESE, language="fr")[1] == ["你", "要", "茶", "OK"]
    assert split_sources(["สวัสดีครับ ยินดีที่ได้รู้จัก"])[0][:3] == list("สวั")
    assert split_sources(["nous avons, oui"], language="fr") == [["nous", "avons", ",", "oui"]]


def test_named_ways() -> None:
    assert split_sources(["ab,c 我们"], "spaces") == [["ab,c", "我们"]]
    assert split_sources(["ab 我们"], "characters") == [["ab", "我", "们"]]


def test_a_function(own_module: None) -> None:
    assert split_sources(["我要水"], "own_words:pairs") == [["我要", "水"]]
    assert split_sources(["我要"], "own_words:line") == [["我", "要"]]
    for name in ("own_words:numbers", "own_words:nothing"):
        with pytest.raises(InputError, match="sentence 1"):
            split_sources(["我要"], name)
    for name in ("own_words:absent", "no_such_module:f"):
        with pytest.raises(InputError, match="module:function"):
            split_sources(["我要"], name)


def test_a_command(tmp_path: Path) -> None:
    script = tmp_path / "pairs.py"
    script.write_text(PAIRS, encoding="utf-8")
    command = f"'{sys.executable}' -X utf8 '{script}'"
    assert split_sources(["我要水", "", "茶\n水"], command) == [["我要", "水"], [], ["茶", "水"]]


def test_commands_that_fail_are_named(tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    script.write_text("import sys\nsys.exit('no model')", encoding="utf-8")
    with pytest.raises(InputError, match="ended with 1: no model"):
        split_sources(["a"], f"'{sys.executable}' '{script}'")
    script.write_text("print('one')\nprint('two')", encoding="utf-8")
    with pytest.raises(InputError, match=r"expected 1 lines .* got 2"):
        split_sources(["a"], f"'{sys.executable}' '{script}'")
    with pytest.raises(InputError, match="cannot be run"):
        split_sources(["a"], "no-such-tokeniser --fast")
    with pytest.raises(InputError, match="empty name"):
        split_sources(["a"], " ")
