"""Substitutes read in their sentence: windows, cosines, and the decoder that asks for them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paraphrast
import toy
from paraphrast import Control, InputError
from paraphrast.model.reading import WINDOW, cosines, find_encoder, window_of
from paraphrast.model.substitution import FOLDER, PRECISE, STATIC, LogisticModel, default_precise
from paraphrast.text.encoder import SentenceEncoder
from paraphrast.training.substitution import build_substitution_model
from tiny_encoder import encoder_arrays, write_encoder

TEXT = "The committee will examine a big proposal tomorrow."


class Spelling:
    """An encoder that reads letters, and the word before."""

    size = 26

    def words(self, texts: list[list[str]], **_: object) -> list[np.ndarray]:
        found = []
        for text in texts:
            rows = np.array(
                [[word.lower().count(chr(97 + letter)) for letter in range(26)] for word in text], float
            ).reshape(-1, 26)
            rows[1:] += 0.5 * rows[:-1]
            found.append(rows.astype(np.float32))
        return found


def test_windows_end_where_texts_do() -> None:
    words = [str(number) for number in range(40)]
    left, middle, right = window_of(words, 20, 22)
    assert (left[0], len(left), middle, len(right)) == ("5", WINDOW, ("20", "21"), WINDOW)
    left, middle, right = window_of(words, 1, 40, ["x"])
    assert (left, middle, right) == (("0",), ("x",), ())


def test_cosines_are_of_the_middles() -> None:
    words = ["an", "old", "ship", "sank"]
    same = window_of(words, 2, 3), window_of(words, 2, 3, ["ship"])
    near = window_of(words, 2, 3), window_of(words, 2, 3, ["hips"])
    far = window_of(words, 2, 3), window_of(words, 2, 3, ["boat"])
    found = cosines(Spelling(), [same, far, near])  # type: ignore[arg-type]
    assert found[0] == pytest.approx(1.0)
    assert found[2] == pytest.approx(1.0, abs=1e-4)
    one, two = np.zeros(26), np.zeros(26)
    for word, share in (("ship", 1.0), ("old", 0.5)):
        for letter in word:
            one[ord(letter) - 97] += share
    for word, share in (("boat", 1.0), ("old", 0.5)):
        for letter in word:
            two[ord(letter) - 97] += share
    assert found[1] == pytest.approx(one @ two / np.linalg.norm(one) / np.linalg.norm(two), abs=1e-4)
    assert cosines(Spelling(), []).shape == (0,)  # type: ignore[arg-type]


@pytest.fixture
def judging_model(toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy model with substitutions judged by how alike words are spelled."""
    monkeypatch.setattr("paraphrast.training.pair_quality.knowledge_folders", lambda names, fetch: {})
    monkeypatch.setattr("paraphrast.model.reading.find_encoder", lambda language: Spelling())
    folder = tmp_path / "model"
    shutil.copytree(toy_model, folder)
    weights = np.array([10.0 if name == "in_context" else 0.0 for name in PRECISE])
    built = build_substitution_model(toy_model)
    replace(built, precise=LogisticModel(PRECISE, weights, -5.0)).save(folder / FOLDER)
    return folder


def test_a_precise_rewrite_goes_by_the_encoder(judging_model: Path) -> None:
    model = paraphrast.load(judging_model)
    found = model.paraphrase(TEXT, Control(strength=1.0, precise=True))
    edits = [edit for one in found for edit in one.edits]
    assert edits
    words = TEXT.split()
    compared = 0
    for edit in edits:
        place = len(TEXT[: edit.start].split())
        before = window_of([*words[:-1], "tomorrow", "."], place, place + len(edit.before.split()))
        after = (before[0], tuple(edit.after.split()), before[2])
        if place:
            compared += 1
            cosine = float(cosines(Spelling(), [(before, after)])[0])  # type: ignore[arg-type]
            assert edit.probability == pytest.approx(1 / (1 + np.exp(5.0 - 10.0 * cosine)), abs=0.02)
    assert compared > 5
    assert found != model.paraphrase(TEXT, Control(strength=1.0))


def test_models_and_languages_without_it_say_so(toy_model: Path) -> None:
    with pytest.raises(InputError, match="a model with a substitution model"):
        paraphrast.load(toy_model).paraphrase(TEXT, precise=True)
    with pytest.raises(InputError, match="no sentence encoder"):
        find_encoder("de")
    with pytest.raises(InputError, match="precise: expected true or false"):
        Control(precise=1)  # type: ignore[arg-type]


def test_the_log_odds_of_edits_are_a_feature(judging_model: Path) -> None:
    model = paraphrast.load(judging_model)
    results = model.paraphrase(TEXT, Control(strength=1.0, explain=True))
    assert len(results) == 10
    for result in results:
        assert result.features is not None
        odds = sum(np.log(edit.probability / (1 - edit.probability)) for edit in result.edits)
        assert result.features["substitution"] == pytest.approx(odds, abs=1e-6)


def test_the_shipped_path_with_a_real_encoder(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Training, loading and rewriting with the code that is shipped: only the encoder's numbers are random."""
    words = (toy_model / "decoder" / "words.txt").read_text(encoding="utf-8").split("\n")
    pieces = [
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *dict.fromkeys(word.lower() for word in words if word.isalpha()),
        ".",
    ]
    arrays = encoder_arrays(len(pieces), 32, 48, 1, 7)
    encoder_folder = write_encoder(tmp_path / "encoder", arrays, pieces, heads=2)
    names: list[str] = []

    def folders(wanted: list[str], fetch: bool) -> dict[str, Path]:
        names.extend(wanted)
        return {"minilm-en": encoder_folder}

    monkeypatch.setattr("paraphrast.training.pair_quality.knowledge_folders", folders)
    monkeypatch.setattr("paraphrast.model.reading.folder_of", lambda name, fetch: encoder_folder)
    config = toy.write_config(tmp_path / "data", 600)
    config.write_text('substitution = "yes"\n' + config.read_text())
    model = paraphrast.load(paraphrast.train(config, tmp_path / "model", threads=1))
    assert "minilm-en" in names
    assert model.substitution is not None
    meaning = model.substitution.static[:, STATIC.index("meaning")]
    assert len(np.unique(meaning)) > 10  # by the encoder
    encoder = SentenceEncoder.load(encoder_folder)
    control = Control(strength=1.0, precise=True, max_edits=1, vetoes=())
    prepared = [model.prepare(TEXT, control)]
    judged = model.judge_edges(prepared, model.batch_of(prepared), control, model.decode_options(control))
    assert judged is not None
    edges, arrays_of = judged.edges, model.arrays
    values = model.substitution.features(judged.decoder, model.batch_of(prepared), edges)
    assert len(edges) > 5
    for row in range(len(edges)):
        start, end = int(edges.start[row]), int(edges.end[row])
        after = [model.vocabulary.words[word] for word in arrays_of.target_words_of(int(edges.option[row]))]
        pair = window_of(prepared[0].words, start, end), window_of(prepared[0].words, start, end, after)
        features = np.append(values[row], cosines(encoder, [pair]))[None]
        assert judged.log_odds[row] == pytest.approx(default_precise().log_odds(features)[0], abs=1e-3)
    results = model.paraphrase(TEXT, control)
    assert results
    assert len({edit.probability for result in results for edit in result.edits}) > 1
    assert results != model.paraphrase(TEXT, replace(control, precise=False))
