"""`train --plan`: what stages cost by measured constants, without doing anything."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.errors import InputError
from paraphrast.formats.files import sample_lines
from paraphrast.training.config import Config, as_config, read_config
from paraphrast.training.plan import plan_text, plan_training
from paraphrast.training.plan.costs import FILE, Line, Power, load_costs
from paraphrast.training.plan.sources import size_of
from paraphrast.training.stages import stage_list  # noqa: F401 (imported before times are measured)

LINE = "one two three\teins zwei\tun deux trois quatre\n"


def config_of(folder: Path, text: str = LINE * 40, **more: object) -> Config:
    (folder / "bitext.tsv").write_text(text, encoding="utf-8")
    source = {"path": str(folder / "bitext.tsv"), "columns": ["en", "de", "fr"], **more}
    return as_config({"bitext": [source], "substitution": "no"})


def test_every_stage_is_planned_and_nothing_is_written(tmp_path: Path) -> None:
    before = config_of(tmp_path), sorted(tmp_path.iterdir())
    plan = plan_training(before[0], cores=4)
    assert sorted(tmp_path.iterdir()) == before[1]
    names = [stage.name for stage in plan.stages]
    assert names[:4] == ["text", "tags", "align-de", "extract-de"]
    assert (plan.pairs, plan.words, plan.counted) == (40, 3.0, True)
    assert set(plan.unknown) == {"tags", "substitution"}
    assert plan.hours <= plan.core_hours


def test_a_larger_text_costs_more_and_cores_help(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    small, large = (plan_training(config, pairs=pairs, cores=1) for pairs in (10**7, 10**8))
    assert 8 < large.core_hours / small.core_hours < 12
    for one, ten in zip(small.stages, large.stages, strict=True):
        assert (one.disk_bytes or 0) <= (ten.disk_bytes or 0)
    for engine in ("duckdb", "spark://host:7077"):
        few, many = (plan_training(config, pairs=10**8, cores=cores, engine=engine) for cores in (1, 100))
        assert many.hours < few.hours
        assert many.core_hours == few.core_hours
    shards = {stage.name: stage.shards for stage in many.stages}
    assert shards["align-de"] > 1000


def test_lines_are_counted_or_estimated(tmp_path: Path) -> None:
    config = config_of(tmp_path, LINE * 1000)
    source = config.bitext[0]
    exact = size_of(source, 3)
    assert exact is not None
    assert (exact.lines, exact.exact) == (1000, True)
    sampled = size_of(source, 3, sample=100)
    assert sampled is not None
    assert sampled.lines == pytest.approx(1000, rel=0.01)
    assert not sampled.exact
    limited = config_of(tmp_path, LINE * 1000, lines=[11, 60]).bitext[0]
    some = size_of(limited, 3)
    assert some is not None
    assert (some.lines, some.exact) == (50, True)


def test_a_sample_knows_its_share_of_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"".join(b"%d words of line\n" % n for n in range(200_000))))
    lines, share = sample_lines(path, 50_000)
    assert len(lines) == 50_000
    assert share == pytest.approx(0.25, abs=0.08)
    assert sample_lines(path, 300_000)[1] == 1.0


def test_a_file_that_is_not_here_needs_a_number(tmp_path: Path) -> None:
    source = {"files": {"en": str(tmp_path / "a"), "de": str(tmp_path / "b")}}
    (tmp_path / "a").write_text("x\n")
    (tmp_path / "b").write_text("x\n")
    config = as_config({"bitext": [source], "substitution": "no"})
    (tmp_path / "a").unlink()
    with pytest.raises(InputError, match="--pairs"):
        plan_training(config)
    assert plan_training(config, pairs=5).pairs == 5


def test_the_constants_say_how_they_were_measured() -> None:
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(stored) == {"duckdb", "spark"}
    for engine, constants in stored.items():
        assert all("bench/" in command for command in constants["measured_by"])
        assert set(load_costs(engine).stages) == {
            "text", "align", "extract", "reorder", "pivot", "lm", "model"
        }  # fmt: skip
    assert (Line(1.0, 2.0)(3), Power(2.0, 0.5)(9), Power(2.0, 0.5)(0)) == (7.0, 6.0, 0.0)


def test_a_measured_language_has_constants_of_its_own(tmp_path: Path) -> None:
    costs = load_costs("duckdb")
    german, italian = costs.of("extract-de"), costs.of("extract-it")
    assert german is not None
    assert italian is not None
    assert italian == costs.stages["extract"]
    assert german.disk_bytes == costs.amounts["extract-de"]["disk_bytes"] != italian.disk_bytes
    assert german.driver_seconds == italian.driver_seconds
    assert costs.of("tags") is None
    config = config_of(tmp_path, columns=["en", "de", "it"])
    disk = {stage.name: stage.disk_bytes for stage in plan_training(config, pairs=10**6).stages}
    assert disk["extract-de"] != disk["extract-it"]


def test_the_command_prints_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config_of(tmp_path)
    (tmp_path / "config.toml").write_text(
        'substitution = "no"\n[[bitext]]\npath = "bitext.tsv"\ncolumns = ["en", "de", "fr"]\n'
    )
    path = str(tmp_path / "config.toml")
    assert run(["train", path, "--plan", "--cores", "8", "--pairs", "1000000"]) == 0
    printed = capsys.readouterr().out
    assert printed.strip() == plan_text(plan_training(read_config(path), cores=8, pairs=1_000_000))
    assert "1,000,000 sentence pairs of 3.0 words, duckdb, 8 cores" in printed
    assert run(["train", path, "-o", str(tmp_path / "model"), "--cores", "8"]) != 0
    assert "--plan" in capsys.readouterr().err
