"""Kernels are cached under a hash of all that they see, and work where nothing can be written."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paraphrast import _jit, _numeric
from paraphrast._jit import Kernel
from paraphrast._jit.folder import cache_root, kernel_folder, kernel_hash, kernel_sources

CODE = """
import numpy as np
from paraphrast import _jit, _numeric
print(_numeric.random_unit(np.uint64(0))[1], _numeric.random_unit.is_cached)
"""


def run(cache: Path) -> str:
    environment = {**os.environ, "PARAPHRAST_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_kernels_are_cached_in_the_cache_folder(tmp_path: Path) -> None:
    assert run(tmp_path) == "0.8833108082136426 True"
    compiled = list((tmp_path / "kernels").rglob("*.code"))
    assert compiled
    (folder,) = {path.relative_to(tmp_path / "kernels").parts[0] for path in compiled}
    assert folder == kernel_hash(Path(_numeric.__file__))


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert run(blocked) == "0.8833108082136426 False"


def damaged(content: bytes) -> list[bytes]:
    """The content emptied, cut off, with a flipped bit in front, in the middle and at the end, and replaced."""
    flipped = []
    for place in (0, len(content) // 2, len(content) - 1):
        copy = bytearray(content)
        copy[place] ^= 1
        flipped.append(bytes(copy))
    return [b"", content[: len(content) // 2], *flipped, b"no compiled code"]


def test_damaged_cache_files_are_compiled_again(tmp_path: Path) -> None:
    run(tmp_path)
    (path,) = (tmp_path / "kernels").rglob("random_unit.*.code")
    kept = [tmp_path / f"damaged-{number}" for number, _ in enumerate(damaged(b"some bytes"))]
    for place, content in zip(kept, damaged(path.read_bytes()), strict=True):
        place.write_bytes(content)
    code = f"""
import numpy as np
from pathlib import Path
from paraphrast import _jit, _numeric
from paraphrast._jit import Kernel
path = Path({str(path)!r})
for place in {[str(place) for place in kept]}:
    path.write_bytes(Path(place).read_bytes())
    _numeric.random_unit._dispatcher = None
    assert _numeric.random_unit(np.uint64(0))[1] == 0.8833108082136426
    assert sum(_numeric.random_unit.dispatcher.stats.cache_misses.values()) == 1
    assert len(path.read_bytes()) > 1000
_numeric.random_unit._dispatcher = None
assert _numeric.random_unit(np.uint64(0))[1] == 0.8833108082136426
assert sum(_numeric.random_unit.dispatcher.stats.cache_hits.values()) == 1
"""
    environment = {**os.environ, "PARAPHRAST_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="other permissions")
def test_the_cache_is_private(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    kernels.chmod(0o777)
    run(tmp_path)
    assert kernels.stat().st_mode & 0o022 == 0
    for path in kernels.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.skipif(sys.platform == "win32", reason="other permissions")
def test_a_cache_of_somebody_else_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    source = Path(_numeric.__file__)
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert kernel_folder.__wrapped__(source) is None


def test_small_work_needs_no_compiler() -> None:
    code = """
import sys
import numpy as np
from paraphrast import _jit, _numeric
with _jit.small_work(0.01, _numeric.random_unit):
    print(_numeric.random_unit(np.uint64(0))[1], "numba" in sys.modules)
with _jit.small_work(1000.0, _numeric.random_unit):
    print(_numeric.random_unit(np.uint64(0))[1], "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.8833108082136426", "False", "0.8833108082136426", "True"]


def test_time_in_plain_python_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Kernel(_numeric.random_unit.py_func)
    monkeypatch.setattr(_jit, "_spent", [0.0])
    monkeypatch.setattr(Kernel, "is_cached", property(lambda _: True))
    assert _jit._is_cheap(0.5, (fresh,))
    assert not _jit._is_cheap(1.0, (fresh,))  # loading takes less
    monkeypatch.setattr(Kernel, "is_cached", property(lambda _: False))
    assert _jit._is_cheap(1.0, (fresh,))
    assert not _jit._is_cheap(100.0, (fresh,))
    with _jit.small_work(0.0, fresh):
        end = time.thread_time() + 0.01
        while time.thread_time() < end:
            pass
    assert 0.01 <= _jit._spent[0] < 5.0


def test_a_command_can_tell_that_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, told = Kernel(_numeric.random_unit.py_func), list[str]()
    monkeypatch.setattr(_jit, "on_compile", [lambda: told.append("wait")])
    monkeypatch.setattr(Kernel, "is_cached", property(lambda _: False))
    for seconds in (0.0, 1000.0, 1000.0):
        with _jit.small_work(seconds, fresh):
            pass
    assert told == ["wait"]


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


def test_what_killed_processes_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPHRAST_CACHE", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    folder = tmp_path / "kernels" / kernel_hash(Path(_numeric.__file__))
    folder.mkdir(parents=True)
    names = [f"f.1-0.{ended.pid}.tmp", f".probe-{ended.pid}", f"g.2-0.{os.getpid()}.tmp", "f.1-0.code"]
    for name in names:
        (folder / name).touch()
    kernel_folder.cache_clear()
    try:
        assert kernel_folder(Path(_numeric.__file__)) == folder
    finally:
        kernel_folder.cache_clear()
    expected = names if sys.platform == "win32" else names[2:]
    assert sorted(path.name for path in folder.iterdir()) == sorted(expected)


def test_python_users_are_asked_to_wait(tmp_path: Path) -> None:
    code = "from paraphrast import _jit; [tell() for tell in _jit.on_compile]"
    place = tmp_path / "file"
    place.write_text("in the way")
    for cache, said in ((tmp_path, "This happens once"), (place, f"{place} cannot be written")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PARAPHRAST_CACHE": str(cache)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.startswith("Compiling for this machine")
        assert said in done.stderr
