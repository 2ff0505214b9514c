"""Tables as other tools read them."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import duckdb
import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.ppdb import read_ppdb
from paraphrast.formats.table_rows import write_rows
from paraphrast.formats.tables import WRITERS, read_meteor
from paraphrast.types import TextRow

ROWS = [
    TextRow("look at", "examine", math.log(0.25), 3, {"reverse": math.log(0.5), "in_de": None}),
    TextRow("a | b", "c", math.log(0.125), 1, {"reverse": None, "in_de": math.log(0.0625)}),
]


def test_tsv(tmp_path: Path) -> None:
    assert WRITERS["tsv"](tmp_path / "t", iter(ROWS)) == 2
    assert (tmp_path / "t").read_text() == (
        "source\ttarget\tprobability\tcount\treverse\tin_de\n"
        "look at\texamine\t0.25\t3\t0.5\t\n"
        "a | b\tc\t0.125\t1\t\t0.0625\n"
    )


def test_moses_has_inverse_then_direct(tmp_path: Path) -> None:
    assert WRITERS["moses"](tmp_path / "t", iter(ROWS)) == 2
    assert (
        tmp_path / "t"
    ).read_text() == "look at ||| examine ||| 0.5 0.25\na &#124; b ||| c ||| 1e-07 0.125\n"


def test_meteor_has_three_lines_a_row(tmp_path: Path) -> None:
    assert WRITERS["meteor"](tmp_path / "t.gz", iter(ROWS)) == 2
    assert (
        gzip.decompress((tmp_path / "t.gz").read_bytes()).decode()
        == "0.25\nlook at\nexamine\n0.125\na | b\nc\n"
    )


def test_meteor_is_read_back(tmp_path: Path) -> None:
    WRITERS["meteor"](tmp_path / "t", iter(ROWS))
    assert list(read_meteor(tmp_path / "t")) == [(0.25, "look at", "examine"), (0.125, "a | b", "c")]


@pytest.mark.parametrize("text", ["high\na\nb\n", "1.5\na\nb\n", "0.5\na\n"])
def test_malformed_meteor_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t").write_text("0.5\nbig\nlarge\n" + text)
    with pytest.raises(FormatError, match="three lines") as caught:
        list(read_meteor(tmp_path / "t"))
    assert "t:4" in str(caught.value)


def test_ppdb_has_negative_logarithms_and_links_of_equal_words(tmp_path: Path) -> None:
    rows = [*ROWS, TextRow("look at it", "examine it", math.log(0.5), 1, {})]
    assert WRITERS["ppdb"](tmp_path / "t", iter(rows)) == 3
    assert (tmp_path / "t").read_text().splitlines() == [
        "[X] ||| look at ||| examine ||| p(e|f)=1.38629 p(f|e)=0.69315 ||| ",
        "[X] ||| a | b ||| c ||| p(e|f)=2.07944 ||| ",
        "[X] ||| look at it ||| examine it ||| p(e|f)=0.69315 ||| 2-1",
    ]
    assert [row.source for row in read_ppdb(tmp_path / "t")] == ["look at", "a | b", "look at it"]


def test_parquet_has_the_columns_of_tsv(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    assert write_rows(path, iter(ROWS)) == 2
    rows = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    assert rows is not None
    assert rows.columns == ["source", "target", "probability", "count", "reverse", "in_de"]
    assert rows.fetchall() == [
        ("look at", "examine", pytest.approx(0.25), 3, pytest.approx(0.5), None),
        ("a | b", "c", pytest.approx(0.125), 1, None, pytest.approx(0.0625)),
    ]
    assert write_rows(path, []) == 0
    with pytest.raises(InputError, match="standard output"):
        write_rows("-", ROWS)
