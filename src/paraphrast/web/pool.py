"""Worker processes and the queue before them.

One thread per worker waits for its answers, so that the event loop never blocks. A piece of work is given up when its
client goes away or its time is over: it leaves the queue, or its worker is interrupted, and killed if that does not
help. A worker that dies is replaced, and what it held is given to another worker, once. Slow operations (fusing,
aligning, precise reading) never occupy all workers, if there are several.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from paraphrast.errors import ParaphrastError
from paraphrast.web.engine import Setup
from paraphrast.web.problems import Problem
from paraphrast.web.worker import PRELOAD, work

log = logging.getLogger(__name__)
#: Seconds that an interrupted worker has to give up, before it is killed.
GRACE = 2.0
#: The same for slow operations, which may be compiling a kernel: that is worth finishing, because it is kept on disk.
SLOW_GRACE = 60.0
#: Workers that a piece of work may lose before it is refused.
ATTEMPTS = 2
#: Seconds between attempts to start a worker that cannot load the model.
PAUSE = 1.0


@dataclass(eq=False)
class Job:
    """One piece of work, and the future that gets its result."""

    number: int
    operation: str
    payload: dict[str, Any]
    slow: bool
    future: asyncio.Future[bytes]
    loop: asyncio.AbstractEventLoop
    since: float = field(default_factory=time.monotonic)
    attempts: int = 0
    given_up: bool = False

    def finish(self, result: bytes | Exception) -> None:
        """Hand the result over, from any thread."""

        def settle() -> None:
            if self.future.done():
                return
            if isinstance(result, Exception):
                self.future.set_exception(result)
            else:
                self.future.set_result(result)

        try:
            self.loop.call_soon_threadsafe(settle)
        except RuntimeError:  # the loop is closed: nobody waits
            return


@dataclass(eq=False)
class Slot:
    """The place of one worker; process and pipe change when it is replaced."""

    index: int
    cancelled: Any
    process: Any = None
    job: Job | None = None


class Pool:
    """Some workers with one model."""

    def __init__(
        self, setup: Setup, *, workers: int, max_waiting: int, target: Callable[..., None] = work
    ) -> None:
        """target: what a worker process runs."""
        self._target = target
        self.setup = setup
        self.max_waiting = max_waiting
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        self._context: Any = multiprocessing.get_context(method)
        self._slots = [Slot(index, self._context.RawValue("q", 0)) for index in range(workers)]
        self._most_slow = max(1, workers - 1)
        self._fast: deque[Job] = deque()
        self._slow: deque[Job] = deque()
        self._slow_running = 0
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._closing = False
        self._threads: list[threading.Thread] = []
        self._ready = 0
        self.failure: str | None = None
        self.restarts = 0

    # -- for the service ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the workers; returns at once."""
        if hasattr(self._context, "set_forkserver_preload"):
            self._context.set_forkserver_preload(["paraphrast.web.preload"])
        for slot in self._slots:
            thread = threading.Thread(
                target=self._attend, args=(slot,), daemon=True, name=f"worker-{slot.index}"
            )
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """End all workers; waiting work is refused."""
        with self._changed:
            self._closing = True
            waiting = [*self._fast, *self._slow]
            self._fast.clear()
            self._slow.clear()
            self._changed.notify_all()
        for job in waiting:
            job.finish(Problem(503, "the service is stopping", remedy="try again in a moment"))
        for slot in self._slots:
            if slot.process is not None and slot.process.is_alive():
                slot.process.kill()
        for thread in self._threads:
            thread.join(timeout=5)

    @property
    def is_ready(self) -> bool:
        """Whether at least one worker has loaded the model."""
        return self._ready > 0

    @property
    def counts(self) -> dict[str, int]:
        """How many workers are ready, jobs wait and run, and workers were replaced."""
        with self._changed:
            return {
                "workers": self._ready,
                "waiting": len(self._fast) + len(self._slow),
                "running": sum(slot.job is not None for slot in self._slots),
                "restarts": self.restarts,
            }

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [slot.process.pid for slot in self._slots if slot.process is not None and slot.process.pid]

    async def run(
        self, operation: str, payload: dict[str, Any], *, seconds: float, slow: bool = False
    ) -> bytes:
        """The result of an operation, as JSON. If this task is cancelled, so is the work."""
        loop = asyncio.get_running_loop()
        job = Job(next(self._numbers), operation, payload, slow, loop.create_future(), loop)
        self._add(job)
        try:
            return await asyncio.wait_for(asyncio.shield(job.future), seconds)
        except TimeoutError:
            raise Problem(
                503,
                f"expected an answer within {seconds:g} seconds, got none",
                remedy="send a shorter text or fewer texts, or try again later",
                headers={"Retry-After": "2"},
            ) from None
        finally:
            if not job.future.done():
                self._give_up(job)
                job.future.cancel()

    # -- the queue ----------------------------------------------------------------------------------------------------

    def _add(self, job: Job) -> None:
        with self._changed:
            if self._closing:
                raise Problem(503, "the service is stopping", remedy="try again in a moment")
            if self.failure is not None and not self._ready:
                raise Problem(
                    503, f"the model cannot be loaded: {self.failure}", remedy="restart the service"
                )
            waiting = len(self._fast) + len(self._slow)
            if waiting >= self.max_waiting:
                raise Problem(
                    429,
                    f"expected at most {self.max_waiting} pieces of work to wait, got one more",
                    remedy="try again in a second, and send fewer requests at the same time",
                    headers={"Retry-After": "1"},
                )
            (self._slow if job.slow else self._fast).append(job)
            self._changed.notify_all()

    def _next(self) -> Job | None:
        """The job that has waited longest and may run; waits for one. None when the pool closes."""
        with self._changed:
            while True:
                if self._closing:
                    return None
                may_be_slow = bool(self._slow) and self._slow_running < self._most_slow
                if may_be_slow and (not self._fast or self._slow[0].since <= self._fast[0].since):
                    self._slow_running += 1
                    return self._slow.popleft()
                if self._fast:
                    return self._fast.popleft()
                self._changed.wait()

    def _give_up(self, job: Job) -> None:
        with self._changed:
            job.given_up = True
            for queue in (self._fast, self._slow):
                if job in queue:
                    queue.remove(job)
                    return
            slot = next((slot for slot in self._slots if slot.job is job), None)
            if slot is None:
                return
            slot.cancelled.value = job.number
            _interrupt(slot.process)
        job.loop.call_later(SLOW_GRACE if job.slow else GRACE, self._kill_if_busy, slot, job)

    def _kill_if_busy(self, slot: Slot, job: Job) -> None:
        if slot.job is job and slot.process is not None:
            log.warning("worker %d did not give up %s; it is replaced", slot.index, job.operation)
            slot.process.kill()

    # -- one worker ---------------------------------------------------------------------------------------------------

    def _attend(self, slot: Slot) -> None:
        """Start a worker, give it work, and start it anew when it dies, until the pool closes."""
        while not self._closing:
            pipe = self._launch(slot)
            if pipe is None:
                time.sleep(PAUSE)
                continue
            with self._changed:
                self._ready += 1
                self.failure = None
            try:
                self._feed(slot, pipe)
            finally:
                with self._changed:
                    self._ready -= 1
                pipe.close()
                slot.process.join(timeout=GRACE)
            if not self._closing:
                self.restarts += 1
                log.warning("worker %d ended with code %s; it is replaced", slot.index, slot.process.exitcode)

    def _launch(self, slot: Slot) -> Any:
        """A pipe to a new worker that has loaded the model; None if it could not."""
        ours, theirs = self._context.Pipe()
        slot.process = self._context.Process(
            target=self._target, args=(theirs, self.setup, slot.cancelled), daemon=True
        )
        with _launching:
            if self._closing:
                return None
            if self._target is work:
                os.environ[PRELOAD] = json.dumps(asdict(self.setup))
            try:
                slot.process.start()
            finally:
                os.environ.pop(PRELOAD, None)
        theirs.close()
        try:
            kind, value = ours.recv()
        except (EOFError, OSError):
            kind, value = "failed", "a worker process ended while it loaded the model"
        if kind == "ready":
            return ours
        if not self._closing:
            self.failure = value
            log.error("the model cannot be loaded: %s", value)
        return None

    def _feed(self, slot: Slot, pipe: Any) -> None:
        """Give jobs to one worker until it dies or the pool closes."""
        while (job := self._next()) is not None:
            with self._changed:
                slot.job = job
            try:
                pipe.send((job.number, job.operation, job.payload))
                reply = pipe.recv()
            except (EOFError, OSError):
                self._release(slot, job)
                self._try_again(job)
                return
            self._release(slot, job)
            job.finish(_result(reply))

    def _release(self, slot: Slot, job: Job) -> None:
        with self._changed:
            slot.job = None
            if job.slow:
                self._slow_running -= 1
                self._changed.notify_all()

    def _try_again(self, job: Job) -> None:
        """Put the job of a worker that died at the head of the queue, unless it has done that too often."""
        job.attempts += 1
        with self._changed:
            if not (job.given_up or self._closing or job.attempts >= ATTEMPTS):
                (self._slow if job.slow else self._fast).appendleft(job)
                self._changed.notify_all()
                return
        job.finish(
            Problem(
                503,
                "the worker process ended before it answered",
                remedy="try again; a shorter text needs less memory",
                headers={"Retry-After": "1"},
            )
        )


_launching = threading.Lock()
#: Errors of the package → status: what a request asked for does not exist, or cannot be done.
_STATUS = {"DataError": 503, "ModelError": 503, "MissingExtra": 503}


def _result(reply: tuple[Any, ...]) -> bytes | Exception:
    """The reply of a worker as a result or an error."""
    kind, *rest = reply
    if kind == "done":
        return bytes(rest[0])
    if kind == "refused":
        name, message, remedy = rest
        status = _STATUS.get(name, 422)
        if message.startswith(("the model does not know the phrase", "no table")):
            status = 404
        return Problem(status, message, remedy=remedy)
    if kind == "cancelled":
        return Problem(503, "the work was given up", remedy="try again")
    return Problem(500, rest[0], remedy="report this with the request that caused it")


def _interrupt(process: Any) -> None:
    try:
        if process is not None and process.pid and hasattr(signal, "SIGUSR1"):
            os.kill(process.pid, signal.SIGUSR1)
    except (ProcessLookupError, ParaphrastError):
        return
