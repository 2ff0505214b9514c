"""Pages are parsed in separate processes, so that no page can block or crash the run.

A worker has limits of memory and of seconds per page. A worker that exceeds either is stopped and replaced, the page
gets a note, and the run continues. If a worker ends for another reason, its page is tried once more. Results come in
the order of the pages.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from paraphrast.acquire.extractors import EXTRACTORS, check_packages, extract_article
from paraphrast.acquire.options import ExtractOptions
from paraphrast.acquire.pages import Page
from paraphrast.errors import ParaphrastError
from paraphrast.formats.articles import Article

_NO_START = "the processes that parse pages do not start"
_FEWER = "lower --threads, or in Python parse in the same process: ExtractOptions(processes=0)"


def extract_pages(pages: Iterable[Page], options: ExtractOptions | None = None) -> Iterator[Article]:
    """The article of each page, in order."""
    options = options or ExtractOptions()
    check_packages(options.extractor)
    maker = EXTRACTORS.get(options.extractor)
    extractor = maker(options.model)  # here too: a faulty model is reported immediately
    if options.processes == 0:
        for page in pages:
            yield _safely(page, extractor)
        return
    with _Pool(options, f"{maker.__module__}:{maker.__qualname__}") as pool:
        yield from pool.run(pages)


def _safely(page: Page, extractor: Any) -> Article:
    try:
        return extract_article(page, extractor)
    except ParaphrastError:
        raise
    except MemoryError:
        return _failed(page, "took too much memory")
    except RecursionError:
        return _failed(page, "nested too deeply")
    except Exception as error:  # a parser may fail in any way on a hostile page: the run continues
        return _failed(page, f"cannot be parsed: {type(error).__name__}")


def _failed(page: Page, why: str) -> Article:
    return Article(page.name, url=page.url, date=page.date, note="; ".join(n for n in (page.note, why) if n))


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process if the system supports it: beyond the limit, allocation fails."""
    if sys.platform == "win32":
        return
    import resource

    limit = megabytes << 20
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(connection: Connection, target: str, model: str | None, megabytes: int) -> None:
    """A worker: takes pages and returns articles until the input ends. target: ``"module:maker"`` of its extractor."""
    import logging
    import signal
    import warnings

    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    module, _, maker = target.partition(":")
    extractor = getattr(import_module(module), maker)(model)
    # Compile and import before the memory limit is set and the clock runs.
    _safely(Page("", b"<html><body><p>Ready when the first page comes.</p></body></html>"), extractor)
    _limit_memory(megabytes)
    connection.send(None)
    while True:
        try:
            page = connection.recv()
        except (EOFError, OSError):
            return
        if page is None:
            return
        try:
            article = _safely(page, extractor)
        except ParaphrastError as error:
            article = _failed(page, str(error))
        try:
            connection.send(article)
        except OSError:  # the pool notices the end of this process
            return


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    ready: bool = False
    number: int = -1
    page: Page | None = None
    deadline: float = 0.0
    since: int = 0


class _Pool:
    """Workers and their current pages."""

    #: A worker is replaced after this many pages, so that memory leaks of parsers do not add up.
    LIFE = 5000
    #: Time limit for the start of a worker, in seconds.
    START = 120.0

    def __init__(self, options: ExtractOptions, target: str) -> None:
        self.options = options
        self.target = target
        self.context = multiprocessing.get_context("spawn")
        self.workers: list[_Worker] = []

    def __enter__(self) -> _Pool:
        try:
            for _ in range(self.options.processes):
                self.workers.append(self._start())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self.workers:
            self._stop(worker)

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(
            target=_work,
            args=(theirs, self.target, self.options.model, self.options.megabytes),
            daemon=True,
        )
        try:
            process.start()
        except (
            OSError
        ) as error:  # no more processes or memory; a broken pipe if the process ended immediately
            ours.close()
            raise ParaphrastError(f"{_NO_START}: {error}", remedy=_FEWER) from error
        finally:
            theirs.close()
        return _Worker(process, ours, deadline=time.monotonic() + self.START)

    @staticmethod
    def _stop(worker: _Worker) -> None:
        with contextlib.suppress(OSError, ValueError):
            worker.connection.close()
        with contextlib.suppress(ValueError):  # it was stopped before, and its successor did not start
            worker.process.kill()
            worker.process.join()
            worker.process.close()

    def run(self, pages: Iterable[Page]) -> Iterator[Article]:
        source = enumerate(pages)
        done: dict[int, Article] = {}
        waiting: deque[tuple[int, Page]] = deque()
        taken, ended = 0, False
        next_out = 0
        failures = 0
        second: set[int] = set()
        while True:
            for index, worker in enumerate(self.workers):
                if not worker.ready or worker.page is not None:
                    continue
                if not waiting and not ended and next_out + 64 > taken:
                    following = next(source, None)
                    ended = following is None
                    if following is not None:
                        waiting.append(following)
                        taken += 1
                if waiting:
                    self._give(index, *waiting.popleft())
            while next_out in done:
                yield done.pop(next_out)
                next_out += 1
            if ended and next_out == taken:
                return
            self._wait()
            for index, worker in enumerate(self.workers):
                outcome = self._outcome(worker)
                if outcome == "dead" and not worker.ready:
                    failures += 1
                    if failures > 3:
                        raise ParaphrastError(_NO_START, remedy=_FEWER)
                    self._replace(index)
                elif isinstance(outcome, Article) and worker.page is not None:
                    done[worker.number] = outcome
                    worker.page = None
                    worker.since += 1
                    if worker.since >= self.LIFE:
                        self._replace(index)
                elif outcome == "dead" and worker.page is not None and worker.number not in second:
                    second.add(worker.number)  # perhaps it was not the page's fault
                    waiting.appendleft((worker.number, worker.page))
                    self._replace(index)
                elif isinstance(outcome, str) and worker.page is not None:
                    done[worker.number] = _failed(worker.page, self._why(outcome))
                    self._replace(index)

    def _why(self, outcome: str) -> str:
        if outcome == "late":
            return f"given up after {self.options.seconds:g} s"
        return "its parser was stopped: too much memory, or a crash"

    def _give(self, index: int, number: int, page: Page) -> None:
        worker = self.workers[index]
        worker.number, worker.page = number, page
        worker.deadline = time.monotonic() + self.options.seconds
        with contextlib.suppress(OSError, ValueError):  # a dead worker is detected at the next poll
            worker.connection.send(page)

    def _wait(self) -> None:
        now = time.monotonic()
        busy = [worker for worker in self.workers if worker.page is not None or not worker.ready]
        if busy:
            left = max(min(worker.deadline for worker in busy) - now, 0.0)
            wait([worker.connection for worker in busy], timeout=left + 0.01)

    def _outcome(self, worker: _Worker) -> Article | str | None:
        """An article, or "late" or "dead", or None while it is still running."""
        try:
            if worker.connection.poll():
                answer = worker.connection.recv()
                if answer is None:
                    worker.ready = True
                    return None
                return answer  # type: ignore[no-any-return]
        except (EOFError, OSError):
            return "dead"
        if (worker.page is not None or not worker.ready) and time.monotonic() > worker.deadline:
            return "late" if worker.ready else "dead"
        return None

    def _replace(self, index: int) -> None:
        self._stop(self.workers[index])
        self.workers[index] = self._start()
