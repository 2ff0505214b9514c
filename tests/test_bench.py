"""The benchmarks run as described in bench/README.md, on a small corpus, and say what they measured."""

from __future__ import annotations

import json
import lzma
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import toy

RUN = Path(__file__).parents[1] / "bench" / "run.py"
SIZES = (150, 300)
HELD_OUT = 60


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(RUN), *arguments], capture_output=True, text=True, check=False)


def write_data(folder: Path, count: int) -> Path:
    (folder / "europarl").mkdir()
    lines = [f"{english}\t{first}\t{second}\t{second}\n" for english, first, second in toy.rows(count)]
    with lzma.open(folder / "europarl" / "en-de-fr-es.tsv.xz", "wt", encoding="utf-8") as stream:
        stream.writelines(lines)
    return folder


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one run of everything prints."""
    folder = tmp_path_factory.mktemp("bench")
    run = bench(
        *("road", "decode", "lm", "align", "extract"),
        *("--data", str(write_data(folder, SIZES[-1] + HELD_OUT))),
        *("--sizes", ",".join(map(str, SIZES))),
        *("--threads", "1", "--held-out", str(HELD_OUT), "--no-warm", "--out", str(folder / "out.json")),
    )
    assert run.returncode == 0, run.stderr
    assert (folder / "out.json").read_text(encoding="utf-8") == run.stdout
    parsed: dict[str, Any] = json.loads(run.stdout)
    return parsed


def assert_positive(record: dict[str, Any], *names: str) -> None:
    for name in names:
        assert record[name] > 0, name
        assert math.isfinite(record[name]), name


def assert_peer(record: dict[str, Any], name: str, ratios: tuple[str, ...]) -> None:
    """Either measured, with ratios, or null with how to get it; never something else."""
    if record[name] is None:
        assert all(record[ratio] is None for ratio in ratios)
        assert "paraphrast[peers]" in record[f"get_{name}"]
    else:
        assert_positive(record, *ratios)


def test_the_machine_and_the_versions_are_told(report: dict[str, Any]) -> None:
    assert_positive(report["machine"], "cores", "memory_megabytes")
    assert report["machine"]["cpu"]
    assert {"python", "numpy", "numba", "duckdb", "paraphrast"} <= report["versions"].keys()
    for peer in report["versions"]["peers"].values():
        assert (peer["version"] is None) == (peer["get"] is not None)


def test_the_road(report: dict[str, Any]) -> None:
    sizes = report["benchmarks"]["road"]["sizes"]
    assert [entry["lines"] for entry in sizes] == list(SIZES)
    for entry in sizes:
        assert_positive(entry, "minutes", "cpu_seconds", "peak_megabytes", "table_rows", "model_megabytes")
        stages = entry["stage_seconds"]
        assert {"text", "align-de", "align-fr", "align-es", "pivot", "lm", "model"} <= stages.keys()
        assert sum(stages.values()) <= 60 * entry["minutes"]
        assert max(entry["peak_megabytes_by_stage_end"].values()) <= entry["peak_megabytes"]
    assert sizes[0]["growth"] is None
    assert sizes[1]["growth"]["lines"] == 2
    assert sizes[1]["growth"]["table_rows"] == pytest.approx(
        sizes[1]["table_rows"] / sizes[0]["table_rows"], rel=1e-4
    )


def test_decoding(report: dict[str, Any]) -> None:
    figures = report["benchmarks"]["decode"]
    assert figures["sentences"] == HELD_OUT // 10
    settings = {(entry["beam"], entry["n"], entry["threads"]): entry for entry in figures["settings"]}
    assert settings.keys() == {(beam, n, 1) for beam in (32, 0) for n in (1, 10)}
    for entry in settings.values():
        assert_positive(entry, "sentences_per_second", "sentences_per_cpu_second")
        assert 0 < entry["rewrites_per_sentence"] <= entry["n"]
    assert figures["beam_loss"]["compared"] > 0
    assert figures["beam_loss"]["mean"] >= -1e-9
    for entry in figures["search"]:
        assert entry["loss"]["mean"] >= -1e-9
        for setting in entry["settings"]:
            assert_positive(setting, "sentences_per_second", "sentences_per_cpu_second")
    for row in figures["growth"].values():
        for entry in row:
            assert_positive(entry, "beam_milliseconds", "exact_milliseconds")
    assert_positive(figures["start"], "load_seconds", "help_seconds", "one_sentence_seconds")


def test_language_models(report: dict[str, Any]) -> None:
    for order in ("order_3", "order_5"):
        sizes = report["benchmarks"]["lm"][order]["sizes"]
        for entry in sizes:
            assert_positive(
                entry, "estimate_seconds", "peak_megabytes", "words_per_second", "words_per_second_from_text"
            )
            assert entry["scored_words"] > HELD_OUT
            assert_positive(entry, "command_cpu_seconds", "spilled_cpu_seconds", "words_per_second_quantised")
            assert_peer(entry, "kenlm", ("ratio", "ratio_from_text"))
            assert (entry["lmplz"] is None) == (entry["cpu_ratio"] is None)
            assert (entry["largest_difference"] or 0) < 1e-3
        assert sizes[1]["ngrams"] > sizes[0]["ngrams"]


def test_alignment(report: dict[str, Any]) -> None:
    sizes = report["benchmarks"]["align"]["sizes"]
    assert [entry["pairs"] for entry in sizes] == list(SIZES)
    for entry in sizes:
        assert_positive(entry, "links", "seconds", "cpu_seconds", "peak_megabytes")
        assert 0 < entry["call"]["cpu_seconds"] <= entry["cpu_seconds"]
        assert_peer(entry, "eflomal", ("cpu_ratio", "memory_ratio"))


def test_extraction(report: dict[str, Any]) -> None:
    sizes = report["benchmarks"]["extract"]["sizes"]
    assert [entry["lines"] for entry in sizes] == list(SIZES)
    for entry in sizes:
        assert_positive(entry, "occurrences", "pairs", "occurrences_a_second", "peak_megabytes")
        assert entry["occurrences"] >= entry["pairs"]
        peaks = [step["peak_megabytes"] for step in entry["steps"].values()]
        assert peaks == sorted(peaks)
        assert {"extract", "count", "lexical_weights", "significance"} <= entry["steps"].keys()
    assert sizes[1]["growth"]["occurrences"] > 1


def test_what_cannot_be_measured_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = bench("road", "--data", str(tmp_path / "none"))
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "there is no such data folder" in missing.stderr
    monkeypatch.delenv("PARAPHRAST_BENCH_DATA", raising=False)
    assert "PARAPHRAST_BENCH_DATA" in bench("road").stderr
    empty = bench("--data", str(tmp_path))
    assert empty.returncode == 2
    assert "en-de-fr-es.tsv.xz" in empty.stderr
    short = bench("--data", str(write_data(tmp_path, 20)), "--sizes", "15", "--held-out", "10")
    assert short.returncode == 2
    assert "expected 25 lines, got 20" in short.stderr
    unknown = bench("speed", "--data", str(tmp_path))
    assert unknown.returncode == 2
    assert "unknown benchmark 'speed'" in unknown.stderr
