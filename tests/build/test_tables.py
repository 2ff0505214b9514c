from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.build.baseline import substitute_lines
from paraphrast.build.kinds import TABLES
from paraphrast.build.tables import build_table, find_input, options_from
from paraphrast.errors import InputError
from paraphrast.formats.table_file import read_table_file, write_table_file
from paraphrast.tables.resources.identity import self_table
from paraphrast.tables.resources.kinds import TableKind
from paraphrast.tables.resources.options import QueryOptions
from paraphrast.types import PhraseRow, TableInfo, loose_table


def test_every_kind_can_be_made() -> None:
    """A name that leads nowhere would be seen by the person who asks for it only."""
    for name in TABLES:
        kind = TABLES.get(name)()
        if isinstance(kind, TableKind):
            assert kind.name == name
            kind.options()


def test_from_file_to_file(tmp_path: Path) -> None:
    source = tmp_path / "d.tsv"
    source.write_text("big\tadj.\tlarge\n")
    table = build_table("dictionary", [source], {"inflect": "false", "gamma": "0.5"})
    assert write_table_file(tmp_path / "t.parquet", table) == 1
    read = read_table_file(tmp_path / "t.parquet")
    assert read.table.info.notes["options"]["gamma"] == 0.5
    with pytest.raises(InputError, match=r"casing\.tsv"):
        build_table("dictionary", [source], model=tmp_path)


def test_options_by_name() -> None:
    options = options_from("queries", QueryOptions, {"duplicates": "yes", "th4": "0.2", "top": 3})
    assert (options.duplicates, options.th4, options.top) == (True, 0.2, 3)
    with pytest.raises(InputError, match="table queries: unknown option 'nothing'"):
        options_from("queries", QueryOptions, {"nothing": 1})
    with pytest.raises(InputError, match="top: expected a whole number from 1"):
        options_from("queries", QueryOptions, {"top": "many"})


def test_inputs(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\tb\n")
    assert find_input(tmp_path / "x") == tmp_path / "x"
    with pytest.raises(InputError, match="no data of that name"):
        find_input("no-such-thing")
    with pytest.raises(InputError, match="expected data of one of"):
        find_input("glove-50d")


def test_words_are_replaced_in_place() -> None:
    rows = [PhraseRow(("car",), ("motor", "vehicle"), 0.0), PhraseRow(("old",), ("aged",), 0.0)]
    table = loose_table(rows, TableInfo("wordnet", "en", "x"))
    assert substitute_lines(["Old  cars, a CAR and an old car."], table, rate=1.0) == [
        "Aged  cars, a CAR and an aged motor vehicle."
    ]
    assert substitute_lines(["An old car."], table, match=["An old car."]) == ["An old car."]
    changed = substitute_lines(["An old car."], table, match=["An old bike."], seed=5)
    assert changed in (["An aged car."], ["An old motor vehicle."])
    masked = loose_table([PhraseRow(("car",), ("number", "<number>"), 0.0)], TableInfo("wordnet", "en", "x"))
    assert substitute_lines(["An old car."], masked, rate=1.0) == ["An old car."]
    with pytest.raises(InputError, match="expected 1 rewrites"):
        substitute_lines(["a"], self_table(["a"]), match=[])
