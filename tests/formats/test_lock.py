"""A lock is held by one, freed when its holder dies."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paraphrast.errors import ParaphrastError
from paraphrast.formats.lock import locked, stamp

HOLD = "import sys, time; from pathlib import Path; from paraphrast.formats.lock import locked\n"


def test_one_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", wait=False) as first, locked(tmp_path / "lock", wait=False) as second:
        assert first
        assert not second
    with locked(tmp_path / "lock", wait=False) as third:
        assert third


def test_a_dead_holder_frees_it_and_waiting_ends(tmp_path: Path) -> None:
    lock, sign = tmp_path / "lock", tmp_path / "held"
    code = f"{HOLD}with locked(Path({str(lock)!r})):\n    Path({str(sign)!r}).touch()\n    time.sleep(60)\n"
    holder = subprocess.Popen([sys.executable, "-c", code])
    while not sign.exists():
        time.sleep(0.01)
    with locked(lock, wait=False) as held:
        assert not held
    holder.kill()
    holder.wait()
    with locked(lock) as held:
        assert held


def test_stamps_differ() -> None:
    assert stamp() != stamp()


def test_a_file_system_without_locks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(ParaphrastError, match="cannot lock files"), locked(tmp_path / "lock"):
        pass
