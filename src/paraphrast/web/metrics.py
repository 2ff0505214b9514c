"""Counters of the service in Prometheus' text format."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paraphrast.web.pool import Pool

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What happened since the start."""

    def __init__(self, pool: Pool) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "paraphrast_requests",
            "Requests by address and status.",
            ("path", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "paraphrast_request_seconds",
            "Time per request.",
            ("path",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        for name, text in (
            ("workers", "Worker processes that have loaded the model."),
            ("waiting", "Pieces of work that wait."),
            ("running", "Pieces of work under way."),
            ("restarts", "Worker processes that were replaced."),
        ):
            gauge = Gauge(f"paraphrast_{name}", text, registry=self.registry)
            gauge.set_function(lambda name=name: pool.counts[name])  # type: ignore[misc]

    def text(self) -> bytes:
        """All figures."""
        return generate_latest(self.registry)


class Measured:
    """Counts requests and their time, by route and not by address, so that the number of series stays small."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = ["500"]

        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = str(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            path = getattr(scope.get("route"), "path", "other")
            self.metrics.requests.labels(path, status[0]).inc()
            self.metrics.seconds.labels(path).observe(time.perf_counter() - begin)
