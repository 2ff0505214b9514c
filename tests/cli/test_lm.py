"""`paraphrast lm` and `paraphrast evaluate lm`, end to end on small text."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
import typer

import toy
from paraphrast.cli import run
from paraphrast.cli.evaluate.lm import lm as evaluate_lm
from paraphrast.cli.evaluate.lm import measure
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.arpa import read_arpa
from paraphrast.lm import load, load_words
from paraphrast.lm.options import read_pruning as pruning


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_text("".join(f"{row[0]}\n" for row in toy.rows(300)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def arpa(text: Path) -> Path:
    assert run(["lm", str(text), "--order", "3", "-o", str(text.parent / "lm.arpa")]) == 0
    return text.parent / "lm.arpa"


def test_memory_changes_no_byte_and_leaves_no_file(text: Path, arpa: Path, tmp_path: Path) -> None:
    output = tmp_path / "spilled.arpa"
    assert run(["lm", str(text), "--order", "3", "--memory", "20KB", "-o", str(output)]) == 0
    assert output.read_bytes() == arpa.read_bytes()
    assert list(tmp_path.iterdir()) == [output]


def test_a_fixed_vocabulary(text: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("committee the\nproposal", encoding="utf-8")
    output = tmp_path / "lm.arpa.gz"
    assert (
        run(["lm", str(text), "--order", "2", "--vocabulary", str(tmp_path / "words"), "-o", str(output)])
        == 0
    )
    vocabulary, arrays = read_arpa(output)
    assert set(vocabulary.words[11:]) <= {"committee", "the", "proposal"}
    assert "committee" in vocabulary.ids
    assert arrays.log_prob[0] > -3  # most of the text is unknown now


def test_pruning_and_plain_discounts(text: Path, arpa: Path, tmp_path: Path) -> None:
    output = tmp_path / "lm.arpa"
    options = ["--order", "3", "--prune", "0 0 1", "--discount", "plain"]
    assert run(["lm", str(text), *options, "-o", str(output)]) == 0
    _, pruned = read_arpa(output)
    _, whole = read_arpa(arpa)
    assert len(pruned.word) < len(whole.word)
    assert run(["lm", str(text), "--prune", "some", "-o", str(output)]) == 2
    assert run(["lm", str(text), "--memory", "much", "-o", str(output)]) == 2
    assert run(["lm", str(text), "-o", "-"]) == 2
    assert run(["lm", str(text), "-o", str(tmp_path / "missing" / "lm.arpa")]) == 2


def test_entropy_pruning_and_quantised_values(text: Path, arpa: Path, tmp_path: Path) -> None:
    options = ["--order", "3", "--prune", "entropy:1e-4", "--quantise", "4"]
    assert run(["lm", str(text), *options, "-o", str(tmp_path / "lm.arpa")]) == 0
    assert run(["lm", str(text), *options, "-o", str(tmp_path / "lm")]) == 0
    _, pruned = read_arpa(tmp_path / "lm.arpa")
    _, whole = read_arpa(arpa)
    assert len(pruned.word) < len(whole.word)
    assert all(
        len(set(pruned.log_prob[first:last].tolist())) <= 16
        for first, last in pairwise(pruned.order_start[1:])
    )
    assert load(tmp_path / "lm").nodes >= len(pruned.word)  # the file leaves out words that never occur
    for wrong in (
        ["--prune", "entropy:much"],
        ["--prune", "entropy:2"],
        ["--quantise", "1"],
        ["--quantise", "17"],
    ):
        assert run(["lm", str(text), *wrong, "-o", str(tmp_path / "no.arpa")]) == 2


def test_pruning_by_count_and_by_entropy() -> None:
    assert pruning("0 0 1 entropy:1e-8") == ((0, 0, 1), 1e-8)
    assert pruning("0,0,1") == ((0, 0, 1), 0.0)
    assert pruning("entropy:1e-8") == ((0,), 1e-8)


def test_a_folder_stands_alone(text: Path, arpa: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lm"
    assert run(["lm", str(text), "--order", "3", "-o", str(folder)]) == 0
    assert len(load_words(folder)) == load(folder).order_start[1]
    assert run(["lm", str(text), "--order", "3", "-o", str(folder)]) == 2
    assert run(["lm", str(text), "--order", "2", "-o", str(folder), "--force"]) == 0
    assert load(folder).order == 2
    file = tmp_path / "notes.txt"
    file.write_text("precious")
    for taken in (file, tmp_path):
        assert run(["lm", str(text), "-o", str(taken), "--force"]) == 2
    assert file.read_text() == "precious"


def test_capitals_say_arpa_too(text: Path, tmp_path: Path) -> None:
    assert run(["lm", str(text), "--order", "2", "-o", str(tmp_path / "LM.ARPA")]) == 0
    assert (tmp_path / "LM.ARPA").read_text(encoding="utf-8").startswith("\\data\\\n")


def test_a_name_that_is_too_long_is_told(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lm", str(text), "-o", str(tmp_path / ("x" * 300))]) == 2
    assert "cannot be written" in capsys.readouterr().err


def evaluated(*arguments: str) -> int:
    app = typer.Typer()
    app.command()(evaluate_lm)
    code = app(args=list(arguments), standalone_mode=False)
    return code or 0


def test_evaluate(text: Path, arpa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held_out = tmp_path / "held-out"
    held_out.write_text("The committee zzz\n\nThe proposal\n", encoding="utf-8")
    assert run(["lm", str(text), "--order", "3", "-o", str(tmp_path / "lm")]) == 0
    found = measure(str(arpa), str(held_out))
    assert (found.sentences, found.tokens, found.unknown) == (3, 8, 1)
    assert found.with_unknown > found.without_unknown > 1
    assert found.with_unknown == pytest.approx(2**found.bits)
    assert measure(str(tmp_path / "lm"), str(held_out)).log_prob == pytest.approx(found.log_prob)
    capsys.readouterr()
    assert evaluated(str(arpa), str(held_out), "--format", "json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["unknown"] == 1
    assert printed["bits_per_token"] == pytest.approx(found.bits)
    assert evaluated(str(arpa), str(held_out)) == 0
    assert "perplexity without unknown" in capsys.readouterr().out


def test_evaluate_on_what_does_not_fit(arpa: Path, text: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a model folder"):
        measure(str(arpa), str(text), raw=True)
    with pytest.raises(ModelError, match=r"lm\.json"):
        measure(str(tmp_path), str(text))
    assert run(["lm", str(text), "--order", "1", "-o", str(tmp_path / "lm")]) == 0
    (tmp_path / "lm" / "vocab.txt").write_text("too\nfew\n")
    with pytest.raises(ModelError, match="got 2"):
        measure(str(tmp_path / "lm"), str(text))
    (tmp_path / "lm" / "vocab.txt").unlink()
    with pytest.raises(ModelError, match=r"vocab\.txt"):
        measure(str(tmp_path / "lm"), str(text))
