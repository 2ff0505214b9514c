"""From an evaluation's own sentences, and from a model, to paraphrased references."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast.errors import InputError
from paraphrast.formats.table_file import write_table_file
from paraphrast.references.equivalents import count_sets
from paraphrast.references.options import SetOptions
from paraphrast.study.options import Origins
from paraphrast.study.references import (
    bitext_sets,
    find_substitutions,
    spelling_of,
    wanted_phrases,
)
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.types import PhraseRow, TableInfo, loose_table

ROWS = list(toy.rows(250))
ENGLISH = [english for english, _, _ in ROWS]
FOREIGN = [german for _, german, _ in ROWS]


def test_synonyms_share_a_source_word() -> None:
    sets = bitext_sets(FOREIGN, ENGLISH, SetOptions(threshold=0.1), source_language="de")
    by_source = {one.source: {item.phrase for item in one.items} for one in sets}
    assert {("law",), ("act",)} <= by_source[("gesetz",)]
    assert {("answer",), ("reply",)} <= by_source[("antwort",)]
    assert count_sets(sets)["sets"] == len(sets)


def test_unequal_sides_are_refused() -> None:
    with pytest.raises(InputError, match="2 and 1"):
        bitext_sets(["a", "b"], ["c"])


def test_unsegmented_sources_are_aligned_by_character() -> None:
    sources = ["我要水", "我要茶", "你要水", "你要茶"] * 10
    references = ["I want water", "I want tea", "you need water", "you want tea"] * 10
    sets = bitext_sets(sources, references, SetOptions(closed="none", longest=1))
    assert {item.phrase for one in sets if one.source == ("要",) for item in one.items} >= {
        ("want",),
        ("need",),
    }


def test_a_model_gives_what_its_tables_have(toy_model: Path) -> None:
    origins = Origins(bitext=False, model=str(toy_model), target_language="en", source_language="de")
    found = find_substitutions(FOREIGN, ENGLISH, origins)
    assert found.names == ("model",)
    assert ("act",) in {one.target for one in found.substitutions.of(("law",))}
    assert not found.sets
    assert all(one.origin == "pivot" for _, one in found.substitutions.items())


def test_tables_and_inflections_are_origins(tmp_path: Path) -> None:
    table = loose_table([PhraseRow(("law",), ("statute",), -1.0)], TableInfo("toy", "en", "none"))
    write_table_file(tmp_path / "mine.parquet", table)
    origins = Origins(bitext=False, tables=(str(tmp_path / "mine.parquet"),), inflections=True)
    found = find_substitutions(["x"], ["the law"], origins, outputs=[["two laws"]])
    assert {(one.target, one.origin) for one in found.substitutions.of(("law",))} == {
        (("statute",), "mine"),
        (("laws",), "inflection"),
    }
    assert found.names == ("mine", "inflection", "spelling", "function")


def test_inflections_are_no_reason_for_a_veto_here(tmp_path: Path) -> None:
    rows = [PhraseRow(("law",), (word,), -1.0) for word in ("laws", "lawless")]
    table = loose_table(rows, TableInfo("toy", "en", "none"))
    vetoes = {"laws": VETOES["inflection"], "lawless": VETOES["inflection"] | VETOES["antonym"]}
    bits = [vetoes[table.phrase(int(target))[0]] for target in table.table.target]
    write_table_file(
        tmp_path / "mine.parquet",
        replace(table, table=replace(table.table, veto=np.array(bits, dtype=np.uint8))),
    )
    origins = Origins(bitext=False, tables=(str(tmp_path / "mine.parquet"),))
    found = find_substitutions(["x"], ["the law"], origins)
    assert [one.target for one in found.substitutions.of(("law",))] == [("laws",)]
    assert [name for name, _ in found.parts] == ["mine"]
    strict = find_substitutions(["x"], ["the law"], replace(origins, vetoes=tuple(VETOES)))
    assert len(strict.substitutions) == 0
    with pytest.raises(InputError, match="unknown veto"):
        replace(origins, vetoes=("spelling",))


def test_expand_references_is_at_the_door() -> None:
    origins = Origins(source_language="de", sets=SetOptions(threshold=0.2))
    found = paraphrast.expand_references(FOREIGN, ENGLISH, origins=origins, n=5)
    assert len(found) == len(ENGLISH)
    assert [own[0].text for own in found] == ENGLISH
    assert max(len(own) for own in found) > 1
    assert all(len(one.edits) == 1 for own in found for one in own[1:])
    assert all(len(own) <= 6 for own in found)
    best = paraphrast.expand_references(FOREIGN, ENGLISH, kind="best", origins=origins, n=3)
    assert max(len(one.edits) for own in best for one in own) > 1


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="one string"):
        paraphrast.expand_references("a", ["b"])
    with pytest.raises(InputError, match="one or best"):
        paraphrast.expand_references(["a"], ["b"], kind="many")
    with pytest.raises(InputError, match="threshold"):
        Origins(threshold=2)
    with pytest.raises(InputError, match="empty"):
        paraphrast.expand_references(["a"], [" "], origins=Origins(source_language="de"))


def test_helpers() -> None:
    assert spelling_of(["The EU and the eu", "So EU it is"])["eu"] == "EU"
    assert ("a", "b") in wanted_phrases(["A b c"])
