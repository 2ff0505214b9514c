"""The stage that judges pairs, and tables that training makes itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import paraphrast
from paraphrast import InputError
from paraphrast.errors import DataError
from paraphrast.model import explain, paraphrases_of
from paraphrast.training.pair_quality import meanings
from paraphrast.training.substitution import LEAST_PAIRS, JudgedTables
from paraphrast.types import MAX_PHRASE, Phrases

TEXT = "The committee will examine the proposal tomorrow."


def config_with(toy_model: Path, tmp_path: Path, top: str = "", end: str = "") -> Path:
    """The toy data with more lines at the top and at the end of its configuration."""
    folder = tmp_path / "data"
    shutil.copytree(toy_model.parent, folder, ignore=shutil.ignore_patterns("model*"))
    config = folder / "config.toml"
    config.write_text(f"{top}\n{config.read_text()}\n{end}\n")
    return config


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing but the tables tells anything of a pair."""
    monkeypatch.setattr("paraphrast.training.pair_quality.knowledge_folders", lambda names, fetch: {})


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("no_data")
def test_a_model_that_asks_for_it_judges_its_substitutions(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Without the extra that runs an encoder, pairs are judged without one.
    monkeypatch.setattr("paraphrast.build.encoders.has_extra", lambda extra: False)
    config = config_with(toy_model, tmp_path, 'substitution = "yes"')
    made = [paraphrast.train(config, tmp_path / f"model{threads}", threads=threads) for threads in (1, 3)]
    assert files_of(made[0] / "substitution") == files_of(made[1] / "substitution")
    manifest = json.loads((made[0] / "manifest.json").read_text())
    assert set(manifest["substitution"]) == {"data", "quality", "acceptance", "rated"}
    assert set(manifest["substitution"]["data"]) == {"wordnet-relations", "moby", "glove-50d"}
    assert "pip install 'paraphrast[precise]' && paraphrast data get minilm-en" in caplog.text
    model = paraphrast.load(made[0])
    assert model.substitution is not None
    edits = [edit for one in model.paraphrase(TEXT, strength=1.0) for edit in one.edits]
    assert edits
    assert all(0 < edit.probability < 1 for edit in edits)
    assert len({edit.probability for edit in edits}) > 1


def test_small_models_get_none_by_themselves(toy_model: Path, tmp_path: Path) -> None:
    manifest = json.loads((toy_model / "manifest.json").read_text())
    assert sum(table["rows"] for table in manifest["tables"].values()) < LEAST_PAIRS
    assert manifest["substitution"] is None
    assert not (toy_model / "substitution").exists()
    with pytest.raises(InputError, match="auto, yes or no"):
        paraphrast.train(config_with(toy_model, tmp_path, 'substitution = "maybe"'), tmp_path / "model")


def test_data_that_cannot_be_had(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none(names: list[str], fetch: bool) -> dict[str, Path]:
        raise DataError("there is no network")

    monkeypatch.setattr("paraphrast.training.pair_quality.knowledge_folders", none)
    monkeypatch.setattr("paraphrast.training.substitution.LEAST_PAIRS", 1)
    model = paraphrast.train(config_with(toy_model, tmp_path), tmp_path / "model", threads=1)
    assert "no network" in caplog.text
    assert json.loads((model / "manifest.json").read_text())["substitution"] is None
    config = tmp_path / "data" / "config.toml"
    config.write_text('substitution = "yes"\n' + config.read_text())
    with pytest.raises(DataError, match="no network"):
        paraphrast.train(config, tmp_path / "other", threads=1)


def test_pairs_are_found_again(tmp_path: Path) -> None:
    keys = np.array([(1 << 32) | 5, (2 << 32) | 1, (2 << 32) | 7], np.int64)
    static = np.arange(18, dtype=np.float32).reshape(3, 6)
    vector, flags = np.zeros((4, 2), np.int8), np.array([0, 1, 2, 4], np.uint8)
    judged = JudgedTables(keys, static, vector, np.ones(4, np.float32), flags)
    judged.save(tmp_path)
    again = JudgedTables.load(tmp_path)
    rows = again.rows_of(np.array([2, 1], np.int32), np.array([7, 5], np.int32))
    assert again.static[rows].tolist() == static[[2, 0]].tolist()
    assert again.flags.tolist() == flags.tolist()
    assert again.vector.dtype == np.int8


class Letters:
    """An encoder that knows two letters."""

    size = 2

    def phrases(self, texts: list[list[str]], **_: object) -> np.ndarray:
        counts = np.array(
            [[sum(word.count(letter) for word in text) for letter in "ab"] for text in texts], float
        )
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
        return (counts / lengths).astype(np.float32)


def test_meanings_are_cosines_of_phrases() -> None:
    words = np.full((4, MAX_PHRASE), -1, np.int32)
    words[0, 0], words[1, :2], words[2, 0], words[3, 0] = 0, [0, 1], 1, 2
    phrases = Phrases(words, np.zeros(4, np.uint8))
    source, target = np.array([0, 0, 1, 0], np.int32), np.array([1, 2, 2, 3], np.int32)
    found = meanings(Letters(), phrases, ["a", "b", "c"], source, target)  # type: ignore[arg-type]
    assert found[:3] == pytest.approx([0.7071, 0.0, 0.7071], abs=1e-4)
    assert np.isnan(found[3])


def test_training_makes_a_table_of_a_kind(toy_model: Path, tmp_path: Path) -> None:
    entry = '[[table]]\nkind = "lexicon"\npath = "words.tsv"\nname = "words"\noptions = { inflect = false }'
    config = config_with(toy_model, tmp_path, end=entry)
    (config.parent / "words.tsv").write_text("proposal\tplan\nproposal\tzzyzx\n", encoding="utf-8")
    model = paraphrast.load(paraphrast.train(config, tmp_path / "model", threads=1))
    assert "plan" in [text for text, _ in paraphrases_of(model, "proposal")]
    assert "words" in {row.table for row in explain(model, "proposal", "plan").tables}
    sources = json.loads((tmp_path / "model" / "manifest.json").read_text())["sources"]
    assert {"kind": "lexicon", "options": {"inflect": False}}.items() <= sources[-1].items()


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('[[table]]\ndata = "moby"', "a kind and what to make it of"),
        ('[[table]]\npath = "words.tsv"\noptions = { top = 3 }', "together with kind"),
        ('[[table]]\nkind = "lexicon"\npath = "words.tsv"\nname = "pivot"', "no other table has"),
        ('[[table]]\nkind = "lexicon"', "one of path, files or data"),
    ],
)
def test_wrong_tables_are_told_before_any_work(
    toy_model: Path, tmp_path: Path, entry: str, told: str
) -> None:
    config = config_with(toy_model, tmp_path, end=entry)
    (config.parent / "words.tsv").write_text("proposal\tplan\n", encoding="utf-8")
    with pytest.raises(InputError, match=told):
        paraphrast.train(config, tmp_path / "model")
    assert not (tmp_path / "model.work").exists()
