"""Every command and every Python example of the README and the docs runs, from an installed wheel.

The wheel is built and installed into a virtual environment of its own, which borrows only the dependencies. Commands
run in folders that have a few small files and nothing of the source tree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import docs_blocks
from docs_blocks import Example
from docs_files import AFTER, SETUP, write_files

ROOT = Path(__file__).parents[1]
#: Generated signatures and help texts are no examples; test_docs.py compares them with the code.
PAGES = [
    path
    for path in [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "docs/tasks").glob("*.md")),
    ]
    if path.name not in ("cli.md", "options.md")
]

_REPOSITORY = "a script of the repository, which is not part of the wheel"
_INSTALL = "the fixture `wheel` installs the package; extras come from the environment of the tests"
_FETCHES = "fetches data from package registries"
_MEASUREMENT = "fetches a data set, for a measurement"
_READERS = "needs translation and language models of 1.2 GB"
_STORE = "needs an object store of one's own; tests/formats reads and writes such files"
_JUDGEMENTS = "needs judgements that are not in the repository"
#: Examples that do not run here, by the beginning of their text, and why.
NOT_RUN = {
    "make ": "a command of the repository; .ci/run and README readers run it",
    "pip install ": _INSTALL,
    "python scripts/": _REPOSITORY,
    "python bench/": _REPOSITORY,
    "paraphrast judge new --sentences news.txt": "needs a text and a model of one's own; tests/cli tries it",
    "python examples/": "a script of the repository; test_examples.py runs it",
    "pip download ": _MEASUREMENT,
    "unzip ": _MEASUREMENT,
    "tar ": _MEASUREMENT,
    "paraphrast data get ": _FETCHES,
    "paraphrast data show nlp-de": "shows fetched data only",
    "from paraphrast import data\n\nfolder = data.get(": _FETCHES,
    "paraphrast train --default": _FETCHES,
    "paraphrast table dictionary gcide": _FETCHES,
    "paraphrast table lexicon moby": _FETCHES,
    'from paraphrast.build.tables import build_table\n\ntable = build_table("dictionary", ["gcide"]': _FETCHES,
    'paraphrast paraphrase "The EU needs to adopt a common approach." --precise': _READERS,
    "from paraphrast import data\nfrom paraphrast.read import Reader": _READERS,
    "from paraphrast import data\nfrom paraphrast.read import SentenceEncoder": _FETCHES,
    "paraphrast table roundtrip": _READERS,
    "paraphrast pairs articles.jsonl -o pairs.tsv --engine spark": "needs a Spark cluster",
    "paraphrast train config.toml -o big-model --engine spark": "needs a Spark cluster",
    "paraphrast table pivot bitext.tsv --columns en,de,fr -o pivot.parquet --engine": "needs Spark",
    'paraphrast paraphrase "Click here': "needs the model of tasks/train.md, whose data is fetched",
    "paraphrast explain delete remove": "needs the model of tasks/train.md, whose data is fetched",
    "paraphrast train config.toml -o my-model --threads 2": "trains the model of tasks/train.md again",
    "paraphrast align pairs.tsv --pretokenized --method eflomal": "needs the extra peers",
    "paraphrast align PAIRS -o LINKS --monolingual [": "a synopsis",
    "paraphrast serve": "runs until it is stopped; tests/cli/test_serve.py starts it",
    "curl ": "needs a running service; tests/web sends such requests",
    "jq ": "needs a running service; tests/web sends such requests",
    "paraphrast data shard europarl.tsv.xz -o s3://": _STORE,
    "paraphrast data manifest s3://": _STORE,
    "paraphrast evaluate phrases pivot=MODEL --judgements ppdb-sample": _JUDGEMENTS,
    "paraphrast evaluate substitutions swords": _JUDGEMENTS,
    "paraphrast evaluate substitutions coinco": _JUDGEMENTS,
    "paraphrast evaluate sentences --judgements": _JUDGEMENTS,
    "paraphrast tune table chunks pairs.tsv --gold swords": _JUDGEMENTS,
    "from pathlib import Path\nfrom paraphrast.training.substitution": _JUDGEMENTS,
}


def _examples(path: Path) -> list[Example]:
    page = path.relative_to(ROOT).as_posix()
    found = docs_blocks.examples(page, path.read_text(encoding="utf-8"))
    if path.name == "api.md":  # its other blocks are signatures; its examples use a small model
        found = [each for each in found if each.kind == "doctest"]
        found = [each._replace(code=each.code.replace('load("default")', 'load("model")')) for each in found]
    return found


def _reason(example: Example) -> str | None:
    return next((why for begin, why in NOT_RUN.items() if example.code.startswith(begin)), None)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of a virtual environment into which the built wheel is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
    python = next(path for path in folder.glob("venv/*/python*") if path.stem == "python")
    [built] = (folder / "dist").glob("*.whl")
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*install, str(built)], check=True, capture_output=True)
    [packages] = folder.glob("venv/**/site-packages")
    # A path in a .pth file brings the dependencies; the .pth files there, one of which names our source, are not read.
    places = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (packages / "dependencies.pth").write_text("\n".join(places) + "\n", encoding="utf-8")
    return python.parent


def _environment(wheel: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PATH": f"{wheel}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}


@pytest.fixture(scope="module")
def results(wheel: Path, toy_model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What failed of the examples of all pages, each page in its own folder."""
    folder = tmp_path_factory.mktemp("docs")
    jobs = []
    for path in PAGES:
        chosen = [example for example in _examples(path) if _reason(example) is None]
        if chosen:
            (folder / path.stem).mkdir()
            write_files(folder / path.stem, toy_model)
            setup = SETUP.get(path.stem, "")
            jobs.append(
                {"folder": str(folder / path.stem), "setup": setup, "examples": chosen, "after": AFTER}
            )
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    runner = folder / "runner.py"
    runner.write_bytes(Path(docs_blocks.__file__).read_bytes())
    command = [str(wheel / "python"), str(runner), str(folder / "jobs.json"), str(folder / "results.json")]
    subprocess.run(command, cwd=folder, env=_environment(wheel), check=True, capture_output=True)
    found: dict[str, object] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def test_the_package_is_that_of_the_wheel(wheel: Path, results: dict[str, object]) -> None:
    assert Path(str(results["package"])).is_relative_to(wheel.parent)


def test_the_installed_command_runs_in_a_shell(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("She began to work in a large city.\n", encoding="utf-8")
    for command in (
        'paraphrast "She began to work in a large city."',
        "cat notes.txt | paraphrast paraphrase --format json",
    ):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=_environment(wheel), capture_output=True, text=True
        )
        assert (done.returncode, "She " in done.stdout) == (0, True), done.stderr
    place = "import paraphrast; print(paraphrast.__file__)"
    done = subprocess.run(
        [str(wheel / "python"), "-c", place],
        cwd=tmp_path,
        env=_environment(wheel),
        capture_output=True,
        text=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(wheel.parent)


def test_every_reason_not_to_run_belongs_to_an_example() -> None:
    codes = [example.code for path in PAGES for example in _examples(path)]
    assert [begin for begin in NOT_RUN if not any(code.startswith(begin) for code in codes)] == []
    assert sum(_reason(example) is None for path in PAGES for example in _examples(path)) > 100


@pytest.mark.parametrize("path", [path for path in PAGES if _examples(path)], ids=lambda path: path.name)
def test_examples_run(path: Path, results: dict[str, object]) -> None:
    page = path.relative_to(ROOT).as_posix()
    failed = results["failed"]
    assert isinstance(failed, list)
    assert [each for each in failed if each[0].startswith(f"{page}:")] == []
