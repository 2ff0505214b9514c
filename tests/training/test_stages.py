"""Training: resumed after any interruption with the same bytes, and clear about bad input."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import paraphrast
import toy
from paraphrast import FormatError, InputError, ModelError, ParaphrastError
from paraphrast.formats.lock import locked
from paraphrast.model import paraphrases_of
from paraphrast.model.folder import MANIFEST, write_manifest
from paraphrast.text.languages.registry import get_language
from paraphrast.training import stages
from paraphrast.training.config import read_config
from paraphrast.training.runner import Stage, stages_for


def digest(model: Path) -> dict[str, str]:
    """Hash of every file of a model."""
    return {
        path.relative_to(model).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(model.rglob("*"))
        if path.is_file()
    }


class Watch:
    """A progress that remembers, and may stop the run."""

    def __init__(self, stop_before: str | None = None) -> None:
        self.stop_before = stop_before
        self.made: list[str] = []
        self.reused: list[str] = []

    def stage(self, number: int, total: int, name: str, title: str, reused: bool) -> None:
        if name == self.stop_before:
            raise KeyboardInterrupt
        (self.reused if reused else self.made).append(name)

    def step(self, done: float, total: float, unit: str) -> None:
        pass

    def ended(self, name: str, seconds: float, note: str) -> None:
        pass


def test_an_interrupted_run_resumes_and_ends_with_the_same_bytes(toy_model: Path, tmp_path: Path) -> None:
    config = toy_model.parent / "config.toml"
    for stop in ("align-fr", "pivot", "model"):
        with pytest.raises(KeyboardInterrupt):
            paraphrast.train(config, tmp_path / "model", threads=1, progress=Watch(stop))
        assert not (tmp_path / "model").exists()
    last = Watch()
    paraphrast.train(config, tmp_path / "model", threads=1, progress=last)
    assert last.made == ["model"]
    assert digest(tmp_path / "model") == digest(toy_model)
    assert not (tmp_path / "model.work").exists()


def test_a_half_written_stage_is_not_trusted(toy_model: Path, tmp_path: Path) -> None:
    config = toy_model.parent / "config.toml"
    with pytest.raises(KeyboardInterrupt):
        paraphrast.train(config, tmp_path / "model", threads=2, progress=Watch("lm"))
    work = tmp_path / "model.work"
    (work / "pivot" / "stage.json").unlink()
    (work / ".lm.tmp").mkdir()
    (work / ".lm.tmp" / "junk").write_text("half")
    last = Watch()
    paraphrast.train(config, tmp_path / "model", threads=2, progress=last)
    assert last.made == ["pivot", "lm", "model"]
    assert digest(tmp_path / "model") == digest(toy_model)


def test_other_options_rebuild_what_depends_on_them(toy_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(toy_model.parent, folder, ignore=shutil.ignore_patterns("model*"))
    paraphrast.train(folder / "config.toml", tmp_path / "model", keep_work=True)
    config = folder / "config.toml"
    config.write_text(config.read_text().replace("order = 3", "order = 2"))
    again = Watch()
    paraphrast.train(config, tmp_path / "model", force=True, keep_work=True, progress=again)
    assert again.made == ["lm", "model"]


def test_other_code_rebuilds_what_depends_on_it(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A work folder that an older checkout kept is not reused where its code has changed since."""
    config = toy_model.parent / "config.toml"
    with pytest.raises(KeyboardInterrupt):
        paraphrast.train(config, tmp_path / "model", progress=Watch("model"))
    now = Stage.code
    monkeypatch.setattr(Stage, "code", lambda stage: "older" if stage.name == "extract-fr" else now(stage))
    again = Watch()
    paraphrast.train(config, tmp_path / "model", progress=again)
    assert again.made == ["extract-fr", "reorder", "pivot", "substitution", "model"]
    assert "lm" in again.reused


def test_only_stages_that_the_goal_needs_run() -> None:
    def body(*_: object) -> str:
        return ""

    stages = [
        Stage("a", "", body),
        Stage("b", "", body, ("a", "off")),
        Stage("off", "", body, ("a",), wanted=False),
        Stage("c", "", body, ("a",)),
        Stage("d", "", body, ("b", "off")),
    ]
    assert [stage.name for stage in stages_for("d", stages)] == ["a", "b", "d"]
    assert [stage.name for stage in stages_for("c", stages)] == ["a", "c"]


@pytest.mark.slow
def test_killed_at_random_moments_it_ends_with_the_same_bytes(toy_model: Path, tmp_path: Path) -> None:
    config = toy_model.parent / "config.toml"
    command = [sys.executable, "-m", "paraphrast", "train", str(config), "-o", str(tmp_path / "model")]
    moments = random.Random(3)
    for _ in range(4):
        run = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(0.8, 3.5))
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        if (tmp_path / "model").exists():
            break
    if not (tmp_path / "model").exists():
        subprocess.run(command, check=True, capture_output=True)
    assert digest(tmp_path / "model") == digest(toy_model)


def test_an_existing_model_is_refused_then_replaced(toy_model: Path, tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "mine.txt").write_text("precious")
    with pytest.raises(InputError, match="--force"):
        paraphrast.train(toy_model.parent / "config.toml", target)
    config = toy_model.parent / "config.toml"
    foreign = ("{}", '{"manifest_version": 3, "name": "ext"}', (toy_model / MANIFEST).read_text())
    for manifest in ("", *foreign):
        if manifest:
            (target / MANIFEST).write_text(manifest)
        with pytest.raises(InputError, match="not replaced"):
            paraphrast.train(config, target, force=True)
        assert (target / "mine.txt").read_text() == "precious"
    (target / "mine.txt").unlink()
    paraphrast.train(toy_model.parent / "config.toml", target, force=True)
    assert digest(target) == digest(toy_model)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("killed_in", ["rmtree", "put_folder"])
def test_killed_at_the_end_the_same_command_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_in: str
) -> None:
    """Killed just before or after the model is in place, and stages that only write a manifest."""

    def run_stages(
        these: list[Stage], recipe: object, resources: object, work: Path, progress: object
    ) -> None:
        signature = stages.signatures_of(these, recipe)["model"]  # type: ignore[arg-type]
        (work / "model").mkdir(exist_ok=True)
        write_manifest(work / "model", {"language": "en", "signature": signature})
        (work / "model" / "stage.json").write_text(json.dumps({"signature": signature}))

    config, model = write(tmp_path, GOOD), tmp_path / "out" / "model"
    model.parent.mkdir()
    monkeypatch.setattr(stages, "run_stages", run_stages)
    owner = stages.shutil if killed_in == "rmtree" else stages
    whole = getattr(owner, killed_in)

    def kill(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(owner, killed_in, kill)
    with pytest.raises(KeyboardInterrupt):
        paraphrast.train(config, model)
    monkeypatch.setattr(owner, killed_in, whole)
    assert model.exists() == (killed_in == "rmtree")
    if killed_in == "rmtree":
        other = write(tmp_path, GOOD, '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "fr"]\n')
        with pytest.raises(InputError, match="already exists"):
            paraphrast.train(other, model)
        config = write(tmp_path, GOOD)
    assert paraphrast.train(config, model) == model
    assert [path.name for path in model.parent.iterdir()] == ["model"]
    with pytest.raises(InputError, match="already exists"):
        paraphrast.train(config, model)


def test_what_appears_during_training_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"

    def run_stages(
        these: list[Stage], recipe: object, resources: object, work: Path, progress: object
    ) -> None:
        (work / "model").mkdir()
        model.mkdir()
        (model / "mine.txt").write_text("precious")

    monkeypatch.setattr(stages, "run_stages", run_stages)
    with pytest.raises(InputError, match="already exists"):
        paraphrast.train(write(tmp_path, GOOD), model)
    assert (model / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize("code", ["../../../evil", "", "a/b", "de\\n", "..", "x" * 41, "a b", "é"])
def test_language_codes_are_no_paths(tmp_path: Path, code: str) -> None:
    quoted = json.dumps(code, ensure_ascii=False)
    for text in (
        f'[[bitext]]\npath = "b.tsv"\ncolumns = ["en", {quoted}]\n',
        f'[[bitext]]\n[bitext.files]\nen = "b.tsv"\n{quoted} = "b.tsv"\n',
        f'language = {quoted}\n[[bitext]]\npath = "b.tsv"\ncolumns = ["en", {quoted}]\n',
    ):
        with pytest.raises(InputError, match="language code"):
            paraphrast.train(write(tmp_path, GOOD, text), tmp_path / "model")
    assert {path.name for path in tmp_path.iterdir()} == {"b.tsv", "c.toml"}


def test_two_runs_do_not_share_a_folder(toy_model: Path, tmp_path: Path) -> None:
    lock = tmp_path / "model.work" / "lock"
    with locked(lock), pytest.raises(InputError, match="is building this output"):
        paraphrast.train(toy_model.parent / "config.toml", tmp_path / "model")


def write(folder: Path, bitext: bytes, config: str | None = None) -> Path:
    (folder / "b.tsv").write_bytes(bitext)
    path = folder / "c.toml"
    path.write_text(config or '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n', encoding="utf-8")
    return path


GOOD = b"The house is big.\tDas Haus ist gross.\n" * 30


@pytest.mark.parametrize(
    ("bitext", "message"),
    [
        (b"", "at least one sentence pair"),
        (GOOD + b"only one column\n", r"b\.tsv:31: expected 2 columns"),
        (GOOD + b"caf\xe9\tKaffee\n", r"b\.tsv:31: expected UTF-8, got byte 0xe9"),
        (GOOD + b"binary\x00junk\tJunk\n", r"b\.tsv:31: expected text, got binary"),
        (os.urandom(0) + bytes(range(128, 256)) * 40, r"b\.tsv:1: expected UTF-8"),
    ],
)
def test_bad_bitext_is_told_with_file_and_line(tmp_path: Path, bitext: bytes, message: str) -> None:
    with pytest.raises(ParaphrastError, match=message):
        paraphrast.train(write(tmp_path, bitext), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_bad_lines_are_left_out_if_asked(tmp_path: Path) -> None:
    bad = (
        GOOD + b"only one column\ncaf\xe9\tKaffee\n" + b"x " * 10_000 + b"\t" + b"y " * 10_000 + b"\n" + GOOD
    )
    model = paraphrast.train(write(tmp_path, bad), tmp_path / "model", skip_bad=True)
    assert paraphrast.load(model).paraphrase("The house is big.", strength=1.0) == []


def test_a_path_with_an_apostrophe(tmp_path: Path) -> None:
    folder = tmp_path / 'John\'s "data"'
    folder.mkdir()
    model = paraphrast.train(toy.write_config(folder, 300), folder / "model")
    assert paraphrases_of(paraphrast.load(model), "proposal")


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.tsv").write_bytes(GOOD)
    sources = "".join(f'[[bitext]]\npath = "{name}/x.tsv"\ncolumns = ["en", "de"]\n' for name in "ab")
    config = write(tmp_path, b"", sources)
    paraphrast.train(config, tmp_path / "model", keep_work=True)
    (tmp_path / "a" / "x.tsv").write_bytes(GOOD.replace(b"big", b"tall"))
    again = Watch()
    paraphrast.train(config, tmp_path / "model", force=True, progress=again)
    assert "text" in again.made


def test_unequal_files(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("one\ntwo\n")
    (tmp_path / "a.de").write_text("eins\n")
    config = write(tmp_path, b"", '[[bitext]]\nfiles = { en = "a.en", de = "a.de" }\n')
    with pytest.raises(FormatError, match=r"a\.en:2: expected the same number of lines.*2.*1"):
        paraphrast.train(config, tmp_path / "model")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("bitext = [", "expected TOML"),
        ("", "at least one"),
        ('[[bitext]]\npath = "nowhere.tsv"\ncolumns = ["en", "de"]\n', "the file does not exist"),
        ('[[bitext]]\npath = "b.tsv"\ncolumns = ["fr", "de"]\n', "expected 'en' and another language"),
        ('[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\nlines = [5, 2]\n', "lines"),
        (
            '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n[align]\ncolour = 1\n',
            "unknown option 'colour'",
        ),
        ('[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n[aline]\nx = 1\n', "unknown key 'aline'"),
        ('[[bitext]]\ndata = "no-such-corpus"\n', "no-such-corpus"),
        ('lm = 5\n[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n', "expected a table of options"),
        (
            '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n[lm]\norder = "three"\n',
            "order: expected a whole number from 1 to 7",
        ),
        ('[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n[pivot]\ntop = 0\n', "top"),
        ('[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de", "de"]\n', "expected each language once"),
        (
            '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n[weights.features]\n"pivot.scroe" = 1.0\n',
            "pivot.scroe",
        ),
        ('evidence = "all"\n[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "de"]\n', "evidence"),
    ],
)
def test_bad_configurations_are_told(tmp_path: Path, config: str, message: str) -> None:
    path = write(tmp_path, GOOD)
    path.write_text(config, encoding="utf-8")
    with pytest.raises(ParaphrastError, match=message):
        paraphrast.train(path, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_missing_configuration(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="configuration file does not exist"):
        read_config(tmp_path / "none.toml")


def test_an_unknown_language_trains_with_one_notice(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = write(tmp_path, GOOD, '[[bitext]]\npath = "b.tsv"\ncolumns = ["en", "qq"]\n')
    get_language.cache_clear()  # the notice comes once per process
    assert paraphrast.train(config, tmp_path / "model").exists()
    assert sum("qq" in record.message for record in caplog.records) == 1


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / MANIFEST).unlink(), "manifest.json"),
        (lambda folder: (folder / MANIFEST).write_text("{"), "damaged"),
        (lambda folder: (folder / "decoder" / "words.txt").unlink(), "words.txt"),
        (lambda folder: (folder / "decoder" / "words.txt").write_bytes(b"\xff\n"), "damaged"),
        (lambda folder: (folder / "decoder" / "word.npy").write_bytes(b"junk"), "decoder"),
        (lambda folder: (folder / "weights.json").write_text("[]"), "weights"),
        (lambda folder: shutil.rmtree(folder / "lm"), "lm"),
        (lambda folder: (folder / "casing.tsv").unlink(), "casing"),
    ],
)
def test_a_damaged_model_is_told(toy_model: Path, tmp_path: Path, damage: object, message: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(toy_model, copy)
    damage(copy)  # type: ignore[operator]
    with pytest.raises(ParaphrastError, match=message):
        paraphrast.load(copy)


def test_a_newer_format_is_refused(toy_model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(toy_model, copy)
    manifest = json.loads((copy / MANIFEST).read_text())
    (copy / MANIFEST).write_text(json.dumps({**manifest, "format_version": 99}))
    with pytest.raises(ModelError, match="format 2, got 99"):
        paraphrast.load(copy)


def test_no_model_says_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="paraphrast train"):
        paraphrast.load(tmp_path / "none")
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match=r"paraphrast train --default.*minutes.*downloads.*licences"):
        paraphrast.load("registry")


def test_a_full_disk_is_told_and_loses_nothing(toy_model: Path, tmp_path: Path) -> None:
    small = Path("/dev/full")
    if not small.exists():
        pytest.skip("no /dev/full on this system")
    from paraphrast.formats.files import write_lines

    with pytest.raises(ParaphrastError, match="disk is full"):
        write_lines(small, ["x" * 100_000])


def test_the_manifest_names_sources_and_licences(toy_model: Path) -> None:
    manifest = json.loads((toy_model / MANIFEST).read_text())
    (bitext, *_) = manifest["sources"]
    assert bitext["licence"] == "ours"
    assert len(bitext["sha256"][0]) == 64
    assert manifest["paraphrast"] == paraphrast.__version__
    assert "time" not in json.dumps(manifest)


def test_toy_rows_are_what_they_seem() -> None:
    assert toy.rows(2) == toy.rows(2)
    assert len({row[0] for row in toy.rows(200)}) > 150


def test_a_malformed_memory_is_told_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="much"):
        paraphrast.train(toy.write_config(tmp_path, 20), tmp_path / "model", memory="much")
    assert not (tmp_path / "model.work").exists()
