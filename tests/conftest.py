"""Fixtures and settings that several tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import paraphrast
import toy

# `make test` always tries the same examples, `make fuzz` new ones each time. The machine may be busy, so neither a test
# nor the making of its inputs has a deadline.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", BUSY, derandomize=True, max_examples=100)
settings.register_profile("fuzz", BUSY, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("PARAPHRAST_HYPOTHESIS", "fixed"))


#: CI sets this: what tests need is installed there, so a skipped test is a failure.
NO_SKIPS = bool(os.environ.get("PARAPHRAST_NO_SKIPS"))


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = (
            "failed",
            f"PARAPHRAST_NO_SKIPS is set, but a test was skipped: {reason}",
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report skipped tests as failures, if NO_SKIPS."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Report skipped modules as failures, if NO_SKIPS."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture
def default_interrupt() -> Iterator[None]:
    """Handle SIGINT as Python does by default, here and in child processes.

    A process started with ``nohup … &`` ignores SIGINT, and its children inherit that.
    """
    handler = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture(scope="session")
def toy_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained on our own small bitext: real alignment, tables, language model and tagger."""
    folder = tmp_path_factory.mktemp("toy")
    return paraphrast.train(toy.write_config(folder), folder / "model", threads=2)
