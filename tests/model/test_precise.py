from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast import Control, DataError, InputError, data
from paraphrast.model import precise
from paraphrast.model.precise import PreciseOptions, PreciseRoad, _joined, candidate_control, open_reader
from paraphrast.read import RoundTrip
from paraphrast.read.acceptability import FAST_COLUMNS, shipped
from paraphrast.read.reader import FIRST
from paraphrast.text import get_language
from paraphrast.types import Edit, Paraphrase
from paraphrast.types.results import apply_edits

TEXT = "The committee will examine a big proposal tomorrow."
#: Log-odds of a new word, by the fake reader; others are worse the more there are.
WORTH = {"look": 2.4, "at": 2.4, "inspect": 2.2, "plan": 2.5, "large": 2.0, "cat": -6.0, "commission": 0.5}


class FakeReader:
    """Reads words by a list; its first reading is blurred."""

    columns = ("back_odds", "forth_odds")
    groups = ("back", "forth")

    def __init__(self, trips: Sequence[str] = ()) -> None:
        self.trips = trips
        self.read_by_all: list[str] = []
        self.prepared: list[int] = []

    def readable(self, text: str) -> bool:
        return len(text) < 500

    def prepare(self, requests: Sequence[object]) -> None:
        self.prepared.append(len(requests))

    def round_trips(self, text: str, n: int, *, ways: int) -> list[RoundTrip]:
        return [RoundTrip(trip, "étranger", "fr", -0.1, -0.1) for trip in self.trips][:n]

    def read(
        self,
        source: str,
        rewrites: Sequence[str],
        groups: Collection[str],
        *,
        translations: int | None = None,
    ) -> np.ndarray:
        found = np.full((len(rewrites), 2), np.nan)
        known = set(source.lower().rstrip(".").split())
        for row, text in enumerate(rewrites):
            new = [word for word in text.lower().rstrip(".").split() if word not in known]
            odds = min([WORTH.get(word, -2.0) for word in new], default=0.0) - 0.02 * len(new)
            found[row, 0] = odds / 2
            if "forth" in groups:
                found[row, 1] = odds
                self.read_by_all.append(text)
        return found


class Column:
    """A probability that is one column."""

    def __init__(self, place: int) -> None:
        self.place = place

    def probability(self, columns: Sequence[str], features: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-features[:, self.place])))


def road(*trips: str, **options: int) -> PreciseRoad:
    made = PreciseRoad.__new__(PreciseRoad)
    made.reader, made.language = FakeReader(trips), get_language("en")  # type: ignore[assignment]
    made.options = replace(PreciseOptions(), **options)  # type: ignore[arg-type]
    made._first, made._full = Column(0), Column(1)  # type: ignore[assignment]
    return made


def fast(*pairs: tuple[str, str], text: str = TEXT) -> list[Paraphrase]:
    found = []
    for before, after in pairs:
        start = text.index(before)
        edit = Edit(start, start + len(before), start, start + len(after), before, after, 0.5, ("pivot",))
        found.append(Paraphrase(text, apply_edits(text, (edit,)), -1.0, (edit,)))
    return found


def test_good_parts_are_combined_and_bad_ones_come_last() -> None:
    candidates = fast(("examine", "look at"), ("proposal", "plan"), ("proposal", "cat"))
    results = road().rewrite(TEXT, candidates, Control(n=5))
    assert results[0].text == "The committee will look at a big plan tomorrow."
    assert all(apply_edits(TEXT, one.edits) == one.text for one in results)
    assert "cat" not in results[0].text
    assert "cat" in results[-1].text
    chances = [one.probability for one in results]
    assert all(chance is not None and 0 < chance < 1 for chance in chances)


def test_what_the_fast_road_knows_reaches_the_judgement() -> None:
    """Of rewrites whose parts all have a fast probability: the lowest, and how many; of others nothing."""

    class Noting(Column):
        def probability(self, columns: Sequence[str], features: np.ndarray) -> np.ndarray:
            places = [columns.index(name) for name in FAST_COLUMNS]
            rows.append(features[:, places])
            return super().probability(columns, features)

    rows: list[np.ndarray] = []
    made = road("The committee will inspect a big proposal tomorrow.")
    made._full = Noting(1)  # type: ignore[assignment]
    made.rewrite(TEXT, fast(("examine", "look at"), ("big", "large")), Control(n=5))
    seen = {tuple(row) for row in np.concatenate(rows).tolist() if not np.isnan(row[0])}
    unknown = [row for row in np.concatenate(rows).tolist() if np.isnan(row[0])]
    assert seen == {(0.0, 1.0), (0.0, 2.0)}
    assert unknown
    assert all(count == 0.0 for _, count in unknown)


def test_strength_asks_for_change_but_not_for_worse_rewrites() -> None:
    candidates = fast(("examine", "inspect"), ("big", "large"), ("proposal", "plan"), ("committee", "cat"))
    little = road().rewrite(TEXT, candidates, Control(strength=0.05))[0]
    much = road().rewrite(TEXT, candidates, Control(strength=1.0))[0]
    assert len(little.edits) < len(much.edits)
    assert "cat" not in much.text
    one = road().rewrite(TEXT, candidates, Control(strength=1.0, max_edits=1))
    assert {len(result.edits) for result in one} == {1}


def test_round_trips_are_candidates_alone_and_together() -> None:
    trips = (
        "The committee will look at a big cat tomorrow.",
        "The committee will look at a large plan tomorrow.",
    )
    results = road(*trips).rewrite(TEXT, [], Control(n=20))
    texts = [one.text for one in results]
    assert texts[0] in {
        "The committee will look at a big plan tomorrow.",
        "The committee will look at a large plan tomorrow.",
    }
    edits = [edit for one in results for edit in one.edits]
    assert all(edit.tables == ("roundtrip",) and edit.foreign == "étranger" for edit in edits)
    assert road(*trips).rewrite(TEXT, [], Control(tables=("pivot",))) == []
    both = road(*trips).rewrite(TEXT, fast(("examine", "look at")), Control(n=20))
    assert any(edit.tables == ("pivot", "roundtrip") for one in both for edit in one.edits)


def test_few_are_read_in_full() -> None:
    candidates = fast(*[("proposal", f"word{number}") for number in range(30)])
    chosen = road(fast=20, singles=3, combined=2)
    results = chosen.rewrite(TEXT, candidates, Control())
    assert len(set(chosen.reader.read_by_all)) == len(results) == 3  # type: ignore[attr-defined]


def test_protected_spans_and_constraints_hold() -> None:
    candidates = fast(("examine", "look at"), ("proposal", "plan"))
    start = TEXT.index("proposal")
    results = road(TEXT.replace("proposal", "plan")).rewrite(
        TEXT, candidates, Control(), [(start, start + 8)], lambda one: "inspect" not in one.text
    )
    assert [one.text for one in results] == ["The committee will look at a big proposal tomorrow."]
    assert road().rewrite(TEXT, candidates, Control(), (), lambda one: False) == []


def test_several_sentences_are_rewritten_one_by_one() -> None:
    text = f"{TEXT}  A cat slept. {TEXT}"
    offset = text.rindex("The committee")
    first, last = fast(("examine", "look at"), text=text), fast(("proposal", "plan"))[0]
    moved = tuple(
        replace(edit, start=edit.start + offset, end=edit.end + offset,
                out_start=edit.out_start + offset, out_end=edit.out_end + offset)
        for edit in last.edits
    )  # fmt: skip
    candidates = [*first, Paraphrase(text, apply_edits(text, moved), -1.0, moved)]
    result, *others = road().rewrite(text, candidates, Control())
    assert len(others) == 2, "each rewritten sentence alone"
    for one in (result, *others):
        assert apply_edits(text, one.edits) == one.text
    assert result.text.endswith("The committee will examine a big plan tomorrow.")
    assert result.text.startswith("The committee will look at a big proposal tomorrow.  A cat slept.")
    assert all(result.text[edit.out_start : edit.out_end] == edit.after for edit in result.edits)


def test_an_unlikely_sentence_may_stay_as_it_is() -> None:
    def one(after: str, probability: float) -> Paraphrase:
        return Paraphrase(
            "a", after, 0.0, (Edit(0, 1, 0, 1, "a", after, probability, ("pivot",)),), probability
        )

    rows = [(0, 1, [one("b", 0.02)]), (2, 3, [one("c", 0.9)]), (4, 5, [])]
    best, *others = _joined("a a x", rows, 0.5, get_language("en"))
    assert (best.text, best.probability) == ("a c x", 0.9)
    assert [other.text for other in others] == ["b c x", "b a x"]


def test_what_cannot_be_read_keeps_the_fast_rewrites() -> None:
    text = "word " * 200 + "end."
    candidates = fast(("end", "stop"), text=text)
    assert road().rewrite(text, candidates, Control()) == candidates
    assert road().rewrite("12 34", [], Control()) == []


def test_threads_change_nothing() -> None:
    texts = [TEXT, TEXT.replace("big", "new"), "A cat slept."] * 3
    candidates = [fast(("proposal", "plan"), text=text) if "proposal" in text else [] for text in texts]
    made = [
        road().rewrite_all(texts, candidates, Control(), [()] * len(texts), threads=threads)
        for threads in (1, 3)
    ]
    assert made[0] == made[1]
    alone = [road().rewrite(text, given, Control()) for text, given in zip(texts, candidates, strict=True)]
    assert made[0] == alone


def test_texts_are_read_in_step() -> None:
    reader = FakeReader(["The committee will inspect a big plan tomorrow."])
    texts = [TEXT, f"{TEXT} A cat slept.", "12 34"]
    made = PreciseRoad(reader, get_language("en"), first=Column(0), full=Column(1))  # type: ignore[arg-type]
    made.rewrite_all(texts, [[], [], []], Control(), [()] * 3)
    assert reader.prepared[0] == 3, "the round trips of three sentences"
    assert len(reader.prepared) == 4


def test_groups_that_no_model_uses_are_not_read() -> None:
    model = replace(shipped("first"), columns=("shape_new_words", "back_sum", "fast_least"))
    assert precise._used_groups([model]) == ["back", "shape"]
    assert set(precise._used_groups([shipped("first")])) == set(FIRST)


def test_candidates_are_single_edits_unless_phrases_must_be_used() -> None:
    asked = candidate_control(Control(n=3, precise=True, protect=("x",), distinct=0.5))
    assert (asked.precise, asked.max_edits, asked.protect, asked.distinct) == (False, 1, ("x",), 0.0)
    assert candidate_control(Control(precise=True, must_use=("plan",))).max_edits == 0


def test_missing_data_is_named_with_the_command_that_fetches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "is_cached", lambda name: False)
    with pytest.raises(DataError) as caught:
        open_reader(get_language("en"))
    for name in ("opus-mt-en-fr", "opus-mt-fr-en", "smollm2-135m", "minilm-en"):
        assert name in str(caught.value)
    assert "MB; Apache-2.0" in str(caught.value)
    assert "paraphrast data get opus-mt-en-fr opus-mt-fr-en" in str(caught.value)
    with pytest.raises(InputError, match="no translation models"):
        open_reader(get_language("de"))


def test_a_model_takes_the_precise_road(toy_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = road("The committee will inspect a big proposal tomorrow.")
    monkeypatch.setattr(precise.PreciseRoad, "open", classmethod(lambda *_, **__: made))
    model = paraphrast.load(toy_model)
    results = model.paraphrase(TEXT, precise=True, n=4)
    assert 0 < len(results) <= 4
    assert all(one.probability is not None and apply_edits(TEXT, one.edits) == one.text for one in results)
    assert all("plan" not in one.text for one in model.paraphrase(TEXT, precise=True, avoid=["plan"]))
    assert model.paraphrase(TEXT, precise=True, strength=0.0)[0].text == TEXT
    assert list(model.paraphrase_many([TEXT, TEXT], precise=True, n=4, threads=2)) == [results, results]
