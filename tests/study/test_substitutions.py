"""Substitutes of spans, of the n best and all there are, on a model of our own bitext."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast import Control, InputError, Paraphraser
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.formats.substitutions import Target, targets_of
from paraphrast.study.options import StudyOptions
from paraphrast.study.substitutions import (
    EVERYTHING,
    nbest_substitutes,
    possible_substitutes,
    span_substitutes,
    study_tables,
)
from toy import seal

SENTENCE = "The committee will examine a big proposal tomorrow."
FEW = BootstrapOptions(samples=20)


@pytest.fixture(scope="module")
def model(toy_model: Path) -> Paraphraser:
    return paraphrast.load(toy_model)


def place(word: str, text: str = SENTENCE) -> tuple[str, int, int]:
    start = text.index(word)
    return text, start, start + len(word)


def test_a_span_gets_its_substitutes_and_nothing_else(model: Paraphraser) -> None:
    big, examine, no = span_substitutes(model, [place("big"), place("examine"), place("xamine")])
    assert "large" in [one.after for one in big]
    assert "study" in [one.after for one in examine]
    assert no == []
    for one in [*big, *examine]:
        assert SENTENCE[one.start : one.end] == one.before
        assert 0 < one.probability <= 1
        assert 0 < one.context < 1
        assert one.tables == ("pivot",)
    assert [one.rank for one in examine] == list(range(1, len(examine) + 1))
    assert [one.score for one in examine] == sorted((one.score for one in examine), reverse=True)
    with pytest.raises(InputError, match="within 0"):
        span_substitutes(model, [(SENTENCE, 4, 4)])


def test_probabilities_in_context_leave_room_for_keeping(model: Paraphraser) -> None:
    (few,) = span_substitutes(model, [place("examine")], n=1)
    (many,) = span_substitutes(model, [place("examine")], n=200)
    assert few == many[:1]
    total = math.fsum(one.context for one in many)
    kept = many[0].context / math.exp(many[0].score)
    assert total + kept == pytest.approx(1)


def test_a_span_scores_as_the_whole_decoder_does(model: Paraphraser) -> None:
    (many,) = span_substitutes(model, [place("examine")], n=200)
    alone = {one.after: one.score for one in many}
    results = model.paraphrase(SENTENCE, n=200, strength=1.0, max_edits=1)
    found = [one for one in results if len(one.edits) == 1 and one.edits[0].before == "examine"]
    assert found
    for one in found:
        assert one.score == pytest.approx(alone[one.edits[0].after], abs=1e-4)


def test_a_sentences_start_is_cased_as_the_input(model: Paraphraser) -> None:
    (substitutes,) = span_substitutes(model, [place("Big", "Big proposal.")])
    assert "Large" in [substitute.after for substitute in substitutes]
    (substitutes,) = span_substitutes(model, [place("big")])
    assert "large" in [substitute.after for substitute in substitutes]


def test_all_there_is_holds_what_the_n_best_use(model: Paraphraser) -> None:
    rows = possible_substitutes(model, [SENTENCE, SENTENCE, " "])
    every = {(row.start, row.end, row.after) for row in rows}
    assert len(every) == len(rows)
    assert all(row.correct is None and SENTENCE[row.start : row.end] == row.before for row in rows)
    (used,) = nbest_substitutes(model, [SENTENCE], Control(n=10, strength=1.0))
    assert used
    assert {(one.start, one.end, one.after) for one in used} <= every
    assert all(1 <= one.rank <= 10 for one in used)
    few = possible_substitutes(model, [SENTENCE], top=1)
    spans = [(row.start, row.end) for row in few]
    assert spans
    assert len(spans) == len(set(spans))


def test_a_study_of_labelled_sentences(model: Paraphraser) -> None:
    rows = possible_substitutes(model, [SENTENCE])
    labelled = [replace(row, correct=row.after in ("large", "study", "plan")) for row in rows]
    study = study_tables(model, targets_of(labelled), EVERYTHING, StudyOptions(mode="sentence"), FEW)
    ((names, alone),) = study.alone
    ((added, score),) = study.added
    assert names == added == ("pivot",)
    assert alone == score
    assert score.share_judged == 1
    assert 1 <= score.dcs <= 3
    assert score.accuracy == score.accuracy_judged == pytest.approx(score.dcs / score.offered)
    assert score.pser.total == pytest.approx(1 - score.dcs / score.offered)


def test_a_study_of_spans(model: Paraphraser) -> None:
    _, start, end = place("examine")
    targets = [
        Target("1", SENTENCE, start, end, {"studied": 0.1, "study": 0.9, "table": 0.6}, lemmas=True),
        Target("2", "Nothing known here.", 0, 7, {"x": 1.0}),
    ]
    for confidence in ("table", "context"):
        study = study_tables(model, targets, options=StudyOptions(confidence=confidence), bootstrap=FEW)
        score = study.added[-1][1]
        assert (score.targets, score.covered, score.dcs) == (2, 1, 1)
    unjudged = [one for one in study.outcomes if one.correct is None]
    assert len(unjudged) == score.offered - score.judged
    with pytest.raises(InputError, match="unknown table"):
        study_tables(model, targets, tables=["nothing"])
    with pytest.raises(InputError, match="span or sentence"):
        StudyOptions(mode="word")


@pytest.fixture(scope="module")
def two_tables(toy_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Paraphraser:
    """The same model with every other row in a table of its own."""
    folder = tmp_path_factory.mktemp("two") / "model"
    shutil.copytree(toy_model, folder)
    names = json.loads((folder / "decoder" / "names.json").read_text(encoding="utf-8"))
    names["tables"].append("other")
    (folder / "decoder" / "names.json").write_text(json.dumps(names), encoding="utf-8")
    bits = np.load(folder / "decoder" / "tables.npy")
    bits[::2] = 2
    np.save(folder / "decoder" / "tables.npy", bits)
    return paraphrast.load(seal(folder))


def test_tables_are_studied_alone_and_added(two_tables: Paraphraser) -> None:
    rows = possible_substitutes(two_tables, [SENTENCE])
    targets = targets_of([replace(row, correct=len(row.after) % 2 == 0) for row in rows])
    options = StudyOptions(n=50, mode="sentence")
    study = study_tables(two_tables, targets, options=options, bootstrap=FEW)
    assert [names for names, _ in study.alone] == [("pivot",), ("other",)]
    best = max(study.alone, key=lambda row: (row[1].accuracy_judged or 0, row[1].dcs))
    assert study.added[0] == best
    assert set(study.added[1][0]) == {"pivot", "other"}
    # Tables that share no row share no substitute, and whatever one finds is of it.
    found = [{(one.target, one.offer.after) for one in study.each[name]} for name in ("pivot", "other")]
    alone = [
        nbest_substitutes(two_tables, [SENTENCE], Control(n=50, strength=1.0, tables=(name,)))[0]
        for name in ("pivot", "other")
    ]
    for name, listed, outcomes in zip(("pivot", "other"), alone, found, strict=True):
        assert {one.tables for one in listed} == {(name,)}
        assert len(listed) == len(outcomes)
    assert not {(one.start, one.after) for one in alone[0]} & {(one.start, one.after) for one in alone[1]}


def test_precise_reads_substitutes_in_their_sentence(
    toy_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []

    class Road:
        def judge(self, text: str, rewrites: list[str], *, fast: list[float]) -> list[float]:
            assert len(fast) == len(rewrites)
            asked.append((text, rewrites))
            return [0.9 if "study" in one else 0.2 for one in rewrites]

    model = paraphrast.load(toy_model)
    monkeypatch.setattr(model, "precise_road", lambda threads: Road())
    text = f"It is late. {SENTENCE}"
    found, none = span_substitutes(
        model, [place("examine", text), place("late", text)], replace(EVERYTHING, precise=True), n=3
    )
    assert (found[0].after, found[0].probability, found[0].rank) == ("study", 0.9, 1)
    assert len(found) == 3
    assert asked[0][0] == SENTENCE
    assert SENTENCE.replace("examine", "study") in asked[0][1]
    assert none == [] or none[0].probability == 0.2
