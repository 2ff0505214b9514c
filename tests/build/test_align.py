"""Text to links: one road for the command line and for callers, and models that are kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import toy
from paraphrast.align import AlignOptions
from paraphrast.build.align import AlignModel, align_text, align_words
from paraphrast.errors import FormatError, InputError, ModelError

ROWS = toy.rows(200)
ENGLISH = [row[0] for row in ROWS]
GERMAN = [row[1] for row in ROWS]


def test_lines_and_lists_of_tokens_are_linked_alike() -> None:
    lines = align_words(ENGLISH, GERMAN, pretokenized=True, threads=1)
    tokens = align_words([line.split() for line in ENGLISH], [line.split() for line in GERMAN], threads=2)
    assert lines == tokens
    assert len(lines) == 200
    for links, english, german in zip(lines, ENGLISH, GERMAN, strict=True):
        assert (0, 0) in links
        assert all(i < len(english.split()) and j < len(german.split()) for i, j in links)


def test_options_reach_the_aligner() -> None:
    loose = align_words(ENGLISH, GERMAN, symmetrise="union", threads=1)
    strict = align_words(ENGLISH, GERMAN, options=AlignOptions(symmetrise="intersect"), threads=1)
    assert sum(map(len, strict)) < sum(map(len, loose))
    assert align_words([], []) == []
    assert align_words(["", "one"], ["eins", ""]) == [[], []]


@pytest.mark.parametrize("pretokenized", [True, False])
@pytest.mark.parametrize("method", ["hmm", "ibm1"])
def test_a_saved_model_gives_the_links_of_training(tmp_path: Path, pretokenized: bool, method: str) -> None:
    found, model = align_text(ENGLISH, GERMAN, pretokenized=pretokenized, method=method, target_language="de")
    assert model is not None
    model.save(tmp_path / "model")
    model.save(tmp_path / "model")
    again = AlignModel.load(tmp_path / "model")
    links = again.align(ENGLISH, GERMAN)
    assert links.starts.tolist() == found.starts.tolist()
    assert links.source.tolist() == found.source.tolist()
    assert links.target.tolist() == found.target.tolist()
    alone = again.align(ENGLISH[7:8], GERMAN[7:8])
    assert alone.pair(0) == found.pair(7)
    assert align_words(ENGLISH[7:8], GERMAN[7:8], model=tmp_path / "model") == [found.pair(7)]
    union = align_words(ENGLISH, GERMAN[::-1], model=tmp_path / "model", symmetrise="union")
    core = align_words(ENGLISH, GERMAN[::-1], model=tmp_path / "model", symmetrise="intersect")
    assert sum(map(len, core)) < sum(map(len, union))
    strange = again.align(["Zyzzyva qwerty " + ENGLISH[0], ""], ["xyzzy " + GERMAN[0], "plugh"])
    assert len(strange) == 2
    assert strange.pair(1) == []


def test_models_that_cannot_be_used(tmp_path: Path) -> None:
    _, model = align_text(ENGLISH[:20], GERMAN[:20])
    assert model is not None
    folder = tmp_path / "model"
    model.save(folder)
    with pytest.raises(InputError, match="running text"):
        model.align([["one"]], [["eins"]])
    (folder / "source" / "words.txt").write_text("<unk>\n", encoding="utf-8")
    with pytest.raises(ModelError, match="words, the special ones first"):
        AlignModel.load(folder)
    (folder / "source" / "side.json").unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        AlignModel.load(folder)
    model.save(folder)
    (folder / "target" / "casing.tsv").write_text("a poem\n", encoding="utf-8")
    with pytest.raises(FormatError, match="truecaser"):
        AlignModel.load(folder)
    for info, message in (
        ("{", "cannot be read"),
        ("[]", "expected an alignment model"),
        (json.dumps({"format": "paraphrast alignment model", "version": 9}), "format 1, got 9"),
        (
            json.dumps({"format": "paraphrast alignment model", "version": 1, "method": "oracle"}),
            "'oracle' is not known",
        ),
    ):
        (folder / "model.json").write_text(info, encoding="utf-8")
        with pytest.raises(ModelError, match=message):
            AlignModel.load(folder)
    with pytest.raises(ModelError, match=r"model\.json"):
        AlignModel.load(tmp_path / "none")
    (tmp_path / "precious").mkdir()
    with pytest.raises(InputError, match="not replaced"):
        model.save(tmp_path / "precious")


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(InputError, match="got 1 and 2"):
        align_words(["a"], ["b", "c"])
    with pytest.raises(InputError, match="got one string"):
        align_words("a", "b")
    with pytest.raises(InputError, match="got both"):
        align_words(["a", ["b"]], ["c", "d"])  # type: ignore[arg-type]
    for words in (["one", "New York"], [""], ["a\nb"]):
        with pytest.raises(InputError, match="expected non-empty tokens without white space"):
            align_words([words], [["eins"]])
    for wrong in ([1], [None], [b"one"], [["one", 2]]):
        with pytest.raises(InputError, match="expected lines of text or lists of tokens"):
            align_words(wrong, ["eins"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected a list of sentences"):
        align_words(None, ["eins"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="oracle"):
        align_words(["a"], ["b"], method="oracle")


def test_the_door_stays_light() -> None:
    code = (
        "import sys, paraphrast; assert 'numpy' not in sys.modules; assert 'align_words' in dir(paraphrast)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
