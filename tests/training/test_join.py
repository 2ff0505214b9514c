"""A table made elsewhere joins the model: its rows are used, vetoed, explained, and weigh what they should."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

import paraphrast
import toy
from paraphrast import InputError
from paraphrast.engine import Engine
from paraphrast.formats.phrases import load_phrases
from paraphrast.formats.table_file import load_table, write_table_file
from paraphrast.model import explain, paraphrases_of
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.types import PhraseRow, TableInfo, loose_table


def folder_with_table(toy_model: Path, tmp_path: Path, language: str = "en", name: str = "") -> Path:
    """The toy data with one more table, and its configuration."""
    folder = tmp_path / "data"
    shutil.copytree(toy_model.parent, folder, ignore=shutil.ignore_patterns("model*"))
    rows = [
        PhraseRow(("proposal",), ("plan",), math.log(0.9), 3, {"rank": -1.0}),
        PhraseRow(("proposal",), ("zzyzx",), math.log(0.8)),
        PhraseRow(("tomorrow",), ("the", "committee"), math.log(0.2)),
    ]
    info = TableInfo("dictionary", language, "dictionary|by hand", features={"rank": {"direction": "higher"}})
    write_table_file(folder / "words.parquet", loose_table(rows, info, ["rank"]))
    config = folder / "config.toml"
    named = f'name = "{name}"\n' if name else ""
    config.write_text(config.read_text() + f'\n[[table]]\npath = "words.parquet"\n{named}')
    return config


def test_rows_are_found_and_explained(toy_model: Path, tmp_path: Path) -> None:
    paraphrast.train(folder_with_table(toy_model, tmp_path), tmp_path / "model", threads=1)
    model = paraphrast.load(tmp_path / "model")
    assert paraphrases_of(model, "proposal")[0][0] == "plan"
    tables = {row.table: row for row in explain(model, "proposal", "plan").tables}
    assert tables["dictionary"].score == pytest.approx(math.log(0.9))
    assert tables["dictionary"].features == {"rank": -1.0}
    assert not any(text == "zzyzx" for text, _ in paraphrases_of(model, "proposal"))
    best = model.paraphrase("The committee will examine the proposal tomorrow.", n=5, strength=1.0)
    edits = [edit for result in best for edit in result.edits if edit.after == "plan"]
    assert edits
    assert all(set(edit.tables) == {"dictionary", "pivot"} for edit in edits)
    other = paraphrast.load(toy_model)
    for phrase in ("proposal", "examine"):
        pivot = [row for row in paraphrases_of(other, phrase) if row[0] != "plan"]
        assert set(pivot) <= set(paraphrases_of(model, phrase))


def test_evidence_of_the_pivot_survives_new_numbers(toy_model: Path, tmp_path: Path) -> None:
    paraphrast.train(folder_with_table(toy_model, tmp_path), tmp_path / "model", threads=1)
    before, after = paraphrast.load(toy_model), paraphrast.load(tmp_path / "model")
    known = [text for text, _ in paraphrases_of(before, "examine")]
    assert known
    for text in known:
        assert explain(after, "examine", text).pivots == explain(before, "examine", text).pivots


@pytest.mark.parametrize("filtered", [True, False])
def test_filters_of_a_table_can_be_turned_off(tmp_path: Path, filtered: bool) -> None:
    """The filters refuse pairs without a content word. Stems before a clitic are always dropped, vetoes always set."""
    lines = [f"{english}\t{german}" for english, german, _ in toy.rows(60)]
    lines += ["it is old and we ca n't see it .\tes ist alt und wir sehen es nicht ."] * 20
    lines += ["we can see the Paris of today .\twir sehen das Paris von heute ."] * 20
    (tmp_path / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [
        PhraseRow(("it",), ("we",), math.log(0.5)),
        PhraseRow(("proposal",), ("plan",), math.log(0.5)),
        PhraseRow(("can",), ("ca",), math.log(0.5)),
        PhraseRow(("Paris",), ("today",), math.log(0.5)),
    ]
    write_table_file(tmp_path / "words.parquet", loose_table(rows, TableInfo("dictionary", "en", "by hand")))
    config = tmp_path / "config.toml"
    config.write_text(
        'language = "en"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de"]\n'
        f'[[table]]\npath = "words.parquet"\nfilters = {str(filtered).lower()}\n[lm]\norder = 2\n'
    )
    folder = paraphrast.train(config, tmp_path / "model", threads=1)
    with Engine(threads=1) as engine:
        table = load_table(engine, folder / "tables" / "dictionary.parquet")
        phrases, _ = load_phrases(engine, folder / "phrases.parquet")
    words = paraphrast.load(folder).vocabulary.words
    assert "ca" in words
    vetoes = {
        (words[phrases.words[source, 0]], words[phrases.words[target, 0]]): int(veto)
        for source, target, veto in zip(table.source, table.target, table.veto, strict=True)
    }
    assert ("proposal", "plan") in vetoes
    assert (("it", "we") in vetoes) == (not filtered)
    assert ("can", "ca") not in vetoes
    assert vetoes["Paris", "today"] & VETOES["name"]


def test_filters_must_be_true_or_false(toy_model: Path, tmp_path: Path) -> None:
    config = folder_with_table(toy_model, tmp_path)
    config.write_text(config.read_text() + 'filters = "no"\n')
    with pytest.raises(InputError, match="expected true or false, got 'no'"):
        paraphrast.train(config, tmp_path / "model", threads=1)


def test_another_language_is_refused(toy_model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a table of 'en', got one of 'de'"):
        paraphrast.train(folder_with_table(toy_model, tmp_path, "de"), tmp_path / "model", threads=1)


@pytest.mark.parametrize("name", ["pivot", "phrases", "a b"])
def test_names_must_be_new(toy_model: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="that no other table has"):
        paraphrast.train(folder_with_table(toy_model, tmp_path, name=name), tmp_path / "model", threads=1)


def test_names_are_vetoed_where_every_noun_has_a_capital(tmp_path: Path) -> None:
    """In German a capital does not tell a name; that Paris has one in English too does, for joined tables as well."""
    lines = [f"{english}\t{german}" for english, german, _ in toy.rows(60)]
    lines += ["we saw Paris and Berlin today .\twir sahen Paris und Berlin heute ."] * 20
    lines += ["we saw the house and the home today .\twir sahen das Haus und das Heim heute ."] * 20
    (tmp_path / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [
        PhraseRow(("Paris",), ("Berlin",), math.log(0.5)),
        PhraseRow(("Haus",), ("Heim",), math.log(0.5)),
    ]
    write_table_file(tmp_path / "words.parquet", loose_table(rows, TableInfo("dictionary", "de", "by hand")))
    config = tmp_path / "config.toml"
    config.write_text(
        'language = "de"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de"]\n'
        '[[table]]\npath = "words.parquet"\n[lm]\norder = 2\n'
    )
    model = paraphrast.train(config, tmp_path / "model", threads=1)
    with Engine(threads=1) as engine:
        table = load_table(engine, model / "tables" / "dictionary.parquet")
        phrases, _ = load_phrases(engine, model / "phrases.parquet")
    vocabulary = paraphrast.load(model).vocabulary
    vetoes = {
        vocabulary.words[phrases.words[source, 0]]: int(veto)
        for source, veto in zip(table.source, table.veto, strict=True)
    }
    assert vetoes["Paris"] & VETOES["name"]
    assert not vetoes["Haus"]
