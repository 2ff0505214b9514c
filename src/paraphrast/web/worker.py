"""A worker process: takes one piece of work after the other from a pipe, and answers with JSON.

With ``forkserver`` the model is loaded once, in the server process that workers are forked from: they share its pages,
and a worker that was killed is replaced without loading the model again. Elsewhere every worker maps the model's files
itself.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, Protocol

from paraphrast._jit.kernels import Kernel, state
from paraphrast.errors import ParaphrastError
from paraphrast.web.engine import Engine, Setup

#: Environment variable with the setup that the fork server loads before it forks.
PRELOAD = "PARAPHRAST_SERVE_SETUP"
#: Largest result of a worker in bytes.
MAX_RESULT = 64_000_000
#: Seconds until work is interrupted again that is within a compiled kernel.
LATER = 0.005
_engines: dict[Setup, Engine] = {}


class Cancelled(BaseException):
    """The client has gone, or its time is over. Not an Exception: nothing on the way may swallow it."""


def engine_of(setup: Setup) -> Engine:
    """The engine of a setup, loaded once per process; a forked process has that of its parent."""
    if setup not in _engines:
        _engines[setup] = Engine(setup)
    return _engines[setup]


def preload() -> None:
    """Load what the environment names, in the process that workers are forked from."""
    text = os.environ.get(PRELOAD)
    if text:
        try:
            engine_of(Setup(**json.loads(text)))
        except Exception as error:  # the worker meets the same error, and reports it
            print(f"paraphrast: the model cannot be loaded: {error}", file=sys.stderr)


class Runs(Protocol):
    """What answers jobs: an :class:`Engine`."""

    def run(self, operation: str, payload: dict[str, Any]) -> Any:
        """The result of an operation by its name."""
        ...


def work(pipe: Connection, setup: Setup, cancelled: Any) -> None:
    """Load the model, then answer jobs until the pipe closes."""
    try:
        engine = engine_of(setup)
    except ParaphrastError as error:
        pipe.send(("failed", str(error)))
        return
    answer_jobs(pipe, engine, cancelled)


def answer_jobs(pipe: Connection, engine: Runs, cancelled: Any) -> None:
    """Answer jobs until the pipe closes. cancelled: shared memory with the number of the job to give up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the service, which closes the pipe
    current = [0]

    def give_up(_number: int, frame: FrameType | None) -> None:
        if not current[0] or cancelled.value != current[0]:
            return
        if _is_compiled(frame):
            signal.setitimer(signal.ITIMER_REAL, LATER)
        else:
            raise Cancelled

    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, give_up)
        signal.signal(signal.SIGALRM, give_up)
    pipe.send(("ready", os.getpid()))
    while True:
        try:
            number, operation, payload = pipe.recv()
        except (EOFError, OSError):
            return
        reply = _answer(engine, current, number, operation, payload)
        try:
            pipe.send(reply)
        except (BrokenPipeError, OSError):
            return


def _is_compiled(frame: FrameType | None) -> bool:
    """Whether a compiled kernel runs. An exception on its way into or out of it would crash the process."""
    while frame is not None and not state.interpreting:
        if frame.f_code is Kernel.__call__.__code__:
            return True
        frame = frame.f_back
    return False


def _answer(
    engine: Runs, current: list[int], number: int, operation: str, payload: dict[str, Any]
) -> tuple[Any, ...]:
    try:
        try:
            current[0] = number
            value = engine.run(operation, payload)
        finally:
            current[0] = 0
        if operation == "paraphrase":
            return ("done", b"\n".join(map(_json, value)))
        return ("done", _json(value))
    except Cancelled:
        return ("cancelled",)
    except ParaphrastError as error:
        return ("refused", type(error).__name__, error.message, error.remedy)
    except (MemoryError, RecursionError) as error:
        return ("failed", f"the text needs too much memory ({type(error).__name__})")
    except Exception as error:
        import traceback

        traceback.print_exc()
        return ("failed", f"{type(error).__name__} in {operation}")


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=float)
    data = text.encode("utf-8", errors="replace")
    if len(data) > MAX_RESULT:
        raise ParaphrastError(
            f"expected a result of at most {MAX_RESULT:,} bytes, got {len(data):,}",
            remedy="ask for fewer paraphrases, or send fewer texts per request",
        )
    return data
