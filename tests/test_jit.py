"""Kernels are cached under a hash of all that they see, and work where nothing can be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paraphrast import _numeric
from paraphrast._jit.folder import cache_root, kernel_hash, kernel_sources

CODE = """
import numpy as np
from paraphrast import _jit, _numeric
print(_numeric.logsumexp(np.zeros(2)), _numeric.logsumexp.is_cached)
"""


def run(cache: Path) -> str:
    environment = {**os.environ, "PARAPHRAST_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_kernels_are_cached_in_the_cache_folder(tmp_path: Path) -> None:
    assert run(tmp_path) == "0.6931471805599453 True"
    compiled = list((tmp_path / "kernels").rglob("*.code"))
    assert compiled
    (folder,) = {path.relative_to(tmp_path / "kernels").parts[0] for path in compiled}
    assert folder == kernel_hash(Path(_numeric.__file__))


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert run(blocked) == "0.6931471805599453 False"


def test_the_cache_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    assert cache_root() == tmp_path


def test_what_a_kernel_sees_is_part_of_its_hash(tmp_path: Path) -> None:
    package = tmp_path / "paraphrast"
    (package / "room").mkdir(parents=True)
    (package / "types").mkdir()
    (package / "__init__.py").write_text("")
    (package / "_numeric.py").write_text("from paraphrast.types import deeper\n")
    (package / "room" / "_kernels.py").write_text(
        "from paraphrast.types.sizes import (\n    LONGEST,\n)\nfrom paraphrast import _numeric\n"
    )
    (package / "room" / "_kernels_other.py").write_text("")
    (package / "types" / "sizes.py").write_text("")
    (package / "types" / "deeper.py").write_text("")
    (package / "types" / "__init__.py").write_text("")
    names = {path.name for path in kernel_sources(package / "room" / "_kernels.py", package)}
    assert names == {
        "_kernels.py",
        "sizes.py",
        "_numeric.py",
        "deeper.py",
        "__init__.py",
        "folder.py",
        "compiled.py",
        "kernels.py",
    }


def test_every_kernel_module_has_a_folder_of_its_own() -> None:
    rooms = Path(_numeric.__file__).parent
    kernels = sorted(rooms.rglob("_kernels*.py"))
    assert len({kernel_hash(path) for path in kernels}) == len(kernels) > 20
