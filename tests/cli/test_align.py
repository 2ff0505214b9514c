"""`paraphrast align`: what it writes, what it keeps, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy
from paraphrast.cli import run
from paraphrast.formats.pharaoh import read_links, read_posteriors


@pytest.fixture
def bitext(tmp_path: Path) -> str:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{row[0]}\t{row[1]}\n" for row in toy.rows(120)), encoding="utf-8")
    return str(path)


def test_save_and_model_give_the_same_links_and_posteriors(
    bitext: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, names = str(tmp_path / "model"), [str(tmp_path / name) for name in ("l1", "p1", "l2", "p2")]
    assert run(["align", bitext, "-o", names[0], "--posteriors", names[1], "--save", model]) == 0
    assert run(["align", bitext, "-o", names[2], "--posteriors", names[3], "--model", model]) == 0
    first, second = (read_links(name) for name in (names[0], names[2]))
    assert first.pair(5) == second.pair(5)
    assert Path(names[0]).read_bytes() == Path(names[2]).read_bytes()
    assert Path(names[1]).read_bytes() == Path(names[3]).read_bytes()
    with_values = read_posteriors(names[1], first)
    assert with_values.posterior is not None
    assert with_values.posterior.max() > 0.9
    assert run(["align", bitext, "-o", names[2], "--model", model, "--symmetrise", "union"]) == 0
    assert len(read_links(names[2]).source) >= len(first.source)
    assert run(["align", bitext, "--model", model, "--pretokenized"]) == 2
    assert "trained on running text" in capsys.readouterr().err


def test_lines_that_are_left_out_stay_empty_in_both_files(bitext: str, tmp_path: Path) -> None:
    with Path(bitext).open("a", encoding="utf-8") as stream:
        stream.write("one column only\nA last one .\tein letzter .\none column at the end\n")
    links, numbers = tmp_path / "links", tmp_path / "numbers"
    arguments = ["align", bitext, "--skip-bad", "-o", str(links), "--posteriors", str(numbers)]
    assert run(arguments) == 0
    lines = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (links, numbers)]
    assert [len(side) for side in lines] == [123, 123]
    assert [side[120] + side[122] for side in lines] == ["", ""]
    assert all(len(a.split()) == len(b.split()) for a, b in zip(*lines, strict=True))
    checked = tmp_path / "checked"
    assert (
        run(["align", bitext, "--skip-bad", "--method", "links", "--links", str(links), "-o", str(checked)])
        == 0
    )
    assert checked.read_bytes() == links.read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [["--method", "ibm1"], ["--identity-lexicon"], ["--symmetrise", "refined", "--threads", "2"]],
)
def test_methods_and_options(bitext: str, tmp_path: Path, arguments: list[str]) -> None:
    assert run(["align", bitext, "-o", str(tmp_path / "links"), *arguments]) == 0
    assert len(read_links(tmp_path / "links")) == 120


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "oracle"], "oracle"),
        (["--method", "links"], "--method links requires --links"),
        (["--links", "x"], "--links requires --method links"),
        (["--model", "m", "--save", "n"], "--model cannot be combined with --save"),
        (["--model", "nowhere"], "model.json"),
        (["--method", "ibm1", "--posteriors", "p"], "no posteriors"),
        (["--method", "eflomal", "--posteriors", "p"], "eflomal has no posteriors"),
        (["--method", "thot", "--save", "n"], "thot has no model to save"),
        (["--posteriors", "same", "-o", "same"], "--posteriors and --output name the same file"),
        (["--save", "pairs.tsv"], "pairs.tsv: this exists and is not an alignment model"),
        (["--symmetrise", "sideways"], "sideways"),
    ],
)
def test_what_cannot_be_done_is_told(
    bitext: str,
    tmp_path: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["align", bitext, "-o", str(tmp_path / "links"), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "links").exists()


def test_links_of_other_text_are_refused(
    bitext: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = tmp_path / "links"
    for text, message in (("0-0\n", "got 1 lines"), ("0-0\n" * 119 + "99-0\n", "source word 99")):
        links.write_text(text, encoding="utf-8")
        assert run(["align", bitext, "--method", "links", "--links", str(links)]) == 2
        assert message in capsys.readouterr().err
    save = ["--save", str(tmp_path / "model")]
    links.write_text("0-0\n" * 120, encoding="utf-8")
    assert run(["align", bitext, "--method", "links", "--links", str(links), *save]) == 2
    assert "no model to save" in capsys.readouterr().err
