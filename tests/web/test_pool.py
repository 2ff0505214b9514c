"""Workers and their queue: order, limits, cancelled work, and workers that die."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator

import pytest

import sleepy_worker
from paraphrast.web.engine import Setup
from paraphrast.web.pool import Pool
from paraphrast.web.problems import Problem


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(Setup(), workers=2, max_waiting=3, target=sleepy_worker.work)
    pool.start()
    yield pool
    pool.stop()


def test_work_is_answered(pool: Pool) -> None:
    async def main() -> bytes:
        return await pool.run("count", {"value": "é"}, seconds=30)

    assert json.loads(asyncio.run(main()))["given"] == "é"


def test_errors_keep_their_message_and_hide_what_is_inside(pool: Pool) -> None:
    async def main() -> list[Problem]:
        found = await asyncio.gather(
            *(pool.run(name, {}, seconds=30) for name in ("refuse", "break")), return_exceptions=True
        )
        return [error for error in found if isinstance(error, Problem)]

    refused, broken = asyncio.run(main())
    assert (refused.status, refused.message, refused.remedy) == (422, "n: expected 1, got 2", "send 1")
    assert broken.status == 500
    assert "secret" not in broken.message


def test_a_full_queue_is_refused_and_recovers(pool: Pool) -> None:
    async def main() -> list[object]:
        await pool.run("count", {}, seconds=30)  # the workers have started
        jobs = [pool.run("sleep", {"seconds": 0.3}, seconds=30) for _ in range(12)]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        await pool.run("count", {}, seconds=30)
        return list(found)

    found = asyncio.run(main())
    refused = [error for error in found if isinstance(error, Problem)]
    assert {error.status for error in refused} == {429}
    assert 0 < len(refused) < 12
    assert all(isinstance(result, Problem | bytes) for result in found)


def test_time_over_stops_the_work(pool: Pool) -> None:
    async def main() -> Problem:
        await pool.run("count", {}, seconds=30)
        with pytest.raises(Problem) as error:
            await pool.run("sleep", {"seconds": 60}, seconds=0.2)
        for _ in range(300):
            if not pool.counts["running"]:
                break
            await asyncio.sleep(0.02)
        return error.value

    assert asyncio.run(main()).status == 503
    assert pool.counts["running"] == 0
    assert pool.restarts == 0  # interrupted, not killed


def test_work_that_nobody_waits_for_leaves_the_queue(pool: Pool) -> None:
    async def main() -> None:
        await pool.run("count", {}, seconds=30)
        tasks = [asyncio.create_task(pool.run("sleep", {"seconds": 60}, seconds=60)) for _ in range(3)]
        while pool.counts["running"] < 2:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await pool.run("count", {}, seconds=30)

    asyncio.run(main())
    assert pool.counts["waiting"] == 0


def test_a_killed_worker_is_replaced_and_its_work_is_not_lost(pool: Pool) -> None:
    async def main() -> list[bytes]:
        await asyncio.gather(*(pool.run("sleep", {"seconds": 0.2}, seconds=30) for _ in range(2)))
        jobs = [asyncio.create_task(pool.run("sleep", {"seconds": 0.3}, seconds=60)) for _ in range(3)]
        while pool.counts["running"] < 2:
            await asyncio.sleep(0.01)
        for pid in pool.pids:
            os.kill(pid, signal.SIGKILL)
        return list(await asyncio.gather(*jobs))

    assert len(asyncio.run(main())) == 3
    assert pool.restarts == 2


def test_work_that_kills_every_worker_is_refused(pool: Pool) -> None:
    async def main() -> None:
        with pytest.raises(Problem) as error:
            await pool.run("die", {}, seconds=60)
        assert error.value.status == 503
        await pool.run("count", {}, seconds=60)

    asyncio.run(main())


def test_compiled_code_is_not_interrupted() -> None:
    import sys

    from paraphrast._jit import Kernel, interpreted
    from paraphrast.web.worker import _is_compiled

    kernel = Kernel(lambda: _is_compiled(sys._getframe()))
    kernel._dispatcher = kernel.py_func  # as if it were compiled
    assert kernel()
    assert not _is_compiled(sys._getframe())
    with interpreted():
        assert not kernel()


def test_slow_work_leaves_a_worker_free(pool: Pool) -> None:
    async def main() -> None:
        await pool.run("count", {}, seconds=30)
        slow = [
            asyncio.create_task(pool.run("sleep", {"seconds": 60}, seconds=60, slow=True)) for _ in range(2)
        ]
        await asyncio.sleep(0.1)
        await pool.run("count", {}, seconds=30)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(main())
