"""Modules of ``bench/`` for tests: that folder is not on the path, where its names would hide those of tests."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

BENCH = Path(__file__).parents[1] / "bench"


def bench_module(name: str) -> ModuleType:
    """The module ``bench/NAME.py``; what it imports from there must have been loaded before."""
    if name not in sys.modules:
        spec = spec_from_file_location(name, BENCH / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
