"""Print the share of lines that the last test run executed, per room: part of `make test`.

Reads `.coverage`, which pytest-cov writes. Code that runs in child processes is not counted.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import coverage

PACKAGE = "paraphrast"


def room_of(path: str) -> str:
    """``…/src/paraphrast/align/hmm.py`` → ``align``; a module at the top of the package → ``(top)``."""
    parts = Path(path).parts
    below = parts[len(parts) - parts[::-1].index(PACKAGE) :]
    return below[0] if len(below) > 1 else "(top)"


def main() -> int:
    """Print one line per room and the total."""
    data = coverage.Coverage()
    data.load()
    target = Path(".coverage.json")
    data.json_report(outfile=str(target))
    report = json.loads(target.read_text(encoding="utf-8"))
    target.unlink()
    statements: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    for path, file in report["files"].items():
        room = room_of(path)
        statements[room] += file["summary"]["num_statements"]
        covered[room] += file["summary"]["covered_lines"]
    print("\nLines run by the tests (without kernels and child processes):")
    for room in sorted(statements):
        if statements[room]:
            print(f"  {room:<12} {100 * covered[room] / statements[room]:5.1f} %")
    total = 100 * sum(covered.values()) / max(sum(statements.values()), 1)
    print(f"  {'total':<12} {total:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
