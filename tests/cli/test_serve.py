"""`paraphrast serve`: its options, and that it starts, answers and stops."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from paraphrast.cli import run


def test_a_wrong_token_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--token-file", str(tmp_path / "none")]) == 2
    assert "--token-file: cannot read" in capsys.readouterr().err


def test_limits_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--max-seconds", "0"]) == 2
    assert "--max-seconds: expected a number above 0, got 0" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_it_starts_answers_and_leaves_no_process(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "paraphrast", "serve", "--port", str(port), "--workers", "1"]
    service = subprocess.Popen([*command, "--model", str(tmp_path)], stderr=subprocess.PIPE, text=True)
    try:
        assert _get(port, "/v1/health")["status"] == "ok"
        for _ in range(600):  # the folder is no model: the service says so
            error = _get(port, "/v1/ready")["error"]
            if "loading" not in error["message"]:
                break
            time.sleep(0.1)
        assert error["status"] == 503
        assert "model" in error["message"]
    finally:
        service.send_signal(signal.SIGINT)
        service.wait(timeout=60)
        assert service.stderr is not None
        text = service.stderr.read()
        service.stderr.close()
    assert f"Serving http://127.0.0.1:{port}" in text
    assert "Traceback" not in text
    assert not _children(service.pid)


def _children(pid: int) -> list[str]:
    path = f"/proc/{pid}/task/{pid}/children"
    return Path(path).read_text().split() if os.path.exists(path) else []


def _get(port: int, path: str) -> dict[str, Any]:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            with error:
                return dict(json.load(error))
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the service does not answer")
