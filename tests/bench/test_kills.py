"""A short run of bench/kills.py: commands that are killed, or whose files fail, lose nothing and leave nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench_module import BENCH


@pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of POSIX systems")
def test_killed_and_failing_commands_lose_nothing() -> None:
    arguments = [
        "--runs",
        "16",
        "--only",
        "lm-arpa,data-get",
        "--faults",
        "kill,kill-call,error-call,file-size",
    ]
    command = [sys.executable, "-W", "ignore", str(BENCH / "kills.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    assert report["violations"] == []
    assert report["runs"] == 16
    assert sum(report["ends"].values()) == 16
    assert report["ends"].get("killed", 0) > 0
