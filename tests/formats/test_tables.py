"""Tables as other tools read them."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

from paraphrast.formats.tables import WRITERS
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
