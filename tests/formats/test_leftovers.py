"""What killed processes leave is removed; what others are writing is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paraphrast.formats.files import atomic_folder, atomic_write
from paraphrast.formats.leftovers import held, remove_leftovers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks and signals of POSIX systems")


def killed_process(code: str, *arguments: str) -> None:
    """Run Python code that kills itself."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=False)
    assert done.returncode == -9


WRITE = """
import os, signal, sys
from pathlib import Path
from paraphrast.formats.files import atomic_folder, atomic_write
if sys.argv[2] == "file":
    with atomic_write(Path(sys.argv[1])) as stream:
        stream.write("half")
        stream.flush()
        os.kill(os.getpid(), signal.SIGKILL)
else:
    with atomic_folder(Path(sys.argv[1])) as folder:
        (folder / "part").write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_next_run_removes_what_a_killed_one_left(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out"
    killed_process(WRITE, str(target), kind)
    assert not target.exists()
    assert len(list(tmp_path.iterdir())) == 1
    if kind == "file":
        with atomic_write(target) as stream:
            stream.write("whole")
    else:
        with atomic_folder(target) as folder:
            (folder / "part").write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_other_names_and_living_writers_are_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "out"
    others = [".out.tmp", ".outer.1-00000000.tmp", "out.4194301-00000000.tmp", ".out.4194301-0000000g.tmp"]
    for name in others:
        (tmp_path / name).write_text("x")
    gone = tmp_path / ".out.4194301-00000000.tmp"  # no system has so many processes
    gone.write_text("x")
    with held(gone):
        remove_leftovers(target)
        assert gone.exists()
    remove_leftovers(target)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(others)
