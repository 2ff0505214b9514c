"""Limits and names of the decoder's options that others check against."""

from __future__ import annotations

#: Most words that two adjacent phrases may have together to change places.
MAX_WINDOW = 14
#: Weights that need no tuning, by name.
PRESETS = ("quirk", "uniform")
