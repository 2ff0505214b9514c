"""Requests made by Schemathesis from the OpenAPI description of the service (``pip install schemathesis``).

    python bench/fuzzed.py [--examples 1200] [--slow-examples 100] [--model MODEL]

starts ``paraphrast serve`` with two workers, sends valid and invalid requests to every route, and checks that none gets
a status of 500, that every status and content type is described, and that every body follows its schema. Prints JSON;
the exit code is 1 if a check failed. Operations that take a good part of a second get fewer examples.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from serve import Running

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance"
)
#: Another seed sends other requests.
SEED = int(os.environ.get("SEED", "7"))
SLOW = "^/v1/(align|fuse|references)$"
#: Lines of JSON are sent as they are generated.
HOOKS = """
import schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return value.encode("utf-8", errors="surrogatepass") if isinstance(value, str) else repr(value).encode()
"""


def run(service: Running, examples: int, *choice: str) -> dict[str, Any]:
    """One run of Schemathesis; choice: which routes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "fuzzed_hooks.py").write_text(HOOKS, encoding="utf-8")
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "schemathesis.cli", "run"]
        command += [
            f"http://127.0.0.1:{service.port}/openapi.json",
            "--checks",
            CHECKS,
            "--no-color",
            "--seed",
            "7",
        ]
        command += [
            "--phases",
            "examples,coverage,fuzzing",
            "--continue-on-failure",
            "--request-timeout",
            "60",
        ]
        done = subprocess.run(
            [*command, "--max-examples", str(examples), *choice],
            env={**os.environ, "PYTHONPATH": path, "SCHEMATHESIS_HOOKS": "fuzzed_hooks"},
            cwd=folder,
            capture_output=True,
            text=True,
        )
    counts = re.search(r"(\d+) generated", done.stdout)
    if done.returncode or counts is None:
        print(done.stdout[-20_000:], done.stderr[-2000:], file=sys.stderr)
    return {"requests": int(counts[1]) if counts else 0, "exit_code": done.returncode}


def main() -> int:
    """Send requests, and print JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--examples", type=int, default=1200)
    parser.add_argument("--slow-examples", type=int, default=100)
    parser.add_argument("--model", default="default")
    given = parser.parse_args()
    service = Running(given.model, 2)
    try:
        service.wait()
        fast = run(service, given.examples, "--exclude-path-regex", SLOW)
        slow = run(service, given.slow_examples, "--include-path-regex", SLOW)
        report = {
            "fast": fast,
            "slow": slow,
            "requests": fast["requests"] + slow["requests"],
            "statuses": service.statuses(None),
            "ready": service.get("/v1/ready"),
        }
    finally:
        service.stop()
    print(json.dumps(report, indent=1))
    return int(bool(fast["exit_code"] or slow["exit_code"]))


if __name__ == "__main__":
    sys.exit(main())
