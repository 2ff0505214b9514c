"""A worker process without a model, for tests of the pool: it sleeps, counts, fails or dies on demand."""

from __future__ import annotations

import os
import time
from typing import Any

from paraphrast.errors import InputError
from paraphrast.web.worker import answer_jobs


class SleepyEngine:
    """Answers jobs without a model."""

    def run(self, operation: str, payload: dict[str, Any]) -> Any:
        if operation == "sleep":
            for _ in range(int(payload["seconds"] * 100)):
                time.sleep(0.01)
        if operation == "die":
            os.kill(os.getpid(), 9)
        if operation == "refuse":
            raise InputError("n: expected 1, got 2", remedy="send 1")
        if operation == "break":
            raise ValueError("a secret of the worker")
        return {"pid": os.getpid(), "given": payload.get("value")}


def work(pipe: Any, _setup: Any, cancelled: Any) -> None:
    """As :func:`paraphrast.web.worker.work`."""
    answer_jobs(pipe, SleepyEngine(), cancelled)
