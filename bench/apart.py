"""One step of a benchmark in a process of its own: ``python apart.py RESULT``, the order as JSON on stdin.

Writes ``{"result": …, "usage": …}``, or ``{"error": …}`` with exit code 1. See :func:`common.apart`.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

from common import BenchError, Context, usage


def main() -> int:
    """Do as ordered."""
    order = json.load(sys.stdin)
    answer: dict[str, Any]
    try:
        context = Context(**{**order["context"], "sizes": tuple(order["context"]["sizes"])})
        function = getattr(importlib.import_module(order["module"]), order["function"])
        answer = {"result": function(context, **order["arguments"]), "usage": usage()}
    except BenchError as error:
        answer = {"error": str(error)}
    except Exception as error:
        traceback.print_exc()
        answer = {"error": f"{type(error).__name__}: {error}"}
    Path(sys.argv[1]).write_text(json.dumps(answer), encoding="utf-8")
    return int("error" in answer)


if __name__ == "__main__":
    sys.exit(main())
