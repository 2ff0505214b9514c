from __future__ import annotations

import pytest
import sacrebleu

from paraphrast.errors import InputError
from paraphrast.references.equivalents import Substitute, Substitutions
from paraphrast.references.lattices import reference_lattice
from paraphrast.references.metrics import METRICS, get_metric
from paraphrast.references.options import ScoreOptions, SearchOptions
from paraphrast.references.scoring import KINDS, Cell, score_cells

REFERENCES = ["The committee will examine the proposal tomorrow .", "We met the people in the house."]
TABLE = Substitutions(
    {
        ("examine",): (Substitute(("look", "at"), 0.4, "pivot"), Substitute(("study",), 0.2, "pivot")),
        ("people",): (Substitute(("citizens",), 0.5, "bitext"),),
        ("house",): (Substitute(("building",), 0.5, "bitext"),),
    }
)
CELLS = (
    Cell(0, "one", "The committee will look at the proposal tomorrow ."),
    Cell(0, "two", "A dog barks at night ."),
    Cell(1, "one", "We met the citizens in the building."),
    Cell(1, "two", REFERENCES[1]),
)
FULL = ScoreOptions(credit=0.0)


def lattices(table: Substitutions) -> list[list[object]]:
    return [[reference_lattice(text, table)] for text in REFERENCES]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("kind", KINDS)
def test_without_paraphrases_every_kind_is_the_metric(name: str, kind: str) -> None:
    metric = get_metric(name, REFERENCES)
    single = score_cells(metric, "single", lattices(TABLE), CELLS)  # type: ignore[arg-type]
    other = score_cells(metric, kind, lattices(Substitutions()), CELLS)  # type: ignore[arg-type]
    assert other.scores.tolist() == single.scores.tolist()
    assert other.rows.tolist() == single.rows.tolist()
    assert other.references == 1


def test_single_scores_are_sacrebleus() -> None:
    found = score_cells(get_metric("bleu"), "single", lattices(TABLE), CELLS)  # type: ignore[arg-type]
    theirs = sacrebleu.BLEU(effective_order=True)
    for cell, score in zip(CELLS, found.scores.tolist(), strict=True):
        assert score == theirs.sentence_score(cell.text, [REFERENCES[cell.segment]]).score


@pytest.mark.parametrize("name", METRICS)
def test_a_lattice_matches_an_output_that_uses_paraphrases(name: str) -> None:
    metric = get_metric(name, REFERENCES)
    single = score_cells(metric, "single", lattices(TABLE), CELLS, FULL)  # type: ignore[arg-type]
    found = score_cells(metric, "lattice", lattices(TABLE), CELLS, FULL)  # type: ignore[arg-type]
    assert metric.worth(found.scores[0]) > metric.worth(single.scores[0])
    assert found.used is not None
    assert found.used[0][0].text == CELLS[0].text
    assert found.used[2][0].text == CELLS[2].text
    assert found.used[3][0].edits == ()
    assert found.scores[3] == single.scores[3]
    assert found.exact == 1.0


def test_one_at_a_time_cannot_match_two_substitutions_side_by_side() -> None:
    metric = get_metric("cder")
    one = score_cells(metric, "one", lattices(TABLE), CELLS, FULL)  # type: ignore[arg-type]
    lattice = score_cells(metric, "lattice", lattices(TABLE), CELLS, FULL)  # type: ignore[arg-type]
    assert lattice.scores[2] == 0
    assert one.scores[2] > 0
    assert one.references == pytest.approx((3 + 3) / 2)


def test_partial_credit_lies_between() -> None:
    metric = get_metric("bleu")
    single, full, part = (
        score_cells(metric, kind, lattices(TABLE), CELLS, ScoreOptions(credit=credit))  # type: ignore[arg-type]
        for kind, credit in (("single", 0.0), ("lattice", 0.0), ("lattice", 1.0))
    )
    # One substitution of probability 0.4: that share of the rise in every count.
    expected = single.rows[0] + 0.4 * (full.rows[0] - single.rows[0])
    assert part.rows[0].tolist() == pytest.approx(expected.tolist())
    assert single.scores[0] < part.scores[0] < full.scores[0]
    # Two of a half each: a quarter.
    expected = single.rows[2] + 0.25 * (full.rows[2] - single.rows[2])
    assert part.rows[2].tolist() == pytest.approx(expected.tolist())


def test_several_references_have_a_path_each() -> None:
    own = [[reference_lattice(text, TABLE) for text in REFERENCES]]
    found = score_cells(get_metric("bleu"), "lattice", own, [Cell(0, "x", CELLS[2].text)], FULL)
    assert found.used is not None
    assert [path.text for path in found.used[0]] == [REFERENCES[0], CELLS[2].text]
    assert found.scores[0] == pytest.approx(100)


def test_a_price_keeps_what_gains_little() -> None:
    dear = ScoreOptions(credit=0.0, search=SearchOptions(price=100))
    found = score_cells(get_metric("bleu"), "lattice", lattices(TABLE), CELLS, dear)  # type: ignore[arg-type]
    assert found.used is not None
    assert [len(paths) for paths in found.used] == [1] * len(CELLS)
    assert not any(path.edits for paths in found.used for path in paths)
    cheap = score_cells(get_metric("bleu"), "lattice", lattices(TABLE), CELLS, FULL)  # type: ignore[arg-type]
    assert cheap.used is not None
    assert any(path.edits for paths in cheap.used for path in paths)


def test_bad_input_is_refused() -> None:
    metric = get_metric("bleu")
    with pytest.raises(InputError, match="kind"):
        score_cells(metric, "many", lattices(TABLE), CELLS)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="segments below 2"):
        score_cells(metric, "single", lattices(TABLE), [Cell(2, "x", "y")])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="credit"):
        ScoreOptions(credit=-1)
    with pytest.raises(InputError, match="objective"):
        SearchOptions(objective="meteor")
