"""`model pack` and the first opening of a packed model, killed at many moments."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paraphrast.model.pack import opened, pack_model

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
#: Kill the process at its n-th call of an operation on files.
KILLER = """
import os, signal, sys
from pathlib import Path
left = int(sys.argv[4])
EVENTS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.listdir", "shutil.rmtree", "fcntl.flock"}
from paraphrast.model.pack import opened, pack_model
def count(event, arguments):
    global left
    if event in EVENTS:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(count)
if sys.argv[1] == "pack":
    pack_model(Path(sys.argv[2]), Path(sys.argv[3]))
else:
    opened(Path(sys.argv[2]))
"""
MOMENTS = (1, 3, 8, 30, 60, 90, 110, 112, 114, 116, 118, 120)


def kill_at(moment: int, action: str, source: Path, target: Path, cache: Path) -> bool:
    """Whether the process was killed, not done before."""
    environment = {**os.environ, "PARAPHRAST_CACHE": str(cache)}
    command = [sys.executable, "-c", KILLER, action, str(source), str(target), str(moment)]
    done = subprocess.run(command, env=environment, check=False, capture_output=True)
    assert done.returncode in (0, -9), done.stderr.decode()
    return done.returncode == -9


def test_killed_packing_leaves_nothing_and_runs_again(toy_model: Path, tmp_path: Path) -> None:
    whole = pack_model(toy_model, tmp_path / "whole.zip").read_bytes()
    place = tmp_path / "out"
    place.mkdir()
    output = place / "model.zip"
    killed = 0
    for moment in MOMENTS:
        killed += kill_at(moment, "pack", toy_model, output, tmp_path / "cache")
        if not output.exists():
            pack_model(toy_model, output)
        assert output.read_bytes() == whole
        assert [path.name for path in place.iterdir()] == ["model.zip"]
        output.unlink()
    assert killed >= 6


def test_killed_opening_poisons_no_cache(
    toy_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack_model(toy_model, tmp_path / "model.zip")
    killed = 0
    for moment in MOMENTS:
        cache = tmp_path / f"cache-{moment}"
        monkeypatch.setattr("paraphrast.model.pack.cache_root", lambda cache=cache: cache)
        killed += kill_at(moment, "open", packed, packed, cache)
        folder = opened(packed)
        for path in toy_model.rglob("*"):
            if path.is_file():
                assert (folder / path.relative_to(toy_model)).read_bytes() == path.read_bytes()
        assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert killed >= 6
