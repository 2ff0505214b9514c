"""The HTTP service under load, with wrk (Debian's package ``wrk``).

    python bench/serve.py [--seconds 60] [--steady 600] [--clients 200] [--kills 10] [--model MODEL]

starts ``paraphrast serve`` with two workers and prints JSON: its capacity, latency at 70 % of it with memory over time,
what happens beyond it and afterwards, and when workers are killed under load. Texts are mixed: of 60 requests, 58 have
a sentence, one has a paragraph and one has 4,000 characters; each asks for one to five paraphrases.

At 70 % each client waits for a random time (exponential) between its requests. With ``--lockstep`` all wait equally
long: their requests come at the same moment, and the latency is that of a burst.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TEXTS = (
    "The committee must examine the important proposal as soon as possible.",
    "He began to speak.",
    "We would like to thank everybody who helped us to finish this work before the end of the year.",
    "The price of oil rose by two dollars on Tuesday because of fears that supplies might be interrupted.",
    "Nobody knows why the ship left the harbour so early, but the captain said that the weather was good enough.",
    "Please tell me how to get to the station.",
)
#: One paragraph and one long text among 60 requests.
PARAGRAPH, LONG = " ".join(TEXTS), (" ".join(TEXTS) + " ") * 10
SCRIPT = """
local bodies = {%s}
local place = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
request = function()
  place = place + 1
  return wrk.format(nil, "/v1/paraphrase", nil, bodies[place %% #bodies + 1])
end
math.randomseed(7)
delay = function() return %s end
"""
RANDOM = "math.min(-math.log(1 - math.random()), 8) * {}"


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Running:
    """A service in a process of its own."""

    def __init__(self, model: str, workers: int, *options: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "paraphrast", "serve", "--port", str(self.port), "--model", model]
        self.process = subprocess.Popen([*command, "--workers", str(workers), *options])
        self.workers = workers

    def wait(self, seconds: float = 300) -> None:
        """Wait until every worker is ready."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.get("/v1/ready").get("workers") == self.workers:
                return
            time.sleep(0.2)
        raise SystemExit("the service did not get ready")

    def get(self, path: str) -> dict[str, Any]:
        """The JSON of a route; empty where it answers with an error."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                value: dict[str, Any] = json.load(answer)
                return value
        except (urllib.error.URLError, OSError, ValueError):
            return {}

    def statuses(self, path: str | None = "/v1/paraphrase") -> dict[str, int]:
        """Answers since the start, by status. path: of the requests; without it, all."""
        address = f"http://127.0.0.1:{self.port}/v1/metrics"
        with urllib.request.urlopen(address, timeout=60) as answer:
            text = answer.read().decode()
        counts: dict[str, int] = {}
        for route, status, count in re.findall(
            r'^paraphrast_requests_total\{path="([^"]*)",status="(\d+)"\} ([\d.e+]+)', text, re.M
        ):
            if path in (None, route):
                counts[status] = counts.get(status, 0) + int(float(count))
        return counts

    def descendants(self) -> list[int]:
        """The processes of the service."""
        parents: dict[int, int] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
                parents[int(path.parent.name)] = int(fields[1])
            except (OSError, ValueError):
                continue
        pids = [self.process.pid]
        for pid in pids:
            pids += [child for child, parent in parents.items() if parent == pid]
        return pids

    def megabytes(self) -> float:
        """Memory of all processes of the service; shared pages count once."""
        total = 0
        for pid in self.descendants():
            try:
                text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            total += int(re.search(r"Pss:\s+(\d+)", text)[1])  # type: ignore[index]
        return round(total / 1000, 1)

    def stop(self) -> None:
        """End the service."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


def bodies() -> list[str]:
    """The requests, in the order in which each thread of wrk sends them."""
    texts = [TEXTS[place % len(TEXTS)] for place in range(58)]
    texts[20:20], texts[40:40] = [PARAGRAPH], [LONG[:4000]]
    return [json.dumps({"text": text, "n": 1 + place % 5}) for place, text in enumerate(texts)]


def load(service: Running, clients: int, seconds: int, delay: str = "0") -> dict[str, Any]:
    """What wrk measures: requests per second, latencies in ms, answers that are no 2xx, broken connections."""
    before = service.statuses()
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (", ".join(map(json.dumps, bodies())), delay))
        script.flush()
        command = ["wrk", "-t2", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s", "--latency"]
        run = subprocess.run(
            [*command, "-s", script.name, f"http://127.0.0.1:{service.port}"],
            capture_output=True,
            text=True,
            check=True,
        )
    text = run.stdout
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    after = service.statuses()
    return {
        "requests": int(re.search(r"(\d+) requests in", text)[1]),  # type: ignore[index]
        "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),  # type: ignore[index]
        **{f"p{share}_ms": _milliseconds(text, share) for share in (50, 90, 99)},
        "not_2xx": int(refused[1]) if refused else 0,
        "statuses": {
            status: count - before.get(status, 0) for status, count in after.items() if status != "499"
        },
        "broken": sum(map(int, errors.groups())) if errors else 0,
        "megabytes": service.megabytes(),
        "load_average": round(os.getloadavg()[0], 1),
    }


@contextmanager
def watched(service: Running, every: float) -> Iterator[list[float]]:
    """The memory of the service over time, in MB, while a block runs."""
    series: list[float] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            series.append(service.megabytes())
            done.wait(every)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield series
    finally:
        done.set()
        thread.join()


def kill_workers(service: Running, kills: int, clients: int) -> dict[str, Any]:
    """Load, while a worker is killed (``kill -9``) every second."""
    seconds = kills + 2
    restarts = service.get("/v1/ready")["restarts"]

    def kill() -> None:
        for _ in range(kills):
            time.sleep(1)
            os.kill(max(service.descendants()), signal.SIGKILL)  # the youngest process is a worker

    killer = threading.Thread(target=kill)
    killer.start()
    result = load(service, clients, seconds)
    killer.join()
    service.wait()
    return {"kills": kills, "replaced": service.get("/v1/ready")["restarts"] - restarts, **result}


def _milliseconds(text: str, share: int) -> float:
    number, unit = re.search(rf"\s{share}%\s+([\d.]+)(us|ms|s|m)\b", text).groups()  # type: ignore[union-attr]
    return round(float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit], 2)


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=60, help="Length of the shorter measurements.")
    parser.add_argument(
        "--steady", type=int, default=600, help="Length of the measurement at 70 %% of capacity."
    )
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--lockstep", action="store_true", help="All clients send at the same moment.")
    parser.add_argument("--model", default="default")
    given = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("expected the load tool wrk, found none: apt-get install wrk")
    service = Running(given.model, given.workers)
    try:
        service.wait()
        result: dict[str, Any] = {
            "cores": os.cpu_count(),
            "load_before": os.getloadavg(),
            "start_mb": service.megabytes(),
        }
        load(service, 8, 5)
        result["capacity"] = load(service, given.clients, given.seconds)
        pause = int(1000 * given.clients / max(0.7 * result["capacity"]["per_second"], 1))
        with watched(service, max(given.steady / 20, 1)) as series:
            delay = str(pause) if given.lockstep else RANDOM.format(pause)
            result["at_70_percent"] = load(service, given.clients, given.steady, delay)
        result["at_70_percent"]["megabytes_over_time"] = series
        with watched(service, max(given.seconds / 10, 1)) as series:
            result["beyond"] = load(service, 3 * given.clients, given.seconds)
        result["beyond"]["megabytes_over_time"] = series
        result["recovered"] = load(service, given.clients, given.seconds // 2, RANDOM.format(pause))
        result["killed"] = kill_workers(service, given.kills, 50)
        result["ready"] = service.get("/v1/ready")
    finally:
        service.stop()
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
