from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from paraphrast.cli.app import make_app
from paraphrast.errors import InputError
from paraphrast.formats.table_file import read_table_file

RUN = CliRunner()


def test_build_expand_and_substitute(tmp_path: Path) -> None:
    source, table, grown = tmp_path / "w.tsv", tmp_path / "t.parquet", tmp_path / "g.parquet"
    source.write_text("car\tauto\tn\t1\t3\n")
    done = RUN.invoke(make_app(), ["table", "wordnet", str(source), "-o", str(table), "--no-inflect"])
    assert done.exit_code == 0, done.output
    assert len(read_table_file(table)) == 1
    done = RUN.invoke(make_app(), ["table", "expand", str(table), "-o", str(grown)])
    assert done.exit_code == 0, done.output
    assert len(read_table_file(grown)) == 2
    text = tmp_path / "text.txt"
    text.write_text("The cars and the car.\n")
    done = RUN.invoke(make_app(), ["table", "substitute", str(grown), str(text), "--rate", "1"])
    assert done.stdout == "The autos and the auto.\n"


def test_settings(tmp_path: Path) -> None:
    source, table = tmp_path / "log.tsv", tmp_path / "t.parquet"
    source.write_text("cheap flights\ta\nlow cost flights\ta\n")
    command = ["table", "queries", str(source), "-o", str(table), "--set", "most-queries=5"]
    done = RUN.invoke(make_app(), command)
    assert done.exit_code == 0, done.output
    assert read_table_file(table).table.info.notes["options"]["most_queries"] == 5
    with pytest.raises(InputError, match="NAME=VALUE"):
        RUN.invoke(make_app(), [*command[:-1], "nonsense"], catch_exceptions=False)


@pytest.mark.parametrize(
    "kind",
    [
        "thesaurus",
        "lexicon",
        "chunks",
        "comparable",
        "dictionary",
        "queries",
        "self",
        "wordnet",
        "wordclusters",
        "clusters",
    ],
)
def test_every_kind_has_a_command(kind: str) -> None:
    assert RUN.invoke(make_app(), ["table", kind, "--help"]).exit_code == 0
