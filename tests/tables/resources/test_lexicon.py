from __future__ import annotations

import math
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.thesauri import Synonym, read_thesaurus
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.lexicon import LexiconKind, lexicon_rows
from paraphrast.tables.resources.options import LexiconOptions
from paraphrast.tables.resources.words import PhraseReader

MYTHES = "UTF-8\nbig|2\n(adj)|large|huge|small (antonym)|adult (related term)\n(adj)|bad|big\nlarge|1\n(adj)|big|huge\n"


def test_mythes(tmp_path: Path) -> None:
    path = tmp_path / "th_en_US.dat"
    path.write_text(MYTHES)
    assert list(read_thesaurus(path)) == [
        Synonym("big", "large", 1),
        Synonym("big", "huge", 1),
        Synonym("big", "small", 1, "antonym"),
        Synonym("big", "adult", 1, "related term"),
        Synonym("big", "bad", 2),
        Synonym("large", "big", 1),
        Synonym("large", "huge", 1),
    ]


def test_moby_and_pairs(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("ice,frost,cold snap\n")
    assert list(read_thesaurus(path)) == [Synonym("ice", "frost"), Synonym("ice", "cold snap")]
    path.write_text("ice\tfrost\tn\t3\t0\n")
    assert list(read_thesaurus(path)) == [Synonym("ice", "frost", 3)]


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("th.dat", "UTF-8\nbig|2\n(adj)|large\n", 4),
        ("th.dat", "UTF-8\nbig\n", 2),
        ("th.dat", "no-such-encoding\nbig|1\n(adj)|x\n", 1),
        ("words.txt", "a,b\nalone\n", 2),
    ],
)
def test_bad_thesauri(name: str, content: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(FormatError, match=rf"{name}:{line}"):
        list(read_thesaurus(path))


def test_ranked_by_what_lists_share() -> None:
    """big: {big, large, huge, fat}, large: {large, big, huge}, fat: {fat, big}: 6/7 before 4/6."""
    listed = [Synonym("big", other) for other in ("fat", "large", "huge")]
    listed += [Synonym("large", "huge"), Synonym("large", "big")]
    rows = lexicon_rows(listed, PhraseReader(), LexiconOptions())
    scores = {(row.source[0], row.target[0]): row.score for row in rows}
    assert scores["big", "large"] == pytest.approx(math.log(6 / 7))
    assert scores["big", "fat"] == pytest.approx(math.log(4 / 6))
    mutual = lexicon_rows(listed, PhraseReader(), LexiconOptions(mutual=True))
    assert {(row.source[0], row.target[0]) for row in mutual} == {("big", "large"), ("large", "big")}


def test_the_kind(tmp_path: Path) -> None:
    path = tmp_path / "th_en_US.dat"
    path.write_text(MYTHES)
    plain = LexiconKind().build(TableJob([path]), LexiconOptions(inflect=False))
    targets = {plain.phrase(index)[0] for index in plain.table.target}
    assert targets == {"large", "huge", "bad", "big"}
    first = LexiconKind().build(TableJob([path]), LexiconOptions(inflect=False, most_meanings=1))
    assert "bad" not in {first.phrase(index)[0] for index in first.table.target}
    wide = LexiconKind().build(TableJob([path]), LexiconOptions(inflect=False, related=True))
    assert "adult" in {wide.phrase(index)[0] for index in wide.table.target}
    grown = LexiconKind().build(TableJob([path]), LexiconOptions())
    assert ("bigger",) in {grown.phrase(index) for index in grown.table.source}
    path.write_text("UTF-8\n")
    with pytest.raises(InputError, match="no pair"):
        LexiconKind().build(TableJob([path]), LexiconOptions())
    with pytest.raises(FormatError, match="its index"):
        LexiconKind().build(TableJob([tmp_path / "th_en_US.idx"]), LexiconOptions())
