from __future__ import annotations

import math
from pathlib import Path

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.tables.resources.kinds import TableJob
from paraphrast.tables.resources.options import WordnetOptions
from paraphrast.tables.resources.wordnet import WordnetKind, changed_words, replace_words
from paraphrast.types import LooseTable

PAIRS = (
    "car\tauto\tn\t1\t71\ncar\tmachine\tn\t1\t71\ncar\trailcar\tn\t2\t2\n"
    "run\trush\tv\t1\t9\nrun\ttally\tn\t1\t20\n"
)


def build(tmp_path: Path, **options: object) -> LooseTable:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return WordnetKind().build(TableJob([path]), WordnetOptions(**options))  # type: ignore[arg-type]


def rows(table: LooseTable) -> dict[tuple[str, str], float]:
    return {
        (" ".join(table.phrase(s)), " ".join(table.phrase(t))): float(score)
        for s, t, score in zip(table.table.source, table.table.target, table.table.score, strict=True)
    }


def test_members_of_the_most_frequent_synset_are_equally_likely(tmp_path: Path) -> None:
    found = rows(build(tmp_path, inflect=False))
    assert found == {
        ("car", "auto"): pytest.approx(math.log(0.5)),
        ("car", "machine"): pytest.approx(math.log(0.5)),
        ("run", "tally"): 0.0,
    }
    assert ("cars", "autos") in rows(build(tmp_path))


def test_one_arbitrary_member_by_seed(tmp_path: Path) -> None:
    drawn = {
        next(iter(rows(build(tmp_path, inflect=False, arbitrary=True, seed=seed)))) for seed in range(12)
    }
    assert drawn == {("car", "auto"), ("car", "machine")}
    once, twice = (rows(build(tmp_path, arbitrary=True, seed=3)) for _ in range(2))
    assert once == twice


def test_bad_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS + "car\tauto\n")
    with pytest.raises(FormatError, match=r"pairs\.tsv:6"):
        WordnetKind().build(TableJob([path]), WordnetOptions())


def test_as_many_words_as_another_system(tmp_path: Path) -> None:
    table = build(tmp_path, inflect=False)
    sentences = [["the", "car", "will", "run"], ["the", "car"], ["no", "word"]]
    assert changed_words(sentences[0], ["the", "truck", "will", "run"]) == 1
    chosen = list(replace_words(sentences, table, match=[1, 5, 1], seed=1))
    assert [len(edits) for edits in chosen] == [1, 1, 0]
    assert chosen == list(replace_words(sentences, table, match=[1, 5, 1], seed=1))
    everything = list(replace_words(sentences, table, rate=1.0))
    assert [[place for place, _ in edits] for edits in everything] == [[1, 3], [1], []]
    assert all(not edits for edits in replace_words(sentences, table, rate=0.0))


def test_wrong_wishes(tmp_path: Path) -> None:
    table = build(tmp_path, inflect=False)
    with pytest.raises(InputError, match="either a rate or"):
        list(replace_words([["car"]], table))
    with pytest.raises(InputError, match="expected 1 numbers"):
        list(replace_words([["car"]], table, match=[1, 2]))
    with pytest.raises(InputError, match="rate"):
        list(replace_words([["car"]], table, rate=2.0))
