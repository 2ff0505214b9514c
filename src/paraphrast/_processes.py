"""Whether the process that left a file behind still exists."""

from __future__ import annotations

import os
import sys


def process_exists(number: int) -> bool:
    """Whether a process of this number exists; True if that cannot be found out."""
    if sys.platform == "win32":  # os.kill would end it
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
