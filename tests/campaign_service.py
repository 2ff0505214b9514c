"""The service as separate processes, for tests and measurements of campaigns, and raters that talk to it over HTTP.

``python campaign_service.py DATABASE PORT`` runs the service in a child process, prints the child's id, and starts a
new child when it is killed. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx

FORM = re.compile(r'<form method="post" action="([^"]+)" id="answers">')
TEXT = re.compile(r'<dd class="text main-text">(.*?)</dd>', re.DOTALL)


class ServiceProcess:
    """One service process, which may be killed."""

    def __init__(self, database: str, port: int, log: Path | None = None) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._log = log.open("wb") if log is not None else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [sys.executable, __file__, database, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._next_child()
        self.wait()

    def _next_child(self) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.strip().isdigit(), f"the service did not start: {line!r}"
        self.child = int(line)

    def wait(self, seconds: float = 300) -> None:
        """Wait until the service answers."""
        end = time.monotonic() + seconds
        while True:
            try:
                httpx.get(f"{self.address}/static/icon.svg", timeout=10)
                return
            except httpx.HTTPError:
                assert time.monotonic() < end, "the service does not answer"
                time.sleep(0.02)

    def kill(self) -> None:
        """kill -9 of the service; a new one is started in its place."""
        os.kill(self.child, signal.SIGKILL)
        self._next_child()

    def close(self) -> None:
        """End the service."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()
        if not isinstance(self._log, int):
            self._log.close()

    def __enter__(self) -> ServiceProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Visitor:
    """A browser without scripts: follows a link, reads pages, sends forms; tries again when the service is away."""

    def __init__(self, secret: str, addresses: list[str], *, retry: bool = False) -> None:
        self.addresses = addresses
        self.retry = retry
        # No connection is kept: nothing has to be closed, and every request meets the service as it is then.
        self.client = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        self.requests = 0
        self.failures = 0
        self.statuses: Counter[int] = Counter()
        response = self.send("GET", f"/campaigns/open/{secret}")
        assert response.status_code == 303, response.text
        self.home = response.headers["location"]

    def send(self, method: str, path: str, form: dict[str, str] | None = None) -> httpx.Response:
        """One request, to the addresses in turn. With ``retry``, until it is answered by anything but 503."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            address = self.addresses[self.requests % len(self.addresses)]
            self.requests += 1
            try:
                response = self.client.request(method, address + path, data=form)
            except httpx.TransportError:
                if not self.retry:
                    raise
            else:
                self.statuses[response.status_code] += 1
                if response.status_code != 503 or not self.retry:
                    return response
            self.failures += 1
            time.sleep(0.01)
        raise AssertionError("the service did not come back")

    def item(self) -> tuple[str, str] | None:
        """Address and output of the next item; None at the end."""
        target = self.send("GET", f"{self.home}/next").headers["location"]
        if target.endswith("/end"):
            return None
        page = self.send("GET", target).text
        form, text = FORM.search(page), TEXT.search(page)
        assert form is not None
        assert text is not None
        return form[1], text[1]

    def rate(self, answer: Callable[[str], dict[str, str]], most: int = 10**9) -> list[tuple[str, str]]:
        """Answer items to the end, or at most so many. Returns what was acknowledged: address and output."""
        acknowledged: list[tuple[str, str]] = []
        while len(acknowledged) < most and (item := self.item()) is not None:
            response = self.send("POST", item[0], answer(item[1]))
            assert response.status_code == 303, response.text
            acknowledged.append(item)
        return acknowledged


def serve(database: str, port: int) -> None:
    """Run the service, again and again."""
    import uvicorn

    from paraphrast.web.app import create_app
    from paraphrast.web.settings import Settings

    # The application is made once; it connects to the database with the first request, in the child.
    app = create_app(Settings(database=database))
    children: list[int] = []

    def stop_with_parent() -> None:
        sys.stdin.read()
        os.kill(children[-1], signal.SIGTERM)
        os._exit(0)

    while True:
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)  # The log of requests must not fill the pipe that the ids go through.
            # Without its lifespan, the service starts no workers that rewrite.
            uvicorn.run(app, host="127.0.0.1", port=port, log_level="info", lifespan="off")
            os._exit(0)
        children.append(child)
        print(child, flush=True)
        if len(children) == 1:
            threading.Thread(target=stop_with_parent, daemon=True).start()
        os.waitpid(child, 0)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
