"""Answers of a rating campaign while the service is killed: none that was acknowledged may be lost.

    python bench/campaign.py [--answers 1000] [--kills 20] [--raters 4] [--database URL]

Raters answer over HTTP as fast as they can, and try again when the service is away. Meanwhile the service process is
killed (``kill -9``) again and again, at random moments spread over the whole run. At the end, what was acknowledged is
compared with the database. One JSON object goes to standard output; the exit code is 1 if an answer was lost or came
twice.

``--database``: an empty database, for example ``postgresql://…``; by default a new file of SQLite.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))


def main() -> int:
    """Run the campaign and compare."""
    parser = argparse.ArgumentParser(description="Kill the service while raters answer.")
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--raters", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measure(given, given.database or str(Path(folder) / "campaign.db"))
    print(json.dumps(report, indent=1))
    return int(bool(report["lost"] or report["changed"] or report["twice"]))


def measure(given: argparse.Namespace, url: str) -> dict[str, Any]:
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
    kills = 0
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
        marks = sorted(generator.uniform(total, total + 3 * given.answers * 0.95) for _ in range(given.kills))
        for mark in marks:
            while sum(visitor.requests - visitor.failures for visitor in visitors.values()) < mark:
                time.sleep(0.002)
                if not any(thread.is_alive() for thread in threads):
                    break
            service.kill()
            kills += 1
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
    return {
        "database": "postgresql" if url.startswith("postgres") else "sqlite",
        "answers": sum(map(len, acknowledged.values())),
        "kills": kills,
        "requests_that_failed": sum(visitor.failures for visitor in visitors.values()),
        "lost": lost,
        "changed": changed,
        "twice": twice,
        "stored": len(state.ratings),
        "seconds": round(seconds, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
