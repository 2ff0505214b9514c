"""constraints.txt, sbom.cdx.json and docs/licences.md name every dependency and every data source, and agree."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def supply() -> ModuleType:
    spec = spec_from_file_location("supply", ROOT / "scripts" / "supply.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["supply"] = module
    spec.loader.exec_module(module)
    return module


def test_nothing_is_missing_or_out_of_date(supply: ModuleType) -> None:
    assert supply.problems() == []


def test_a_new_dependency_or_source_without_a_row_is_reported(
    supply: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supply, "direct_requirements", lambda: {"left-pad": {"base"}})
    monkeypatch.setattr(supply, "data_rows", lambda: [("new", "MIT", "1", "pip new")])
    assert supply.problems() == [
        "left-pad: no licence in docs/licences.md",
        "left-pad: not pinned in constraints.txt",
        "new: the row of this data source is missing or out of date",
    ]


def test_every_package_of_the_bill_has_a_licence_and_the_base_install_none_that_binds() -> None:
    bill = json.loads((ROOT / "sbom.cdx.json").read_text("utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    libraries = [row for row in bill["components"] if row["type"] == "library"]
    assert len(libraries) > 50
    assert all(row["licenses"][0]["license"]["name"] for row in libraries)
    required = {row["name"] for row in libraries if row["scope"] == "required"}
    assert {"numpy", "numba", "typer", "llvmlite"} <= required
    assert not required & {"duckdb", "spacy", "pyspark"}
