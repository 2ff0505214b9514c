from __future__ import annotations

import pytest

from paraphrast.evaluate.sentences import acceptability
from paraphrast.formats.outputs import SystemOutput
from paraphrast.reproduce.ratings import MISSING, rater_agreement, with_missing
from paraphrast.reproduce.records import NotMadeError


def _output(source: str, text: str, system: str, *votes: int, rank: int = 1) -> SystemOutput:
    labels = {"accept": dict(zip("ab", votes, strict=False))}
    return SystemOutput(source, text, system, rank, "captions", labels=labels)


OUTPUTS = [
    _output("one", "1", "ours", 1, 1),
    _output("one", "uno", "ours", 0, 1, rank=2),
    _output("two", "2", "ours", 1, 0),
    _output("two", "2", "theirs", 1, 0),
]


def test_a_missing_output_is_not_accepted() -> None:
    rows = with_missing(OUTPUTS, "accept")
    shares = {(row.system, row.rank): row.share for row in acceptability(rows, "accept")}
    assert {key: (share.accepted, share.total) for key, share in shares.items()} == {
        ("ours", 1): (1.5, 2),
        ("ours", 2): (0.5, 2),
        ("theirs", 1): (0.5, 2),
    }
    assert sorted(row.source for row in rows if MISSING in row.labels["accept"]) == ["one", "two"]
    assert with_missing([], "accept") == []


def test_agreement_needs_two_ratings_of_one_output() -> None:
    with pytest.raises(NotMadeError, match="two ratings"):
        rater_agreement([_output("one", "1", "ours", 1)], "accept")


def test_an_output_of_two_systems_counts_once_for_agreement() -> None:
    agreement = rater_agreement(OUTPUTS, "accept")
    assert agreement.items == 3
    assert agreement.percent == 1 / 3
