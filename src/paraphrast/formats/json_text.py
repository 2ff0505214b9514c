"""JSON from files that may be damaged or hostile: every bad text ends in a ``ValueError``."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    ``json.loads`` raises ``RecursionError`` for deeply nested text; here it is a ``ValueError``, as for any other text
    that cannot be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
