"""Ctrl-C stops the program wherever it falls."""

from __future__ import annotations

import subprocess
import sys

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
    time.sleep(30)
    print("the interrupt was lost")
except KeyboardInterrupt:
    half = HalfMade()
    del half
    print("stopped")
"""


def test_an_interrupt_in_a_finaliser_is_neither_lost_nor_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FALLS_INTO_A_FINALISER], capture_output=True, text=True, check=True, timeout=25
    )
    assert done.stdout == "stopped\n"
    assert done.stderr == ""
