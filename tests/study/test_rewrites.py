"""A rewrite that the model made scores as it did when it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

import paraphrast
from paraphrast import Control, InputError, Paraphraser
from paraphrast.evaluate.options import BootstrapOptions
from paraphrast.study.rewrites import correlate_rewrites, read_rewrites, score_rewrite

SENTENCE = "The committee will examine a big proposal tomorrow."


@pytest.fixture(scope="module")
def model(toy_model: Path) -> Paraphraser:
    return paraphrast.load(toy_model)


def test_own_rewrites_score_the_same(model: Paraphraser) -> None:
    results = model.paraphrase(SENTENCE, n=20, strength=1.0)
    assert len(results) > 5
    for one in results:
        found = score_rewrite(model, SENTENCE, one.text, Control(strength=1.0))
        assert found.unexplained == 0
        assert found.edits == len(one.edits)
        assert found.score == pytest.approx(one.score, abs=1e-4)


def test_the_input_itself_scores_0(model: Paraphraser) -> None:
    assert score_rewrite(model, SENTENCE, SENTENCE).score == pytest.approx(0)


def test_words_that_no_table_has_cost(model: Paraphraser) -> None:
    near = score_rewrite(model, SENTENCE, SENTENCE.replace("tomorrow", "zebra"))
    assert (near.edits, near.unexplained) == (0, 2)
    far = score_rewrite(model, SENTENCE, "zebra zebra zebra")
    assert far.unexplained > near.unexplained
    assert far.score < near.score < 0


def test_a_correlation_with_people(model: Paraphraser, tmp_path: Path) -> None:
    good = [one.text for one in model.paraphrase(SENTENCE, n=4, strength=1.0)]
    rows = [(text, "90") for text in good] + [("Zebra zebra.", "1"), (SENTENCE, "100"), ("odd", "")]
    rows.append((good[0], "100"))
    (tmp_path / "c").write_text(
        "ref_id\tcandidate\thuman_score\n" + "".join(f"7\t{text}\t{value}\n" for text, value in rows),
        encoding="utf-8",
    )
    (tmp_path / "r").write_text(f"ref_id\tref_sent\n7\t{SENTENCE}\n", encoding="utf-8")
    rewrites = read_rewrites(tmp_path / "c", tmp_path / "r")
    assert [one.human for one in rewrites] == [95, 90, 90, 90, 1]
    assert len(read_rewrites(tmp_path / "c", tmp_path / "r", limit=2)) == 2
    found = correlate_rewrites(model, rewrites, BootstrapOptions(samples=10))
    assert (found.rewrites, found.sentences, found.explained) == (5, 1, 4)
    assert found.figures["spearman_all"][0] > 0
    assert set(found.to_dict()) >= {"spearman_explained", "spearman_within"}
    (tmp_path / "r").write_text("ref_id\tref_sent\n8\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="no original"):
        read_rewrites(tmp_path / "c", tmp_path / "r")
    with pytest.raises(InputError, match="column 'ref_sent'"):
        read_rewrites(tmp_path / "c", tmp_path / "c")
    with pytest.raises(InputError, match="got none"):
        correlate_rewrites(model, [])
