"""Laws that every rewrite keeps, on a model trained from our own bitext."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import paraphrast
import toy
from paraphrast import Control, InputError, Paraphraser
from paraphrast.decode import Weights
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.types.lattice import KEPT, SWAP
from paraphrast.types.results import apply_edits

SENTENCE = "The committee will examine a big proposal tomorrow."
COMMON = "the The THE committee commission Council minister will must can not examine look at discuss reject accept"
MORE = "a an A important big large new old proposal plan law act answer reply apple fruit tomorrow today 1999 2003"
ODD = [
    "zzz",
    "don't",
    "EU's",
    "“",
    "”",
    "(",
    ")",
    ",",
    ".",
    "!",
    "?",
    "—",
    "10%",
    "’",
    "\u00a0",
    "\t",
    "日本",
    "e\u0301",
]
WORDS = [*COMMON.split(), *MORE.split(), *ODD]


@pytest.fixture(scope="module")
def model(toy_model: Path) -> Paraphraser:
    return paraphrast.load(toy_model)


def texts() -> st.SearchStrategy[str]:
    """Sentences of the model's own words, odd ones, odd spaces, and anything at all."""
    spaces = st.sampled_from([" ", "  ", "", "\t", "\n", " \u00a0"])
    pairs = st.lists(st.tuples(st.sampled_from(WORDS), spaces), max_size=25)
    built = pairs.map(lambda items: "".join(word + space for word, space in items))
    grammatical = st.builds(
        "The {} {} {} {} {}{}".format,
        st.sampled_from(["committee", "council", "minister"]),
        st.sampled_from(["will", "must", "can not"]),
        st.sampled_from(["examine", "reject", "discuss", "look at"]),
        st.sampled_from(["a big plan", "an important law", "a new answer", "an apple"]),
        st.sampled_from(["at once", "in 1999", "tomorrow", "today"]),
        st.sampled_from([".", "!", " .", "", '."', ". The teacher can accept a large reply."]),
    )
    return st.one_of(grammatical, grammatical.map(str.upper), built, st.text(max_size=60))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts(), strength=st.sampled_from([0.3, 0.5, 0.9, 1.0]))
def test_edits_make_the_output_exactly(model: Paraphraser, text: str, strength: float) -> None:
    results = model.paraphrase(text, n=8, strength=strength)
    assert len({result.text for result in results}) == len(results) <= 8
    for result in results:
        assert result.source == text != result.text
        assert apply_edits(text, result.edits) == result.text
        assert result.edits
        done = out_done = 0
        for edit in result.edits:
            assert text[edit.start : edit.end] == edit.before
            assert result.text[edit.out_start : edit.out_end] == edit.after
            assert edit.before != edit.after
            assert text[done : edit.start] == result.text[out_done : edit.out_start]
            assert 0 < edit.probability <= 1
            assert edit.tables == ("pivot",)
            done, out_done = edit.end, edit.out_end
        assert [r.score for r in results] == sorted((r.score for r in results), reverse=True)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts(), data=st.data())
def test_protected_spans_are_untouched(model: Paraphraser, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for result in model.paraphrase(text, n=5, strength=1.0, protect=((start, end),)):
        for edit in result.edits:
            assert edit.end <= start or edit.start >= end


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts())
def test_no_blemish_that_the_input_had_not(model: Paraphraser, text: str) -> None:
    for result in model.paraphrase(text, n=5, strength=1.0):
        for blemish in ("a apple", "an big", "the the ", " ,", "a important"):
            assert result.text.count(blemish) <= text.count(blemish)


def test_articles_follow_what_is_inserted(model: Paraphraser) -> None:
    texts = {result.text for result in model.paraphrase(SENTENCE, n=1000, strength=1.0, beam=0)}
    texts |= {
        result.text
        for result in model.paraphrase("The council will accept an important law today.", n=200, strength=1.0)
    }
    assert any(" a significant " in text for text in texts)
    assert not any(" an significant " in text or " a important " in text for text in texts)


def test_the_same_bytes_for_any_threads_and_hash_seed(toy_model: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text(
        "\n".join([SENTENCE, "", "The minister must reject the law at once."] * 150), encoding="utf-8"
    )
    outputs = set()
    for threads, seed in ((1, "0"), (2, "1"), (4, "77")):
        command = [sys.executable, "-m", "paraphrast", "paraphrase", "-m", str(toy_model), "-i", str(lines)]
        done = subprocess.run(
            [*command, "--threads", str(threads), "--format", "json", "-n", "5"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    records = [json.loads(line) for line in outputs.pop().decode().splitlines()]
    assert len(records) > 500
    assert [record["line"] for record in records] == sorted(record["line"] for record in records)


def test_strength_zero_returns_the_input(model: Paraphraser) -> None:
    (only,) = model.paraphrase(SENTENCE, strength=0.0)
    assert only.text == SENTENCE
    assert only.edits == ()


def test_a_higher_identity_edits_less(model: Paraphraser) -> None:
    def edited(identity: float) -> int:
        best = model.paraphrase(SENTENCE, n=1, strength=1.0, identity=identity)
        return sum(len(edit.before.split()) for edit in best[0].edits)

    counts = [edited(identity) for identity in (1e-6, 1e-3, 0.1, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_wishes_are_kept(model: Paraphraser) -> None:
    plain = [result.text for result in model.paraphrase(SENTENCE, n=20, strength=1.0)]
    assert any("plan" in text for text in plain)
    without = model.paraphrase(SENTENCE, n=20, strength=1.0, avoid=["plan"])
    assert without
    assert not any("plan" in result.text for result in without)
    used = model.paraphrase(SENTENCE, n=20, strength=1.0, must_use=["plan"])
    assert used
    assert all("plan" in result.text for result in used)
    single = model.paraphrase(SENTENCE, n=20, strength=1.0, max_edits=1)
    assert single
    assert all(len(result.edits) == 1 for result in single)
    kept = model.paraphrase(SENTENCE, n=20, strength=1.0, protect=["big proposal"])
    assert kept
    assert all("big proposal" in result.text for result in kept)
    varied = model.paraphrase(SENTENCE, n=20, strength=1.0, distinct=1.0)
    assert 0 < len(varied) < len(plain)


def test_results_keep_negations_and_numbers(model: Paraphraser) -> None:
    sentence = "The council can not accept a new plan in 1999."
    results = model.paraphrase(sentence, n=50, strength=1.0)
    assert len(results) > 2
    for result in results:
        assert " not " in result.text
        assert "1999" in result.text
        assert "old" not in result.text
        assert "reject" not in result.text


def test_vetoes_hold_and_can_be_lifted(model: Paraphraser, toy_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    veto = np.load(folder / "decoder" / "veto.npy")
    approve = model.vocabulary.ids["approve"]
    inserting = [option for option in range(len(veto)) if approve in model.arrays.target_words_of(option)]
    veto[inserting] = VETOES["antonym"]
    np.save(folder / "decoder" / "veto.npy", veto)
    vetoing = paraphrast.load(toy.seal(folder))

    def texts(vetoes: tuple[str, ...] | None) -> set[str]:
        sentence = "The council will accept a new plan today."
        return {
            result.text for result in vetoing.paraphrase(sentence, n=500, strength=1.0, beam=0, vetoes=vetoes)
        }

    held, lifted = texts(None), texts(())
    assert held
    assert not any("approve" in text for text in held)
    assert any("approve" in text for text in lifted)
    assert held < lifted
    assert texts(("antonym", "agreement")) == held
    assert any("approve" in text for text in texts(("number", "agreement")))


def test_casing_follows_the_input(model: Paraphraser) -> None:
    upper = model.paraphrase(SENTENCE.upper(), n=10, strength=1.0)
    plain = model.paraphrase(SENTENCE, n=10, strength=1.0)
    assert len(upper) == len(plain) == 10
    assert all(result.text.isupper() for result in upper)
    assert all(result.text[0].isupper() and not result.text.isupper() for result in plain)


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "…", "\x00", "\ud83d\ude00", "日本語のテキスト", "ا ب ت", "ไทย"]
)
def test_odd_texts_have_no_rewrite_and_no_crash(model: Paraphraser, text: str) -> None:
    assert model.paraphrase(text, strength=1.0) == []


def test_a_very_long_text(model: Paraphraser) -> None:
    text = " ".join([SENTENCE] * 1250)
    results = model.paraphrase(text, n=2)
    assert results
    assert apply_edits(text, results[0].edits) == results[0].text


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"strength": 2.0}, "strength"),
        ({"n": 0}, "n:"),
        ({"n": 2.5}, "whole number"),
        ({"n": "3"}, "whole number"),
        ({"tables": "pivot"}, "list of texts"),
        ({"vetoes": ["agreement", "foo"]}, "unknown veto 'foo'"),
        ({"protect": [4]}, "protect"),
        ({"strength": 0.0, "must_use": ["plan"]}, "expected a strength above 0"),
        ({"identity": 0.0}, "identity"),
        ({"protect": ((5, 900),)}, "protect"),
        ({"protect": "the"}, "protect"),
        ({"tables": ("nonsense",)}, "nonsense"),
        ({"vetoes": ("nonsense",)}, "nonsense"),
        ({"must_use": ("xyzzy",)}, "xyzzy"),
        ({"preset": "nonsense"}, "preset"),
        ({"reorder": 99}, "reorder"),
        ({"colour": 3}, "colour"),
        ({"control": 5}, "expected a Control"),
        ({"threads": 2}, "unknown option 'threads'"),
    ],
)
def test_wrong_wishes_are_told(model: Paraphraser, wish: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        model.paraphrase(SENTENCE, **wish)


def test_what_is_no_text_is_told(model: Paraphraser) -> None:
    with pytest.raises(InputError, match="several texts"):
        model.paraphrase_many("abc")
    with pytest.raises(InputError, match="several texts"):
        model.paraphrase_many(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="threads"):
        model.paraphrase_many(["abc"], threads=-1)
    with pytest.raises(InputError, match="expected a text"):
        model.paraphrase(3)  # type: ignore[arg-type]


def test_a_model_pickles_as_its_path(model: Paraphraser) -> None:
    again = pickle.loads(pickle.dumps(model))
    assert again.path == model.path
    assert again.paraphrase(SENTENCE) == model.paraphrase(SENTENCE)


def test_results_are_plain_records(model: Paraphraser) -> None:
    best = model.paraphrase(SENTENCE, Control(n=1, strength=1.0))[0]
    assert json.loads(json.dumps(best.to_dict()))["text"] == best.text
    assert "<mark" in best._repr_html_()
    assert best.marked().count("[") == len(best.edits)
    assert model.signature.startswith("paraphrast|lang:en|pivots:de+fr|")


def test_a_lattice_holds_every_edit_of_the_results(model: Paraphraser) -> None:
    lattice = model.lattice(SENTENCE, strength=1.0)
    labels = {" ".join(edge.words) for edge in lattice.edges()}
    results = model.paraphrase(SENTENCE, n=20, strength=1.0)
    assert len(results) > 5
    one = [result.edits[0].after.lower() for result in results if len(result.edits) == 1]
    assert one
    assert set(one) <= labels
    fewer = model.lattice(SENTENCE, strength=0.3)
    assert len(fewer) < len(lattice)
    assert {edge.span for edge in lattice.edges()} >= {(at, at + 1) for at in range(lattice.states - 1)}
    with pytest.raises(InputError, match="word"):
        model.lattice(" ")


def test_presets_score_by_their_own_weights(model: Paraphraser) -> None:
    plain, quirk = (model.paraphrase(SENTENCE, strength=1.0, preset=preset) for preset in (None, "quirk"))
    assert quirk
    assert [result.score for result in plain] != [result.score for result in quirk]
    decoder = model.decoder.with_weights(Weights.preset("quirk", model.arrays.feature_names))
    assert decoder.weights.features == {"pivot.reverse": 1.0}
    assert (decoder.weights.lm, decoder.weights.edit, decoder.weights.word) == (1.0, 0.0, 0.0)
    assert model.paraphrase(SENTENCE, strength=1.0) == plain


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts(), window=st.integers(2, 5))
def test_swapped_phrases_keep_the_law_of_edits(model: Paraphraser, text: str, window: int) -> None:
    for result in model.paraphrase(text, n=5, strength=1.0, reorder=window):
        assert apply_edits(text, result.edits) == result.text
        for edit in result.edits:
            assert text[edit.start : edit.end] == edit.before
            assert result.text[edit.out_start : edit.out_end] == edit.after


def test_phrases_change_places_when_asked_to(model: Paraphraser) -> None:
    batch = [SENTENCE]
    plain = {result.text for result in model.paraphrase(SENTENCE, n=200, strength=1.0, beam=0)}
    options: dict[str, Any] = {"n": 200, "strength": 1.0, "beam": 0, "max_edits": 1}
    swapped = [r for results in model.paraphrase_many(batch, reorder=3, **options) for r in results]
    new = [result for result in swapped if result.text not in plain]
    assert new
    moved = [
        edit
        for r in new
        for edit in r.edits
        if sorted(edit.before.lower().split()) == sorted(edit.after.lower().split())
    ]
    assert moved
    assert all(0 < edit.probability < 1 for edit in moved)
    assert all(result.text[0].isupper() for result in new)


@pytest.mark.parametrize(
    "command",
    [["paraphrase", "We want to examine the report.", "--strength", "1"], ["explain", "proposal", "plan"]],
)
def test_commands_import_neither_training_nor_sql_nor_scipy(toy_model: Path, command: list[str]) -> None:
    code = (
        "import sys; from paraphrast.cli import run; "
        f"assert run([*{command!r}, '-m', {str(toy_model)!r}]) == 0; "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "report" in done.stdout or "plan" in done.stdout
    rooms = ("align", "extract", "data", "engine", "evaluate", "lm.estimate", "tables.pivot")
    above = ("training", "build", "fusion", "study", "tune")
    heavy = tuple(f"paraphrast.{room}" for room in (*rooms, *above))
    imported = done.stderr.split()
    assert "paraphrast.model.paraphraser" in imported
    assert [name for name in imported if name.startswith(heavy)] == []
    assert [name for name in imported if name.split(".")[0] == "duckdb"] == []
    # numba imports scipy.linalg by itself, to find a BLAS; nothing imports another part.
    parts = {name.split(".")[1] for name in imported if name.startswith("scipy.")}
    assert {part for part in parts if not part.startswith("_")} <= {"version", "linalg"}


@pytest.mark.parametrize("name", ["word", "target_words", "target"])
def test_ids_that_mean_nothing_are_told(toy_model: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(toy_model, tmp_path / "damaged")
    path = tmp_path / "damaged" / "decoder" / f"{name}.npy"
    values = np.load(path)
    values[-1] = 10**8
    np.save(path, values)
    with pytest.raises(paraphrast.ModelError, match=name):
        paraphrast.load(toy.seal(tmp_path / "damaged"))


def test_a_list_of_words_that_was_cut_is_told(toy_model: Path, tmp_path: Path) -> None:
    shutil.copytree(toy_model, tmp_path / "cut")
    words = tmp_path / "cut" / "decoder" / "words.txt"
    words.write_bytes(words.read_bytes()[:200])
    with pytest.raises(paraphrast.ModelError, match="damaged"):
        paraphrast.load(tmp_path / "cut")


def test_a_lattice_has_the_swaps_that_are_allowed(model: Paraphraser) -> None:
    control = Control(strength=1.0, reorder=4, beam=0, n=200, max_edits=1)
    text = f"{SENTENCE} The minister will answer."
    prepared = model.prepare(text, control)
    batch = model.batch_of([prepared])
    swaps = {
        (edge.span, edge.words): edge
        for edge in sorted(model.lattice(text, control).edges(), key=lambda edge: edge.weight)
        if edge.kind == SWAP
    }
    assert all(2 <= span[1] - span[0] <= 4 for span, _ in swaps)
    kept = {edge.span[0]: edge.weight for edge in model.lattice(text, control).edges() if edge.kind == KEPT}
    (hypotheses,) = model.decoder.decode(batch, model.decode_options(control))
    seen = 0
    for hypothesis in hypotheses:
        edit = hypothesis.edits[0]
        if not edit.swapped:
            continue
        words = tuple(model.vocabulary.words[word] for word in edit.target_words)
        edge = swaps[(edit.start_token, edit.end_token), words]
        before = sum(kept[at] for at in range(edit.start_token, edit.end_token))
        rest = model.decoder.weights.lm * model.decoder.components(batch, 0, hypothesis)["lm"]
        assert edge.weight - before + rest == pytest.approx(hypothesis.score, abs=1e-3)
        seen += 1
    assert seen > 5
    assert not any(edge.kind == SWAP for edge in model.lattice(text, strength=1.0).edges())


def test_the_loss_of_a_beam_is_told(model: Paraphraser) -> None:
    assert model.loss([SENTENCE], strength=1.0, beam=100).mean == pytest.approx(0)
    narrow = model.loss([SENTENCE], strength=1.0, beam=1)
    assert narrow.items == 1
    assert narrow.list_mean > 0


def test_the_features_of_a_rewrite_make_up_its_score(model: Paraphraser) -> None:
    control = Control(strength=1.0, explain=True)
    found = model.paraphrase(SENTENCE, control)
    assert found
    weights = model.decoder.weights
    for one in found:
        assert one.features is not None
        weight = {
            "lm": weights.lm,
            "edit": weights.edit,
            "word": weights.word,
            "identity": control.log_identity,
        }
        weight |= weights.features
        total = sum(weight.get(name, 0.0) * value for name, value in one.features.items())
        assert total == pytest.approx(one.score, abs=1e-3)
        assert json.loads(json.dumps(one.to_dict()))["features"] == one.features
    assert all(one.features is None for one in model.paraphrase(SENTENCE, strength=1.0))
    assert "features" not in model.paraphrase(SENTENCE, strength=1.0)[0].to_dict()
