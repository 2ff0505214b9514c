"""Answers of a rating campaign while something fails: none that was acknowledged may be lost.

    python bench/campaign.py [--answers 1000] [--faults 20] [--raters 4] [--fault kill|database|disk] [--database URL]

Raters answer over HTTP as fast as they can, and try again when the service is away or says 503. Meanwhile, at random
moments spread over the whole run,

- ``kill``: the service process is killed (``kill -9``);
- ``database``: a PostgreSQL server, which this program starts, is stopped and started;
- ``disk``: the disk of the SQLite file, a tmpfs that this program mounts (needs root), becomes full and free again.

At the end, what was acknowledged is compared with the database. One JSON object goes to standard output; the exit code
is 1 if an answer was lost, changed, or asked twice, or a status other than 200, 303 and 503 came.

``--database``: for ``kill``, an empty database, for example ``postgresql://…``; by default a new file of SQLite.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

#: Makes something fail around a service.
Fault = Callable[[Any], None]
sys.path.append(str(Path(__file__).parents[1] / "tests"))


def main() -> int:
    """Run the campaign and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--faults", "--kills", type=int, default=20)
    parser.add_argument("--raters", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=("kill", "database", "disk"), default="kill")
    parser.add_argument("--database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, surroundings(given, Path(folder)) as (url, fault):
        report = measure(given, url, fault)
    print(json.dumps(report, indent=1))
    strange = set(report["statuses"]) - {200, 303, 503}
    return int(bool(report["lost"] or report["changed"] or report["twice"] or strange))


@contextmanager
def surroundings(given: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Fault]]:
    """The database of a run, and what fails in it."""
    if given.fault == "kill":
        yield given.database or str(folder / "campaign.db"), lambda service: service.kill()
    elif given.fault == "database":
        server: Any = import_module("postgres_server").PostgresServer()
        try:
            server.start()

            def stop_and_start(_service: Any) -> None:
                server.stop()
                time.sleep(1)
                server.start()

            yield server.create("campaign"), stop_and_start
        finally:
            server.remove()
    else:
        disk = folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8M", "tmpfs", str(disk)], check=True)
        try:
            yield str(disk / "campaign.db"), lambda _service: fill(disk)
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> None:
    """Fill a disk to the last byte, and make room again after a second."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream:
        for size in (65536, 512, 1):
            try:
                while True:
                    stream.write(b"x" * size)
            except OSError:
                continue
    time.sleep(1)
    filler.unlink()


def measure(given: argparse.Namespace, url: str, fault: Fault) -> dict[str, Any]:
    """The figures."""
    service_module: Any = import_module("campaign_service")
    examples: Any = import_module("campaign_examples")
    free_port = import_module("postgres_server").free_port
    from paraphrast.campaign.database import Database
    from paraphrast.campaign.state import load_state

    names = tuple(f"rater {number}" for number in range(given.raters))
    items = -(-given.answers // given.raters)
    with Database(url) as database:
        _, opened = examples.make(database, inputs=-(-items // 2), raters=names)

    def answer(text: str) -> dict[str, str]:
        return {"paraphrase": str(sum(map(ord, text)) % 2)}

    acknowledged: dict[str, list[tuple[str, str]]] = {}
    generator = random.Random(given.seed)
    begin = time.monotonic()
    faults = 0
    with service_module.ServiceProcess(url, free_port()) as service:
        visitors = {
            name: service_module.Visitor(secret, [service.address], retry=True)
            for name, secret in opened.raters.items()
        }

        def rate(name: str) -> None:
            acknowledged[name] = visitors[name].rate(answer)

        threads = [threading.Thread(target=rate, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        total = sum(visitor.requests for visitor in visitors.values())
        # An answer takes three requests: which item is next, its page, its form.
        marks = sorted(
            generator.uniform(total, total + 3 * given.answers * 0.95) for _ in range(given.faults)
        )
        for mark in marks:
            while sum(visitor.requests - visitor.failures for visitor in visitors.values()) < mark:
                time.sleep(0.002)
                if not any(thread.is_alive() for thread in threads):
                    break
            fault(service)
            faults += 1
        for thread in threads:
            thread.join()
    seconds = time.monotonic() - begin
    with Database(url) as database, database.read() as connection:
        state = load_state(connection, opened.campaign_id)
    texts = {item.item: item.after for item in state.items}
    lost = changed = twice = 0
    for name, answered in acknowledged.items():
        stored = {texts[rating.item]: rating.value for rating in state.ratings if rating.rater == name}
        shown = [text for _, text in answered]
        twice += len(shown) - len(set(shown))
        lost += sum(text not in stored for text in shown)
        changed += sum(text in stored and stored[text] != int(answer(text)["paraphrase"]) for text in shown)
    statuses = sum((visitor.statuses for visitor in visitors.values()), Counter[int]())
    return {
        "fault": given.fault,
        "database": "postgresql" if url.startswith("postgres") else "sqlite",
        "answers": sum(map(len, acknowledged.values())),
        "faults": faults,
        "requests_that_failed": sum(visitor.failures for visitor in visitors.values()),
        "statuses": dict(sorted(statuses.items())),
        "lost": lost,
        "changed": changed,
        "twice": twice,
        "stored": len(state.ratings),
        "seconds": round(seconds, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
