"""Filters and vetoes together: whole words always, the filters only where they are asked for."""

from __future__ import annotations

import math

import numpy as np

from paraphrast.tables.checks.filters import FilterOptions
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.tables.checks.vetting import Vetting
from paraphrast.text import get_language
from paraphrast.types import ParaphraseTable, PhraseRow, Phrases, TableInfo, Vocabulary, loose_table

ROWS = [
    (("is", "not"), ("is", "n't")),
    (("I", "am"), ("I", "'m")),
    (("plan",), ("plans",)),
    (("can", "not"), ("ca", "n't")),
    (("can",), ("ca",)),
    (("wo",), ("will",)),
    (("it",), ("we",)),
    (("plan",), ("proposal",)),
    (("big",), ("small",)),
]


def vetted(check: str, kind: str = "dictionary") -> dict[tuple[str, str], int]:
    """The rows that pass, with their veto bits."""
    rows = [PhraseRow(source, target, math.log(0.5)) for source, target in ROWS]
    table = loose_table(rows, TableInfo(kind, "en", "by hand"))
    vocabulary = Vocabulary(tuple(table.words), np.ones(len(table.words), np.int64))
    vetting = Vetting.of(vocabulary, get_language("en"), FilterOptions(), [("big", "small")])
    result: ParaphraseTable = getattr(vetting, check)(table.table, table.phrases)

    def text(phrases: Phrases, number: int) -> str:
        return " ".join(table.words[word] for word in phrases.words[number] if word >= 0)

    assert np.array_equal(np.lexsort((result.target, result.source)), np.arange(len(result)))
    return {
        (text(table.phrases, source), text(table.phrases, target)): int(veto)
        for source, target, veto in zip(result.source, result.target, result.veto, strict=True)
    }


def test_stems_before_a_clitic_are_dropped_without_filters_too() -> None:
    assert set(vetted("whole")) == {
        ("is not", "is n't"),
        ("I am", "I 'm"),
        ("plan", "plans"),
        ("can not", "ca n't"),
        ("it", "we"),
        ("plan", "proposal"),
        ("big", "small"),
    }


def test_an_unfiltered_lexicon_may_list_forms_of_one_word() -> None:
    inflection = VETOES["inflection"]
    other, lexicon = vetted("whole"), vetted("whole", "lexicon")
    assert other["I am", "I 'm"] & inflection
    assert other["plan", "plans"] & inflection
    assert not any(bits & inflection for bits in lexicon.values())
    assert lexicon["big", "small"] & VETOES["antonym"]


def test_filters_drop_rows_and_vetoes_mark_them() -> None:
    checked = vetted("checked")
    assert set(checked) == {("plan", "plans"), ("plan", "proposal"), ("big", "small")}
    for rows in (checked, vetted("whole")):
        assert rows["big", "small"] & VETOES["antonym"]
        assert not rows["plan", "proposal"]
