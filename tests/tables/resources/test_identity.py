from __future__ import annotations

from pathlib import Path

from paraphrast.formats.table_file import write_table_file
from paraphrast.tables.resources.identity import SelfKind, self_table
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import SelfOptions


def test_every_word_is_itself() -> None:
    table = self_table(["b", "a", "a", "<number>", ",", "<s>"])
    assert table.table.source.tolist() == table.table.target.tolist()
    assert [table.phrase(index) for index in table.table.source] == [("a",), ("b",)]
    assert table.table.score.tolist() == [0.0, 0.0]


def test_words_of_tables_and_of_text(tmp_path: Path) -> None:
    write_table_file(tmp_path / "one.parquet", self_table(["cat"]))
    (tmp_path / "text.txt").write_text("a dog's bone\n")
    table = SelfKind().build(TableJob([tmp_path / "one.parquet", tmp_path / "text.txt"]), SelfOptions())
    assert [table.phrase(index)[0] for index in table.table.source] == ["'s", "a", "bone", "cat", "dog"]
