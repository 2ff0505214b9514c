"""The script that builds the embedded model: the contractions it is given."""

from __future__ import annotations

from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from paraphrast.text import analyse, get_language

SCRIPT = Path(__file__).parents[1] / "scripts" / "build_model.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = spec_from_file_location("build_model", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_contractions_go_both_ways_where_they_have_one_meaning(script: ModuleType) -> None:
    pairs = script.contractions()
    assert len(pairs) == len(set(pairs))
    assert pairs == sorted(pairs)
    contracted = {(full, short) for full, short in pairs if "'" in short}
    back = {(full, short) for short, full in pairs if "'" in short}
    assert len(contracted) + len(back) == len(pairs)
    assert back <= contracted
    assert {("do not", "don't"), ("will not", "won't"), ("I am", "I'm"), ("cannot", "can't")} <= back
    meanings = Counter(short for _, short in back)
    assert set(meanings.values()) == {1}
    # "'d" is had or would, "'s" is or has: these are only contracted; "let's" has one meaning.
    assert {short for _, short in back if short.endswith(("'d", "'s"))} == {"let's"}
    assert {("she is", "she's"), ("she has", "she's"), ("we would", "we'd")} <= contracted


def test_contractions_are_split_as_a_text_is(script: ModuleType, tmp_path: Path) -> None:
    script.write_contractions(tmp_path / "contractions.tsv")
    rows = [line.split("\t") for line in (tmp_path / "contractions.tsv").read_text("utf-8").splitlines()]
    assert [tuple(row) for row in rows] == script.contractions()
    language = get_language("en")
    for row in rows:
        for phrase in row:
            if "'" in phrase:
                assert len(analyse(phrase, language, one_sentence=True).words) == 2, phrase
