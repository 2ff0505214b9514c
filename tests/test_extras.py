"""The base install rewrites and explains; what needs an extra says which, and how to install it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from paraphrast._extras import DISTRIBUTIONS, EXTRAS, require
from paraphrast.cli.app import COMMANDS, EXTRA_OF
from paraphrast.errors import MissingExtra

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
#: What is said where a text has results that are more likely wrong than right.
UNSURE = "? marks paraphrases that are more likely wrong than right. --sure 0.5 hides them."
#: Runs command lines, one per line of the first argument, in a Python that cannot import the packages of any extra.
BLOCKED = """
import json, sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"blocked: {name}", name=name)
BLOCKED = set(sys.argv[1].split(","))
sys.meta_path.insert(0, Blocked())
from paraphrast.cli import run
codes = []
for line in sys.argv[2].splitlines():
    try:
        codes.append(run(line.split("|")))
    except SystemExit as exit:
        codes.append(exit.code or 0)
print(json.dumps([codes, "numba" in sys.modules]))
"""


def run_blocked(*lines: str) -> tuple[str, str]:
    """What command lines write to standard output and to standard error with only the base packages."""
    blocked = ",".join(package for packages in EXTRAS.values() for package in packages)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BLOCKED, blocked, "\n".join(lines)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout, done.stderr


def test_rewriting_and_explaining_need_only_the_base(toy_model: Path) -> None:
    output, errors = run_blocked(
        f"paraphrase|The committee will examine the proposal tomorrow.|-m|{toy_model}",
        f"paraphrase|The committee will examine the proposal.|-m|{toy_model}|--avoid|plan|--explain",
        f"paraphrase|The committee will examine the proposal.|-m|{toy_model}|--must-use|plan|--format|json",
        f"explain|proposal|plan|-m|{toy_model}",
        f"model|show|{toy_model}",
        "--help",
        "train|--help",
        "evaluate|--help",
        "data|list",
    )
    # Nothing but the note on doubtful results, for each of the two commands that print text.
    assert errors.splitlines() == [UNSURE, UNSURE]
    assert "[look at]" in output
    assert "vorschlag" in output
    # Nothing of this is worth loading compiled code for.
    assert output.splitlines()[-1] == "[[0, 0, 0, 0, 0, 0, 0, 0, 0], false]"


def test_commands_say_which_extra_to_install(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("")
    output, errors = run_blocked(
        f"train|{config}|-o|{tmp_path / 'model'}",
        f"table|show|{config}",
        "identify|A sentence.|A phrase.",
    )
    assert output.splitlines()[-1].startswith("[[2, 2, 2]")
    for command in ("paraphrast train", "paraphrast table show", "paraphrast identify"):
        assert f"{command} needs" in errors
    assert "duckdb" in errors
    assert errors.count("pip install 'paraphrast[train]'") == 3


def test_one_installation_is_enough() -> None:
    _, errors = run_blocked("acquire|pages", "references|a|b", "table|dictionary|d|-o|t", "evaluate|mt|j")
    for extra, count in (("news", 1), ("mt", 2), ("english", 1)):
        assert errors.count(f"pip install 'paraphrast[{extra}]'") == count
    assert errors.count("duckdb") == 4
    assert errors.count("trafilatura") == errors.count("lemminflect") == 1


def test_python_functions_say_which_extra_to_install() -> None:
    blocked = BLOCKED.partition("from paraphrast.cli")[0]
    code = f"""{blocked}
import paraphrast
for call in (
    lambda: paraphrast.train("config.toml", "model"),
    lambda: paraphrast.expand_references(["a"], ["b"]),
):
    try:
        call()
    except paraphrast.MissingExtra as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, ",".join(EXTRAS["train"])], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("pip install 'paraphrast[train]'") == 2


def test_a_missing_extra_names_feature_packages_and_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "imaginary", ("json", "no_such_package_a", "no_such_package_b"))
    with pytest.raises(MissingExtra) as caught:
        require("paraphrast dream", "imaginary")
    message = str(caught.value)
    assert message.startswith("paraphrast dream needs optional dependencies")
    assert "no_such_package_a, no_such_package_b" in message
    assert "json" not in message
    assert message.endswith("pip install 'paraphrast[imaginary]'")


def test_the_extras_are_those_of_the_project_file() -> None:
    optional = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        declared = " ".join(optional[extra])
        for package in packages:
            assert DISTRIBUTIONS.get(package, package) in declared
    everything = optional["all"][0]
    assert all(extra in everything for extra in EXTRAS if extra != "peers")


def test_every_command_with_an_extra_exists() -> None:
    assert {name.split()[0] for name in EXTRA_OF} <= set(COMMANDS)
    assert set(EXTRA_OF.values()) <= set(EXTRAS)
    assert not {"paraphrase", "explain", "model", "doctor"} & set(EXTRA_OF)
