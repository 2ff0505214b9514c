"""Ctrl-C stops the program wherever it falls."""

from __future__ import annotations

import subprocess
import sys

import pytest

from paraphrast import InputError, cli
from paraphrast.cli import app as application

FALLS_INTO_A_FINALISER = """
import signal, threading, time
from paraphrast.cli import _interrupt

class Slow:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

class HalfMade:
    def __del__(self):
        self.close()

signal.signal(signal.SIGINT, _interrupt)
try:
    slow = Slow()
    del slow
    time.sleep(100)
    print("the interrupt was lost")
except KeyboardInterrupt:
    half = HalfMade()
    del half
    print("stopped")
"""


@pytest.mark.usefixtures("default_interrupt")
def test_an_interrupt_in_a_finaliser_is_neither_lost_nor_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FALLS_INTO_A_FINALISER], capture_output=True, text=True, check=True, timeout=90
    )
    assert done.stdout == "stopped\n"
    assert done.stderr == ""


@pytest.mark.parametrize("kind", [SystemError, InputError, OSError])
@pytest.mark.parametrize("explicit", [True, False])
def test_an_interrupt_that_compiled_code_dressed_up_is_still_one(
    kind: type[Exception], explicit: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: object) -> None:
        try:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as first:
                raise ValueError("returned a result with an exception set") from first
        except ValueError as second:
            if explicit:
                raise kind("compiled code failed") from second
            raise kind("compiled code failed")  # noqa: B904  what compiled code does

    monkeypatch.setattr(application, "app_for", lambda _: interrupted)
    monkeypatch.setattr(sys, "argv", ["paraphrast", "train"])
    assert cli.run([]) == 130
    assert capsys.readouterr().err == ("\nparaphrast: interrupted; run the same command again to resume\n")
    monkeypatch.setattr(sys, "argv", ["paraphrast", "align"])
    assert cli.run([]) == 130
    assert capsys.readouterr().err == "\nparaphrast: interrupted; no partial output was written\n"


def test_other_errors_of_compiled_code_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise SystemError("no interrupt")

    monkeypatch.setattr(application, "app_for", lambda _: broken)
    with pytest.raises(SystemError, match="no interrupt"):
        cli.run([])


WAITS_FOR_INPUT = """
import sys, threading
from paraphrast import cli

def run(arguments):
    started = threading.Event()

    def read():
        started.set()
        sys.stdin.buffer.read()

    threading.Thread(target=read, daemon=True).start()
    started.wait()
    print("done")
    return 2

cli.run = run
cli.main()
"""


def test_the_program_ends_while_a_thread_waits_for_standard_input() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITS_FOR_INPUT],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.wait(timeout=60) == 2
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == "done\n"
        assert process.stderr.read() == ""


BEFORE_THE_COMMAND = """
from paraphrast import cli

def run(arguments):
    raise KeyboardInterrupt

cli.run = run
cli.main()
"""


def test_an_interrupt_before_the_command_is_found_shows_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEFORE_THE_COMMAND], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
