"""The program itself: a sentence without a command, mistyped commands, the version, completion, typed lines."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paraphrast._version import __version__
from paraphrast.cli import run
from paraphrast.cli.app import COMMANDS, with_command
from paraphrast.errors import InputError

SENTENCE = "The committee will examine a big proposal tomorrow."


@pytest.mark.parametrize(
    "arguments",
    [
        ["A sentence."],
        ["a sentence without a stop"],
        ["Hello"],
        ["hello!"],
        ["Ünder"],
        ["-n", "3", "A sentence."],
        ["-i", "file.txt"],
        ["notes.txt", "-n", "2"],
        [""],
    ],
)
def test_what_is_no_command_is_rewritten(arguments: list[str]) -> None:
    assert with_command(arguments) == ["paraphrase", *arguments]


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["--version"], ["--show-completion"], ["train", "x y"]]
)
def test_commands_stay(arguments: list[str]) -> None:
    assert with_command(arguments) == arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paraphrse"], "unknown command 'paraphrse'; did you mean paraphrase?"),
        (["evalute", "aer"], "did you mean evaluate?"),
        (["xyzzy"], "unknown command 'xyzzy'\n"),
        (["the", "cat", "sat"], 'paraphrast paraphrase "the cat sat"'),
    ],
)
def test_a_mistyped_command_is_reported(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError) as error:
        with_command(arguments)
    assert message in f"{error.value}\n"
    assert run(arguments) == 2
    assert message.strip() in capsys.readouterr().err


def test_a_file_is_not_a_mistyped_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes").touch()
    assert with_command(["notes"]) == ["paraphrase", "notes"]


def test_a_sentence_alone_is_rewritten(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["-m", str(toy_model), "-n", "2", "--strength", "1"]
    assert run([SENTENCE, *options]) == 0
    short = capsys.readouterr().out
    assert run(["paraphrase", SENTENCE, *options]) == 0
    assert capsys.readouterr().out == short


def test_the_version_names_what_results_depend_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"paraphrast {__version__} (python 3.")
    for part in ("numpy ", "numba ", "model format "):
        assert part in line
    assert line.count("\n") == 1


def test_shells_complete_commands() -> None:
    code = "import sys; sys.argv[0] = 'paraphrast'; from paraphrast.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "_PARAPHRAST_COMPLETE": "complete_bash",
            "COMP_WORDS": "paraphrast e",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [name for name in COMMANDS if name.startswith("e")]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["Xyzzy plugh."], 1, "no paraphrase for the words of this text"),
        ([SENTENCE, "--must-use", "apple"], 1, "No paraphrase of this text uses 'apple'"),
        ([SENTENCE, "--must-use", "study", "--strength", "0.01"], 1, "Raise --strength"),
        ([SENTENCE, "--strength", "1", "--protect", SENTENCE], 1, "No paraphrase satisfies --protect"),
        ([SENTENCE, "--must-use", "banana"], 2, "does not know 'banana'"),
        (["", "--strength", "1"], 2, "got an empty one"),
        ([SENTENCE, "--strength", "1"], 0, ""),
    ],
)
def test_exit_codes_and_advice(
    toy_model: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert run(["paraphrase", *arguments, "-m", str(toy_model)]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert (captured.out == "") == (code != 0)
    if code == 1:
        assert run(["paraphrase", *arguments, "-m", str(toy_model), "--quiet"]) == 1
        assert capsys.readouterr().err == ""


def test_samples_have_a_seed(toy_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("1", "1", "2"):
        arguments = [SENTENCE, "-m", str(toy_model), "--strength", "1", "-n", "3", "--format", "plain"]
        assert run([*arguments, "--sample", "--seed", seed]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]
    assert all(len(output.splitlines()) == 3 for output in outputs)


def test_typed_lines_are_answered(
    toy_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter([SENTENCE, "", "Xyzzy plugh."])

    def typed(prompt: str) -> str:
        for line in lines:
            return line
        raise EOFError

    monkeypatch.setattr(builtins, "input", typed)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert run(["paraphrase", "-m", str(toy_model), "--strength", "1", "-n", "1"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 1
    assert "[" in captured.out
    assert "Ctrl-D ends" in captured.err
    assert "no paraphrase for the words" in captured.err
