from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.dictionary import Definition, read_dictionary, word_class
from paraphrast.tables.resources.dictionary import DictionaryKind, clean_definition, dictionary_rows, resolve
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import DictionaryOptions
from paraphrast.tables.resources.words import PhraseReader


def rows(entries: list[tuple[str, str, str]], **options: object) -> dict[tuple[str, str], float]:
    made = dictionary_rows(
        resolve(Definition(*entry) for entry in entries),
        PhraseReader(),
        DictionaryOptions(**options),  # type: ignore[arg-type]
    )
    return {(" ".join(row.source), " ".join(row.target)): row.score for row in made}


def test_equation_9() -> None:
    """The third definition scores γ² = .81, also where the second is left out."""
    found = rows(
        [
            ("storm", "", "bad weather"),
            ("storm", "", "one of those very long definitions that nobody would ever say"),
            ("storm", "", "tempest"),
        ],
        inflect=False,
    )
    assert found == {
        ("storm", "bad weather"): pytest.approx(0.0),
        ("storm", "tempest"): pytest.approx(2 * math.log(0.9)),
    }


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a severe storm (with rain); a tempest.", "NOUN", ["severe storm", "tempest"]),
        ("to go on a journey", "VERB", ["go on a journey"]),
        ("going on a journey", "VERB", ["go on a journey"]),
        ("being intelligent", "ADJ", ["intelligent"]),
        ("The act of walking slowly", "NOUN", ["walking slowly"]),
        ("Very big", "ADJ", ["very big"]),
        ("NATO member", "NOUN", ["NATO member"]),
        ("(archaic)", "NOUN", []),
    ],
)
def test_cut_to_what_can_replace(text: str, name: str, expected: list[str]) -> None:
    assert list(clean_definition(text, name)) == expected


def test_inflected_together() -> None:
    found = rows([("hurricane", "NOUN", "a severe storm"), ("travel", "VERB", "to go or move about")])
    assert ("hurricanes", "severe storms") in found
    assert ("travelled", "went or moved about") in found or ("traveled", "went or moved about") in found
    assert ("travels", "goes or moves about") in found


def test_cross_references_are_followed_and_circles_left() -> None:
    entries = [
        ("gale", "NOUN", "See Storm, n."),
        ("tempest", "NOUN", "Same as storm."),
        ("storm", "NOUN", "bad weather"),
        ("up", "NOUN", "see down"),
        ("down", "NOUN", "see up"),
    ]
    found = rows(entries, inflect=False)
    assert sorted(found) == [
        ("gale", "bad weather"),
        ("storm", "bad weather"),
        ("tempest", "bad weather"),
        ("tempest", "storm"),
    ]


def test_circular_and_long_ones_are_left_out() -> None:
    entries = [
        ("walker", "NOUN", "walker of dogs"),
        ("run", "VERB", "be running"),
        ("run", "VERB", "a b c d e f g h"),
    ]
    assert rows(entries) == {}


def test_readers(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    entry = {"word": "big", "meanings": {"10": ["Adjective", "third"], "2": ["Adjective", "large"]}}
    path.write_text(
        json.dumps(entry) + "\n" + json.dumps({"word": "x", "definitions": ["y", {"text": "z"}]}) + "\n"
    )
    assert [d.text for d in read_dictionary(path)] == ["large", "third", "y", "z"]
    table = tmp_path / "d.tsv"
    table.write_text("big\tadj.\tlarge\nwalk\tgo on foot\n")
    assert list(read_dictionary(table)) == [
        Definition("big", "ADJ", "large"),
        Definition("walk", "", "go on foot"),
    ]
    assert [word_class(name) for name in ("v. t.", "n.", "Adverb", "prep.", "")] == [
        "VERB",
        "NOUN",
        "ADV",
        "",
        "",
    ]


@pytest.mark.parametrize(
    "line", ["big", "a\tb\tc\td", '{"meanings": {}}', "{broken", '{"word": 1, "definitions": ["x"]}']
)
def test_bad_lines_are_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    path.write_text("ok\tgood\n" + line + "\n")
    with pytest.raises(FormatError, match=r"d\.tsv:2"):
        list(read_dictionary(path))


def test_the_kind_says_its_options(tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    path.write_text("big\tadj.\tlarge\nbig\tadj.\tof great size\n")
    table = DictionaryKind().build(TableJob([path]), DictionaryOptions(inflect=False))
    assert [table.phrase(index) for index in table.table.target] == [("large",), ("of", "great", "size")]
    assert table.table.info.signature.startswith("dictionary|gamma:0.9|longest:7")
    assert table.table.info.notes["headwords"] == 1
    with pytest.raises(InputError, match="gamma"):
        DictionaryOptions(gamma=1.5)
