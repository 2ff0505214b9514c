from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from paraphrast import data
from paraphrast.data._convert import CONVERTERS
from paraphrast.data._index import KINDS, find
from paraphrast.errors import DataError

ENTRY = """
[mine]
kind = "text"
languages = ["en"]
licence = "ours"
description = "A text"
version = "1"
convert = "text-lines"

[[mine.source]]
via = "file"
path = "mine.txt"
"""


def test_the_shipped_index_is_sound() -> None:
    resources = data.index()
    assert list(resources) == sorted(resources)
    for name, resource in resources.items():
        assert resource.name == name
        assert resource.kind in KINDS
        assert resource.licence
        assert resource.description
        assert resource.size_mb > 0
        assert resource.convert in CONVERTERS
        assert callable(CONVERTERS.get(resource.convert))
        assert (resource.kind in ("bitext", "translation")) == (len(resource.languages) == 2)
        apt = any(source.via == "apt" for source in resource.sources)
        assert (resource.version == "offered") == apt
    assert len({resource.recipe for resource in resources.values()}) == len(resources)


def test_the_default_model_finds_its_data() -> None:
    names = set(data.index())
    assert {"nlp-de", "nlp-fr", "nlp-it", "libreoffice-de", "libreoffice-es", "libreoffice-fr"} <= names
    assert {"bible-en", "reuters", "brown", "brown-tagged", "sotu", "gutenberg", "nlp-en"} <= names
    assert {"wordnet-antonyms", "wordnet-synonyms"} <= names


def test_records_are_frozen() -> None:
    resource = find("sotu")
    with pytest.raises(dataclasses.FrozenInstanceError):
        resource.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        resource.options["x"] = "y"  # type: ignore[index]
    assert resource.tools == ("pip",)
    assert find("nlp-de").tools == ("npm",)
    assert find("europarl-v7-de").tools == ()


def test_unknown_names_are_answered_with_near_ones() -> None:
    with pytest.raises(DataError, match="no data is called 'bible'") as caught:
        find("bible")
    assert "bible-en" in str(caught.value)
    with pytest.raises(DataError) as caught:
        find("zzzzzz")
    assert "known: " in str(caught.value)


def test_an_index_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(ENTRY)
    monkeypatch.setenv("PARAPHRAST_INDEX", os.pathsep.join([str(path)]))
    assert find("mine").sources[0].path == str(tmp_path / "mine.txt")
    assert "sotu" in data.index()
    first = find("mine").recipe
    path.write_text(ENTRY.replace('version = "1"', 'version = "22"'))
    os.utime(path, ns=(1, 1))
    assert find("mine").recipe != first


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"text"', '"prose"', "kind 'prose' is none of"),
        ('licence = "ours"\n', "", "expected licence = a string, got None"),
        ('["en"]', '"en"', "expected languages = a list"),
        ('version = "1"', 'version = "../1"', "may not have"),
        ('version = "1"', 'version = "1"\nsoze = 3', "unknown key 'soze'"),
        ("[mine]", "[Mine]", "a name is made of"),
        ('via = "file"', 'via = "ftp"', "via 'ftp' is none of"),
        ('via = "file"', 'via = "http"', "needs an http or https url"),
        ('via = "file"', 'via = "npm"', "needs a package"),
        ('via = "file"\npath = "mine.txt"', 'via = "npm"\npackage = "x"', "packages are pinned"),
        ('path = "mine.txt"', 'package = "--x"', "needs a path"),
        ('path = "mine.txt"', 'path = "x"\nsha256 = "12"', "not 64 hex digits"),
        ('path = "mine.txt"', 'path = "x"\nhost = "y"', "has only the strings"),
        ('[[mine.source]]\nvia = "file"\npath = "mine.txt"', "", "at least one"),
        ('"ours"', '"ours', "not valid TOML"),
    ],
)
def test_mistakes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, message: str
) -> None:
    path = tmp_path / "mine.toml"
    assert before in ENTRY
    text = ENTRY.replace(before, after)
    path.write_text(text.replace("[[mine.", "[[Mine.") if after == "[Mine]" else text)
    monkeypatch.setenv("PARAPHRAST_INDEX", str(path))
    with pytest.raises(DataError, match=re.escape(message)):
        data.index()


def test_a_missing_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_INDEX", str(tmp_path / "absent.toml"))
    with pytest.raises(DataError, match="cannot be read"):
        data.index()
